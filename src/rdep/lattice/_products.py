r"""Max-plus and min-plus matrix products: several dilations or erosions of all samples.

.. math::

    (A \boxplus B)_{ik} = \max_j (a_{ij} + b_{jk}), \qquad
    (A \boxminus B)_{ik} = \min_j (a_{ij} + b_{jk}).

On the extended reals, the sum :math:`(+\infty) + (-\infty)` is :math:`-\infty` in a max-plus
product and :math:`+\infty` in a min-plus product, as in dilations and erosions: a term of this kind
never decides. With these two rules, the products are adjoint to each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._utils._blocks import row_blocks
from .._utils._typing import Array

__all__ = ["max_plus", "min_plus"]

# Numbers in one block of the product, and in the sums beside it: both stay in the cache.
_BLOCK = 1 << 14
# With fewer columns than the first number and at least the second number of terms, reductions
# along rows are faster.
_MANY_COLUMNS, _MANY_TERMS = 8, 64


class Extreme(NamedTuple):
    """Reduction of sums by their maximum or minimum."""

    larger: np.ufunc
    ignoring: np.ufunc  # the same, but NaN is ignored
    neutral: float


MAXIMUM = Extreme(np.maximum, np.fmax, -np.inf)
MINIMUM = Extreme(np.minimum, np.fmin, np.inf)


def max_plus(A: ArrayLike, B: ArrayLike) -> Array:
    r"""Max-plus product of two matrices: :math:`\max_j (a_{ij} + b_{jk})`.

    Column k holds the dilations of the rows of A by column k of B.

    Parameters
    ----------
    A : array-like of shape (m, n)
        First factor; values may be infinite.
    B : array-like of shape (n, k)
        Second factor. A sum of +∞ and −∞ is −∞.

    Returns
    -------
    ndarray of shape (m, k)
        The product; −∞ if n is zero, NaN where a term is NaN.

    See Also
    --------
    rdep.dilation : The product with one column.
    min_plus : Product with the minimum.

    References
    ----------
    R. Cuninghame-Green, "Minimax Algebra", Springer, 1979.

    G. X. Ritter, P. Sussner and J. L. Díaz-de-León, "Morphological associative memories", IEEE
    Transactions on Neural Networks 9(2), 1998.

    Examples
    --------
    >>> from rdep.lattice import max_plus
    >>> max_plus([[0.0, 3.0], [5.0, 1.0]], [[1.0, 0.0], [-1.0, 2.0]])
    array([[2., 5.],
           [6., 5.]])
    """
    return product(MAXIMUM, *_factors(A, B))


def min_plus(A: ArrayLike, B: ArrayLike) -> Array:
    r"""Min-plus product of two matrices: :math:`\min_j (a_{ij} + b_{jk})`.

    Column k holds the erosions of the rows of A by column k of B.

    Parameters
    ----------
    A : array-like of shape (m, n)
        First factor; values may be infinite.
    B : array-like of shape (n, k)
        Second factor. A sum of +∞ and −∞ is +∞.

    Returns
    -------
    ndarray of shape (m, k)
        The product; +∞ if n is zero, NaN where a term is NaN.

    See Also
    --------
    rdep.erosion : The product with one column.
    max_plus : Product with the maximum.

    References
    ----------
    R. Cuninghame-Green, "Minimax Algebra", Springer, 1979.

    G. X. Ritter, P. Sussner and J. L. Díaz-de-León, "Morphological associative memories", IEEE
    Transactions on Neural Networks 9(2), 1998.

    Examples
    --------
    >>> from rdep.lattice import min_plus
    >>> min_plus([[0.0, 3.0], [5.0, 1.0]], [[1.0, 0.0], [-1.0, 2.0]])
    array([[1., 0.],
           [0., 3.]])
    """
    return product(MINIMUM, *_factors(A, B))


def product(extreme: Extreme, A: Array, B: Array) -> Array:
    """Extremes of a_ij + b_jk over j; no array is larger than a factor or the product."""
    made = np.full((len(A), B.shape[1]), extreme.neutral, dtype=np.result_type(A, B))
    if not made.size or not B.size:
        return made
    opposites = _may_be_opposite(A, B)
    larger = extreme.ignoring if opposites else extreme.larger
    with np.errstate(invalid="ignore" if opposites else "warn"):
        if len(A) >= B.shape[1]:
            _write(larger, A, B, made)
        else:
            _write(larger, B.T, A.T, made.T)
    if opposites:  # NaN from ∞ − ∞ was ignored, but NaN of the factors counts
        made[np.isnan(A).any(axis=1)] = np.nan
        made[:, np.isnan(B).any(axis=0)] = np.nan
    return made


def floating(values: ArrayLike) -> Array:
    """Convert to an array of floats; the precision of floats is kept."""
    array = np.asarray(values)
    return array if np.issubdtype(array.dtype, np.floating) else array.astype(float)


def _factors(A: ArrayLike, B: ArrayLike) -> tuple[Array, Array]:
    A, B = floating(A), floating(B)
    if A.ndim != 2 or B.ndim != 2 or A.shape[1] != len(B):
        raise ValueError(
            f"expected matrices of shapes (m, n) and (n, k), got {A.shape} and {B.shape}; one row "
            "is x.reshape(1, -1), one column x.reshape(-1, 1)"
        )
    return A, B


def _may_be_opposite(A: Array, B: Array) -> bool:
    """Whether +∞ may be added to −∞; the larger factor is checked only if the smaller has any."""
    smaller, other = sorted((A, B), key=np.size)
    return any(
        bool((smaller == infinite).any() and (other == -infinite).any())
        for infinite in (-np.inf, np.inf)
    )


def _write(larger: np.ufunc, A: Array, B: Array, made: Array) -> None:
    """Write the product of a factor with many rows and one with few columns, the faster way."""
    beside = A.strides[1] <= A.strides[0]  # the terms of a row are adjacent in memory
    few = beside and B.shape[1] < _MANY_COLUMNS and A.shape[1] >= _MANY_TERMS
    (_column_by_column if few else _term_by_term)(larger, A, B, made)


def _column_by_column(larger: np.ufunc, A: Array, B: Array, made: Array) -> None:
    """Compute the product for each column of B, with a block of rows of A at a time."""
    for rows in row_blocks(A):
        for column, of_column in zip(B.T, made[rows].T, strict=True):
            larger(of_column, larger.reduce(A[rows] + column, axis=1), out=of_column)


def _term_by_term(larger: np.ufunc, A: Array, B: Array, made: Array) -> None:
    """Compute the product block by block along the rows of A, one term after the other."""
    n_rows = min(len(A), _BLOCK // 4)
    n_columns = _BLOCK // n_rows
    for first in range(0, len(A), n_rows):
        terms = np.ascontiguousarray(A[first : first + n_rows].T)
        for column in range(0, B.shape[1], n_columns):
            place = slice(first, first + n_rows), slice(column, column + n_columns)
            block = np.ascontiguousarray(made[place].T)
            sums = np.empty_like(block)
            for term, row in zip(terms, B[:, place[1], None], strict=True):
                np.add(term, row, out=sums)
                larger(block, sums, out=block)
            made[place] = block.T
