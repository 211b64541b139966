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

# Rounding error of differences and sums of patterns, relative to the largest value.
_ROUNDING = 4 * np.finfo(float).eps

# Number of pairs in one product: patterns are read once, and not all are negated at once.
_PAIRS = 1024

_VALUES = {"dtype": np.float64, "ensure_all_finite": False}


class RecallCondition(NamedTuple):
    """Condition for correct recall from noisy keys, and the entries that violate it.

    Attributes
    ----------
    holds : ndarray of bool, shape (n_patterns,)
        Whether the value is recalled: no entry of the key is excessive, and no entry of the value
        is unsupported.
    excessive : ndarray of bool, shape (n_patterns, n_keys)
        Entries of the key that noise has changed in the direction that the memory does not
        tolerate.
    unsupported : ndarray of bool, shape (n_patterns, n_values)
        Entries of the value that no entry of the key determines any longer.
    """

    holds: NDArray[np.bool_]
    excessive: NDArray[np.bool_]
    unsupported: NDArray[np.bool_]


class AssociativeMemory(BaseEstimator):
    r"""Morphological associative memory: recalls stored patterns from noisy ones.

    Pairs of keys :math:`x^\xi` and values :math:`y^\xi` are stored in one pass, in any order. A
    value is recalled from a key by a lattice product:

    .. math::

        w_{ij} &= \min_\xi (y_i^\xi - x_j^\xi), \qquad (W \boxplus x)_i = \max_j (w_{ij} + x_j), \\
        m_{ij} &= \max_\xi (y_i^\xi - x_j^\xi), \qquad (M \boxminus x)_i = \min_j (m_{ij} + x_j), \\
        V(x) &= \max_\xi \bigl(y^\xi + \min_j (x_j - x_j^\xi)\bigr) .

    The memory W tolerates erosive noise, which lowers entries of a key. M and the max-plus
    projection V tolerate dilative noise, which raises entries. No memory tolerates both. An
    auto-associative memory, whose values are its keys, recalls any number of stored patterns
    perfectly, and every recalled pattern is a fixed point. With other values, recall may be
    imperfect; ``score`` measures it.

    Values may be infinite. Recall is exact up to the rounding of sums, and exact for integers.

    Read more in the :doc:`User Guide </guide/memories>`.

    Parameters
    ----------
    kind : {"W", "M", "pamm"}, default="W"
        Kind of memory. W stores minima and recalls by a max-plus product, M stores maxima and
        recalls by a min-plus product. ``"pamm"`` is the max-plus projection V, which stores the
        patterns themselves and has fewer spurious fixed points than M.

    Attributes
    ----------
    memory_ : ndarray of shape (n_values, n_keys)
        The matrix W or M. It takes 8 bytes for each entry: 128 MiB for images of 4096 pixels.
    keys_ : ndarray of shape (n_patterns, n_keys)
        The stored keys. Defined for ``kind="pamm"``, in place of the matrix.
    values_ : ndarray of shape (n_patterns, n_values)
        The stored values. Defined for ``kind="pamm"``.
    n_patterns_ : int
        Number of pairs stored.
    autoassociative_ : bool
        Whether the values are the keys.
    n_values_ : int
        Number of entries of a value.
    one_dimensional_ : bool
        Whether Y had one dimension; predictions then have one dimension, too.
    scale_ : float
        The largest finite absolute value stored. Rounding errors are relative to it.
    n_features_in_ : int
        Number of entries of a key.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    rdep.lattice.max_plus : Max-plus product, which recalls from W.
    rdep.lattice.min_plus : Min-plus product, which recalls from M.

    Notes
    -----
    The projection is auto-associative in Valle's paper. Here, with other values, the combination of
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
            The keys, one in each row; infinite values are allowed.
        Y : array-like of shape (n_patterns, n_values) or (n_patterns,), default=None
            The values of the keys; None stores the keys as their own values.

        Returns
        -------
        self
            The fitted memory.
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
            The recalled values.
        """
        recalled = self._recall(self._validated(X))
        return recalled[:, 0] if self.one_dimensional_ else recalled

    def score(self, X, y=None):  # lower-case y, the name that scikit-learn passes
        """Compute the share of keys whose value is recalled, with all entries equal up to rounding.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_keys)
            Keys, noisy or not.
        y : array-like of shape (n_samples, n_values) or (n_samples,), default=None
            The expected values; None means the keys themselves.

        Returns
        -------
        float
            The share, from 0 to 1.
        """
        X = self._validated(X)
        if y is None:
            self._check_autoassociative("the score without y")
        expected = X if y is None else self._expected(X, y)
        return float(self._equal(self._recall(X), expected).all(axis=1).mean())

    def is_fixed_point(self, X):
        """Test whether patterns are fixed points, stored or spurious: recalled unchanged.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_keys)
            Patterns.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
            True for each pattern that is a fixed point.
        """
        X = self._validated(X)
        self._check_autoassociative("a fixed point")
        return self._equal(self._recall(X), X).all(axis=1)

    def recall_condition(self, X, Y):
        r"""Check the exact condition for recall of given values from noisy keys, entry by entry.

        W recalls y from a noisy key :math:`\tilde x` if and only if

        .. math::

            \tilde x_j \le \min_i (y_i - w_{ij}) \;\text{for all } j, \quad\text{and}\quad
            \tilde x_j = y_i - w_{ij} \;\text{for some } j \text{, for each } i .

        For a stored pattern of an auto-associative memory, the bound is the pattern itself: noise
        may lower entries, as long as for every entry some entry that determines it is intact. For M
        the condition is dual. The projection recalls a stored pattern y if and only if
        :math:`\tilde x \ge y` and every max-plus combination of stored patterns below
        :math:`\tilde x` is below y.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_keys)
            Noisy keys.
        Y : array-like of shape (n_samples, n_values) or (n_samples,)
            The expected values.

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
                f"Y has {Y.shape[1]} entries for each value, but the stored values have "
                f"{self.n_values_}"
            )
        return Y

    def _equal(self, values: Array, others: Array) -> NDArray[np.bool_]:
        """Whether numbers are equal up to the rounding errors of storing and recalling."""
        scale = max(self.scale_, _greatest(values), _greatest(others))
        return np.isclose(values, others, rtol=0, atol=_ROUNDING * scale)

    def _check_autoassociative(self, what: str) -> None:
        if not self.autoassociative_:
            raise ValueError(f"{what} is defined for auto-associative memories only: fit without Y")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags


def _paired(X: Array, Y) -> Array:
    """Validate values and return them as a matrix with one row for each key."""
    Y = _without_nan(check_array(Y, ensure_2d=False, input_name="Y", **_VALUES), "Y")
    if len(X) != len(Y):
        raise ValueError(f"there are {len(X)} keys and {len(Y)} values: each key needs one value")
    return Y[:, None] if Y.ndim == 1 else Y


def _without_nan(values: Array, name: str) -> Array:
    if np.isnan(values).any():
        raise ValueError(
            f"{name} contains NaN, which cannot be ordered: replace missing values of a key by −∞ "
            "for W, which max-plus products ignore, and by +∞ for M and the projection"
        )
    return values


def _greatest(values: Array) -> float:
    """The largest finite absolute value."""
    return float(np.abs(values, where=np.isfinite(values), out=np.zeros_like(values)).max())


def stored(extreme: Extreme, X: Array, Y: Array) -> Array:
    """Extremum of y_i − x_j over all pairs, of shape (n_values, n_keys)."""
    check_size(Y.shape[1], X.shape[1])
    memory = np.full((Y.shape[1], X.shape[1]), extreme.neutral)
    for first in range(0, len(X), _PAIRS):
        pairs = slice(first, first + _PAIRS)
        extreme.larger(memory, product(extreme, Y[pairs].T, -X[pairs]), out=memory)
    return memory


def check_size(n_values: int, n_keys: int) -> None:
    """Refuse a matrix that this machine cannot hold twice, as storing requires."""
    needed, present = 8 * n_values * n_keys, physical_memory()
    if present is not None and 2 * needed > present:
        raise MemoryError(
            f"the memory for {n_keys} key entries and {n_values} value entries takes "
            f"{in_gibibytes(needed)}, and twice that while storing, but this machine has "
            f"{in_gibibytes(present)}: use smaller patterns, such as images of lower resolution, "
            "or kind='pamm', which stores the patterns instead"
        )


def physical_memory() -> int | None:
    """Bytes of memory of this machine; None if the system does not report it."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def in_gibibytes(n_bytes: int) -> str:
    return f"{n_bytes / 2**30:,.1f} GiB"
