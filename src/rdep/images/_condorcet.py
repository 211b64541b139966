"""Ordering by the votes of several orderings."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from .._base._fitting import unchanged_on_error
from .._utils._sklearn_estimators import Interval, _fit_context
from .._utils._typing import Array
from ._alone import check_kind, pixel_values
from ._orderings import LexicographicOrdering
from ._pixel_ordering import FitImage, PixelOrdering
from ._pixels import blocks
from ._scale import fitted_dtype, scale_of

__all__ = ["CondorcetOrdering"]


class CondorcetOrdering(FitImage, PixelOrdering):
    r"""Ordering by majorities: each of several orderings has one vote on every pair of pixels.

    .. math::

        \rho(x) = \sum_{y \in S} \operatorname{sign} \sum_k
        \operatorname{sign}\bigl(\rho_k(x) - \rho_k(y)\bigr)
        + \frac1K \sum_k F_k\bigl(\rho_k(x)\bigr)

    The first sum is the number of pixels in the sample S that x beats by a majority, less the
    number of those that beat x (Copeland's score). If the majorities of the pixels in S contain no
    cycle and no tie, it sorts S as the majorities do, which is the Condorcet ordering. If all
    votes agree on two pixels, ρ agrees too. The second sum, from 0 to 1, separates pixels of the
    same score: F is the share of the sample's values below, with straight lines between them.

    Parameters
    ----------
    orderings : sequence of orderings or functions, or None, default=None
        The voters: their values ρ must be single numbers. Copies are fitted on the pixels; to vote
        with a fitted ordering, wrap it in :class:`sklearn.frozen.FrozenEstimator`. None means one
        voter for each channel.
    max_pixels : int, default=1000
        Maximum number of pixels in the sample; they are drawn at random, and equal ones count once.
    random_state : int, RandomState instance or None, default=None
        Seed for drawing the pixels.

    Attributes
    ----------
    orderings_ : list
        The fitted voters.
    values_ : ndarray of shape (n_drawn, n_orderings)
        The voters' values of the pixels in the sample.
    scale_ : tuple of (float, str)
        Full intensity of the pixels, and their dtype: images on another scale are refused.
    n_features_in_ : int
        Number of channels.

    Notes
    -----
    Valle et al. train a neural network on the votes; here they are counted.

    References
    ----------
    M. E. Valle, S. Velasco-Forero, J. B. Florindo and J. Angulo, "Approximating Condorcet ordering
    for vector-valued mathematical morphology", arXiv:2509.06577, 2025.

    A. H. Copeland, "A reasonable social welfare function", University of Michigan, 1951.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import CondorcetOrdering, dilation
    >>> image = np.array([[[9, 9, 0], [1, 2, 8], [8, 1, 9]]], dtype=np.uint8)
    >>> by_majority = CondorcetOrdering().fit_image(image)
    >>> dilation(image, np.ones((1, 5)), ordering=by_majority)[0, 0]
    array([9, 9, 0], dtype=uint8)
    """

    __module__ = "rdep.images"

    _parameter_constraints = {
        "orderings": ["array-like", None],
        "max_pixels": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, orderings=None, *, max_pixels=1000, random_state=None):
        self.orderings = orderings
        self.max_pixels = max_pixels
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y=None):
        """Fit the voters, and draw the pixels that others are compared with.

        Parameters
        ----------
        X : array-like of shape (n_pixels, n_channels)
            Pixels.
        y : array-like of shape (n_pixels,) or None, default=None
            Classes of the pixels, if a voter needs them.

        Returns
        -------
        self
            The fitted ordering.
        """
        with unchanged_on_error(self):
            dtype = fitted_dtype(X)
            X = validate_data(self, X, dtype=np.float64)
            drawn = check_random_state(self.random_state).permutation(len(X))[: self.max_pixels]
            self.scale_ = tuple(scale_of(X, dtype))
            self.orderings_ = [_fitted(voter, X, y) for voter in self._voters(X.shape[1])]
            self.values_ = self._values(np.unique(X[drawn], axis=0))
        return self

    def _rho(self, X):
        values = self._values(X)
        shares = [_share(*pair) for pair in zip(values.T, self.values_.T, strict=True)]
        rho = np.add.reduce(shares) / len(shares)
        for rows in blocks(len(X), len(self.values_)):
            rho[rows] += _score(values[rows], self.values_)
        return rho[:, np.newaxis]

    def _voters(self, n_channels: int):
        if self.orderings is None:
            return [LexicographicOrdering([channel]) for channel in range(n_channels)]
        if len(self.orderings) == 0:
            raise ValueError("orderings is empty: pass one voter or more, or None for the channels")
        return self.orderings

    def _values(self, X: Array) -> Array:
        values = [pixel_values(voter, X) for voter in self.orderings_]
        for voter, columns in zip(self.orderings_, values, strict=True):
            if columns.shape[1] != 1:
                raise ValueError(
                    f"the voter {type(voter).__name__} has {columns.shape[1]} values for a pixel, "
                    "but must have one"
                )
        return np.concatenate(values, axis=1).astype(np.float64)


def _fitted(voter, X: Array, y):
    is_estimator = check_kind(voter)
    voter = clone(voter, safe=False)
    return voter.fit(X, y) if is_estimator else voter


def _score(values: Array, others: Array) -> Array:
    """Number of others that lose to each pixel by majority, less those that win."""
    votes = np.zeros((len(values), len(others)), dtype=np.int16)
    for mine, theirs in zip(values.T, others.T, strict=True):
        votes += mine[:, np.newaxis] > theirs
        votes -= mine[:, np.newaxis] < theirs
    return np.sign(votes).sum(axis=1, dtype=np.int64)


def _share(values: Array, others: Array) -> Array:
    """Share of the other values below each value, from 0 to 1, linear in between."""
    steps = np.unique(others)
    return np.interp(values, steps, np.linspace(0, 1, len(steps)))
