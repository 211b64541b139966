r"""Dilation and erosion on the extended reals: the two elementary operators of the lattice.

.. math::

    \delta_w(x) = \max_j (w_j + x_j), \qquad \varepsilon_m(x) = \min_j (m_j + x_j).

Infinite values are allowed. The sum :math:`(+\infty) + (-\infty)` is :math:`-\infty` in a dilation
and :math:`+\infty` in an erosion: the only choice for which a dilation commutes with every supremum
and an erosion with every infimum.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from .._utils._typing import Array
from ._products import MAXIMUM, MINIMUM, Extreme, floating, product

__all__ = ["dilation", "erosion"]


def dilation(X: ArrayLike, w: ArrayLike) -> Array:
    r"""Dilate every sample: :math:`\delta_w(x) = \max_j (w_j + x_j)`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples; values may be infinite.
    w : array-like of shape (n_features,)
        Weights of the dilation.

    Returns
    -------
    ndarray of shape (n_samples,)
        The dilation of every sample.

    References
    ----------
    H. J. A. M. Heijmans, "Morphological Image Operators", Academic Press, 1994.

    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.

    Examples
    --------
    >>> from rdep import dilation
    >>> dilation([[0.0, 3.0], [5.0, 1.0]], [1.0, -1.0])
    array([2., 6.])
    """
    return _extreme(MAXIMUM, X, w)


def erosion(X: ArrayLike, m: ArrayLike) -> Array:
    r"""Erode every sample: :math:`\varepsilon_m(x) = \min_j (m_j + x_j)`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples; values may be infinite.
    m : array-like of shape (n_features,)
        Weights of the erosion.

    Returns
    -------
    ndarray of shape (n_samples,)
        The erosion of every sample.

    References
    ----------
    H. J. A. M. Heijmans, "Morphological Image Operators", Academic Press, 1994.

    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.

    Examples
    --------
    >>> from rdep import erosion
    >>> erosion([[0.0, 3.0], [5.0, 1.0]], [1.0, -1.0])
    array([1., 0.])
    """
    return _extreme(MINIMUM, X, m)


def _extreme(extreme: Extreme, X: ArrayLike, weights: ArrayLike) -> Array:
    """Maximum or minimum of x + w over the features: a product with one column."""
    X, weights = floating(X), floating(weights)
    if X.ndim != 2 or weights.ndim != 1 or X.shape[1] != len(weights):
        raise ValueError(
            f"expected X of shape (n_samples, n_features) and weights of shape (n_features,), "
            f"got {X.shape} and {weights.shape}; one sample is X.reshape(1, -1)"
        )
    return product(extreme, X, weights[:, None])[:, 0]
