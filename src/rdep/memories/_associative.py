"""Morphological associative memories: W, M and the max-plus projection."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from .._base._fitting import unchanged_on_error
from .._utils._sklearn_estimators import StrOptions, _fit_context
from .._utils._typing import Array
from ..lattice import MAXIMUM, MINIMUM, Extreme, max_plus, min_plus, product

# Differences and sums of patterns are exact to so many units of the last place of the largest.
_ROUNDING = 4 * np.finfo(float).eps

# Pairs in one product: the patterns are read once, and their negatives are never all in memory.
_PAIRS = 1024

_VALUES = {"dtype": np.float64, "ensure_all_finite": False}


class RecallCondition(NamedTuple):
    """Whether noisy keys are recalled as they should be, and what prevents it.

    Attributes
    ----------
    holds : ndarray of bool, shape (n_patterns,)
        Whether the value is recalled: no entry of the key is excessive, and none of the value is
        without support.
    excessive : ndarray of bool, shape (n_patterns, n_keys)
        Entries of the key that noise has changed in the direction that the memory does not bear.
    unsupported : ndarray of bool, shape (n_patterns, n_values)
        Entries of the value that no entry of the key determines any more.
    """

    holds: NDArray[np.bool_]
    excessive: NDArray[np.bool_]
    unsupported: NDArray[np.bool_]


class AssociativeMemory(BaseEstimator):
    r"""Morphological associative memory: recalls stored patterns from noisy ones.

    Pairs of keys :math:`x^\xi` and values :math:`y^\xi` are stored in one pass, in any order,
    without any parameter; a value is recalled from a key by a lattice product:

    .. math::

        w_{ij} &= \min_\xi (y_i^\xi - x_j^\xi), \qquad (W \boxplus x)_i = \max_j (w_{ij} + x_j), \\
        m_{ij} &= \max_\xi (y_i^\xi - x_j^\xi), \qquad (M \boxminus x)_i = \min_j (m_{ij} + x_j), \\
        V(x) &= \max_\xi \bigl(y^\xi + \min_j (x_j - x_j^\xi)\bigr) .

    The memory W bears erosive noise, which lowers entries of a key; M and the max-plus projection V
    bear dilative noise, which raises them. None bears both at once. An auto-associative memory,
    whose values are its keys, recalls any number of stored patterns perfectly, and what it recalls
    is a fixed point. With different values perfect recall is not certain; ``score`` tells.

    Values may be infinite. Recall is exact up to the rounding of sums; of integers it is exact.

    Parameters
    ----------
    kind : {"W", "M", "pamm"}, default="W"
        Which memory: W by a minimum and recall by a max-plus product, M by a maximum and recall by
        a min-plus product, or the max-plus projection V, which holds the patterns themselves and
        has fewer spurious fixed points than M.

    Attributes
    ----------
    memory_ : ndarray of shape (n_values, n_keys)
        The matrix W or M. It takes 8 bytes for each entry: 128 MiB for images of 4096 pixels.
    keys_ : ndarray of shape (n_patterns, n_keys)
        The stored keys, with ``kind="pamm"`` in place of the matrix.
    values_ : ndarray of shape (n_patterns, n_values)
        The stored values, with ``kind="pamm"``.
    n_patterns_ : int
        Number of pairs stored.
    autoassociative_ : bool
        Whether the values are the keys.
    n_values_ : int
        Number of entries of a value.
    one_dimensional_ : bool
        Whether Y had one dimension, as predictions then have.
    scale_ : float
        The greatest finite absolute value stored, which rounding is relative to.
    n_features_in_ : int
        Number of entries of a key.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if X has names that are all strings.

    Notes
    -----
    The projection is auto-associative in its source; with other values, here, the combination of
    the keys is applied to the values.

    References
    ----------
    G. X. Ritter and P. Sussner, "An introduction to morphological neural networks", ICPR 1996.

    G. X. Ritter, P. Sussner and J. L. Díaz-de-León, "Morphological associative memories", IEEE
    Transactions on Neural Networks 9(2), 1998.

    P. Sussner and M. E. Valle, "Gray-scale morphological associative memories", IEEE Transactions
    on Neural Networks 17(3), 2006.

    M. E. Valle, "An introduction to the max-plus projection autoassociative morphological memory
    and some of its variations", FUZZ-IEEE 2014.

    Examples
    --------
    >>> from rdep import AssociativeMemory
    >>> patterns = [[0, 5, 9], [7, 7, 1], [4, 0, 2]]
    >>> memory = AssociativeMemory("W").fit(patterns)
    >>> memory.predict([[-3, 2, 9]])  # the first two entries were 0 and 5
    array([[0., 5., 9.]])
    >>> memory.is_fixed_point(patterns)
    array([ True,  True,  True])
    """

    __module__ = "rdep"

    _parameter_constraints = {"kind": [StrOptions({"W", "M", "pamm"})]}

    def __init__(self, kind="W"):
        self.kind = kind

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, Y=None):
        """Store pairs of keys and values.

        Parameters
        ----------
        X : array-like of shape (n_patterns, n_keys)
            The keys, one for each row; infinite values are allowed.
        Y : array-like of shape (n_patterns, n_values) or (n_patterns,), default=None
            Their values; None stores the keys as their own values.

        Returns
        -------
        self
        """
        with unchanged_on_error(self):
            X = _without_nan(validate_data(self, X, **_VALUES), "X")
            values = X if Y is None else _paired(X, Y)
            self.autoassociative_ = Y is None
            self.one_dimensional_ = Y is not None and np.ndim(Y) == 1
            self.n_patterns_, self.n_values_ = values.shape
            self.scale_ = max(_greatest(X), _greatest(values))
            if self.kind == "pamm":
                self.keys_, self.values_ = X, values
            else:
                self.memory_ = stored(MINIMUM if self.kind == "W" else MAXIMUM, X, values)
        return self

    def predict(self, X):
        """Recall the values of keys.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_keys)
            Keys, noisy or not; infinite values are allowed.

        Returns
        -------
        ndarray of shape (n_samples, n_values), or (n_samples,) if Y had one dimension
        """
        recalled = self._recall(self._validated(X))
        return recalled[:, 0] if self.one_dimensional_ else recalled

    def score(self, X, y=None):  # the name by which scikit-learn hands it over
        """Share of keys whose value is recalled, all entries equal up to rounding.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_keys)
            Keys, noisy or not.
        y : array-like of shape (n_samples, n_values) or (n_samples,), default=None
            What they should be recalled as; None means the keys themselves.

        Returns
        -------
        float
        """
        X = self._validated(X)
        if y is None:
            self._check_autoassociative("the score without y")
        expected = X if y is None else self._expected(X, y)
        return float(self._equal(self._recall(X), expected).all(axis=1).mean())

    def is_fixed_point(self, X):
        """Whether patterns are recalled as they are: the stored ones, and spurious ones.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_keys)
            Patterns.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
        """
        X = self._validated(X)
        self._check_autoassociative("a fixed point")
        return self._equal(self._recall(X), X).all(axis=1)

    def recall_condition(self, X, Y):
        r"""Whether noisy keys are recalled as given values: the exact condition, entry by entry.

        W recalls y from a noisy key :math:`\tilde x` if and only if

        .. math::

            \tilde x_j \le \min_i (y_i - w_{ij}) \;\text{for all } j, \quad\text{and}\quad
            \tilde x_j = y_i - w_{ij} \;\text{for some } j \text{, for each } i .

        Of a stored pattern of an auto-associative memory the bound is the pattern itself: noise
        may lower entries, as long as for every entry some entry that determines it is intact. For M
        the condition is dual. The projection recalls a stored pattern y if and only if
        :math:`\tilde x \ge y` and every max-plus combination of stored patterns below
        :math:`\tilde x` is below y.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_keys)
            Noisy keys.
        Y : array-like of shape (n_samples, n_values) or (n_samples,)
            What each should be recalled as.

        Returns
        -------
        RecallCondition
            A tuple (holds, excessive, unsupported).

        References
        ----------
        G. X. Ritter and P. Sussner, "An introduction to morphological neural networks", ICPR 1996,
        Theorem 3.

        Examples
        --------
        >>> from rdep import AssociativeMemory
        >>> memory = AssociativeMemory("W").fit([[0, 5, 9], [7, 7, 1], [4, 0, 2]])
        >>> memory.recall_condition([[-3, 2, 9], [0, 6, 9]], [[0, 5, 9], [0, 5, 9]])
        RecallCondition(holds=array([ True, False]), excessive=array([[False, False, False],
               [False,  True, False]]), unsupported=array([[False, False, False],
               [False, False, False]]))
        """
        X = self._validated(X)
        Y = self._expected(X, Y)
        recalled = self._recall(X)
        if self.kind == "W":
            bound = min_plus(Y, -self.memory_)
            excessive, unsupported = bound < X, recalled < Y
        elif self.kind == "M":
            bound = max_plus(Y, -self.memory_)
            excessive, unsupported = bound > X, recalled > Y
        else:
            self._check_autoassociative("the condition for the projection")
            bound = Y
            excessive, unsupported = bound > X, recalled != Y
        excessive &= ~self._equal(X, bound)
        unsupported &= ~self._equal(recalled, Y)
        return RecallCondition(
            ~(excessive.any(axis=1) | unsupported.any(axis=1)), excessive, unsupported
        )

    def _recall(self, X: Array) -> Array:
        if self.kind == "W":
            return max_plus(X, self.memory_.T)
        if self.kind == "M":
            return min_plus(X, self.memory_.T)
        return max_plus(min_plus(X, -self.keys_.T), self.values_)

    def _validated(self, X) -> Array:
        check_is_fitted(self)
        return _without_nan(validate_data(self, X, reset=False, **_VALUES), "X")

    def _expected(self, X: Array, Y) -> Array:
        Y = _paired(X, Y)
        if Y.shape[1] != self.n_values_:
            raise ValueError(
                f"Y has {Y.shape[1]} entries for each value, the values stored have "
                f"{self.n_values_}"
            )
        return Y

    def _equal(self, values: Array, others: Array) -> NDArray[np.bool_]:
        """Whether numbers are equal up to the rounding of what was stored and recalled."""
        scale = max(self.scale_, _greatest(values), _greatest(others))
        return np.isclose(values, others, rtol=0, atol=_ROUNDING * scale)

    def _check_autoassociative(self, what: str) -> None:
        if not self.autoassociative_:
            raise ValueError(f"{what} is defined for an auto-associative memory: fit it without Y")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags


def _paired(X: Array, Y) -> Array:
    """Values as a matrix with as many rows as there are keys."""
    Y = _without_nan(check_array(Y, ensure_2d=False, input_name="Y", **_VALUES), "Y")
    if len(X) != len(Y):
        raise ValueError(f"there are {len(X)} keys and {len(Y)} values: each key needs one value")
    return Y[:, None] if Y.ndim == 1 else Y


def _without_nan(values: Array, name: str) -> Array:
    if np.isnan(values).any():
        raise ValueError(
            f"{name} contains NaN, which no order has a place for: a missing value of a key is −∞ "
            "for W, which max-plus products ignore, and +∞ for M and the projection"
        )
    return values


def _greatest(values: Array) -> float:
    """The greatest finite absolute value."""
    return float(np.abs(values, where=np.isfinite(values), out=np.zeros_like(values)).max())


def stored(extreme: Extreme, X: Array, Y: Array) -> Array:
    """The extreme of y_i − x_j over all pairs, shape (n_values, n_keys)."""
    check_size(Y.shape[1], X.shape[1])
    memory = np.full((Y.shape[1], X.shape[1]), extreme.neutral)
    for first in range(0, len(X), _PAIRS):
        pairs = slice(first, first + _PAIRS)
        extreme.larger(memory, product(extreme, Y[pairs].T, -X[pairs]), out=memory)
    return memory


def check_size(n_values: int, n_keys: int) -> None:
    """Refuse a matrix that this machine cannot hold, twice, as storing does."""
    needed, present = 8 * n_values * n_keys, physical_memory()
    if present is not None and 2 * needed > present:
        raise MemoryError(
            f"the memory of {n_keys} key entries and {n_values} value entries takes "
            f"{in_gibibytes(needed)}, storing it twice that, and this machine has "
            f"{in_gibibytes(present)}: reduce the patterns, for images by a lower resolution, or "
            "use kind='pamm', which holds the patterns instead"
        )


def physical_memory() -> int | None:
    """Bytes of memory of this machine; None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def in_gibibytes(n_bytes: int) -> str:
    return f"{n_bytes / 2**30:,.1f} GiB"
