r"""Exact minimisation of a convex step by steepest descent over set directions.

G is convex and piecewise linear along a set direction, so each step goes to the kink where the
slope becomes non-negative. If no set direction descends, the point is a minimiser (see
``_directions``), and the last search is the certificate. As a linear programme, the step of one
operator would have n·|N| rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from ..._utils._typing import Array, Indices, Mask
from ._directions import ConvexStep, Direction, maxima, steepest_direction

# A guard: with annealed ties, no problem tried took more than some hundreds of steps.
MAX_STEPS = 10_000

# Number of steps after which ties are annealed, and the factor by which their width then falls.
_PLAIN_STEPS = 60
_NARROWING = 8.0

# Number of negatives, and of kinks, to consider first.
_FEWEST_NEAR = 256


@dataclass(frozen=True)
class Minimum:
    """The end of the descent."""

    point: Array
    n_steps: int
    slope: float  # along the steepest set direction; zero up to rounding at a minimiser
    exact: bool  # False if the step limit was reached


def minimise(step: ConvexStep, start: Array, max_steps: int = MAX_STEPS) -> Minimum:
    """Minimise G from ``start``.

    Values closer than ``width`` are equal when a direction is chosen, so that it descends beyond
    their kinks. At first, ``width`` is the rounding error. If the descent does not end after some
    steps, it zigzags between kinks. Then ties are annealed: ``width`` falls from a large value to
    the rounding error, and every step passes the kinks that are closer. The certificate at the end
    is the same.
    """
    descent = _Descent(step, start)
    n_steps, slope, exact = descend(descent, step.tie, step.flat, step.largest, max_steps)
    point = start.copy()
    point[descent.coordinates] = descent.u
    return Minimum(point, n_steps, slope, exact)


class SetDirection(Protocol):
    """Sets of coordinates that move."""

    @property
    def slope(self) -> float: ...
    @property
    def sign(self) -> int: ...
    @property
    def rising_and_falling(self) -> tuple[Mask, Mask]: ...


D = TypeVar("D", bound=SetDirection)


class Descending(Protocol[D]):
    """Point that finds its steepest set direction and moves along it."""

    def steepest(self, width: float) -> D: ...
    def move(self, rising: Mask, falling: Mask) -> bool: ...
    def move_between(self, first: D, second: D) -> None: ...
    def look_at_all(self) -> None: ...


def descend(
    descent: Descending[D], tie: float, flat: float, largest: float, max_steps: int
) -> tuple[int, float, bool]:
    """Descend until no set direction descends: the steps, the last slope, whether it is exact."""
    width, plain_steps, n_steps = tie, 0, 0
    before: D | None = None
    while True:
        if plain_steps == _PLAIN_STEPS:
            width, plain_steps = largest / _NARROWING, 0
            descent.look_at_all()
        direction = descent.steepest(width)
        descends = direction.slope < -flat
        exact = width == tie and not descends
        if exact or n_steps == max_steps:
            break
        if descends and descent.move(*direction.rising_and_falling):
            n_steps += 1
            plain_steps += width == tie
            if before is not None and before.sign != direction.sign:
                descent.move_between(before, direction)
            before = direction
        elif width == tie:
            exact = True  # the slope was rounding
            break
        else:
            width = max(width / _NARROWING, tie)
    return n_steps, direction.slope, exact


class _Descent:
    """Coordinates that can move, and the values that move with them.

    A coordinate at the minimum of its own function that lifts no negative above zero stays where it
    is, whatever the others do. Leaving it out does not change the result, and saves most of the
    work if there are many features. Negatives far below zero are left out as well, until a
    coordinate has risen that far. A step recomputes only the values of the coordinates it moved.
    """

    def __init__(self, step: ConvexStep, start: Array) -> None:
        self.C, self.floor, self.tie, self.flat = step.C, step.floor, step.tie, step.flat
        self.u, self.linear = start, step.linear
        self.owner, self.frozen = step.owners, step.hinges
        self.positive_penalties = step.hinge_penalties
        up, down = self._own_slopes(slice(None), self.tie)
        free = (step.tops + start > step.floor) | (up < -step.flat) | (down < -step.flat)
        owned = free[step.owners].nonzero()[0]
        self.coordinates = np.flatnonzero(free)
        self.u, self.up, self.down = start[free], up[free], down[free]
        self.linear = step.linear[free]
        self.owner = (np.cumsum(free) - 1)[step.owners[owned]]
        self.frozen = step.hinges[owned]
        self.positive_penalties = step.hinge_penalties[owned]
        self.all_negatives = step.values[free]
        self.all_penalties = step.penalties
        self.n_near = _FEWEST_NEAR
        self._choose_near()

    def _choose_near(self) -> None:
        """Keep the negatives above zero or close to it; store how far the others are below."""
        tops = maxima(self.all_negatives, self.u)
        active = int(np.count_nonzero(tops >= self.floor - self.tie))
        self.n_near = max(self.n_near, active + active // 2)
        near = np.arange(len(tops))
        self.room = np.inf
        if self.n_near < len(tops):
            order = np.argpartition(-tops, self.n_near)
            near = np.sort(order[: self.n_near])
            self.room = max(-tops[order[self.n_near]] - 4 * self.tie, 0.0)
        # Indexing with [:, near] would store column by column, which is slow to read along rows.
        self.negatives = self.all_negatives.take(near, axis=1)
        self.negative_penalties = self.all_penalties[near]
        self.values = self.negatives + self.u[:, None]
        self.maxima = tops[near]

    def look_at_all(self) -> None:
        """Keep all negatives, so that long moves are not cut short."""
        self.n_near = len(self.all_penalties)
        self._choose_near()

    def _own_slopes(self, mine: Indices | slice, width: float) -> tuple[Array, Array]:
        """Slopes, up and down, of the penalty of each coordinate and of some fixed positives.

        Kinks closer than ``width`` count as passed. The slopes of a coordinate are complete if all
        of its positives are included.
        """
        owner, b = self.owner[mine], self.positive_penalties[mine]
        reach = self.frozen[mine] + self.u[owner]
        up = self.linear + np.where(self.u >= -width, self.C, -self.C)
        down = -self.linear + np.where(self.u <= width, self.C, -self.C)
        return (
            up - np.bincount(owner, b * (reach < -width), len(up)),
            down + np.bincount(owner, b * (reach <= width), len(up)),
        )

    def steepest(self, width: float) -> Direction:
        """Find the steepest set direction; values closer than ``width`` are equal."""
        if not len(self.u):
            return Direction(np.zeros(0, dtype=bool), +1, 0.0)
        own = (self.up, self.down)
        if width != self.tie:
            own = self._own_slopes(slice(None), width)
        return steepest_direction(
            *own, self.values, self.maxima, self.negative_penalties, self.floor, width, self.flat
        )

    def move_between(self, first: Direction, second: Direction) -> None:
        """Move one set up and another down at once, if that descends.

        Two sets that move up and down in turn make little progress along the direction between
        them.
        """
        up, down = (first, second) if first.sign > 0 else (second, first)
        rising, falling = up.members & ~down.members, down.members & ~up.members
        if rising.any() and falling.any():
            self.move(rising, falling)

    def move(self, rising: Mask, falling: Mask) -> bool:
        """Move to the kink where the slope is no longer negative, or as far as kept values allow.

        Returns whether the point moved.
        """
        moving = rising | falling
        staying = self.values[~moving].max(axis=0, initial=-np.inf)
        distance = self._distance_to_minimum(rising, falling, np.maximum(staying, self.floor))
        beyond = bool(distance > self.room and rising.any())
        if beyond:
            distance = self.room
        elif distance == 0:
            return False
        if rising.any():
            self.room -= distance
        self.u[rising] += distance
        self.u[falling] -= distance
        self.u[np.abs(self.u) <= self.tie] = 0.0
        if beyond:
            self.n_near *= 2
            self._choose_near()
        else:
            moved = self.negatives[moving] + self.u[moving, None]
            self.values[moving] = moved
            self.maxima = np.maximum(staying, moved.max(axis=0), out=staying)
        up, down = self._own_slopes(moving[self.owner].nonzero()[0], self.tie)
        self.up[moving], self.down[moving] = up[moving], down[moving]
        return True

    def _distance_to_minimum(self, rising: Mask, falling: Mask, floor: Array) -> float:
        """Distance at which G stops descending along this direction; 0 if it does not descend.

        ``floor`` is the maximum of each negative over the floor and the coordinates that stay.
        """
        a, b = self.negative_penalties, self.positive_penalties
        pull = np.concatenate([-self.u[rising], self.u[falling]])
        # Kinks with the change of slope at each, and the slope before all kinks.
        kinks, added = [pull], [np.full(len(pull), 2 * self.C)]
        slope = self.linear[rising].sum() - self.linear[falling].sum() - self.C * len(pull)
        goes_up, goes_down = rising.any(), falling.any()
        if goes_up:
            above = self.values[rising].max(axis=0)
            # From here on, a rising coordinate attains the maximum; never if none rises.
            joins = np.subtract(
                floor, above, where=above > -np.inf, out=np.full_like(above, np.inf)
            )
            gains = rising[self.owner].nonzero()[0]
            kinks += [joins, -self.frozen[gains] - self.u[self.owner[gains]]]
            added += [a, b[gains]]
            slope -= added[-1].sum()
        if goes_down:
            below = self.values[falling].max(axis=0)
            # Up to here, a falling coordinate attains it.
            leaves = np.full_like(below, -np.inf)
            np.subtract(below, floor, where=below > -np.inf, out=leaves)
            if goes_up:
                meet = leaves > joins
                leaves[meet] = joins[meet] = (below[meet] - above[meet]) / 2
            costs = falling[self.owner].nonzero()[0]
            kinks += [leaves, self.frozen[costs] + self.u[self.owner[costs]]]
            added += [a, b[costs]]
            slope -= a.sum()
        distances, rises = np.concatenate(kinks), np.concatenate(added)
        ahead = distances > self.tie
        slope += rises.sum() - rises @ ahead
        return (
            0.0
            if slope >= -self.flat
            else minimising_kink(distances, rises, ahead, slope, self.flat)
        )


def minimising_kink(
    distances: Array, rises: Array, ahead: Mask, slope: float, flat: float
) -> float:
    """Find the kink ahead at which the slope is no longer negative.

    It is usually among the first kinks, so only the kinks within a horizon are sorted. The horizon
    is widened until it contains the kink.
    """
    horizon = _first_horizon(distances)
    while True:
        within = (ahead & (distances <= horizon)).nonzero()[0]
        if slope + rises[within].sum() >= -flat or horizon == np.inf:
            break
        horizon = 8 * horizon if len(within) < len(distances) // 8 else np.inf
    nearest, rises = distances[within], rises[within]
    order = np.argsort(nearest)
    slopes = slope + np.cumsum(rises[order])
    # The slope after the last kink is never negative, up to rounding: G is bounded below.
    kink = min(int(np.searchsorted(slopes, -flat)), len(slopes) - 1)
    return float(nearest[order[kink]])


def _first_horizon(distances: Array) -> float:
    """Distance within which some hundreds of kinks lie, estimated from a sample of them."""
    every = len(distances) // (16 * _FEWEST_NEAR)
    if every < 1:
        return np.inf
    some = distances[::every]
    some = some[some > 0]
    n_within = _FEWEST_NEAR // every + 1
    return float(np.partition(some, n_within)[n_within]) if n_within < len(some) else np.inf
