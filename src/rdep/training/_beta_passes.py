r"""The best β on rows that are never in memory together.

The loss of a row is linear in β on both sides of its crossing. A pass keeps the rows whose
crossings are near a point, and adds up the slopes of the others. Between the farthest kept
crossings, the loss of the kept rows plus these slopes is that of all rows. It is convex: if an end
of the interval of minimisers is not there, another pass looks farther in its direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .._base._passes import Block, Passes, reduce_each
from .._utils._typing import Array, Mask
from ..lattice import dilation, erosion
from ._beta import _SAME, minimising_beta
from ._nearest import Nearest, add_nearest, nearest
from ._samples import distinct_rows

# Crossings this near to each other are equal up to rounding.
_POINT = 1e-12
# The bracket would hold this multiple of the allowed rows, judged by the sample. It shrinks.
_SLACK = 1.25


Beside = tuple[Callable[[Block], Any], Callable[[Any, Any], Any]]


class Combination(NamedTuple):
    """Operators whose best combination is sought, and the loss of it."""

    dilation_weights: Array  # of the features in use
    erosion_weights: Array
    used: Mask
    factors: tuple[float, ...]  # penalty of a row of weight 1, by class
    margins: tuple[float, ...]
    loss: str
    largest: float  # bound of the absolute values of both operators

    def operated(self, X: Array) -> tuple[Array, Array]:
        """δ_w and ε_m of rows."""
        X = np.compress(self.used, X, axis=1)
        return dilation(X, self.dilation_weights), erosion(X, self.erosion_weights)

    def lines(self, block: Block) -> tuple[Array, Array, Array]:
        """Intercept and slope of the loss of each row, and its penalty."""
        dilated, eroded = self.operated(block.X)
        negative = (block.y < 0).astype(int)
        difference = dilated - eroded
        difference[np.abs(difference) <= _SAME * self.largest] = 0.0
        margins = np.array(self.margins)[1 - negative]
        signs = 1 - 2 * negative
        penalties = np.array(self.factors)[1 - negative] * block.weight
        return (
            (margins - signs * eroded) / self.largest,
            -signs * difference / self.largest,
            penalties,
        )


@dataclass(frozen=True)
class Crossing:
    """Rule of a bracket: a table holds the intercept, the slope and the penalty of a row."""

    task: Combination
    centre: float
    width: float
    n_kept: int

    @property
    def most(self) -> int:
        return self.n_kept

    def table(self, block: Block) -> Array:
        """Lines of the rows whose loss depends on β."""
        lines = np.array(self.task.lines(block))
        return lines[:, (lines[1] != 0) & (lines[2] > 0)]

    def reach(self, table: Array) -> Array:
        """Distance of the crossings."""
        return np.abs(table[0] / table[1] + self.centre)

    def sums(self, table: Array, outside: Mask) -> Array:
        """Derivative of the loss of rows at β = 0, and its growth with β."""
        losing = outside & (table[0] + table[1] * self.centre > 0)
        intercept, slope, penalty = table[:, losing]
        if self.task.loss == "hinge":
            return np.array([penalty @ slope, 0.0])
        return np.array([penalty @ (slope * intercept), penalty @ slope**2])

    def distinct(self, table: Array) -> Array:
        """Merge rows with equal crossings that lose on the same side."""
        sizes = np.abs(table[1])
        lines = np.ascontiguousarray((table[:2] / sizes).T)
        power = 1 if self.task.loss == "hinge" else 2
        lines, penalties = distinct_rows(lines, table[2] * sizes**power)
        return np.vstack([lines.T, penalties])

    def is_a_point(self, width: float) -> bool:
        """Whether crossings this near to each other are equal up to rounding."""
        return width <= _POINT

    def bracket(self, found: Nearest) -> _Bracket:
        """Minimisers as seen from one pass."""
        (intercept, slope, penalty), (value, growth) = found.table, found.sums.tolist()
        ends = minimising_beta(intercept, slope, penalty, self.task.loss, value, growth)
        return _Bracket(ends, (self.centre - found.width, self.centre + found.width))


class _Bracket(NamedTuple):
    """Minimisers of the loss as seen from one pass, and where that is exact."""

    ends: tuple[float, float]
    walls: tuple[float, float]


def best_beta_by_passes(
    passes: Passes,
    task: Combination,
    some: Block,
    centre: float,
    n_kept: int,
    beside: Beside,
) -> tuple[float, tuple[float, float], Any]:
    """Compute the β that minimises the loss over all rows, and the interval of minimisers.

    The minimisers are expected near ``centre``; ``some`` is a sample of the rows. The first pass
    also forms the sum that is described by ``beside``, a ``partial`` and an ``add``.
    """
    share = _SLACK * n_kept / passes.n_rows

    def rule(at: float) -> Crossing:
        return Crossing(task, at, _width(task, some, at, share), n_kept)

    def looked(at: float) -> _Bracket:
        crossing = rule(at)
        return crossing.bracket(passes.reduce(*_gathering(crossing)))

    crossing = rule(centre)
    found, other_sum = reduce_each(passes, _gathering(crossing), beside)
    ends = [_end(looked, crossing.bracket(found), k) for k in range(2)]
    low, high = min(ends), max(ends)
    return (low + high) / 2, (low, high), other_sum


def _gathering(crossing: Crossing) -> Beside:
    return partial(nearest, crossing), partial(add_nearest, crossing)


def _end(looked: Callable[[float], _Bracket], seen: _Bracket, k: int) -> float:
    """End of the interval of minimisers.

    The loss is convex: from a bracket without the end, its side is known. Steps double, up to the
    middle of what is left.
    """
    low, high, jump = 0.0, 1.0, 1.0
    while True:
        (lowest, highest), end = seen.walls, seen.ends[k]
        below, above = end <= lowest and lowest > 0, end >= highest and highest < 1
        if not (below or above):
            return end
        step = jump * max(highest - lowest, _POINT)
        if below:
            high = min(high, lowest)
            at = max(lowest - step, (low + high) / 2)
        else:
            low = max(low, highest)
            at = min(highest + step, (low + high) / 2)
        if high - low <= _POINT:
            return (low + high) / 2
        seen, jump = looked(at), 2 * jump


def _width(task: Combination, some: Block, centre: float, share: float) -> float:
    """Distance within which a share of the crossings are."""
    intercept, slope, _ = task.lines(some)
    moves = slope != 0
    if share >= 1 or not moves.any():
        return np.inf
    return float(np.quantile(np.abs(intercept[moves] / slope[moves] + centre), share))
