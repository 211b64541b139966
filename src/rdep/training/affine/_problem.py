r"""The training problem of a linear DEP: piecewise affine decision values, one loss.

With :math:`z = (x, 1)` and the rows of :math:`\theta` for the pieces of the dilation and of the
erosion, :math:`\tau(x) = \max_j \theta^A_j z + \min_k \theta^B_k z`, it minimises

.. math::

    F(\theta) = \sum_i c_i \, \ell\big(\mu - s_i \tau(x_i)\big)
              + \tfrac12 \sum_{p, f} \lambda_{pf} \, \theta_{pf}^2,
    \qquad \ell(t) = [t]_+ \text{ or } [t]_+^2 .

A *convex step* fixes one piece for each sample, where :math:`\mu - s_i \tau(x_i)` is concave: the
erosion's of a negative, the dilation's of a positive. What results lies above F, and touches it
where the fixed pieces attain the minimum and the maximum.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..._utils._typing import Array, Indices


@dataclass(frozen=True, eq=False)
class AffineProblem:
    """Samples with a one appended, their costs, and the penalty of every number of θ."""

    negatives: Array  # (n_negatives, n_features + 1)
    positives: Array
    negative_costs: Array
    positive_costs: Array
    n_pieces: tuple[int, int]  # of the dilation, of the erosion
    penalty: Array  # (n_features + 1,), of every piece of the dilation, and
    erosion_penalty: Array  # of the erosion
    margin: float
    is_squared: bool

    @cached_property
    def penalties(self) -> Array:
        """λ, in the shape of θ."""
        dilation, erosion = self.n_pieces
        return np.vstack(
            [np.tile(self.penalty, (dilation, 1)), np.tile(self.erosion_penalty, (erosion, 1))]
        )

    @cached_property
    def scale(self) -> float:
        """The loss where all decision values are 0."""
        return float(
            self.loss(np.full(len(self.negatives), self.margin), self.negative_costs)
            + self.loss(np.full(len(self.positives), self.margin), self.positive_costs)
        )

    def loss(self, violations: Array, costs: Array) -> float:
        lost = np.maximum(violations, 0.0)
        return float(costs @ (lost * lost if self.is_squared else lost))

    def penalised(self, theta: Array) -> float:
        return 0.5 * float((self.penalties * theta * theta).sum())

    def objective(self, theta: Array) -> float:
        """F."""
        return (
            self.loss(self.margin + self._decide(self.negatives, theta), self.negative_costs)
            + self.loss(self.margin - self._decide(self.positives, theta), self.positive_costs)
            + self.penalised(theta)
        )

    def _decide(self, samples: Array, theta: Array) -> Array:
        values = samples @ theta.T
        n_dilation = self.n_pieces[0]
        return values[:, :n_dilation].max(axis=1) + values[:, n_dilation:].min(axis=1)

    def deciding(self, theta: Array) -> tuple[Indices, Indices]:
        """The erosion's piece of each negative and the dilation's of each positive."""
        n_dilation = self.n_pieces[0]
        return (
            (self.negatives @ theta[n_dilation:].T).argmin(axis=1),
            (self.positives @ theta[:n_dilation].T).argmax(axis=1),
        )

    @cached_property
    def unpenalised(self) -> Indices:
        """Columns without penalty: the constant's, all or none."""
        return np.flatnonzero(self.penalties.min(axis=0) == 0)

    @cached_property
    def opposite(self) -> Array:
        """+1 for pieces of the dilation, −1 for the erosion's: added, they change no value of τ."""
        return np.repeat([1.0, -1.0], self.n_pieces)

    def without_drift(self, theta: Array) -> Array:
        """θ with the same values of τ, its intercepts brought back where no penalty holds them.

        Both operators have the same share of τ on average, and no piece is farther than the margin
        from attaining the maximum or the minimum of some sample.
        """
        if not len(self.unpenalised):
            return theta
        n_dilation = self.n_pieces[0]
        values = np.vstack([self.negatives, self.positives]) @ theta.T
        dilated = values[:, :n_dilation].max(axis=1)
        eroded = values[:, n_dilation:].min(axis=1)
        distances = np.concatenate(
            [
                (dilated[:, None] - values[:, :n_dilation]).min(axis=0),
                (values[:, n_dilation:] - eroded[:, None]).min(axis=0),
            ]
        )
        theta = theta.copy()
        theta[:, -1] += self.opposite * np.maximum(distances - self.margin, 0.0)
        theta[:, -1] -= self.opposite * (dilated - eroded).mean() / 2
        return theta

    def fixed_drift(self, matrix: Array) -> None:
        """Add to a matrix of four axes what keeps it regular along such changes."""
        for column in self.unpenalised:
            block = matrix[:, column, :, column]
            block += np.trace(block) / len(block) ** 2 * np.outer(self.opposite, self.opposite)

    def step(self, deciding: tuple[Indices, Indices]) -> ConvexStep:
        """The convex function above F in which these pieces are fixed."""
        n_dilation, n_erosion = self.n_pieces
        dilation, erosion = slice(0, n_dilation), slice(n_dilation, n_dilation + n_erosion)
        of_negatives, of_positives = deciding
        return ConvexStep(
            self,
            (
                Side(self.negatives, self.negative_costs, 1.0, dilation, erosion, of_negatives),
                Side(self.positives, self.positive_costs, -1.0, erosion, dilation, of_positives),
            ),
        )


class Side:
    """The samples of one class in a convex step: free pieces of one kind, one fixed of the other.

    A row of the constraint matrix D belongs to a sample and a free piece p: it holds ±z at p and
    at the sample's fixed piece. D itself is never formed.
    """

    def __init__(
        self,
        samples: Array,
        costs: Array,
        sign: float,
        free: slice,
        fixed: slice,
        deciding: Indices,
    ) -> None:
        order = np.argsort(deciding, kind="stable")  # samples of one fixed piece are neighbours
        self.samples, self.costs, self.sign = samples[order], costs[order], sign
        self.free, self.fixed = free, fixed
        n_fixed = fixed.stop - fixed.start
        ends = np.searchsorted(deciding[order], np.arange(n_fixed), side="right")
        starts = np.concatenate([[0], ends[:-1]])
        self.runs = [slice(a, b) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]

    @property
    def n_free(self) -> int:
        return self.free.stop - self.free.start

    def apply(self, theta: Array) -> Array:
        """D θ, one column for each free piece."""
        values = self.samples @ theta[self.free].T
        for run, piece in zip(self.runs, theta[self.fixed], strict=True):
            values[run] += (self.samples[run] @ piece)[:, None]
        return values if self.sign > 0 else -values

    def gather(self, multipliers: Array, into: Array) -> None:
        """Add Dᵀ of multipliers, one column for each free piece."""
        into[self.free] += self.sign * (multipliers.T @ self.samples)
        total = multipliers.sum(axis=1)
        for run, piece in zip(self.runs, into[self.fixed], strict=True):
            piece += self.sign * (total[run] @ self.samples[run])

    def add_curvature(self, weights: Array, ratio: Array, into: Array) -> None:
        """Add Dᵀ M D, where M of a sample is diag(w) − w wᵀ ratio; ``into`` has four axes."""
        Z = self.samples
        of_free = into[self.free, :, self.free, :]
        for p in range(self.n_free):
            for q in range(p + 1):
                entries = -weights[:, p] * weights[:, q] * ratio
                if p == q:
                    entries += weights[:, p]
                block = (Z * entries[:, None]).T @ Z
                of_free[p, :, q, :] += block
                if p != q:
                    of_free[q, :, p, :] += block
        total = weights.sum(axis=1)
        left = 1.0 - total * ratio  # M 1 is w (1 − Σw ratio)
        for f, run in enumerate(self.runs, self.fixed.start):
            if run.start == run.stop:
                continue
            part = Z[run]
            for p in range(self.n_free):
                block = (part * (weights[run, p] * left[run])[:, None]).T @ part
                into[self.free.start + p, :, f, :] += block
                into[f, :, self.free.start + p, :] += block
            into[f, :, f, :] += (part * (total[run] * left[run])[:, None]).T @ part


@dataclass(frozen=True, eq=False)
class ConvexStep:
    """The convex majoriser of F with one piece fixed for each sample."""

    problem: AffineProblem
    sides: tuple[Side, Side]

    def value(self, theta: Array) -> float:
        problem = self.problem
        return problem.penalised(theta) + sum(
            problem.loss(problem.margin + side.apply(theta).max(axis=1), side.costs)
            for side in self.sides
        )
