"""Search for the nearest sample with a low box score: cells between faces of the boxes.

In a part of the space, the score is at least its affine function plus the points of every box that
must hold the sample, and of those with negative points that can, as soon as the radius reaches
them. A part is divided at faces until the step that this allows has the score that it promises.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from .._utils._typing import Array, Mask
from ._domain import Region, lowest, reach
from ._forms import Score

# Relative width of a gap between faces that rounding has made.
_ROUNDING = 1e-12


class Cells:
    """Regions of steps from a sample at which a score is at most a threshold."""

    def __init__(self, score: Score, threshold: float, sample: Array, scale: Array) -> None:
        self.slopes, self.points = score.coef * scale, score.points
        used = score.coef != 0
        self.start = float(score.intercept - threshold + score.coef[used] @ sample[used])
        steps = (score.boxes - sample) / scale
        self.lower, self.upper = steps[:, 0], steps[:, 1]

    @cached_property
    def gap(self) -> float:
        """How far the score of the sample is from the threshold."""
        return abs(self.start + float(self.points @ self._holds(np.zeros(len(self.slopes)))))

    def starts(self, region: Region) -> Iterator[tuple[float, None]]:
        """The whole region, and a bound of its distance."""
        yield 0.0, None

    def _holds(self, steps: Array) -> Mask:
        """Which boxes hold the sample after the steps."""
        held: Mask = np.array(((steps >= self.lower) & (steps <= self.upper)).all(axis=1))
        return held

    def solve(self, state: None, region: Region, beyond: float) -> tuple[float, Array] | None:
        """A bound of the distance, and steps that may attain it; None if there are none."""
        surely = ((region.lower >= self.lower) & (region.upper <= self.upper)).all(axis=1)
        never = ((region.lower > self.upper) | (region.upper < self.lower)).any(axis=1)
        start = self.start + beyond + float(self.points @ surely)
        # Radii from which on undecided boxes can help.
        at, drops = [np.zeros(1)], [np.zeros(1)]
        for helps, places in (
            (self.points < 0, self._entries(region)),
            (self.points > 0, self._exits(region)),
        ):
            open_ = helps & ~surely & ~never
            at.append(places[open_])
            drops.append(-np.abs(self.points[open_]))
        # A box with positive points that can hold the sample has them until it is left.
        start += float(self.points[(self.points > 0) & ~surely & ~never].sum())
        ends, falls = np.concatenate(at), np.concatenate(drops)
        order = np.argsort(ends, kind="stable")
        ends, totals = ends[order], start + np.cumsum(falls[order])
        radius = np.inf
        for end, total in zip(ends, totals, strict=True):
            if end >= radius:
                break
            radius = min(radius, max(end, reach(total, self.slopes, region)))
        return (radius, lowest(self.slopes, region, radius)) if np.isfinite(radius) else None

    def _entries(self, region: Region) -> Array:
        """Distances to the boxes within the region."""
        low, high = np.maximum(self.lower, region.lower), np.minimum(self.upper, region.upper)
        return np.maximum(np.maximum(low, -high), 0.0).max(axis=1)

    def _exits(self, region: Region) -> Array:
        """Distances to the faces of the boxes within the region."""
        down = np.where(region.lower < self.lower, np.maximum(-self.lower, 0.0), np.inf)
        up = np.where(region.upper > self.upper, np.maximum(self.upper, 0.0), np.inf)
        return np.minimum(down, up).min(axis=1)

    def split(
        self, state: None, region: Region, steps: Array
    ) -> list[tuple[float, None, Region]] | None:
        """Parts of the region at faces of a box; None if the steps attain what the bound says."""
        undecided = ~((region.lower >= self.lower) & (region.upper <= self.upper)).all(axis=1)
        undecided &= ~((region.lower > self.upper) | (region.upper < self.lower)).any(axis=1)
        promised = undecided & (self._holds(steps) != (self.points < 0))
        if (
            not promised.any()
            or self.start + self.points @ self._holds(steps) + (self.slopes @ steps) <= 0
        ):
            return None
        k = int(np.argmax(np.where(promised, np.abs(self.points), -1.0)))
        low, high = self.lower[k], self.upper[k]
        if self.points[k] < 0:
            j = int(np.argmax(np.maximum(low - steps, steps - high)))
        else:
            down = np.where(region.lower < low, np.maximum(-low, 0.0), np.inf)
            up = np.where(region.upper > high, np.maximum(high, 0.0), np.inf)
            j = int(np.argmin(np.minimum(down, up)))
        before, after = np.nextafter(low[j], -np.inf), np.nextafter(high[j], np.inf)
        intervals = [(-np.inf, before), (low[j], high[j]), (after, np.inf)]
        return [(0.0, None, part) for part in region.parts(j, intervals) if _is_wide(part, j)]


def _is_wide(region: Region, j: int) -> bool:
    """Whether an interval is no gap that rounding has made between two faces."""
    low, high = region.lower[j], region.upper[j]
    return low == high or not high - low <= _ROUNDING * max(abs(low), abs(high))
