"""Nearest samples that are decided otherwise, by mixed-integer programmes (HiGHS).

A programme is limited to a box around the sample, which grows until it holds an answer: so the
constants that switch constraints off stay small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from .._utils._typing import Array, Indices, Mask
from ._forms import Affine, Decision, Expression, Extreme, Score, Sum

_GROWTH, _LARGEST_REACH = 4.0, 1e7
# Time for one programme, and what SciPy calls its end.
_SECONDS, _OUT_OF_TIME = 60.0, 1
# How many times as far as the nearest sample one with fewer moved features may be.
_FARTHER = 64.0
# How much nearer a point must be to count, far above HiGHS's tolerances, and how often the same
# programme is asked for one.
_NEARER, _MOST_ASKED = 1e-4, 10
# How far beyond a tie a sample must be, relative to the distance of the values from a tie.
_BEYOND = (1e-10, 1e-8, 1e-6, 1e-4)
_EPS = float(np.finfo(float).eps)

Terms = list[tuple[int, float]]  # variables and their factors


class OutOfTimeError(Exception):
    """A programme took too long."""


@dataclass(frozen=True, eq=False)
class Domain:
    """A sample, the units of its features, and where it may move to."""

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

    def allows(self, moved: Array) -> bool:
        """Whether a sample meets the conditions exactly."""
        whole = moved[self.integers]
        return bool(
            ((moved >= self.lower) & (moved <= self.upper)).all()
            and (whole == np.round(whole)).all()
            and all(moved[group].sum() == 1 for group in self.groups)
        )

    def moved(self, steps: Array) -> Array:
        """The sample after steps, whole where it must be; features that stay keep their digits."""
        moved = self.sample + self.scale * steps
        whole = self.integers.copy()
        for group in self.groups:
            whole[group] = True
        moved[whole] = np.round(moved[whole])
        moved = np.clip(moved, self.lower, self.upper)
        return np.where(np.abs(steps) <= 1e-12 * np.abs(steps).max(), self.sample, moved)

    def distance(self, moved: Array) -> float:
        """Largest step to another sample."""
        return float(np.max(np.abs(moved - self.sample) / self.scale, initial=0.0))


class _Programme:
    """Variables and linear constraints; the first variables are the steps of the features."""

    def __init__(self, sample: Array, scale: Array, lower: Array, upper: Array, inset: float):
        self.sample, self.scale = sample, scale  # as the expressions see them
        self.low, self.high = sample + scale * lower, sample + scale * upper
        self.inset = inset  # how far inside an interval between faces a step must end
        self.lower, self.upper = list(lower), list(upper)
        self.integer = [False] * len(sample)
        self._rows: list[Terms] = []
        self._limits: list[tuple[float, float]] = []

    def variable(self, lower: float, upper: float) -> int:
        """Add a variable and return its position."""
        self.lower.append(lower)
        self.upper.append(upper)
        self.integer.append(False)
        return len(self.lower) - 1

    def whole(self, lower: float = 0, upper: float = 1) -> int:
        """Add a whole variable, 0 or 1 unless limits are given."""
        place = self.variable(lower, upper)
        self.integer[place] = True
        return place

    def require(self, terms: Terms, lower: float = -np.inf, upper: float = np.inf) -> None:
        """Add a constraint on a weighted sum of variables."""
        self._rows.append(terms)
        self._limits.append((lower, upper))

    def one_of(self, n_choices: int) -> list[int]:
        """Add variables of which one is 1 and the others are 0."""
        chosen = [self.whole() for _ in range(n_choices)]
        self.require([(place, 1.0) for place in chosen], 1, 1)
        return chosen

    def solve(
        self, cost: dict[int, float], fixed: Array | None = None, presolve: bool = True
    ) -> Array | None:
        """Minimise the cost; None if no point is feasible. ``fixed`` sets the whole variables."""
        objective = np.zeros(len(self.lower))
        objective[list(cost)] = list(cost.values())
        lower, upper, integer = np.array(self.lower), np.array(self.upper), np.array(self.integer)
        if fixed is not None:
            lower[integer] = upper[integer] = np.round(fixed[integer])
        terms = np.array([(i, *term) for i, row in enumerate(self._rows) for term in row])
        places = terms[:, 0].astype(int), terms[:, 1].astype(int)
        matrix = csr_array((terms[:, 2], places), shape=(len(self._rows), len(lower)))
        found = milp(
            objective,
            integrality=integer & (fixed is None),
            bounds=Bounds(lower, upper),
            constraints=[LinearConstraint(matrix, *np.array(self._limits).T)],
            options={"mip_rel_gap": 0.0, "time_limit": _SECONDS, "presolve": presolve},
        )
        if found.status == _OUT_OF_TIME:
            raise OutOfTimeError
        return found.x

    def bound(self, value: Expression, above: bool) -> int:
        """Add a variable that is at least the value (``above``), or at most the value."""
        if isinstance(value, Score):
            return self._score(value)
        least, greatest = value.ranges(self.low[None], self.high[None])
        variable = self.variable(least[0], greatest[0])
        if isinstance(value, Sum):
            self._compare(variable, above, 0.0, [(self.bound(p, above), 1.0) for p in value.parts])
            return variable
        lows, highs = (ends[0] for ends in value.part_ranges(self.low[None], self.high[None]))
        deciding = highs >= lows.max() if value.is_maximum else lows <= highs.min()
        parts = np.flatnonzero(deciding).tolist()
        if value.is_maximum == above:
            # The variable bounds every part that can decide inside the box.
            for part in parts:
                self._compare(variable, above, *self._part(value, part, above))
            return variable
        # It bounds one part; without the choice, the constraint holds everywhere in the box.
        for part, choice in zip(parts, self.one_of(len(parts)), strict=True):
            slack = highs[part] - least[0] if above else lows[part] - greatest[0]
            start, terms = self._part(value, part, above)
            self._compare(variable, above, start - slack, [*terms, (choice, slack)])
        return variable

    def _part(self, value: Extreme, part: int, above: bool) -> tuple[float, Terms]:
        """A part as a constant and terms."""
        if isinstance(value.parts, Affine):
            return self._line(value.parts.coef[part], value.parts.intercept[part])
        return 0.0, [(self.bound(value.parts[part], above), 1.0)]

    def _line(self, coef: Array, intercept: float) -> tuple[float, Terms]:
        terms = [(j, float(coef[j] * self.scale[j])) for j in np.flatnonzero(coef).tolist()]
        return float(coef @ self.sample + intercept), terms

    def _compare(self, variable: int, above: bool, start: float, terms: Terms) -> None:
        """Variable ≥ start + terms (``above``), or ≤."""
        negated = [(place, -factor) for place, factor in terms]
        limits = {"lower" if above else "upper": start}
        self.require([(variable, 1.0), *negated], **limits)

    def _score(self, score: Score) -> int:
        """Add the exact value of a score: an interval between faces is chosen for every feature."""
        bounded: Mask = np.array(np.isfinite(score.boxes).any(axis=1))  # by box and feature
        features = np.flatnonzero(bounded.any(axis=0)).tolist()
        chosen = {j: self._interval(score.boxes[:, :, j], j) for j in features}
        least, greatest = score.ranges(self.low[None], self.high[None])
        total = self.variable(least[0] - 1, greatest[0] + 1)
        start, terms = self._line(score.coef, score.intercept)
        for k, points in enumerate(score.points):
            held = self.whole()
            insides = [chosen[j][k] for j in features if bounded[k, j]]
            for inside in insides:
                self.require([(held, 1.0), *((place, -1.0) for place in inside)], upper=0)
            every = [(place, -1.0) for inside in insides for place in inside]
            self.require([(held, 1.0), *every], lower=1 - len(insides))
            terms.append((held, float(points)))
        self.require([(total, 1.0), *((place, -factor) for place, factor in terms)], start, start)
        return total

    def _interval(self, faces: Array, j: int) -> list[list[int]]:
        """Choose an interval of a feature; return for each box the choices that are inside it."""
        lowers, uppers = faces.T
        # Closed intervals between faces: each ends at the last number before the next.
        after = np.nextafter(uppers[np.isfinite(uppers)], np.inf)
        starts = np.unique([-np.inf, *lowers[np.isfinite(lowers)], *after])
        ends = np.append(np.nextafter(starts[1:], -np.inf), np.inf)
        # Faces that rounding has separated or moved onto each other leave no interval between them.
        wide = ends - starts > 1e-12 * np.nan_to_num(np.abs(starts), posinf=0.0)
        meets = wide & (starts <= self.high[j]) & (ends >= self.low[j])
        starts, ends = starts[meets], ends[meets]
        # The step is between the smallest and the largest step of the chosen interval.
        least = (np.maximum(starts, self.low[j]) - self.sample[j]) / self.scale[j]
        greatest = (np.minimum(ends, self.high[j]) - self.sample[j]) / self.scale[j]
        middle = np.where((least <= 0) & (greatest >= 0), 0.0, (least + greatest) / 2)
        least = np.minimum(least + self.inset, middle)
        greatest = np.maximum(greatest - self.inset, middle)
        chosen = self.one_of(len(starts))
        self.require([(j, 1.0), *zip(chosen, -least, strict=True)], lower=0)
        self.require([(j, 1.0), *zip(chosen, -greatest, strict=True)], upper=0)
        inside = (starts >= lowers[:, None]) & (ends <= uppers[:, None])
        return [[chosen[i] for i in np.flatnonzero(row)] for row in inside]


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
    reach: float = 0.0
    target: int = 0

    def nearest(self, start: float) -> tuple[float, Array | None]:
        """The distance and the sample; None if no prediction confirmed one.

        Boxes around the sample grow from ``start`` on.
        """
        domain = self.domain
        size = float(np.max(np.abs(domain.sample) / domain.scale, initial=1.0))
        ends = np.maximum(domain.upper - domain.sample, domain.sample - domain.lower)
        limit = min(float((ends / domain.scale).max()), _LARGEST_REACH * size)
        reach = min(max(start, 1e-6 * size), limit)
        best: tuple[float, float, Array | None] = np.inf, np.inf, None
        while True:
            for target in range(max(2, len(self.decision.values))):
                if target != self.code:
                    distance, moved = replace(self, reach=reach, target=target)._beyond_a_tie()
                    best = min(best, (self._count(moved), distance, moved), key=lambda b: b[:2])
            n_moved, distance, moved = best
            if reach >= limit or (np.isfinite(distance) and n_moved <= 1):
                return distance, moved
            if np.isfinite(distance):
                # Fewer features may suffice if they move farther.
                limit = min(limit, _FARTHER * distance)
            reach = min(reach * _GROWTH, limit)

    def _count(self, moved: Array | None) -> float:
        """Number of features that move; all count as one if their number does not matter."""
        if not self.sparse:
            return 1.0
        return np.inf if moved is None else float((moved != self.domain.sample).sum())

    def _beyond_a_tie(self) -> tuple[float, Array | None]:
        """The distance of a tie, and a sample beyond it that is predicted otherwise."""
        domain, n = self.domain, len(self.sample)
        is_free = domain.is_free and not self.sparse
        asked, tie = (self, self._solve(0.0)) if self.sparse else self._nearest_tie()
        if tie is None:
            return np.inf, None
        at_tie = domain.moved(tie[:n])
        distance, gap = domain.distance(at_tie), self._gap()
        for beyond in _BEYOND:
            off = beyond * gap + 16 * _EPS * (1 + gap)
            found = asked._solve(off, beyond * distance, like=tie)
            if found is None and not is_free:
                found = self._solve(off, beyond * distance)
            if found is not None and self.is_flipped(moved := domain.moved(found[:n])):
                return distance if is_free else domain.distance(moved), moved
        # If values are equal on a whole region, the rule for ties decides.
        if self.is_flipped(at_tie):
            return distance, at_tie
        return distance if is_free else np.inf, None

    def _nearest_tie(self) -> tuple[Question, Array | None]:
        """The nearest tie, and the question that found it; none with less reach finds a nearer one.

        HiGHS has called points optimal that are not, with presolve in some programmes and without
        in others. So both are asked, and again with less reach, until neither finds a point.
        """
        best: tuple[Question, Array | None] = self, None
        distance, reach = np.inf, self.reach
        for _ in range(_MOST_ASKED):
            asked = replace(self, reach=reach)
            nearer = False
            for presolve in (True, False):
                found = asked._solve(0.0, presolve=presolve)
                if found is not None:
                    found_at = self.domain.distance(self.domain.moved(found[: len(self.sample)]))
                    if found_at < distance * (1 - _NEARER):
                        best, distance, nearer = (asked, found), found_at, True
            reach = distance * (1 - _NEARER)
            if not nearer:
                break
        return best

    def _gap(self) -> float:
        """How far the deciding values are from a tie."""
        here = self.sample[None]
        at = [float(value.ranges(here, here)[0][0]) for value in self.decision.values]
        if len(at) == 1:
            return abs(at[0] - self.decision.threshold)
        return abs(at[self.code] - at[self.target])

    def _solve(
        self,
        beyond: float,
        inset: float = 0.0,
        like: Array | None = None,
        presolve: bool = True,
    ) -> Array | None:
        """The nearest solution at which another class is ahead by ``beyond``."""
        programme, cost = self._written(beyond, inset)
        found = programme.solve(cost, like, presolve)
        if found is None or like is not None or not any(programme.integer):
            return found
        # With all whole variables fixed, the programme is linear, and its solution precise.
        polished = programme.solve(cost, fixed=found)
        return found if polished is None else polished

    def _written(self, beyond: float, inset: float) -> tuple[_Programme, dict[int, float]]:
        domain, n = self.domain, len(self.sample)
        lower = np.maximum((domain.lower - domain.sample) / domain.scale, -self.reach)
        upper = np.minimum((domain.upper - domain.sample) / domain.scale, self.reach)
        lower, upper = np.minimum(lower, 0), np.maximum(upper, 0)
        if beyond > 0:
            inset += 8 * _EPS * float(np.max(np.abs(self.sample) / self.scale))
        programme = _Programme(self.sample, self.scale, lower, upper, inset)
        radius = programme.variable(0, self.reach)
        for j in range(n):
            programme.require([(radius, 1.0), (j, -1.0)], lower=0)
            programme.require([(radius, 1.0), (j, 1.0)], lower=0)
        whole = [*np.flatnonzero(domain.integers), *np.concatenate([[], *domain.groups])]
        for j in sorted({int(j) for j in whole}):
            # The value after the step is a whole number.
            ends = domain.sample[j] + domain.scale[j] * np.array([lower[j], upper[j]])
            value = programme.whole(np.ceil(ends[0]), np.floor(ends[1]))
            at = domain.sample[j]
            programme.require([(value, 1.0), (j, -domain.scale[j])], at, at)
        for group in domain.groups:
            left = 1.0 - domain.sample[group].sum()
            programme.require([(j, domain.scale[j]) for j in group], left, left)
        values, threshold = self.decision.values, self.decision.threshold
        if len(values) > 1:
            winner = programme.bound(values[self.target], False)
            loser = programme.bound(values[self.code], True)
            programme.require([(winner, 1.0), (loser, -1.0)], lower=beyond)
        elif self.target == 0:
            programme.require([(programme.bound(values[0], True), 1.0)], upper=threshold - beyond)
        else:
            programme.require([(programme.bound(values[0], False), 1.0)], lower=threshold + beyond)
        if not self.sparse:
            return programme, {radius: 1.0}
        moves = [programme.whole() for _ in range(n)]
        for j, move in enumerate(moves):
            programme.require([(j, 1.0), (move, -upper[j])], upper=0)
            programme.require([(j, 1.0), (move, -lower[j])], lower=0)
        # One feature more costs more than any distance inside the box.
        return programme, {radius: 0.5 / self.reach, **dict.fromkeys(moves, 1.0)}
