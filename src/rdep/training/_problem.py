r"""The training problem of one morphological perceptron.

The paper defines it between its equations ``eq:objective`` and ``eq:hinge-loss``. The penalty
weights :math:`\nu` and the normalisation by class are in ``_samples``; the reference :math:`r` and
the regularisation :math:`C` are here. Eliminating the slack variables
of ``eq:ineq-negative`` and ``eq:ineq-positive``, a dilation-based perceptron minimises

.. math::

    F(w) = \sum_{i \in N} a_i \Big[\max_j (w_j + x_{ij}) + \mu\Big]_+
         + \sum_{i \in P} b_i \Big[\mu - \max_j (w_j + x_{ij})\Big]_+
         + C \lVert w - r \rVert_1,
    \qquad a_i = \nu_i / |N|, \quad b_i = \nu_i / |P|.

Two transformations reduce every case to one solver.

* The erosion is the dual: :math:`\varepsilon_m(x) = -\delta_{-m}(-x)`, so an erosion is trained as
  a dilation on :math:`-x` with the classes exchanged, and its weights are negated.
* The margin :math:`\mu` is the paper's problem on shifted data (negatives :math:`+\mu`, positives
  :math:`-\mu`), and :math:`r` is a translation: the solver works on :math:`v = x \pm \mu + r` and
  looks for :math:`u = w - r`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .._base._missing import has_missing
from .._utils._blocks import row_blocks
from .._utils._typing import Array, Indices, Mask
from ._samples import TrainingSet, largest_size, power_of_two
from ._settings import REFERENCES, Objective
from .majoriser._directions import ConvexStep, maxima, number_of_holders, sole_holders

# A missing value in a problem's units, in which values are at most 1: far below all others, so that
# it never attains a maximum.
MISSING = -64.0


@dataclass(frozen=True, eq=False)
class DilationProblem:
    """The problem in the solvers' form: translated by the reference, scaled, features first.

    The unknown is ``u``; :meth:`weights` converts it to the operator's weights.

    Attributes
    ----------
    negatives : ndarray of shape (n_features, n_negatives)
        Negative samples v = (x + μ + r) / unit.
    positives : ndarray of shape (n_features, n_positives)
        Positive samples v = (x − μ + r) / unit.
    negative_penalties, positive_penalties : ndarray
        Penalties a_i of the negatives and b_i of the positives.
    C : float
        Factor of the penalty ‖w − r‖₁.
    reference : ndarray of shape (n_features,)
        Reference r, in the units of the data.
    used : ndarray of bool
        Mask of the features in use: the ``n_features`` of this problem.
    unit : float
        Scale of the problem: a power of two, so that scaling is exact.
    margins : tuple of two floats
        Margins μ / unit of the negatives and of the positives.
    is_dual : bool
        Whether the problem is the dual of the problem of an erosion; its negatives are then the
        positives −x, in reverse order.
    negative_tops : ndarray of shape (n_features,)
        Largest value of each feature among the negatives.
    largest : float
        Largest absolute value of all samples, without missing values.

    References
    ----------
    V. Charisopoulos and P. Maragos, "Morphological perceptrons: geometry and training algorithms",
    ISMM 2017.

    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """

    __module__ = "rdep.training"

    negatives: Array
    positives: Array
    negative_penalties: Array
    positive_penalties: Array
    C: float
    reference: Array
    used: Mask
    unit: float
    margins: tuple[float, float]
    is_dual: bool
    negative_tops: Array
    largest: float

    @classmethod
    def from_training_set(
        cls, samples: TrainingSet, operator: str, objective: Objective
    ) -> DilationProblem:
        """Build the problem of an operator; an erosion is trained as the dilation of the dual.

        Parameters
        ----------
        samples : TrainingSet
            The training samples.
        operator : "dilation" or "erosion"
            The operator to train.
        objective : Objective
            The objective to minimise.

        Returns
        -------
        DilationProblem
            The problem, translated and scaled.
        """
        reference = objective.reference
        is_dual = operator == "erosion"
        if is_dual:
            samples = samples.dual()
            if not isinstance(reference, str):
                reference = -np.asarray(reference, dtype=float)
        mu_negative, mu_positive = samples.margins(objective.margin)
        r = reference_vector(samples, reference, mu_negative)
        classes = (samples.negatives, samples.positives)
        shifts = (r + mu_negative, r - mu_positive)
        # Rounding preserves order: the ends of the ranges are those of the shifted values.
        with np.errstate(over="ignore"):
            ends = [
                (part.least + shift, part.greatest + shift)
                for part, shift in zip(classes, shifts, strict=True)
            ]
        largest = max(largest_size(end) for pair in ends for end in pair)
        if not np.isfinite(largest):
            reached = max(largest_size(end) for part in classes for end in part.ends)
            raise ValueError(
                f"the features reach {reached:.3g}, and differences of their values overflow: "
                "divide the features by a power of ten first"
            )
        unit = power_of_two(largest)
        negatives, positives = (
            _shifted_columns(part.rows, part.sign, shift, unit)
            for part, shift in zip(classes, shifts, strict=True)
        )
        negative_penalties, positive_penalties = (
            part.penalties(objective.weighting) for part in classes
        )
        return cls(
            negatives=negatives,
            positives=positives,
            negative_penalties=negative_penalties,
            positive_penalties=positive_penalties,
            C=float(objective.C),
            reference=r,
            used=samples.used,
            unit=unit,
            margins=(mu_negative / unit, mu_positive / unit),
            is_dual=is_dual,
            negative_tops=ends[0][1] / unit,
            largest=largest / unit,
        )

    def with_samples(
        self, negatives: Array, a: Array, positives: Array, b: Array
    ) -> DilationProblem:
        """Problem of other samples and penalties, with the same units and tolerances."""
        return replace(
            self,
            negatives=negatives,
            positives=positives,
            negative_penalties=a,
            positive_penalties=b,
            negative_tops=negatives.max(axis=1),
        )

    def without_samples(self) -> DilationProblem:
        """Units, margins and tolerances alone; the penalties are the sums of each class."""
        none = np.empty((self.n_features, 0))
        return replace(
            self,
            negatives=none,
            positives=none,
            negative_penalties=self.negative_penalties.sum(keepdims=True),
            positive_penalties=self.positive_penalties.sum(keepdims=True),
        )

    def values_of(self, rows: Array, negative: Mask) -> Array:
        """Values of other rows of the data, as negatives or as positives of this problem."""
        below, above = (self.reference + self.unit * m for m in (self.margins[0], -self.margins[1]))
        factor = (-1.0 if self.is_dual else 1.0) / self.unit
        columns = np.multiply(rows.T, factor, order="C", dtype=float)
        for column, low, high in zip(columns, below / self.unit, above / self.unit, strict=True):
            column += np.where(negative, low, high)
        return columns

    def shifted(self, of_negatives: Array, of_positives: Array) -> DilationProblem:
        """Problem with a number added to all values of each sample."""
        negatives, positives = self.negatives + of_negatives, self.positives + of_positives
        return replace(
            self,
            negatives=negatives,
            positives=positives,
            negative_tops=negatives.max(axis=1),
            largest=max(largest_size(negatives), largest_size(positives)),
        )

    @property
    def n_features(self) -> int:
        return len(self.reference)

    @property
    def n_samples(self) -> int:
        return len(self.negative_penalties) + len(self.positive_penalties)

    @cached_property
    def tie_tolerance(self) -> float:
        """Values closer than this are equal: some tens of rounding errors of the largest one."""
        return float(64 * np.finfo(float).eps * self.largest)

    @cached_property
    def slope_tolerance(self) -> float:
        """Slopes of the objective below this are zero: the rounding of a sum of penalties."""
        total = self.negative_penalties.sum() + self.positive_penalties.sum() + self.C
        return float(1e-13 * total)

    @cached_property
    def rounding(self) -> float:
        """Objectives below this are zero: a loss is accurate up to the tie tolerance."""
        penalties = self.negative_penalties.sum() + self.positive_penalties.sum()
        return float(self.tie_tolerance * penalties)

    def convex_step(self, deciding: Indices) -> ConvexStep:
        """Majoriser of CCP, where ``deciding`` holds j*(i) of every positive."""
        return ConvexStep(
            values=self.negatives,
            penalties=self.negative_penalties,
            floor=0.0,
            owners=deciding,
            hinges=self.positives[deciding, np.arange(len(deciding))],
            hinge_penalties=self.positive_penalties,
            linear=np.zeros(self.n_features),
            C=self.C,
            tops=self.negative_tops,
            largest=self.largest,
            tie=self.tie_tolerance,
            flat=self.slope_tolerance,
        )

    def at(self, u: Array) -> Evaluation:
        """Evaluate the problem at a point."""
        return Evaluation(self, u, maxima(self.negatives, u), maxima(self.positives, u))

    def weights(self, u: Array) -> Array:
        """Weights of the operator: w = r + u of a dilation, m = −(r + u) of an erosion.

        Unused features have the weight that never decides: −∞ in a dilation, +∞ in an erosion.
        """
        weights = np.full(len(self.used), -np.inf)
        weights[self.used] = self.reference + self.unit * u
        return -weights if self.is_dual else weights

    def point(self, weights: Array) -> Array:
        """Inverse of :meth:`weights`."""
        weights = weights[self.used]
        return ((-weights if self.is_dual else weights) - self.reference) / self.unit

    def by_sample(self, of_negatives: Array, of_positives: Array) -> tuple[Array, Array]:
        """Reorder numbers of the samples of this problem as the classes of the training set.

        In a dual problem, the classes are exchanged and the samples of each are in reverse order.
        """
        if self.is_dual:
            return of_positives[::-1], of_negatives[::-1]
        return of_negatives, of_positives


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Point with the maximum of each sample, from which all functions there are computed."""

    problem: DilationProblem
    u: Array
    negatives: Array  # max_j (v_ij + u_j) of every negative
    positives: Array  # of every positive

    @cached_property
    def objective(self) -> float:
        """F in the units of the scaled problem; multiply by ``unit`` for those of the data."""
        return self._loss_and_penalty(self.positives)

    def majoriser(self, deciding: Indices) -> float:
        """Convex majoriser that CCP minimises: F with the coordinate of each positive fixed."""
        frozen = self.problem.positives[deciding, np.arange(len(deciding))] + self.u[deciding]
        return self._loss_and_penalty(frozen)

    def _loss_and_penalty(self, positives: Array) -> float:
        return float(
            self.problem.negative_penalties @ np.maximum(self.negatives, 0.0)
            + self.problem.positive_penalties @ np.maximum(-positives, 0.0)
            + self.problem.C * np.abs(self.u).sum()
        )

    def decisions(self) -> tuple[Array, Array]:
        """δ_w of the negatives and of the positives, up to rounding, in the problem's units."""
        of_negatives, of_positives = self.problem.margins
        return self.negatives - of_negatives, self.positives + of_positives

    def deciding_features(self) -> Indices:
        """j*(i): the feature at which each positive attains its maximum.

        Among tied features, it is the one whose rise lowers the loss most: by the penalties of the
        positives that attain their maximum there, minus those of the negatives that would rise.
        Remaining ties go to the first feature. If features are discrete, nearly all positives are
        tied, and this choice determines which majoriser is minimised.
        """
        attained = np.empty(self.problem.positives.shape, dtype=bool)
        for features, held in self._held(self.problem.positives, self.positives):
            attained[features] = held
        if (number_of_holders(attained) == 1).all():
            return sole_holders(attained)
        worth = self._worth_of_rise(attained)[:, None]
        most = np.full(len(self.positives), -np.inf)
        for features in row_blocks(attained):
            offered = np.where(attained[features], worth[features], -np.inf)
            np.maximum(most, offered.max(axis=0), out=most)
        return np.argmax(attained & (worth >= most - self.problem.slope_tolerance), axis=0)

    def _worth_of_rise(self, attained: Mask) -> Array:
        worth = np.empty(self.problem.n_features)
        for features in row_blocks(attained):
            worth[features] = attained[features] @ self.problem.positive_penalties
        is_lifted = self.negatives >= -self.problem.tie_tolerance
        lifted = self.problem.negative_penalties * is_lifted
        for features, held in self._held(self.problem.negatives, self.negatives):
            worth[features] -= held @ lifted
        return worth

    def _held(self, values: Array, tops: Array) -> Iterator[tuple[slice, Mask]]:
        """For blocks of features: the samples whose maximum each feature attains."""
        threshold = tops - self.problem.tie_tolerance
        for features in row_blocks(values):
            yield features, values[features] + self.u[features, None] >= threshold


def _shifted_columns(X: Array, sign: float, shift: Array, unit: float) -> Array:
    """(sign * x + shift) / unit with features first."""
    columns = np.multiply(X.T, sign / unit, order="C")
    columns += (shift / unit)[:, None]
    if has_missing(columns):
        columns[np.isnan(columns)] = MISSING
    return columns


def brought_to_zero(values: Array) -> Array:
    """Coordinates of a point at which values become zero; missing ones stay at the reference."""
    return np.where(values > MISSING, -values, 0.0)


def reference_vector(
    samples: TrainingSet, reference: str | ArrayLike, margin: float = 0.0
) -> Array:
    """Reference r of a dilation, towards which the penalty draws; ``margin`` is absolute."""
    if not isinstance(reference, str):
        return np.asarray(reference, dtype=float)[samples.used]
    if reference == "extreme":
        return -(samples.negatives.greatest + margin)
    if reference == "opposite":
        return -(samples.negatives.least + margin)
    if reference == "mean":
        return -(samples.negatives.mean() + margin)
    if reference == "zero":
        return np.zeros(samples.negatives.rows.shape[1])
    raise ValueError(f"unknown reference {reference!r}; known: {', '.join(REFERENCES)}")
