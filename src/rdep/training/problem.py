r"""The training problem of one morphological perceptron.

Everything the paper defines between its equations ``eq:objective`` and ``eq:hinge-loss`` lives
here, and nothing else: the penalty weights :math:`\nu`, the reference :math:`r`, the two classes'
normalisation and the regularisation :math:`C`. Eliminating the slack variables of
``eq:ineq-negative`` and ``eq:ineq-positive``, a dilation-based perceptron minimises

.. math::

    F(w) = \sum_{i \in N} a_i \Big[\max_j (w_j + x_{ij}) + \mu\Big]_+
         + \sum_{i \in P} b_i \Big[\mu - \max_j (w_j + x_{ij})\Big]_+
         + C \lVert w - r \rVert_1,
    \qquad a_i = \nu_i / |N|, \quad b_i = \nu_i / |P|.

Two remarks make one solver serve every case.

* The erosion is the dual: :math:`\varepsilon_m(x) = -\delta_{-m}(-x)`, so an erosion is trained as
  a dilation on :math:`-x` with the classes exchanged, and its weights are negated.
* The margin :math:`\mu` is the paper's problem on shifted data (negatives :math:`+\mu`, positives
  :math:`-\mu`), and :math:`r` is a translation: the solver works on :math:`v = x \pm \mu + r` and
  looks for :math:`u = w - r`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._blocks import row_blocks
from .._typing import Array, Indices, Mask

REFERENCES = ("extreme", "mean", "opposite", "zero")
WEIGHTINGS = ("distance",)

# A sample this near to its class mean (relative to the farthest one) counts as being there: the
# mean itself is only known to rounding.
_AT_THE_MEAN = 1e-10


@dataclass(frozen=True)
class TrainingSet:
    """Distinct samples of each class, in an order that the caller's row order cannot influence.

    Repeated rows are merged and their weights added, so that sums run over the same numbers in
    the same order however the rows arrive.
    """

    negatives: Array  # (|N|, n), to be multiplied by ``sign``
    positives: Array  # (|P|, n), likewise
    negative_weights: Array  # (|N|,)
    positive_weights: Array  # (|P|,)
    class_costs: tuple[float, float] = (1.0, 1.0)  # multiply the loss of the negatives, positives
    sign: float = 1.0  # −1 for a dual, whose samples would otherwise be copied to be negated

    @classmethod
    def from_samples(
        cls,
        X: Array,
        signs: Array,
        sample_weight: Array | None = None,
        class_costs: tuple[float, float] = (1.0, 1.0),
    ) -> TrainingSet:
        """Split ``X`` by ``signs`` (−1 and +1); samples of weight zero are as if not there."""
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        keys = _row_keys(X)
        (negatives, negative_weights), (positives, positive_weights) = (
            _distinct_rows(X, keys, weights, of_class & (weights > 0))
            for of_class in (signs < 0, signs > 0)
        )
        return cls(negatives, positives, negative_weights, positive_weights, class_costs)

    def dual(self) -> TrainingSet:
        """The set on which a dilation must be trained to obtain the erosion of this one."""
        dual = TrainingSet(
            # Reversed, they are in the order in which they would have come as samples.
            self.positives[::-1],
            self.negatives[::-1],
            self.positive_weights[::-1],
            self.negative_weights[::-1],
            self.class_costs[::-1],
            -self.sign,
        )
        # What both have in common, so as not to pass over all samples again.
        dual.__dict__["spread"] = self.spread
        negatives, positives = self.ranges
        dual.__dict__["ranges"] = (-positives[::-1], -negatives[::-1])
        if "distance_weights" in self.__dict__:
            dual.__dict__["distance_weights"] = tuple(
                nu[::-1] for nu in reversed(self.distance_weights)
            )
        return dual

    @cached_property
    def ranges(self) -> tuple[Array, Array]:
        """Least and greatest of every feature, one above the other, of either class."""
        negatives, positives = (
            np.sort([self.sign * X.min(axis=0), self.sign * X.max(axis=0)], axis=0)
            for X in (self.negatives, self.positives)
        )
        return negatives, positives

    @cached_property
    def distance_weights(self) -> tuple[Array, Array]:
        r""":math:`\nu` of the negatives and of the positives."""
        return (
            penalty_weights(self.negatives, self.negative_weights),
            penalty_weights(self.positives, self.positive_weights),
        )

    def penalties(self, weighting: str | None) -> tuple[Array, Array]:
        r""":math:`\nu_i / |N|` and :math:`\nu_i / |P|`, with weights summed in place of counts."""
        if weighting is not None and weighting not in WEIGHTINGS:
            raise ValueError(
                f"unknown weighting {weighting!r}; known: {', '.join(WEIGHTINGS)}, None"
            )
        negative, positive = (
            cost * weights / weights.sum()
            for cost, weights in zip(
                self.class_costs, (self.negative_weights, self.positive_weights), strict=True
            )
        )
        if weighting is None:
            return negative, positive
        of_negatives, of_positives = self.distance_weights
        return negative * of_negatives, positive * of_positives

    @cached_property
    def spread(self) -> float:
        """Root mean square of the features' standard deviations: the unit of ``margin``."""
        total = self.negative_weights.sum() + self.positive_weights.sum()
        unit = _power_of_two(max(map(_largest, self.ranges)))
        classes = (
            (self.negatives, self.negative_weights / total),
            (self.positives, self.positive_weights / total),
        )
        mean = sum(weights @ X for X, weights in classes) / unit  # of whatever sign
        variance = sum(
            weights[block] @ ((X[block] / unit - mean) ** 2).mean(axis=1)
            for X, weights in classes
            for block in row_blocks(X)
        )
        return float(unit * np.sqrt(variance))


@dataclass(frozen=True)
class DilationProblem:
    """The problem as the solvers see it: translated by the reference, scaled, features first.

    The unknown is ``u``; :meth:`weights` turns it into the perceptron's ``w``.
    """

    negatives: Array  # (n, |N|), v = (x + μ + r) / unit
    positives: Array  # (n, |P|), v = (x − μ + r) / unit
    negative_penalties: Array  # a_i
    positive_penalties: Array  # b_i
    C: float
    reference: Array  # r, in the data's units
    unit: float  # a power of two, so that scaling loses nothing
    margins: tuple[float, float]  # μ / unit of the negatives and of the positives

    @classmethod
    def from_training_set(
        cls,
        samples: TrainingSet,
        *,
        C: float,
        weighting: str | None,
        reference: str | ArrayLike,
        margin: float,
    ) -> DilationProblem:
        # Uneven margins (Li and Shawe-Taylor 2003): a class that costs more is kept farther off.
        lightest = min(samples.class_costs)
        mu_negative, mu_positive = (
            margin * samples.spread * cost / lightest for cost in samples.class_costs
        )
        r = reference_vector(samples, reference, mu_negative)
        shifts = (r + mu_negative, r - mu_positive)
        ranges = [ends + shift for ends, shift in zip(samples.ranges, shifts, strict=True)]
        unit = _power_of_two(max(map(_largest, ranges)))
        problem = cls(
            _shifted_columns(samples.negatives, samples.sign, shifts[0], unit),
            _shifted_columns(samples.positives, samples.sign, shifts[1], unit),
            *samples.penalties(weighting),
            float(C),
            r,
            unit,
            (mu_negative / unit, mu_positive / unit),
        )
        # Rounding keeps order: the ends of the ranges are those of the values themselves.
        problem.__dict__["negative_tops"] = ranges[0][1] / unit
        problem.__dict__["largest"] = max(map(_largest, ranges)) / unit
        return problem

    @property
    def n_features(self) -> int:
        return len(self.reference)

    @cached_property
    def largest(self) -> float:
        """Of the values' sizes."""
        return max(_largest(self.negatives), _largest(self.positives))

    @cached_property
    def tie_tolerance(self) -> float:
        """Values nearer than this are equal: some tens of rounding errors of the largest one."""
        return float(64 * np.finfo(float).eps * self.largest)

    @cached_property
    def slope_tolerance(self) -> float:
        """A slope of the objective smaller than this is zero: rounding of its sum of penalties."""
        total = self.negative_penalties.sum() + self.positive_penalties.sum() + self.C
        return float(1e-13 * total)

    @cached_property
    def negative_tops(self) -> Array:
        """The largest value of each feature among the negatives."""
        return self.negatives.max(axis=1)

    def maxima(self, u: Array) -> tuple[Array, Array]:
        """max_j (v_ij + u_j) of the negatives and of the positives.

        The last ones are kept: a step of the procedure asks for those of one point many times.
        """
        last = self.__dict__.get("_last_maxima")
        if last is None or not np.array_equal(last[0], u):
            last = (u.copy(), maxima(self.negatives, u), maxima(self.positives, u))
            self.__dict__["_last_maxima"] = last
        return last[1], last[2]

    def objective(self, u: Array) -> float:
        """F in the units of the translated and scaled problem; times ``unit`` it is the data's."""
        return self._loss_and_penalty(u, *self.maxima(u))

    def majoriser(self, u: Array, deciding: Indices) -> float:
        """The convex function that CCP minimises: F with each positive's maximum frozen."""
        frozen = self.positives[deciding, np.arange(len(deciding))] + u[deciding]
        return self._loss_and_penalty(u, self.maxima(u)[0], frozen)

    def _loss_and_penalty(self, u: Array, negatives: Array, positives: Array) -> float:
        return float(
            self.negative_penalties @ np.maximum(negatives, 0.0)
            + self.positive_penalties @ np.maximum(-positives, 0.0)
            + self.C * np.abs(u).sum()
        )

    def decisions(self, u: Array) -> tuple[Array, Array]:
        """δ_w of the negatives and of the positives, up to rounding, in this problem's units."""
        negatives, positives = self.maxima(u)
        return negatives - self.margins[0], positives + self.margins[1]

    def deciding_features(self, u: Array) -> Indices:
        """j*(i): the feature at which each positive attains its maximum.

        Where several do, the one whose rise pays best: most penalty of the positives that attain
        theirs there, least of the negatives that would be lifted; then the first. On discrete
        features nearly all positives are tied, and this choice decides what the procedure sees.
        """
        attained = np.empty(self.positives.shape, dtype=bool)
        for features, held in self._held(self.positives, u, self.maxima(u)[1]):
            attained[features] = held
        if (number_of_holders(attained) == 1).all():
            return sole_holders(attained)
        worth = self._worth_of_rise(u, attained)[:, None]
        most = np.full(len(self.positive_penalties), -np.inf)
        for features in row_blocks(attained):
            offered = np.where(attained[features], worth[features], -np.inf)
            np.maximum(most, offered.max(axis=0), out=most)
        return np.argmax(attained & (worth >= most - self.slope_tolerance), axis=0)

    def _worth_of_rise(self, u: Array, attained: Mask) -> Array:
        worth = np.empty(self.n_features)
        for features in row_blocks(attained):
            worth[features] = attained[features] @ self.positive_penalties
        negative_maxima = self.maxima(u)[0]
        lifted = self.negative_penalties * (negative_maxima >= -self.tie_tolerance)
        for features, held in self._held(self.negatives, u, negative_maxima):
            worth[features] -= held @ lifted
        return worth

    def _held(self, values: Array, u: Array, tops: Array) -> Iterator[tuple[slice, Mask]]:
        """Some features at a time: where each of them attains a sample's maximum."""
        threshold = tops - self.tie_tolerance
        for features in row_blocks(values):
            yield features, values[features] + u[features, None] >= threshold

    def weights(self, u: Array) -> Array:
        """The perceptron's weights w = r + u."""
        return self.reference + self.unit * u


def maxima(values: Array, u: Array) -> Array:
    """The largest value of each sample; shape (n_features, n_samples) in."""
    largest = np.full(values.shape[1], -np.inf)
    # Some features at a time: their sums need not leave the cache.
    for features in row_blocks(values):
        sums = values[features] + u[features, None]
        np.maximum(largest, sums.max(axis=0), out=largest)
    return largest


def number_of_holders(attained: Mask) -> NDArray[np.unsignedinteger]:
    """How many features attain the maximum of each sample; shape (n_features, n_samples) in."""
    return attained.sum(axis=0, dtype=np.min_scalar_type(len(attained)))


def sole_holders(attained: Mask) -> Indices:
    """The feature that attains each sample's maximum, where it is only one.

    Of numbers as small as the features allow: many times faster than ``argmax`` along features.
    """
    features = np.arange(len(attained), dtype=np.min_scalar_type(len(attained)))
    return (attained * features[:, None]).sum(axis=0, dtype=features.dtype).astype(np.intp)


def _shifted_columns(X: Array, sign: float, shift: Array, unit: float) -> Array:
    """(sign * x + shift) / unit with features first."""
    columns = np.empty(X.shape[::-1])
    for rows in row_blocks(X):
        part = X[rows] * (sign / unit)
        part += shift / unit
        columns[:, rows] = part.T
    return columns


def reference_vector(
    samples: TrainingSet, reference: str | ArrayLike, margin: float = 0.0
) -> Array:
    """r of a dilation: where the regularisation pulls the weights; ``margin`` is absolute."""
    if not isinstance(reference, str):
        return np.asarray(reference, dtype=float)
    least, greatest = samples.ranges[0]
    if reference == "extreme":
        return -(greatest + margin)
    if reference == "opposite":
        return -(least + margin)
    if reference == "mean":
        mean = np.average(samples.negatives, axis=0, weights=samples.negative_weights)
        return -(samples.sign * mean + margin)
    if reference == "zero":
        return np.zeros(samples.negatives.shape[1])
    raise ValueError(f"unknown reference {reference!r}; known: {', '.join(REFERENCES)}")


def penalty_weights(X: Array, weights: Array) -> Array:
    r""":math:`\nu` of one class (``eq:nu-weights``): nearest distance to the mean over distance.

    A sample at the mean, whose reciprocal distance would be infinite, takes the smallest distance
    of the others.
    """
    unit = _power_of_two(_largest(X))

    def differences() -> Iterator[tuple[slice, Array]]:
        """From the first sample: far from the origin their mean is more exact than of values."""
        for rows in row_blocks(X):
            part = X[rows] / unit
            part -= X[0] / unit
            yield rows, part

    mean = sum(weights[rows] @ part for rows, part in differences()) / weights.sum()
    distances = np.empty(len(X))
    for rows, part in differences():
        part -= mean
        distances[rows] = np.sqrt(np.einsum("ij,ij->i", part, part))
    rounding = np.finfo(float).eps * np.sqrt(X.shape[1])  # of the values as they were given
    apart = distances > max(_AT_THE_MEAN * distances.max(), rounding)
    if not apart.any():
        return np.ones(len(X))
    nearest = distances[apart].min()
    return nearest / np.where(apart, distances, nearest)


def _distinct_rows(X: Array, keys: Array, weights: Array, keep: Mask) -> tuple[Array, Array]:
    """The different rows of ``X[keep]`` in an order of their own, and their summed weights."""
    kept = keep.nonzero()[0]
    representatives, ranks = _ranks(X, keys, kept)
    weights = weights[kept]
    order = np.lexsort((weights, ranks))
    starts = np.searchsorted(ranks[order], np.arange(len(representatives)))
    rows = X[kept[representatives]]
    rows += 0.0  # −0.0 becomes 0.0
    return rows, np.add.reduceat(weights[order], starts)


def canonical_order(X: Array, signs: Array, weights: Array) -> Indices:
    """An order of the samples that does not depend on the one in which they come."""
    ranks = _ranks(X, _row_keys(X), np.arange(len(X)))[1]
    return np.lexsort((weights, signs, ranks))


def _row_keys(X: Array) -> Array:
    """A number for each row by which to sort; it depends on the row's values alone.

    The first feature, or if that has values in common, a fixed linear function of all: a single
    pass tells rows apart. With the signs of all values the order turns around.
    """
    first = np.sort(X[:, 0])
    if (first[1:] != first[:-1]).all():
        return X[:, 0]
    factors = np.random.RandomState(0).uniform(1.0, 2.0, X.shape[1])
    keys = np.empty(len(X))
    for rows in row_blocks(X):
        # Not a product of matrices: equal rows must give equal sums, wherever they stand.
        keys[rows] = np.multiply(X[rows], factors).sum(axis=1)
    return keys


def _ranks(X: Array, keys: Array, rows: Indices) -> tuple[Indices, Indices]:
    """One of these rows for each rank, and the rank of each; equal rows, and only they, share one.

    By their keys; if two different rows have the same one, by their bytes.
    """
    _, representatives, ranks = np.unique(keys[rows], return_index=True, return_inverse=True)
    repeated = np.flatnonzero(representatives[ranks] != np.arange(len(rows)))
    if (X[rows[repeated]] != X[rows[representatives[ranks[repeated]]]]).any():
        return _lexicographic_ranks(X[rows] + 0.0)
    return representatives, ranks


def _lexicographic_ranks(rows: Array) -> tuple[Indices, Indices]:
    """The same in lexicographic order.

    Numbers order like their bits, highest first, once the sign bit is flipped, and the others with
    it for negative numbers.
    """
    bits = np.ascontiguousarray(rows).view(np.uint64)
    sign = np.uint64(1) << np.uint64(63)
    ordered = np.where(bits & sign, ~bits, bits | sign).astype(">u8")
    strings = ordered.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    return np.unique(strings, return_index=True, return_inverse=True)[1:]


def _largest(values: Array) -> float:
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


def _power_of_two(size: float) -> float:
    """The power of two next above ``size``, 1 for 0: dividing by it is exact."""
    return float(2.0 ** np.frexp(size)[1]) if size > 0 else 1.0
