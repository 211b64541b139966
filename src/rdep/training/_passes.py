r"""Training on rows that are never in memory together: descents in cubes that a pass gathers.

The start is the end on a sample of the rows. A pass over all rows then builds the cube of ``_cube``
around it: rows without a loss in the cube are dropped, rows with a linear loss are added up, the
others are kept. A descent on these few samples is one on all rows as long as it stays inside. If it
ends inside, its end is critical for all rows. If it ends at a wall, another pass builds the next
cube there. The objective of all rows never rises.

The cube is as large as the number of kept rows allows. If more rows than that are inside, the cube
shrinks during the pass to the distance that the allowed number reaches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from .._base._passes import Block, Passes, reduce_each
from .._utils._typing import Array, Mask
from ._cube import Cube, is_a_point, linear_sums, loss_and_reach, merged_samples, sums_at
from ._descend import descend
from ._nearest import Nearest, add_nearest, nearest
from ._problem import DilationProblem
from ._results import ITERATION_LIMIT, TrainingResult
from ._sample import SampledRows
from ._samples import distinct_rows
from ._settings import OPERATORS, Objective, Procedure
from ._train import best_trace

# Rows in the sample that training starts from.
START_ROWS = 200_000
# Rows that a pass keeps for an operator: as a share of all rows, and the bounds of the number.
_SHARE, _FEWEST, MOST_KEPT = 0.05, 2000, 1_000_000
# The first cube would keep this multiple of the allowed rows, judged by the sample. It shrinks.
_SLACK = 1.25
# Number of passes after which more rows are kept, because the path is longer than expected.
_PATIENCE = 8
# Maximum number of passes.
MOST_PASSES = 100
# Half-width of a cube that holds all that a descent reaches; values are at most 1.
_EVERYTHING = 8.0


def kept_rows(n_rows: int, most: int) -> int:
    """Number of rows that a pass keeps at first."""
    return min(max(_FEWEST, int(_SHARE * n_rows)), most)


@dataclass(frozen=True)
class Near:
    """Rule of a cube: a table holds the values of a row, its penalty and its sign."""

    frame: DilationProblem
    factors: tuple[float, ...]  # penalty of a row of weight 1; negatives of the problem first
    centre: Array
    width: float
    n_kept: int
    most: int

    def table(self, block: Block) -> Array:
        """Values, penalties and signs: +1 for negatives of the problem, −1 for positives."""
        if not block.weight.all():
            block = block.take(block.weight > 0)
        negative = block.y > 0 if self.frame.is_dual else block.y < 0
        values = self.frame.values_of(np.compress(self.frame.used, block.X, axis=1), negative)
        penalties = np.where(negative, *self.factors) * block.weight
        return np.vstack([values, penalties, np.where(negative, 1.0, -1.0)])

    def reach(self, table: Array) -> Array:
        """Largest width within which a row has no loss, or a linear one."""
        reach = np.empty(table.shape[1])
        for block, sums in sums_at(table[:-2], self.centre):
            _, reach[block] = loss_and_reach(sums, table[-1, block])
        return reach

    def sums(self, table: Array, outside: Mask) -> Array:
        """Sums over rows with a linear loss, for negatives and for positives."""
        total = np.zeros((2, 2, len(self.centre)))
        for block, sums in sums_at(table[:-2], self.centre):
            penalties, signs = table[-2:, block]
            loses = outside[block] & (signs * sums.max(axis=0) > 0)
            for k, sign in enumerate((1, -1)):
                linear = np.flatnonzero(loses & (signs == sign))
                total[k] += linear_sums(sums.take(linear, axis=1), penalties[linear])
        return total

    def distinct(self, table: Array) -> Array:
        """Merge equal rows of a class."""
        rows = np.ascontiguousarray(np.vstack([table[:-2], table[-1:]]).T)
        rows, penalties = distinct_rows(rows, table[-2])
        return np.vstack([rows.T[:-1], penalties, rows.T[-1:]])

    def is_a_point(self, width: float) -> bool:
        """Whether the walls of a cube would meet."""
        return bool(is_a_point(width, self.frame))

    def cube(self, found: Nearest) -> Cube:
        """Cube of what a pass has gathered."""
        if self.is_a_point(found.width):
            raise ValueError(
                f"training by passes needs more memory: more than {self.most:,} different rows "
                "are tied with others at a point of the descent; give it more (memory of a fit by "
                "blocks, or max_kept), or fit on arrays"
            )
        sides = []
        for sums, sign in zip(found.sums, (1, -1), strict=True):
            values = found.table[:, found.table[-1] == sign]
            merged, weights = merged_samples(sums, self.centre)
            penalties = np.concatenate([values[-2], weights])
            sides.append((np.hstack([values[:-2], merged]), penalties))
        return Cube.of(self.frame, self.centre, found.width, *sides)


class Descent:
    """Descent of one operator on all rows, from the end on a sample, one cube for each pass."""

    def __init__(
        self,
        rows: SampledRows,
        operator: str,
        objective: Objective,
        procedure: Procedure,
        max_kept: int,
    ) -> None:
        self.some = DilationProblem.from_training_set(rows.samples, operator, objective)
        trace, self.start, self.n_compared = best_trace(self.some, procedure)
        self.frame = self.some.without_samples()
        way = -1 if self.frame.is_dual else 1
        self.factors = rows.factors[::way]
        self.numbers = tuple(part.n_rows for part in rows.sums)[::way]
        self.u, self.trace = trace.at.u, trace
        self.procedure = replace(procedure, escape=False)
        self.n_kept = kept_rows(sum(self.numbers), max_kept)
        self.max_kept = max_kept
        self.history: list[float] = []
        self.kept: list[int] = []
        self.status: str | None = None

    def near(self) -> Near:
        """What the next pass is to gather; the sample tells how large the cube should be."""
        problem, centre = self.some, self.u
        reaches = [
            np.concatenate([loss_and_reach(sums, sign)[1] for _, sums in sums_at(values, centre)])
            for values, sign in ((problem.negatives, 1.0), (problem.positives, -1.0))
        ]
        reach, sizes = np.concatenate(reaches), [len(part) for part in reaches]
        stands_for = np.repeat(np.divide(self.numbers, sizes), sizes)
        order = np.argsort(reach)
        inside = np.cumsum(stands_for[order]) <= _SLACK * self.n_kept
        # Tied rows are in every cube.
        outside = order[~inside & ~is_a_point(reach[order], self.frame)]
        delta = float(reach[outside[0]]) if len(outside) else _EVERYTHING
        return Near(self.frame, self.factors, centre, delta, self.n_kept, self.max_kept)

    def descend(self, near: Near, found: Nearest) -> None:
        """Descend in the cube that a pass has gathered."""
        cube = near.cube(found)
        self.trace = descend(cube.problem, self.u, self.procedure)
        self.u = self.trace.at.u
        if not self.history:
            self.history.append(self.trace.history[0])
        self.history.append(self.trace.objective)
        self.kept.append(len(found.reach))
        if cube.contains(self.u):
            self.status = self.trace.status
        elif len(self.kept) >= MOST_PASSES:
            self.status = ITERATION_LIMIT
        elif len(self.kept) % _PATIENCE == 0:
            self.n_kept = min(2 * self.n_kept, self.max_kept)

    @property
    def weights(self) -> Array:
        """Weights of the operator."""
        return self.frame.weights(self.u)

    @property
    def near_zero(self) -> float:
        """Values of the operator closer to zero than this are zero up to rounding."""
        return self.frame.tie_tolerance * self.frame.unit

    def result(self, boundary_share: float) -> TrainingResult:
        """Record of the descent."""
        unit = self.frame.unit
        return TrainingResult(
            weights=self.weights,
            objective=self.history[-1] * unit,
            status=self.status or ITERATION_LIMIT,
            n_iter=len(self.kept),
            history=np.array(self.history) * unit,
            escapes=(),
            boundary_share=boundary_share,
            certified_by=self.trace.certified_by,
            certificate=self.trace.certificate,
            start=self.start,
            start_samples=self.some.n_samples,
            fallbacks=self.trace.fallbacks,
            kept=tuple(self.kept),
        )


def descend_by_passes(
    passes: Passes,
    rows: SampledRows,
    objectives: dict[str, Objective],
    procedures: dict[str, Procedure],
    max_kept: int = MOST_KEPT,
) -> dict[str, Descent]:
    """Train both operators on all rows, with at most ``max_kept`` in memory for each.

    The y of the rows are −1 and +1. Each pass serves both operators.
    """
    descents = {
        operator: Descent(rows, operator, objectives[operator], procedures[operator], max_kept)
        for operator in OPERATORS
    }
    pass_to_the_end(passes, descents)
    return descents


def pass_to_the_end(passes: Passes, descents: dict[str, Descent]) -> None:
    """Pass over the rows until all descents are done."""
    while going := [descent for descent in descents.values() if descent.status is None]:
        nears = [descent.near() for descent in going]
        pairs = ((partial(nearest, near), partial(add_nearest, near)) for near in nears)
        for descent, near, found in zip(going, nears, reduce_each(passes, *pairs), strict=True):
            descent.descend(near, found)
