"""Nearest samples that are decided otherwise, by mixed-integer programmes (HiGHS)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from .._utils._typing import Array, Indices, Mask
from ._expressions import Affine, Decision, Expression, Extreme, Score, Separable, Sum

# Programmes are limited to a box around the sample, which grows by this factor until it is enough.
_GROWTH = 4.0
_LARGEST_REACH = 1e7
# Time for one programme, and what SciPy calls its end.
_SECONDS = 60.0
_OUT_OF_TIME = 1
# How many times as far as the nearest sample one with fewer moved features may be.
_FARTHER = 64.0
# How far beyond a tie a sample must be, relative to the distance of the values from a tie.
BEYOND = (1e-10, 1e-8, 1e-6, 1e-4)


Places = Sequence[int] | Indices
Factors = Sequence[float] | Array


class OutOfTimeError(Exception):
    """A programme took too long."""


@dataclass(frozen=True, eq=False)
class Domain:
    """Where a sample may move to."""

    lower: Array  # (n_features,)
    upper: Array
    integers: Mask
    groups: tuple[Indices, ...] = ()  # indicators of which exactly one is 1

    @classmethod
    def free(cls, n_features: int) -> Domain:
        """No limits."""
        unlimited = np.full(n_features, np.inf)
        return cls(-unlimited, unlimited, np.zeros(n_features, dtype=bool))


class Programme:
    """Variables and linear constraints; the first variables are the steps of the features."""

    def __init__(self, lower: Array, upper: Array) -> None:
        self.lower, self.upper = list(lower), list(upper)
        self.integer = [False] * len(lower)
        self._entries: list[tuple[Places, Factors]] = []
        self._limits: list[tuple[float, float]] = []

    def variable(self, lower: float, upper: float, integer: bool = False) -> int:
        """Add a variable and return its position."""
        self.lower.append(lower)
        self.upper.append(upper)
        self.integer.append(integer)
        return len(self.lower) - 1

    def require(
        self, places: Places, factors: Factors, lower: float = -np.inf, upper: float = np.inf
    ) -> None:
        """Add a constraint on a weighted sum of variables."""
        self._entries.append((places, factors))
        self._limits.append((lower, upper))

    def solve(self, cost: dict[int, float], fixed: Array | None = None) -> Array | None:
        """Minimise the cost; None if no point is feasible. ``fixed`` sets the integers."""
        n = len(self.lower)
        objective = np.zeros(n)
        objective[list(cost)] = list(cost.values())
        lower, upper = np.array(self.lower), np.array(self.upper)
        integer = np.array(self.integer)
        if fixed is not None:
            lower[integer] = upper[integer] = np.round(fixed[integer])
        constraints = []
        if self._entries:
            rows = np.repeat(np.arange(len(self._entries)), [len(p) for p, _ in self._entries])
            places = np.concatenate([p for p, _ in self._entries])
            factors = np.concatenate([f for _, f in self._entries])
            matrix = csr_array((factors, (rows, places)), shape=(len(self._entries), n))
            limits = np.array(self._limits)
            constraints = [LinearConstraint(matrix, limits[:, 0], limits[:, 1])]
        found = milp(
            objective,
            integrality=integer & (fixed is None),
            bounds=Bounds(lower, upper),
            constraints=constraints,
            options={"mip_rel_gap": 0.0, "time_limit": _SECONDS},
        )
        if found.status == _OUT_OF_TIME:
            raise OutOfTimeError
        return found.x


@dataclass(eq=False)
class _Writer:
    """Writes expressions of the steps of a sample as constraints."""

    programme: Programme
    sample: Array
    scale: Array
    inset: float = 0.0  # how far inside an interval a step must end
    low: Array = field(init=False)  # corners of the box around the sample
    high: Array = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.sample)
        self.low = self.sample + self.scale * np.array(self.programme.lower[:n])
        self.high = self.sample + self.scale * np.array(self.programme.upper[:n])

    def bound(self, value: Expression, above: bool) -> int:
        """Add a variable that is at least the value (``above``), or at most the value."""
        if isinstance(value, Separable):
            value = value.general()
        if isinstance(value, Score):
            return self._score(value)
        variable = self.programme.variable(*value.range(self.low, self.high))
        if isinstance(value, Sum):
            parts = [self.bound(part, above) for part in value.parts]
            self._compare(variable, above, 0.0, parts, [1.0] * len(parts))
        elif value.is_maximum == above:
            self._all(variable, value, above)
        else:
            self._one(variable, value, above)
        return variable

    def _all(self, variable: int, value: Extreme, above: bool) -> None:
        """The variable bounds every part that can decide inside the box."""
        least, greatest = value.part_ranges(self.low, self.high)
        needed = greatest >= least.max() if above else least <= greatest.min()
        for part in np.flatnonzero(needed).tolist():
            self._compare(variable, above, *self._part(value, part, above))

    def _one(self, variable: int, value: Extreme, above: bool) -> None:
        """The variable bounds one part, chosen by binary variables."""
        least, greatest = value.part_ranges(self.low, self.high)
        possible = np.flatnonzero(least <= greatest.min() if above else greatest >= least.max())
        chosen = [self.programme.variable(0, 1, True) for _ in possible]
        self.programme.require(chosen, [1.0] * len(chosen), 1, 1)
        for part, choice in zip(possible.tolist(), chosen, strict=True):
            # Without the choice, the constraint must hold everywhere in the box.
            slack = greatest[part] - self.programme.lower[variable]
            if not above:
                slack = self.programme.upper[variable] - least[part]
            start, places, factors = self._part(value, part, above)
            sign = 1.0 if above else -1.0
            self._compare(
                variable, above, start - sign * slack, [*places, choice], [*factors, sign * slack]
            )

    def _part(
        self, value: Extreme, part: int, above: bool
    ) -> tuple[float, Sequence[int], Sequence[float]]:
        """A part as a constant, variables and factors."""
        if isinstance(value.parts, Affine):
            coef = value.parts.coef[part]
            places = np.flatnonzero(coef)
            start = float(coef @ self.sample + value.parts.intercept[part])
            return start, places.tolist(), list(coef[places] * self.scale[places])
        return 0.0, [self.bound(value.parts[part], above)], [1.0]

    def _compare(
        self,
        variable: int,
        above: bool,
        start: float,
        places: Sequence[int],
        factors: Sequence[float],
    ) -> None:
        """Variable ≥ start + sum (``above``), or ≤."""
        limits = {"lower" if above else "upper": start}
        self.programme.require([variable, *places], [1.0, *(-f for f in factors)], **limits)

    def _score(self, score: Score) -> int:
        """Add the exact value of a score: intervals between faces are chosen for every feature."""
        inside: dict[tuple[int, int], list[int]] = {}  # by box and feature
        bounded = np.isfinite(score.boxes)
        for j in np.flatnonzero(bounded.any(axis=(0, 1))).tolist():
            self._intervals(score, j, inside)
        low, high = score.range(self.low, self.high)
        total = self.programme.variable(low - 1, high + 1)
        used = np.flatnonzero(score.coef)
        places, factors = used.tolist(), list(score.coef[used] * self.scale[used])
        start = float(score.coef @ self.sample + score.intercept)
        for k, points in enumerate(score.points):
            held = self.programme.variable(0, 1, True)
            intervals = [inside[k, j] for j in np.flatnonzero(bounded[k].any(axis=0)).tolist()]
            for of_feature in intervals:
                self.programme.require(
                    [held, *of_feature], [1.0] + [-1.0] * len(of_feature), upper=0
                )
            every = [place for of_feature in intervals for place in of_feature]
            self.programme.require(
                [held, *every], [1.0] + [-1.0] * len(every), lower=1 - len(intervals)
            )
            places, factors = [*places, held], [*factors, points]
        self.programme.require([total, *places], [1.0, *(-f for f in factors)], start, start)
        return total

    def _intervals(self, score: Score, j: int, inside: dict[tuple[int, int], list[int]]) -> None:
        lowers, uppers = score.boxes[:, 0, j], score.boxes[:, 1, j]
        # Closed intervals between faces: each ends at the last number before the next.
        after = np.nextafter(uppers[np.isfinite(uppers)], np.inf)
        starts = np.unique([-np.inf, *lowers[np.isfinite(lowers)], *after])
        ends = np.append(np.nextafter(starts[1:], -np.inf), np.inf)
        # Faces that rounding has separated or moved onto each other leave no interval between them.
        wide = ends - starts > 1e-12 * np.nan_to_num(np.abs(starts), posinf=0.0)
        meets = wide & (starts <= self.high[j]) & (ends >= self.low[j])
        starts, ends = starts[meets], ends[meets]
        chosen = [self.programme.variable(0, 1, True) for _ in starts]
        self.programme.require(chosen, [1.0] * len(chosen), 1, 1)
        # The step is between the smallest and the largest step of the chosen interval.
        least = (np.maximum(starts, self.low[j]) - self.sample[j]) / self.scale[j]
        greatest = (np.minimum(ends, self.high[j]) - self.sample[j]) / self.scale[j]
        middle = np.where((least <= 0) & (greatest >= 0), 0.0, (least + greatest) / 2)
        least = np.minimum(least + self.inset, middle)
        greatest = np.maximum(greatest - self.inset, middle)
        self.programme.require([j, *chosen], [1.0, *-least], lower=0)
        self.programme.require([j, *chosen], [1.0, *-greatest], upper=0)
        for k in range(len(score.boxes)):
            within = (starts >= lowers[k]) & (ends <= uppers[k])
            inside[k, j] = [chosen[i] for i in np.flatnonzero(within)]


@dataclass(frozen=True, eq=False)
class Found:
    """The distance of the nearest sample that is decided otherwise, and that sample."""

    distance: float
    sample: Array | None  # None if no prediction confirmed one


def nearest(
    decision: Decision,
    sample: Array,
    scale: Array,
    code: int,
    is_flipped: Callable[[Array], bool],
    *,
    start: float,
    domain: Domain | None = None,
    sparse: bool = False,
) -> Found:
    """Find the nearest sample that ``is_flipped`` confirms, in a box that grows from ``start`` on.

    ``code`` is the position of the predicted class. With ``sparse``, the number of moved features
    is minimised first.
    """
    domain = Domain.free(len(sample)) if domain is None else domain
    gap = float(decision.gaps(sample[None], np.array([code]))[0])
    size = float(np.max(np.abs(sample) / scale, initial=1.0))
    with np.errstate(invalid="ignore"):
        width = np.maximum(domain.upper - sample, sample - domain.lower) / scale
    enough = min(float(width.max()), _LARGEST_REACH * size)
    problem = _Problem(decision, sample, scale, code, domain, sparse, 0.0, gap)
    reach = min(max(start, 1e-6 * size), enough)
    best_found, best_count = Found(np.inf, None), np.inf
    limit = enough
    while True:
        for target in problem.targets:
            here = replace(problem, target=target, reach=reach)
            found = here.beyond(here.at_tie(), is_flipped)
            count = here.count(found)
            if (count, found.distance) < (best_count, best_found.distance):
                best_found, best_count = found, count
        if np.isfinite(best_found.distance):
            if best_count <= 1 or not sparse or reach >= limit:
                return best_found
            # Fewer features may suffice if they move farther.
            limit = min(limit, _FARTHER * best_found.distance)
        elif reach >= enough:
            return best_found
        reach = min(reach * _GROWTH, enough)


@dataclass(frozen=True, eq=False)
class _Problem:
    decision: Decision
    sample: Array
    scale: Array
    code: int
    domain: Domain
    sparse: bool
    reach: float
    gap: float
    target: int = 0

    @property
    def targets(self) -> list[int]:
        """Classes that the sample may get."""
        n_classes = max(2, len(self.decision.values))
        return [k for k in range(n_classes) if k != self.code]

    def at_tie(self) -> Array | None:
        """The nearest point at which another class ties with the predicted one."""
        programme, cost = self._written(0.0)
        found = programme.solve(cost)
        if found is None or not any(programme.integer):
            return found
        # With all integers fixed, the programme is linear, and its solution precise.
        polished = programme.solve(cost, fixed=found)
        return found if polished is None else polished

    def beyond(self, tie: Array | None, is_flipped: Callable[[Array], bool]) -> Found:
        """The distance of a tie, and a sample beyond it that is predicted otherwise."""
        if tie is None:
            return Found(np.inf, None)
        rounding = 16 * np.finfo(float).eps * (1.0 + abs(self.gap))
        for beyond in BEYOND:
            programme, cost = self._written(
                beyond * self.gap + rounding, beyond * self.distance(tie)
            )
            found = programme.solve(cost, fixed=tie)
            if found is None and not self.is_free:
                found = programme.solve(cost)
                if found is not None:
                    found = programme.solve(cost, fixed=found)
            if found is not None and is_flipped(moved := self._moved(found)):
                return Found(self.distance(tie if self.is_free else found), moved)
        # Where values are equal on a whole region, the rule for ties decides.
        if is_flipped(moved := self._moved(tie)):
            return Found(self.distance(tie), moved)
        return Found(self.distance(tie) if self.is_free else np.inf, None)

    @property
    def is_free(self) -> bool:
        """Whether the distance of the tie itself is asked for."""
        limits = np.concatenate([self.domain.lower, self.domain.upper])
        return not (
            self.sparse
            or np.isfinite(limits).any()
            or self.domain.integers.any()
            or self.domain.groups
        )

    def distance(self, found: Array | None) -> float:
        """Distance of a solution."""
        if found is None:
            return np.inf
        return float(np.max(np.abs(self._moved(found) - self.sample) / self.scale, initial=0.0))

    def count(self, found: Found) -> float:
        """Number of features that move; all count as one if their number does not matter."""
        if not self.sparse:
            return 1.0
        return np.inf if found.sample is None else float((found.sample != self.sample).sum())

    def _moved(self, found: Array) -> Array:
        n = len(self.sample)
        moved = self.sample + self.scale * found[:n]
        whole = self.domain.integers.copy()
        for group in self.domain.groups:
            whole[group] = True
        moved[whole] = np.round(moved[whole])
        moved = np.clip(moved, self.domain.lower, self.domain.upper)
        # Features that stay keep their digits.
        return np.where(np.abs(found[:n]) <= 1e-12 * np.abs(found[:n]).max(), self.sample, moved)

    def _written(self, beyond: float, inset: float = 0.0) -> tuple[Programme, dict[int, float]]:
        n = len(self.sample)
        lower = np.maximum((self.domain.lower - self.sample) / self.scale, -self.reach)
        upper = np.minimum((self.domain.upper - self.sample) / self.scale, self.reach)
        programme = Programme(np.minimum(lower, 0), np.maximum(upper, 0))
        radius = programme.variable(0, self.reach)
        for j in range(n):
            programme.require([radius, j], [1.0, -1.0], lower=0)
            programme.require([radius, j], [1.0, 1.0], lower=0)
        self._write_domain(programme)
        if beyond > 0:
            inset += 8 * np.finfo(float).eps * float(np.max(np.abs(self.sample) / self.scale))
        writer = _Writer(programme, self.sample, self.scale, inset)
        values, threshold = self.decision.values, self.decision.threshold
        if len(values) == 1:
            above = self.target == 0
            value = writer.bound(values[0], above)
            limits = {"upper": threshold - beyond} if above else {"lower": threshold + beyond}
            programme.require([value], [1.0], **limits)
        else:
            winner = writer.bound(values[self.target], False)
            loser = writer.bound(values[self.code], True)
            programme.require([winner, loser], [1.0, -1.0], lower=beyond)
        cost = {radius: 1.0}
        if self.sparse:
            moves = [programme.variable(0, 1, True) for _ in range(n)]
            for j, move in enumerate(moves):
                programme.require([j, move], [1.0, -programme.upper[j]], upper=0)
                programme.require([j, move], [1.0, -programme.lower[j]], lower=0)
            # One feature more costs more than any distance inside the box.
            cost = {radius: 0.5 / self.reach, **dict.fromkeys(moves, 1.0)}
        return programme, cost

    def _write_domain(self, programme: Programme) -> None:
        grouped = np.concatenate([np.zeros(0, dtype=np.intp), *self.domain.groups])
        for j in np.union1d(np.flatnonzero(self.domain.integers), grouped):
            # The value after the step is a whole number.
            ends = self.sample[j] + self.scale[j] * np.array(
                [programme.lower[j], programme.upper[j]]
            )
            value = programme.variable(np.ceil(ends[0]), np.floor(ends[1]), True)
            programme.require([value, j], [1.0, -self.scale[j]], self.sample[j], self.sample[j])
        for group in self.domain.groups:
            programme.require(group, self.scale[group], *[1.0 - self.sample[group].sum()] * 2)
