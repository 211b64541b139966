"""Nearest samples that are decided otherwise, by best-first search.

The search keeps parts of what is possible, each with a bound of its distance, and always looks at
the part with the smallest bound. If the nearest step that the bound allows meets all conditions and
turns the prediction, no sample is nearer: every other part has a larger bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from time import monotonic
from typing import Any

import numpy as np

from .._utils._typing import Array
from ._cells import Cells
from ._domain import Domain, Region
from ._forms import Affine, Decision, Extreme, Score, Sum
from ._pieces import Pieces

# How many times as far as the nearest sample one with fewer moved features may be.
_FARTHER = 64.0
# The largest distance, relative to the largest feature.
_LARGEST_REACH = 1e7
# Time for one search.
_SECONDS = 60.0
# How far beyond a tie a sample must be, relative to the distance of the values from a tie.
_BEYOND = (1e-10, 1e-8, 1e-6, 1e-4)
# How much nearer a tie must be to count.
_NEARER = 1e-3
_EPS = float(np.finfo(float).eps)


class OutOfTimeError(Exception):
    """A search took too long."""


@dataclass(frozen=True, eq=False)
class Question:
    """A sample of which the nearest one that is decided otherwise is asked for.

    The decision sees the features after the scalers of a pipeline, the domain those before.
    """

    decision: Decision
    sample: Array  # as the decision sees it
    scale: Array
    code: int  # position of the predicted class
    domain: Domain
    is_flipped: Callable[[Array], bool]
    sparse: bool = False  # whether the number of moved features is minimised first

    def nearest(self) -> tuple[float, Array | None]:
        """A bound of the distance, and the sample; None if no prediction confirmed one.

        Without a sample, the bound is infinite only if it is proven that there is none.
        """
        size = float(np.max(np.abs(self.domain.sample) / self.domain.scale, initial=1.0))
        found = self._strictly(_LARGEST_REACH * size, None)
        if not self.sparse or found[1] is None:
            return found
        n_moved = int((found[1] != self.domain.sample).sum())
        for most in range(1, n_moved):
            fewer = self._strictly(_FARTHER * self.domain.distance(found[1]), most)
            if fewer[1] is not None:
                return fewer
        return self._strictly(_FARTHER * self.domain.distance(found[1]), n_moved)

    @cached_property
    def goals(self) -> list[Cells | Pieces]:
        """What the prediction of each other class takes."""
        values: tuple[Any, ...] = self.decision.values
        end = self.decision.threshold
        if len(values) == 1:
            low = values[0] if self.code == 1 else values[0].negated()
            return [self._goal(low, end if self.code == 1 else -end)]
        own = values[self.code]
        found: list[Cells | Pieces] = []
        for target in (value for value in values if value is not own):
            if isinstance(own, Extreme):
                found.append(Pieces(_alternatives(target, own), self.sample, self.scale))
            else:
                found.append(self._goal(own.minus(target), 0.0))
        return found

    def _goal(self, value: Any, threshold: float) -> Cells | Pieces:
        """Samples at which a value is at most a threshold."""
        if isinstance(value, Score):
            return Cells(value, threshold, self.sample, self.scale)
        below = Affine(value.below.coef, value.below.intercept - threshold)
        return Pieces([[Sum(value.above, below)]], self.sample, self.scale)

    def _strictly(self, limit: float, most: int | None) -> tuple[float, Array | None]:
        """The nearest sample; if values tie at nearer ones, the nearest one beyond ties."""
        bound, moved = self._search(limit, most, 0.0)
        if not self._is_open(bound, moved):
            return bound, moved
        found = [] if moved is None else [moved]
        for beyond in _BEYOND:
            least, moved = self._search(limit, most, beyond)
            found += [] if moved is None else [moved]
            if not self._is_open(least, moved):
                break
        return bound, min(found, key=self.domain.distance, default=None)

    def _is_open(self, bound: float, moved: Array | None) -> bool:
        """Whether values tied at a nearer sample, which may hide others that are allowed."""
        if moved is None:
            return np.isfinite(bound)
        return not self.domain.is_free and self.domain.distance(moved) > bound * (1 + _NEARER)

    def _search(self, limit: float, most: int | None, beyond: float) -> tuple[float, Array | None]:
        region, order, ends = self.domain.region(limit, most), count(), monotonic() + _SECONDS
        heap: list[tuple[float, int, Any, Any, Region, Array | None]] = []
        for goal in self.goals:
            for bound, state in goal.starts(region):
                heappush(heap, (bound, next(order), goal, state, region, None))
        missed = np.inf
        while heap:
            if monotonic() > ends:
                raise OutOfTimeError
            bound, _, goal, state, region, steps = heappop(heap)
            if bound > limit:
                break
            if steps is None:
                solved = goal.solve(state, region, _off(beyond, goal.gap))
                if solved is None:
                    continue
                bound, steps = max(bound, solved[0]), solved[1]
                if heap and bound > heap[0][0]:
                    heappush(heap, (bound, next(order), goal, state, region, steps))
                    continue
            parts = goal.split(state, region, steps)
            if parts is None:
                regions = self.domain.split(region, steps)
                parts = None if regions is None else [(0.0, state, part) for part in regions]
            if parts is None:
                moved = self._confirmed(goal, state, region, steps, bound)
                if moved is not None:
                    return min(bound, missed), moved
                missed = min(missed, bound)
            for at_least, new, part in parts or ():
                if np.isfinite(at_least):
                    heappush(heap, (max(bound, at_least), next(order), goal, new, part, None))
        return missed, None

    def _confirmed(
        self, goal: Any, state: Any, region: Region, steps: Array, distance: float
    ) -> Array | None:
        """A sample at the steps, or just beyond the tie there, that is predicted otherwise."""
        region = self.domain.settled(region, steps)
        rounding = 8 * _EPS * float(np.max(np.abs(self.sample) / self.scale))
        for beyond in _BEYOND:
            margin = beyond * distance + rounding
            inner = region.inset(2 * margin) if isinstance(goal, Cells) else region
            found = goal.solve(state, inner, _off(beyond, goal.gap))
            if found is not None:
                for step in (found[1], found[1] + np.sign(found[1]) * margin):
                    if self.is_flipped(moved := self.domain.moved(step)):
                        return moved
        return moved if self.is_flipped(moved := self.domain.moved(steps)) else None


def _off(beyond: float, gap: float) -> float:
    return beyond * gap + 16 * _EPS * (1 + gap) if beyond else 0.0


def _alternatives(winner: Any, own: Any) -> list[list[Sum]]:
    """For one box of the winner, every own box has a face that is nearer than all of its faces."""
    faces = [[box.parts for box in value.parts] for value in (winner, own)]
    return [[Sum(ahead.negated(), behind) for behind in faces[1]] for ahead in faces[0]]
