r"""The training problem of a linear DEP: piecewise affine decision values, one loss.

With :math:`z = (x, 1)` and rows of :math:`\theta` for the pieces of the dilation and of the
erosion, :math:`\tau(x) = \max_j \theta^A_j z + \min_k \theta^B_k z`, training minimises

.. math::

    F(\theta) = \sum_i c_i \, \ell\big(\mu - s_i \tau(x_i)\big)
              + \tfrac12 \sum_{p, f} \lambda_{pf} \, \theta_{pf}^2,
    \qquad \ell(t) = [t]_+ \text{ or } [t]_+^2 .

A *convex step* fixes one piece for each sample in the operator in which :math:`\mu - s_i \tau(x_i)`
is concave: in the erosion for a negative, in the dilation for a positive. The resulting convex
function lies above F, and touches it where the fixed pieces attain the minimum and the maximum.

A linear DEP regressor has the same problem: every sample is both a negative and a positive, and
levels :math:`-y_i - \epsilon` and :math:`y_i - \epsilon` replace the margin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import combinations

import numpy as np

from ..._utils._typing import Array, Indices

# Numbers in one block of weighted samples.
_MOST_NUMBERS = 500_000

# Values of two pieces closer than this, relative to the margin, are equal, because convex steps are
# solved up to a gap. The other two limit the ties to try, and the ties to try in combination.
_TIE = 1e-6
_MOST_TIES = 8
_FEW_TIES = 3


@dataclass(frozen=True, eq=False)
class AffineProblem:
    """Samples with a one appended, their costs, and the penalties of the coefficients θ."""

    negatives: Array  # (n_negatives, n_features + 1)
    positives: Array
    negative_costs: Array
    positive_costs: Array
    n_pieces: tuple[int, int]  # of the dilation, of the erosion
    penalty: Array  # (n_features + 1,), for every piece of the dilation
    erosion_penalty: Array  # for every piece of the erosion
    margin: float  # the level of all samples, and a unit of decision values
    is_squared: bool
    levels: tuple[Array, Array] | None = None  # of negatives and positives, instead of the margin

    @cached_property
    def negative_levels(self) -> Array:
        """Loss of a negative before its decision value is added."""
        return np.full(len(self.negatives), self.margin) if self.levels is None else self.levels[0]

    @cached_property
    def positive_levels(self) -> Array:
        """Loss of a positive before its decision value is subtracted."""
        return np.full(len(self.positives), self.margin) if self.levels is None else self.levels[1]

    @cached_property
    def penalties(self) -> Array:
        """λ, in the shape of θ."""
        dilation, erosion = self.n_pieces
        return np.vstack(
            [np.tile(self.penalty, (dilation, 1)), np.tile(self.erosion_penalty, (erosion, 1))]
        )

    @cached_property
    def scale(self) -> float:
        """The loss if all decision values are 0."""
        return self.loss(self.negative_levels, self.negative_costs) + self.loss(
            self.positive_levels, self.positive_costs
        )

    def loss(self, violations: Array, costs: Array) -> float:
        lost = np.maximum(violations, 0.0)
        return float(costs @ (lost * lost if self.is_squared else lost))

    def penalised(self, theta: Array) -> float:
        return 0.5 * float((self.penalties * theta * theta).sum())

    def objective(self, theta: Array) -> float:
        """F."""
        return (
            self.loss(
                self.negative_levels + self._decide(self.negatives, theta), self.negative_costs
            )
            + self.loss(
                self.positive_levels - self._decide(self.positives, theta), self.positive_costs
            )
            + self.penalised(theta)
        )

    def _decide(self, samples: Array, theta: Array) -> Array:
        values = samples @ theta.T
        n_dilation = self.n_pieces[0]
        return values[:, :n_dilation].max(axis=1) + values[:, n_dilation:].min(axis=1)

    def deciding(self, theta: Array) -> tuple[Indices, Indices]:
        """Deciding pieces: of the erosion for each negative, of the dilation for each positive."""
        n_dilation = self.n_pieces[0]
        return (
            (self.negatives @ theta[n_dilation:].T).argmin(axis=1),
            (self.positives @ theta[:n_dilation].T).argmax(axis=1),
        )

    def other_choices(self, theta: Array) -> Iterator[tuple[Indices, Indices]]:
        """Other choices of deciding pieces for samples with tied pieces at θ.

        All combinations if there are few such samples, otherwise the choices of one sample at a
        time.
        """
        values = (
            self.negatives @ theta[self.n_pieces[0] :].T,
            -self.positives @ theta[: self.n_pieces[0]].T,
        )
        chosen = tuple(part.argmin(axis=1) for part in values)
        tied = [
            (side, sample, piece)
            for side, part in enumerate(values)
            for sample, piece in np.argwhere(
                part <= part.min(axis=1, keepdims=True) + _TIE * self.margin
            )
            if piece != chosen[side][sample]
        ][:_MOST_TIES]
        n_together = len(tied) if len(tied) <= _FEW_TIES else 1
        for size in range(1, n_together + 1):
            for changed in combinations(tied, size):
                other = tuple(pieces.copy() for pieces in chosen)
                for side, sample, piece in changed:
                    other[side][sample] = piece
                yield other

    @cached_property
    def unpenalised(self) -> Indices:
        """Columns without penalty: that of the constant, all or none."""
        return np.flatnonzero(self.penalties.min(axis=0) == 0)

    @cached_property
    def opposite(self) -> Array:
        """+1 for pieces of the dilation, −1 for the erosion: adding them does not change τ."""
        return np.repeat([1.0, -1.0], self.n_pieces)

    def without_drift(self, theta: Array) -> Array:
        """Reset the intercepts of θ if they have no penalty, without changing values of τ.

        Afterwards both operators have the same mean share of τ, and every piece is within the
        margin of attaining the maximum or the minimum of some sample.
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
        """Make a matrix with four axes regular along changes of θ that do not change τ."""
        for column in self.unpenalised:
            block = matrix[:, column, :, column]
            block += np.trace(block) / len(block) ** 2 * np.outer(self.opposite, self.opposite)

    def step(self, deciding: tuple[Indices, Indices]) -> ConvexStep:
        """Convex function above F with these pieces fixed."""
        n_dilation, n_erosion = self.n_pieces
        dilation, erosion = slice(0, n_dilation), slice(n_dilation, n_dilation + n_erosion)
        of_negatives, of_positives = deciding
        return ConvexStep(
            self,
            (
                Side(
                    self.negatives,
                    self.negative_costs,
                    self.negative_levels,
                    1.0,
                    dilation,
                    erosion,
                    of_negatives,
                ),
                Side(
                    self.positives,
                    self.positive_costs,
                    self.positive_levels,
                    -1.0,
                    erosion,
                    dilation,
                    of_positives,
                ),
            ),
        )


class Side:
    """Samples of one class in a convex step: free pieces of one operator, one fixed of the other.

    A row of the constraint matrix D belongs to a sample and a free piece p. It has ±z at p and at
    the fixed piece of the sample. D is never formed explicitly.
    """

    def __init__(
        self,
        samples: Array,
        costs: Array,
        levels: Array,
        sign: float,
        free: slice,
        fixed: slice,
        deciding: Indices,
    ) -> None:
        order = np.argsort(deciding, kind="stable")  # samples of one fixed piece are neighbours
        self.samples, self.costs, self.sign = samples[order], costs[order], sign
        self.levels = levels[order, None]
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

    def violations(self, theta: Array) -> Array:
        """Loss of each sample with each free piece, if positive."""
        return self.levels + self.apply(theta)

    def gather(self, multipliers: Array, into: Array) -> None:
        """Add Dᵀ times the multipliers, which have one column for each free piece."""
        into[self.free] += self.sign * (multipliers.T @ self.samples)
        total = multipliers.sum(axis=1)
        for run, piece in zip(self.runs, into[self.fixed], strict=True):
            piece += self.sign * (total[run] @ self.samples[run])

    def restricted(self, columns: Indices) -> Side:
        """The same side, restricted to some columns of its samples."""
        part = copy(self)
        part.samples = self.samples[:, columns]
        vars(part).pop("gram_matrices", None)
        return part

    @cached_property
    def gram_matrices(self) -> Callable[[Array, slice], Array]:
        # Products of columns are kept if more matrices than this are needed at a time.
        n_matrices = self.n_free * (self.n_free + 1) // 2
        if n_matrices > self.samples.shape[1]:
            return _by_products(self.samples)
        return partial(_by_matrix_products, self.samples)

    def add_curvature(self, weights: Array, ratio: Array, into: Array) -> None:
        """Add Dᵀ M D, where the M of a sample is diag(w) − w wᵀ ratio; ``into`` has four axes."""
        p, q = _pairs(self.n_free)
        entries = -ratio[:, None] * weights[:, p] * weights[:, q]
        entries[:, p == q] += weights
        of_free = into[self.free, :, self.free, :]
        blocks = self.gram_matrices(entries, slice(None))
        of_free[p, :, q, :] += blocks
        below = p > q
        of_free[q[below], :, p[below], :] += blocks[below]
        left = 1.0 - weights.sum(axis=1) * ratio  # M 1 is w (1 − Σw ratio)
        for f, run in enumerate(self.runs, self.fixed.start):
            if run.start == run.stop:
                continue
            blocks = self.gram_matrices(weights[run] * left[run, None], run)
            into[self.free, :, f, :] += blocks
            into[f, :, self.free, :] += blocks.transpose(1, 0, 2)
            into[f, :, f, :] += blocks.sum(axis=0)


@cache
def _pairs(n: int) -> tuple[Indices, Indices]:
    """All pairs of n pieces, the second not after the first."""
    return np.tril_indices(n)


def _by_matrix_products(samples: Array, weights: Array, rows: slice) -> Array:
    """Zᵀ diag(w) Z of a slice of the samples, for every column of weights."""
    Z = samples[rows]
    n_samples, n_columns = Z.shape
    n_matrices = weights.shape[1]
    if n_matrices > 1 and n_matrices * Z.size > _MOST_NUMBERS:
        half = n_matrices // 2
        return np.concatenate(
            [_by_matrix_products(samples, part, rows) for part in np.split(weights, [half], axis=1)]
        )
    weighted = (Z[:, None, :] * weights[:, :, None]).reshape(n_samples, -1)
    return (weighted.T @ Z).reshape(-1, n_columns, n_columns)


def _by_products(samples: Array) -> Callable[[Array, slice], Array]:
    """Function for Zᵀ diag(w) Z that reuses the products of all pairs of columns."""
    n_columns = samples.shape[1]
    first, second = np.triu_indices(n_columns)
    products = samples[:, first] * samples[:, second]
    place = np.empty((n_columns, n_columns), dtype=int)
    place[first, second] = place[second, first] = np.arange(len(first))
    return lambda weights, rows: (weights.T @ products[rows])[:, place]


@dataclass(frozen=True, eq=False)
class ConvexStep:
    """The convex majoriser of F with one piece fixed for each sample."""

    problem: AffineProblem
    sides: tuple[Side, Side]

    def value(self, theta: Array) -> float:
        problem = self.problem
        return problem.penalised(theta) + sum(
            problem.loss(side.violations(theta).max(axis=1), side.costs) for side in self.sides
        )
