"""Where a sample may move to: its domain, and the regions into which a search divides it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .._utils._typing import Array, Indices, Mask

# A value this near to a whole number, relative to it, is rounded to it.
_WHOLE = 1e-9


@dataclass(frozen=True, eq=False)
class Domain:
    """A sample, the units of its features, and the conditions on where it may move to."""

    sample: Array  # (n_features,)
    scale: Array
    lower: Array
    upper: Array
    integers: Mask
    groups: tuple[Indices, ...] = ()  # indicators of which exactly one is 1

    @classmethod
    def free(cls, sample: Array, scale: Array) -> Domain:
        """No limits."""
        unlimited = np.full(len(sample), np.inf)
        return cls(sample, scale, -unlimited, unlimited, np.zeros(len(sample), dtype=bool))

    @property
    def is_free(self) -> bool:
        """Whether there is no condition."""
        is_limited = np.isfinite(self.lower) | np.isfinite(self.upper) | self.integers
        return not (is_limited.any() or self.groups)

    def region(self, reach: float = np.inf, most: int | None = None) -> Region:
        """All steps within a distance that move at most some number of features."""
        lower = np.maximum((self.lower - self.sample) / self.scale, -reach)
        upper = np.minimum((self.upper - self.sample) / self.scale, reach)
        none = np.zeros(len(self.sample), dtype=bool)
        return Region(np.minimum(lower, 0.0), np.maximum(upper, 0.0), most, none)

    def allows(self, moved: Array) -> bool:
        """Whether a sample meets the conditions exactly."""
        whole = moved[self.integers]
        return bool(
            ((moved >= self.lower) & (moved <= self.upper)).all()
            and (whole == np.round(whole)).all()
            and all(moved[group].sum() == 1 for group in self.groups)
        )

    @property
    def whole(self) -> Mask:
        """Features whose values are whole numbers."""
        whole = self.integers.copy()
        for group in self.groups:
            whole[group] = True
        return whole

    def moved(self, steps: Array) -> Array:
        """The sample after steps, whole where it must be; features that stay keep their digits."""
        moved, whole = self.sample + self.scale * steps, self.whole
        moved[whole] = np.round(moved[whole])
        moved = np.clip(moved, self.lower, self.upper)
        return np.where(np.abs(steps) <= 1e-12 * np.abs(steps).max(), self.sample, moved)

    def distance(self, moved: Array) -> float:
        """Largest step to another sample."""
        return float(np.max(np.abs(moved - self.sample) / self.scale, initial=0.0))

    def split(self, region: Region, steps: Array) -> list[Region] | None:
        """Parts of the region without steps that break a condition; None if they break none."""
        for group in self.groups:
            values = self.sample[group] + self.scale[group] * steps[group]
            if not np.allclose(np.sort(values)[::-1], np.eye(1, len(group)), rtol=0, atol=_WHOLE):
                return list(self._choices(region, group))
        values = self.sample + self.scale * steps
        off = np.where(self.whole, np.abs(values - np.round(values)), 0.0)
        j = int(np.argmax(off))
        if off[j] > _WHOLE * max(1.0, abs(values[j])):
            ends = (np.array([np.floor(values[j]), np.ceil(values[j])]) - self.sample[j]) / (
                self.scale[j]
            )
            return region.parts(j, [(-np.inf, ends[0]), (ends[1], np.inf)])
        return region.split_moves(steps)

    def _choices(self, region: Region, group: Indices) -> Iterator[Region]:
        """One part for each indicator that can be 1."""
        for chosen in group:
            ends = ((group == chosen) - self.sample[group]) / self.scale[group]
            if ((ends >= region.lower[group]) & (ends <= region.upper[group])).all():
                yield region.fixed(group, ends)

    def settled(self, region: Region, steps: Array) -> Region:
        """The region with whole numbers as they are after the steps."""
        whole = np.flatnonzero(self.whole)
        values = np.round(self.sample[whole] + self.scale[whole] * steps[whole])
        return region.fixed(whole, (values - self.sample[whole]) / self.scale[whole])


@dataclass(frozen=True, eq=False)
class Region:
    """A box of steps, in units of the features, of which few may differ from zero."""

    lower: Array
    upper: Array
    most: int | None  # number of features that may move; None for all
    moving: Mask  # features that count as moving

    @property
    def must_move(self) -> Mask:
        """Features that count as moving, or cannot stay."""
        return self.moving | (self.lower > 0) | (self.upper < 0)

    @property
    def nearest(self) -> Array:
        """The smallest steps into the box."""
        return np.clip(0.0, self.lower, self.upper)

    def parts(self, j: int, intervals: list[tuple[float, float]]) -> list[Region]:
        """The parts in intervals of one feature, as far as they hold steps."""
        found = []
        for low, high in intervals:
            low, high = max(low, self.lower[j]), min(high, self.upper[j])
            if low <= high:
                place = np.array([j])
                found.append(self.limited(place, np.array([low]), np.array([high])))
        return found

    def limited(self, places: Indices, low: Array, high: Array) -> Region:
        """The part between other ends of some features."""
        lower, upper = self.lower.copy(), self.upper.copy()
        lower[places], upper[places] = low, high
        return replace(self, lower=lower, upper=upper)

    def fixed(self, places: Indices, steps: Array) -> Region:
        """The part with given steps of some features."""
        return self.limited(places, steps, steps)

    def split_moves(self, steps: Array) -> list[Region] | None:
        """Parts in which a feature stays or counts as moving; None if few enough move."""
        if self.most is None or (steps != 0).sum() <= self.most:
            return None
        can_stay = np.where(self.must_move, 0.0, np.abs(steps))
        j = int(np.argmax(can_stay))
        if can_stay[j] == 0:
            return []
        moving = self.must_move
        moving[j] = True
        last = replace(self, moving=moving)
        if moving.sum() >= self.most:
            rest = np.flatnonzero(~moving)
            last = last.fixed(rest, np.zeros(len(rest)))
        return [self.fixed(np.array([j]), np.zeros(1)), last]

    def inset(self, by: float) -> Region:
        """The box without a margin; its middle, or zero, if nothing else is left."""
        middle = np.where(
            (self.lower <= 0) & (self.upper >= 0), 0.0, self.lower / 2 + self.upper / 2
        )
        middle = np.where(np.isfinite(middle), middle, self.nearest)
        lower, upper = np.minimum(self.lower + by, middle), np.maximum(self.upper - by, middle)
        return replace(
            self, lower=np.maximum(lower, self.lower), upper=np.minimum(upper, self.upper)
        )


def lowest(slopes: Array, region: Region, radius: float) -> Array:
    """Steps within a radius at which slopes times steps is smallest; ``most`` features move."""
    steps = np.clip(-np.sign(slopes) * radius, region.lower, region.upper)
    if region.most is None:
        return steps
    must, stay = region.must_move, region.nearest
    gains = np.where(must, 0.0, slopes * (stay - steps))
    n_free = region.most - int(must.sum())
    moves = must.copy()
    if n_free > 0:
        moves[np.argsort(-gains)[:n_free]] = True
    return np.where(moves & (slopes != 0), steps, stay)


def reach(start: float, slopes: Array, region: Region) -> float:
    """The smallest radius at which start plus slopes times steps is at most zero; or infinity."""
    first = float(np.max(np.abs(region.nearest), initial=0.0))
    if region.most is not None and region.must_move.sum() > region.most:
        return np.inf
    if start + slopes @ lowest(slopes, region, first) <= 0:
        return first
    if region.most is not None:
        return _bisected(start, slopes, region, first)
    used = np.flatnonzero(slopes)
    rates, ends = np.abs(slopes[used]), np.where(slopes > 0, -region.lower, region.upper)[used]
    begins = np.maximum(np.where(slopes > 0, -region.upper, region.lower)[used], first)
    value = float(start + slopes @ lowest(slopes, region, first))
    return _first_root(value, rates, begins, ends, first)


def _first_root(value: float, rates: Array, begins: Array, ends: Array, at: float) -> float:
    """Where a value falls to zero; it falls by each rate between its begin and its end."""
    falls = ends > begins
    changes = np.concatenate([begins[falls], ends[falls]])
    by = np.concatenate([rates[falls], -rates[falls]])
    order = np.argsort(changes)
    rate = 0.0
    for place, change in zip(changes[order], by[order], strict=True):
        if rate > 0 and value <= rate * (place - at):
            break
        value, at, rate = value - rate * (place - at), place, rate + change
        if np.isinf(at):
            return np.inf
    return at + value / rate if rate > 0 and np.isfinite(at) else np.inf


def _bisected(start: float, slopes: Array, region: Region, low: float) -> float:
    """The root by bisection: with few features that move, the sum is not piecewise linear."""
    ends = np.abs([region.lower, region.upper])
    high = float(np.max(ends, initial=0.0, where=np.isfinite(ends)))
    if start + slopes @ lowest(slopes, region, high) > 0:
        return np.inf
    for _ in range(100):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        falls = start + slopes @ lowest(slopes, region, middle) <= 0
        low, high = (low, middle) if falls else (middle, high)
    return high
