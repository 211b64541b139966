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
from typing import NamedTuple

import numpy as np

from .._base._passes import Block, Passes, reduce_each
from .._utils._typing import Array, Mask
from ._cube import Cube, Side, is_a_point, merged_samples
from ._descend import descend
from ._problem import DilationProblem
from ._results import ITERATION_LIMIT, TrainingResult
from ._sample import SampledRows
from ._samples import _distinct_rows, _row_keys
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


class Near(NamedTuple):
    """What a pass is to gather: the cube around a point, of at most this many rows."""

    frame: DilationProblem
    factors: tuple[float, ...]  # penalty of a row of weight 1; negatives of the problem first
    centre: Array
    delta: float
    n_kept: int
    most: int  # may be reached if rows are tied


@dataclass(frozen=True, eq=False)
class Part:
    """Kept rows of one class, and the sums over the merged ones."""

    values: Array
    penalties: Array
    reach: Array
    weights: Array  # sums of penalties, by deciding feature
    tops: Array  # sums of losses, by deciding feature

    @classmethod
    def of(cls, side: Side, delta: float) -> Part:
        kept = np.flatnonzero(side.reach <= delta)
        return cls(
            side.values.take(kept, axis=1),
            side.penalties[kept],
            side.reach[kept],
            *side.sums(delta),
        )

    def __add__(self, other: Part) -> Part:
        return Part(
            np.hstack([self.values, other.values]),
            np.concatenate([self.penalties, other.penalties]),
            np.concatenate([self.reach, other.reach]),
            self.weights + other.weights,
            self.tops + other.tops,
        )

    def shrunk(self, delta: float, centre: Array, sign: float) -> Part:
        """Merge the rows, or drop them, that are outside the smaller cube."""
        outside = self.reach > delta
        if not outside.any():
            return self
        side = Side(self.values[:, outside], self.penalties[outside], centre, sign)
        weights, tops = side.sums(delta)
        kept = self.take(~outside)
        return replace(kept, weights=self.weights + weights, tops=self.tops + tops)

    def take(self, chosen: Mask | slice) -> Part:
        """Keep some of the rows, and the sums."""
        return replace(
            self,
            values=self.values[:, chosen],
            penalties=self.penalties[chosen],
            reach=self.reach[chosen],
        )

    def distinct(self, centre: Array, sign: float) -> Part:
        """Merge equal rows."""
        if not len(self.penalties):
            return self
        rows = np.ascontiguousarray(self.values.T)
        rows, penalties = _distinct_rows(rows, *_row_keys(rows), self.penalties)
        side = Side(np.ascontiguousarray(rows.T), penalties, centre, sign)
        return replace(self, values=side.values, penalties=penalties, reach=side.reach)


@dataclass(frozen=True, eq=False)
class Gathered:
    """Rows that a pass keeps of both classes, and the half-width up to which they are all."""

    parts: tuple[Part, ...]
    delta: float

    @property
    def n_kept(self) -> int:
        return sum(len(part.reach) for part in self.parts)


def gather(near: Near, block: Block) -> Gathered:
    """Keep, merge or drop the rows of a block."""
    frame, used = near.frame, block.weight > 0
    of_negatives = block.y > 0 if frame.is_dual else block.y < 0
    parts = []
    for mask, factor, sign in zip(
        (of_negatives & used, ~of_negatives & used), near.factors, (1.0, -1.0), strict=True
    ):
        rows = np.compress(frame.used, block.X[mask], axis=1)
        values = frame.values_of(rows, sign > 0)
        side = Side(values, factor * block.weight[mask], near.centre, sign)
        parts.append(Part.of(side, near.delta))
    return _within(near, Gathered(tuple(parts), near.delta))


def add_gathered(near: Near, a: Gathered, b: Gathered) -> Gathered:
    """Add what two parts of the rows keep, in the smaller of both cubes, or in a smaller one."""
    delta = min(a.delta, b.delta)
    a, b = _shrunk(near, a, delta), _shrunk(near, b, delta)
    parts = tuple(x + y for x, y in zip(a.parts, b.parts, strict=True))
    return _within(near, Gathered(parts, delta))


def _within(near: Near, found: Gathered) -> Gathered:
    """Shrink the cube until at most the allowed number of rows are inside.

    Tied rows are inside every cube. They are merged if they are equal; others may be more than
    the allowed number, up to the maximum.
    """
    for limit in (near.n_kept, near.most):
        if found.n_kept > limit and is_a_point(_reach_of(found, limit), near.frame):
            found = _distinct(near, found)
        if found.n_kept <= limit:
            return found
        delta = _reach_of(found, limit)
        if not is_a_point(delta, near.frame):
            return _shrunk(near, found, delta)
    return Gathered(tuple(part.take(slice(0)) for part in found.parts), 0.0)


def _distinct(near: Near, found: Gathered) -> Gathered:
    signs = (1.0, -1.0)
    parts = (x.distinct(near.centre, sign) for x, sign in zip(found.parts, signs, strict=True))
    return Gathered(tuple(parts), found.delta)


def _reach_of(found: Gathered, n_kept: int) -> float:
    """Half-width that excludes all but the nearest ``n_kept`` rows."""
    reach = np.concatenate([part.reach for part in found.parts])
    reach.partition(n_kept)
    return float(np.nextafter(reach[n_kept], -np.inf))


def _shrunk(near: Near, found: Gathered, delta: float) -> Gathered:
    if delta >= found.delta:
        return found
    parts = tuple(
        part.shrunk(delta, near.centre, sign)
        for part, sign in zip(found.parts, (1.0, -1.0), strict=True)
    )
    return Gathered(parts, delta)


def cube_of(near: Near, found: Gathered) -> Cube:
    """Cube of what a pass has gathered.

    Raises
    ------
    ValueError
        If so many rows are tied that the cube is a point.
    """
    if is_a_point(found.delta, near.frame):
        raise ValueError(
            f"training by passes needs more memory: more than {near.most:,} different rows are "
            "tied with others at a point of the descent; allow more rows with max_kept, or fit "
            "on arrays in memory"
        )
    sides = []
    for part in found.parts:
        merged, weights = merged_samples(part.weights, part.tops, near.centre)
        sides.append((np.hstack([part.values, merged]), np.concatenate([part.penalties, weights])))
    return Cube.of(near.frame, near.centre, found.delta, *sides)


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
        sides = (
            Side(problem.negatives, problem.negative_penalties, centre, 1.0),
            Side(problem.positives, problem.positive_penalties, centre, -1.0),
        )
        reach = np.concatenate([side.reach for side in sides])
        sizes = [len(side.reach) for side in sides]
        stands_for = np.repeat(np.divide(self.numbers, sizes), sizes)
        order = np.argsort(reach)
        inside = np.cumsum(stands_for[order]) <= _SLACK * self.n_kept
        # Tied rows are in every cube.
        outside = order[~inside & ~is_a_point(reach[order], self.frame)]
        delta = float(reach[outside[0]]) if len(outside) else _EVERYTHING
        return Near(self.frame, self.factors, centre, delta, self.n_kept, self.max_kept)

    def descend(self, near: Near, found: Gathered) -> None:
        """Descend in the cube that a pass has gathered."""
        cube = cube_of(near, found)
        self.trace = descend(cube.problem, self.u, self.procedure)
        self.u = self.trace.at.u
        if not self.history:
            self.history.append(self.trace.history[0])
        self.history.append(self.trace.objective)
        self.kept.append(found.n_kept)
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
    """Train both operators on all rows; each pass serves both.

    Parameters
    ----------
    passes : Passes
        The rows, with the signs −1 and +1 as ``y``.
    rows : SampledRows
        A sample of them.
    objectives, procedures : dict
        Objective and procedure of each operator.
    max_kept : int
        Maximum number of rows that a pass keeps for an operator.

    Returns
    -------
    dict of Descent
        The descents, by operator.
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
        pairs = ((partial(gather, near), partial(add_gathered, near)) for near in nears)
        for descent, near, found in zip(going, nears, reduce_each(passes, *pairs), strict=True):
            descent.descend(near, found)
