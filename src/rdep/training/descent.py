r"""Exact minimisation of a CCP majoriser by steepest descent over set directions.

At a point with every positive frozen to its deciding coordinate :math:`j^*(i)`, CCP minimises

.. math::

    G(u) = \sum_{i \in N} a_i \Big[\max_j (v_{ij} + u_j)\Big]_+
         + \sum_{i \in P} b_i \Big[-(v_{i j^*(i)} + u_{j^*(i)})\Big]_+ + C \lVert u \rVert_1 .

Along a set direction G is convex and piecewise linear, so each step goes to the kink where its
slope turns. When no set direction descends, the point is a minimiser (see :mod:`.directions`), and
the last search for one is the certificate. A linear programme would need n·|N| rows instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._typing import Array, Indices, Mask
from .directions import Direction, steepest_direction
from .problem import DilationProblem

# Guards against cycling by rounding. Some hundreds of steps are the most that real data needed.
MAX_STEPS = 10_000


@dataclass(frozen=True)
class Minimum:
    """Where the descent stopped."""

    point: Array
    n_steps: int
    slope: float  # along the steepest set direction; zero up to rounding at a minimiser
    exact: bool  # False when the step limit was met


def minimise_majoriser(
    problem: DilationProblem, start: Array, deciding: Indices, max_steps: int = MAX_STEPS
) -> Minimum:
    """Minimise G from ``start``; ``deciding`` holds j*(i) for every positive."""
    descent = _Descent(problem, start, deciding)
    for n_steps in range(max_steps + 1):
        direction = descent.steepest()
        exact = direction.slope >= -problem.slope_tolerance
        if exact or n_steps == max_steps:
            break
        descent.move(direction)
    point = start.copy()
    point[descent.coordinates] = descent.u
    return Minimum(point, n_steps, direction.slope, exact)


class _Descent:
    """The coordinates that can move, and the values that move with them.

    A coordinate at the minimum of its own function that lifts no negative above zero stays where
    it is whatever the others do: leaving it out changes nothing and spares most of the work when
    features are many.
    """

    def __init__(self, problem: DilationProblem, start: Array, deciding: Indices) -> None:
        self.C = problem.C
        self.tie = problem.tie_tolerance
        self.flat = problem.slope_tolerance
        self.u, self.owner = start, deciding
        self.frozen = problem.positives[deciding, np.arange(len(deciding))]
        self.positive_penalties = problem.positive_penalties
        up, down = self.own_slopes()
        free = (problem.negative_tops + start > 0) | (up < 0) | (down < 0)
        owned = free[deciding]
        self.coordinates = np.flatnonzero(free)
        self.u = start[free]
        self.owner = (np.cumsum(free) - 1)[deciding[owned]]
        self.frozen = self.frozen[owned]
        self.positive_penalties = problem.positive_penalties[owned]
        self.negative_penalties = problem.negative_penalties
        self.negatives = problem.negatives[free]
        self.values = self.negatives + self.u[:, None]

    def own_slopes(self) -> tuple[Array, Array]:
        """Slopes of each coordinate's frozen positives and regularisation, up and down."""
        reach = self.frozen + self.u[self.owner]
        n, b = len(self.u), self.positive_penalties
        up = np.where(self.u >= -self.tie, self.C, -self.C)
        down = np.where(self.u <= self.tie, self.C, -self.C)
        return (
            up - np.bincount(self.owner, b * (reach < -self.tie), n),
            down + np.bincount(self.owner, b * (reach <= self.tie), n),
        )

    def steepest(self) -> Direction:
        if not len(self.u):
            return Direction(np.zeros(0, dtype=bool), +1, 0.0)
        up, down = self.own_slopes()
        return steepest_direction(up, down, self.values, self.negative_penalties, self.tie)

    def move(self, direction: Direction) -> None:
        """Go along the direction to the kink where the slope is no longer negative."""
        members, sign = direction.members, direction.sign
        self.u[members] += sign * self._distance_to_turn(members, sign)
        self.u[np.abs(self.u) <= self.tie] = 0.0
        self.values[members] = self.negatives[members] + self.u[members, None]

    def _distance_to_turn(self, members: Mask, sign: int) -> float:
        moving = self.values[members].max(axis=0)
        staying = self.values[~members].max(axis=0, initial=0.0)
        owned = members[self.owner]
        reach = self.frozen[owned] + self.u[self.owner[owned]]
        b = self.positive_penalties[owned]
        pull = self.u[members]
        # Every term is flat on one side of its kink; the slope rises at each kink passed.
        distances = np.concatenate([sign * (staying - moving), -sign * reach, -sign * pull])
        rises = np.concatenate([self.negative_penalties, b, np.full(len(pull), 2 * self.C)])
        before_all = -self.C * len(pull) - (b if sign > 0 else self.negative_penalties).sum()
        passed = distances <= self.tie
        distances, ahead = distances[~passed], rises[~passed]
        order = np.argsort(distances)
        slopes = before_all + rises[passed].sum() + np.cumsum(ahead[order])
        # The last kink always turns: G is bounded below. Only rounding can hide it.
        turn = min(int(np.searchsorted(slopes, -self.flat)), len(slopes) - 1)
        return float(distances[order[turn]])
