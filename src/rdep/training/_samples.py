"""The samples of one training problem: their order, penalty weights ν and spread.

The order and the sums depend on the samples only, not on the order of the rows in X.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .._base._missing import has_missing, in_place_of_missing, means_of_known, ranges
from .._utils._blocks import row_blocks
from .._utils._typing import Array, Indices, Mask

WEIGHTINGS = ("distance",)

# A sample this close to its class mean (relative to the farthest one) is at the mean, which is
# known only up to rounding.
_AT_THE_MEAN = 1e-10


@dataclass(frozen=True, eq=False)
class ClassSamples:
    """Distinct samples of one class, in an order that does not depend on the order of the rows.

    Repeated rows are merged and their weights added, so that sums run over the same numbers in
    the same order for any order of the rows.
    """

    rows: Array  # (m, n); samples are these rows times ``sign``
    weights: Array  # (m,)
    cost: float  # multiplies the loss of the class
    least: Array  # of every feature
    greatest: Array
    sign: float = 1.0  # −1 in a mirror image, so that its rows need not be copied and negated
    mirror_of: ClassSamples | None = None

    @classmethod
    def from_rows(cls, rows: Array, weights: Array, cost: float) -> ClassSamples:
        return cls(rows, weights, cost, *ranges(rows))

    def completed(self, other: ClassSamples) -> ClassSamples:
        """Copy with the other class's range of each feature that this class has no value of."""
        unknown = np.isnan(self.least)
        return replace(
            self,
            least=np.where(unknown, other.least, self.least),
            greatest=np.where(unknown, other.greatest, self.greatest),
        )

    @property
    def ends(self) -> tuple[Array, Array]:
        """Smallest and largest value of every feature."""
        return self.least, self.greatest

    def mirrored(self) -> ClassSamples:
        """Samples −x in their own order, which is the reverse."""
        return ClassSamples(
            self.rows[::-1],
            self.weights[::-1],
            self.cost,
            -self.greatest,
            -self.least,
            -self.sign,
            mirror_of=self,
        )

    @cached_property
    def distance_weights(self) -> Array:
        r""":math:`\nu` of the samples; a mirror image has the same values."""
        if self.mirror_of is not None:
            return self.mirror_of.distance_weights[::-1]
        return penalty_weights(self._filled(), self.weights)

    def penalties(self, weighting: str | None) -> Array:
        r""":math:`\nu_i / |N|` or :math:`\nu_i / |P|`, with weights summed in place of counts."""
        if weighting is not None and weighting not in WEIGHTINGS:
            raise ValueError(
                f"unknown weighting {weighting!r}; known: {', '.join(WEIGHTINGS)}, None"
            )
        even = self.cost * self.weights / self.weights.sum()
        return even if weighting is None else even * self.distance_weights

    def mean(self) -> Array:
        return self.sign * np.average(self._filled(), axis=0, weights=self.weights)

    def _filled(self) -> Array:
        """Rows with the mean of the class in place of missing values."""
        if not has_missing(self.rows):
            return self.rows
        means = means_of_known(self.rows, self.weights)
        return np.where(
            np.isnan(self.rows), np.where(np.isnan(means), self.least, means), self.rows
        )


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The samples of both classes, and the unit of the margin.

    Attributes
    ----------
    negatives, positives : ClassSamples
        The distinct samples of each class.
    spread : float
        Root mean square of the features' standard deviations: the unit of ``margin``.
    used : ndarray of bool, of shape (n_features,)
        Mask of the features in use; the samples have no others.
    """

    __module__ = "rdep.training"

    negatives: ClassSamples
    positives: ClassSamples
    spread: float
    used: Mask

    @classmethod
    def from_samples(
        cls,
        X: Array,
        signs: Array,
        sample_weight: Array | None = None,
        class_costs: tuple[float, float] = (1.0, 1.0),
        ignore_constant: bool = False,
    ) -> TrainingSet:
        """Split samples by class; samples with zero weight, or without values, are ignored.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
            Samples of both classes.
        signs : ndarray of shape (n_samples,)
            Classes, −1 and +1.
        sample_weight : ndarray of shape (n_samples,) or None, default=None
            Sample weights; None means 1 for every sample.
        class_costs : pair of float, default=(1.0, 1.0)
            Factors of the loss of the negative and of the positive class.
        ignore_constant : bool, default=False
            Whether to ignore features with the same value in all samples, unless all features are
            constant.

        Returns
        -------
        TrainingSet
            The samples of both classes.
        """
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        if not weights.all():
            X, signs, weights = X[weights > 0], signs[weights > 0], weights[weights > 0]
        used: Mask = _varying(X) if ignore_constant else np.logical_not(np.isnan(X).all(axis=0))
        if not used.all():
            X = X[:, used]
        if gaps := has_missing(X):
            valued = ~np.isnan(X).all(axis=1)
            X, signs, weights = X[valued], signs[valued], weights[valued]
            if np.ptp(np.sign(signs)) == 0:
                raise ValueError(
                    "every value of every sample of a class is missing: training needs some values "
                    "of each class"
                )
        X = _row_by_row(_sortable(X))
        keys, order = _row_keys(X)
        parts = [
            _distinct_rows(X, keys, order[of_class[order]], weights)
            for of_class in (signs < 0, signs > 0)
        ]
        if gaps:
            for rows, _ in parts:
                rows[np.isneginf(rows)] = np.nan
        negatives, positives = (
            ClassSamples.from_rows(*part, cost)
            for part, cost in zip(parts, class_costs, strict=True)
        )
        if gaps:
            negatives, positives = negatives.completed(positives), positives.completed(negatives)
        return cls(negatives, positives, _spread(negatives, positives), used)

    def dual(self) -> TrainingSet:
        """Training set of the dual: the dilation trained on it gives the erosion of this set."""
        return TrainingSet(
            self.positives.mirrored(), self.negatives.mirrored(), self.spread, self.used
        )

    def margins(self, margin: float) -> tuple[float, float]:
        """Margins of the negatives and of the positives, in the units of the data.

        Uneven margins (Li and Shawe-Taylor 2003): the margin of the costlier class is wider by the
        logarithm of the ratio of costs, as the best threshold on log-odds is shifted.
        """
        costs = np.array([self.negatives.cost, self.positives.cost])
        negative, positive = margin * self.spread * (1 + np.log(costs / costs.min()))
        return float(negative), float(positive)


def _varying(X: Array) -> Mask:
    """Mask of the features that are not constant; all features if all are constant."""
    least, greatest = ranges(X)
    varying: Mask = least < greatest
    return varying if varying.any() else ~np.isnan(least)


def _spread(negatives: ClassSamples, positives: ClassSamples) -> float:
    total = negatives.weights.sum() + positives.weights.sum()
    unit = power_of_two(max(map(largest_size, (*negatives.ends, *positives.ends))))
    classes = [(part.rows, part.weights / total) for part in (negatives, positives)]
    if any(has_missing(X) for X, _ in classes):
        rows, weights = (np.concatenate(parts) for parts in zip(*classes, strict=True))
        rows = rows / unit
        variances = means_of_known((rows - means_of_known(rows, weights)) ** 2, weights)
        return float(unit * np.sqrt(variances.mean()))
    mean = sum(weights @ X for X, weights in classes) / unit
    variance = sum(
        weights[block] @ ((X[block] / unit - mean) ** 2).mean(axis=1)
        for X, weights in classes
        for block in row_blocks(X)
    )
    return float(unit * np.sqrt(variance))


def penalty_weights(X: Array, weights: Array) -> Array:
    r""":math:`\nu` of one class (``eq:nu-weights``): nearest distance to the mean over distance.

    The reciprocal distance of a sample at the mean would be infinite. It gets the smallest distance
    of the others.
    """
    unit = power_of_two(largest_size(X))

    def differences() -> Iterator[tuple[slice, Array]]:
        """Differences from the first sample: far from the origin, their mean is more accurate."""
        for rows in row_blocks(X):
            part = X[rows] / unit
            part -= X[0] / unit
            yield rows, part

    mean = sum(weights[rows] @ part for rows, part in differences()) / weights.sum()
    distances = np.empty(len(X))
    for rows, part in differences():
        part -= mean
        distances[rows] = np.sqrt(np.einsum("ij,ij->i", part, part))
    rounding = np.finfo(float).eps * np.sqrt(X.shape[1])  # of the input values
    apart = distances > max(_AT_THE_MEAN * distances.max(), rounding)
    if not apart.any():
        return np.ones(len(X))
    nearest = distances[apart].min()
    return nearest / np.where(apart, distances, nearest)


def distinct_rows(X: Array, weights: Array) -> tuple[Array, Array]:
    """Distinct rows, and the sums of their weights."""
    return _distinct_rows(X, *_row_keys(X), weights)


def _distinct_rows(X: Array, keys: Array, order: Indices, weights: Array) -> tuple[Array, Array]:
    """Distinct rows in canonical order, and the sums of their weights."""
    order, is_first = _grouped(X, keys, order)
    firsts = order[is_first]
    # Problems store their samples feature by feature; with many features, rows are longer.
    rows = np.empty((len(firsts), X.shape[1]), order="F" if len(firsts) >= X.shape[1] else "C")
    for block in row_blocks(rows):
        rows[block] = X.take(firsts[block], axis=0)
    rows += 0.0  # −0.0 becomes 0.0
    weights = weights.take(order)
    if len(firsts) == len(order):
        return rows, weights
    if (weights != weights[0]).any():
        # Each sum runs in the order of the weights: it must not depend on the order of the rows.
        weights = weights[np.lexsort((weights, np.cumsum(is_first)))]
    return rows, np.add.reduceat(weights, np.flatnonzero(is_first))


def canonical_order(X: Array, signs: Array, weights: Array) -> Indices:
    """Compute an order of the samples that does not depend on the order of the rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Samples.
    signs : ndarray of shape (n_samples,)
        Classes, −1 and +1.
    weights : ndarray of shape (n_samples,)
        Sample weights.

    Returns
    -------
    ndarray of shape (n_samples,)
        Indices of the samples in this order.
    """
    X = _row_by_row(_sortable(X))
    order, is_first = _grouped(X, *_row_keys(X))
    return order[np.lexsort((weights[order], signs[order], np.cumsum(is_first)))]


def _sortable(X: Array) -> Array:
    """Samples with −∞ in place of missing values: equal to each other, below all others."""
    return in_place_of_missing(X, -np.inf)


def _row_by_row(X: Array) -> Array:
    """Return the samples row by row in memory.

    Blocks of rows are taken later, which would otherwise copy all samples each time. The terms of
    the sum of a row also have a fixed order only in this layout.
    """
    return np.ascontiguousarray(X)


def _row_keys(X: Array) -> tuple[Array, Indices]:
    """Sort key of each row, and the order of the rows by it.

    The key depends only on the values of the row: it is the first feature, or a fixed linear
    function of all features if different rows have the same first feature. So a single pass
    distinguishes the rows. Negating all values reverses the order. Repeated rows do not change it.
    """
    keys = np.ascontiguousarray(X[:, 0])
    order = np.argsort(keys)
    if _equals_are_repeated(X, order, _first_of_equals(keys.take(order))):
        return keys, order
    factors = np.random.RandomState(0).uniform(1.0, 2.0, X.shape[1])
    keys = np.empty(len(X))
    for rows in row_blocks(X):
        # Not a product of matrices: equal rows must give equal sums at any position.
        keys[rows] = np.multiply(X[rows], factors).sum(axis=1)
    return keys, np.argsort(keys)


def _grouped(X: Array, keys: Array, order: Indices) -> tuple[Indices, Mask]:
    """Order in which equal rows are neighbours, and a mask of the first row of each group.

    Rows are ordered by their keys, or by their bytes if two different rows have the same key.
    """
    is_first = _first_of_equals(keys.take(order))
    if _equals_are_repeated(X, order, is_first):
        return order, is_first
    strings = _lexicographic(X.take(order, axis=0) + 0.0)
    by_bytes = np.argsort(strings, kind="stable")
    return order[by_bytes], _first_of_equals(strings[by_bytes])


def _equals_are_repeated(X: Array, order: Indices, is_first: Mask) -> bool:
    """Whether all rows with the same key are equal."""
    repeated = np.flatnonzero(~is_first)
    rows = np.broadcast_to(0.0, (len(repeated), X.shape[1]))
    return all(
        np.array_equal(
            X.take(order[repeated[block]], axis=0), X.take(order[repeated[block] - 1], axis=0)
        )
        for block in row_blocks(rows)
    )


def _first_of_equals(values: NDArray[np.generic]) -> Mask:
    """Mask of the first of each group of equal values; ``values`` is sorted."""
    is_first = np.ones(len(values), dtype=bool)
    is_first[1:] = values[1:] != values[:-1]
    return is_first


def _lexicographic(rows: Array) -> NDArray[np.void]:
    """Byte strings that sort like the rows, feature by feature.

    Floats sort like their bits, highest bit first, if the sign bit is flipped, and for negative
    numbers all other bits as well.
    """
    bits = np.ascontiguousarray(rows).view(np.uint64)
    sign = np.uint64(1) << np.uint64(63)
    ordered = np.where(bits & sign, ~bits, bits | sign).astype(">u8")
    return ordered.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()


def largest_size(values: Array) -> float:
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


def power_of_two(size: float) -> float:
    """Next power of two above ``size``, or 1 for 0: division by it is exact.

    At the ends of the range of floats it is the nearest power of two that has a reciprocal.
    """
    return float(2.0 ** np.clip(np.frexp(size)[1], -1021, 1021)) if size > 0 else 1.0
