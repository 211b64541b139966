r"""The training problem of one morphological perceptron.

What the paper defines between its equations ``eq:objective`` and ``eq:hinge-loss`` lives here and
in :mod:`.samples`, which has the penalty weights :math:`\nu` and the two classes' normalisation.
Here are the reference :math:`r` and the regularisation :math:`C`. Eliminating the slack variables
of ``eq:ineq-negative`` and ``eq:ineq-positive``, a dilation-based perceptron minimises

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
from .samples import TrainingSet, largest_size, power_of_two

REFERENCES = ("extreme", "mean", "opposite", "zero")


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
        unit = power_of_two(max(map(largest_size, ranges)))
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
        problem.__dict__["largest"] = max(map(largest_size, ranges)) / unit
        return problem

    @property
    def n_features(self) -> int:
        return len(self.reference)

    @cached_property
    def largest(self) -> float:
        """Of the values' sizes."""
        return max(largest_size(self.negatives), largest_size(self.positives))

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
