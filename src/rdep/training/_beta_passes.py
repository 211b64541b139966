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


@dataclass(frozen=True, eq=False)
class Crossings:
    """Rows whose crossings are near a point, and the derivative of the loss of the others."""

    lines: Array  # (3, k): intercepts, slopes, penalties
    reach: Array  # distance of the crossings
    width: float
    value: float = 0.0  # derivative at β = 0, over the rows that are not kept
    growth: float = 0.0

    def narrowed(self, width: float, centre: float, loss: str) -> Crossings:
        """Add up the rows whose crossings are farther away."""
        kept = self.reach <= width
        intercept, slope, penalty = self.lines[:, ~kept]
        losing = intercept + slope * centre > 0
        intercept, slope, penalty = intercept[losing], slope[losing], penalty[losing]
        hinge = loss == "hinge"
        return Crossings(
            self.lines[:, kept],
            self.reach[kept],
            width,
            self.value + float(penalty @ (slope if hinge else slope * intercept)),
            self.growth + (0.0 if hinge else float(penalty @ slope**2)),
        )

    def distinct(self, loss: str) -> Crossings:
        """Merge rows with equal crossings that lose on the same side."""
        intercept, slope, penalty = self.lines
        sizes, signs = np.abs(slope), np.sign(slope)
        _, firsts, group = np.unique(
            np.column_stack([intercept / sizes, signs]),
            axis=0,
            return_index=True,
            return_inverse=True,
        )
        penalty = np.bincount(group.ravel(), penalty * sizes ** (1 if loss == "hinge" else 2))
        lines = np.array([(intercept / sizes)[firsts], signs[firsts], penalty])
        return Crossings(lines, self.reach[firsts], self.width, self.value, self.growth)


def crossings(task: Combination, centre: float, width: float, n_kept: int, block: Block):
    """Keep or add up the rows of a block."""
    intercept, slope, penalty = task.lines(block)
    moves = (slope != 0) & (penalty > 0)
    lines = np.array([intercept, slope, penalty])[:, moves]
    reach = np.abs(lines[0] / lines[1] + centre)
    found = Crossings(lines, reach, np.inf).narrowed(width, centre, task.loss)
    return _at_most(found, centre, n_kept, task.loss)


def add_crossings(centre: float, n_kept: int, loss: str, a: Crossings, b: Crossings) -> Crossings:
    """Add what two parts of the rows keep."""
    width = min(a.width, b.width)
    a, b = (part.narrowed(width, centre, loss) for part in (a, b))
    both = Crossings(
        np.hstack([a.lines, b.lines]),
        np.concatenate([a.reach, b.reach]),
        width,
        a.value + b.value,
        a.growth + b.growth,
    )
    return _at_most(both, centre, n_kept, loss)


def _at_most(found: Crossings, centre: float, n_kept: int, loss: str) -> Crossings:
    if len(found.reach) <= n_kept:
        return found
    if _reach_of(found, n_kept) <= _POINT:
        found = found.distinct(loss)
        if len(found.reach) <= n_kept:
            return found
    return found.narrowed(_reach_of(found, n_kept), centre, loss)


def _reach_of(found: Crossings, n_kept: int) -> float:
    """Distance that excludes all but the nearest ``n_kept`` crossings."""
    return float(np.nextafter(np.partition(found.reach, n_kept)[n_kept], -np.inf))


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

    Parameters
    ----------
    passes : Passes
        The rows.
    task : Combination
        The operators and the loss.
    some : Block
        A sample of the rows.
    centre : float
        Where the minimisers are expected.
    n_kept : int
        Maximum number of rows that a pass keeps.
    beside : pair of functions
        ``partial`` and ``add`` of another sum over the rows, which the first pass forms.

    Returns
    -------
    beta : float
        Midpoint of the interval.
    interval : tuple of two floats
        All minimisers.
    sum
        The other sum.
    """
    share = _SLACK * n_kept / passes.n_rows

    def pair(at: float) -> Beside:
        width = _width(task, some, at, share)
        return (
            partial(crossings, task, at, width, n_kept),
            partial(add_crossings, at, n_kept, task.loss),
        )

    def looked(at: float) -> _Bracket:
        return _bracket(passes.reduce(*pair(at)), at, task.loss)

    found, other_sum = reduce_each(passes, pair(centre), beside)
    first = _bracket(found, centre, task.loss)
    ends = [_end(looked, first, k) for k in range(2)]
    low, high = min(ends), max(ends)
    return (low + high) / 2, (low, high), other_sum


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


def _bracket(found: Crossings, centre: float, loss: str) -> _Bracket:
    intercept, slope, penalty = found.lines
    ends = minimising_beta(intercept, slope, penalty, loss, found.value, found.growth)
    return _Bracket(ends, (centre - found.width, centre + found.width))
