"""Search for the nearest sample at which maxima plus minima of affine functions are low.

A maximum plus a minimum is low if all functions of the maximum plus one of the minimum are. Which
one is chosen by the search. A choice leaves linear conditions, and the distance to them is the
optimum of a linear programme. Its multipliers prove a bound, which is computed from them here, so
no statement depends on what solved the programme.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import linprog

from .._utils._typing import Array, Indices, Mask
from ._domain import Region, reach
from ._forms import Sum

# Functions of the maximum that bound the distance each by itself, and those that a programme has
# from the start.
_N_ALONE, _N_FIRST = 16, 64
_MET = 1e-9

State = tuple[int, tuple[int, ...]]  # the alternative, and the function chosen in each of its sums


class Pieces:
    """Steps from a sample after which all sums of one of several alternatives are at most zero."""

    def __init__(self, alternatives: Sequence[Sequence[Sum]], sample: Array, scale: Array) -> None:
        here = [[_Here(value, sample, scale) for value in sums] for sums in alternatives]
        self.alternatives = here

    @cached_property
    def gap(self) -> float:
        """How far the sums at the sample are from zero."""
        return min(abs(max(one.at(0.0) for one in sums)) for sums in self.alternatives)

    def starts(self, region: Region) -> Iterator[tuple[float, State]]:
        """All alternatives, and bounds of their distances."""
        for a, sums in enumerate(self.alternatives):
            yield max(one.bounds.min() for one in sums), (a, (-1,) * len(sums))

    def solve(self, state: State, region: Region, beyond: float) -> tuple[float, Array] | None:
        """A bound of the distance, and the nearest steps that meet the conditions chosen."""
        chosen = [
            (one, k) for one, k in zip(self.alternatives[state[0]], state[1], strict=True) if k >= 0
        ]
        if not chosen:
            return 0.0, region.nearest
        seen = [one.first for one, _ in chosen]
        while True:
            parts = [one.rows(k, rows) for (one, k), rows in zip(chosen, seen, strict=True)]
            slopes, starts = (np.concatenate(part) for part in zip(*parts, strict=True))
            found = nearest(slopes, starts + beyond, region)
            if found is None or np.isnan(found[1]).any():
                return None if found is None else (found[0], region.nearest)
            missed = [np.flatnonzero(one.misses(k, found[1])) for one, k in chosen]
            more = [np.setdiff1d(new, rows) for new, rows in zip(missed, seen, strict=True)]
            if not any(map(len, more)):
                return found
            seen = [np.union1d(rows, new) for rows, new in zip(seen, more, strict=True)]

    def split(
        self, state: State, region: Region, steps: Array
    ) -> list[tuple[float, State, Region]] | None:
        """The choices in a sum that is too large after the steps; None if all are met."""
        a, chosen = state
        values = [
            -np.inf if k >= 0 else one.at(steps) / one.size
            for one, k in zip(self.alternatives[a], chosen, strict=True)
        ]
        place = int(np.argmax(values))
        if values[place] <= _MET:
            return None
        return [
            (bound, (a, (*chosen[:place], k, *chosen[place + 1 :])), region)
            for k, bound in enumerate(self.alternatives[a][place].bounds.tolist())
        ]


class _Here:
    """A sum near a sample, as a function of steps."""

    def __init__(self, value: Sum, sample: Array, scale: Array) -> None:
        self.tilts, self.falls = value.above.coef * scale, value.below.coef * scale
        self.tops = value.above.coef @ sample + value.above.intercept
        self.bottoms = value.below.coef @ sample + value.below.intercept
        self.first = np.sort(np.argsort(-self.tops)[:_N_FIRST])
        self.size = float(
            np.abs(self.tilts).sum(axis=1).max() + np.abs(self.falls).sum(axis=1).max()
        )

    def at(self, steps: Array | float) -> float:
        """The value after steps."""
        tilts, falls = self.tilts * steps, self.falls * steps
        return float((self.tops + tilts.sum(1)).max() + (self.bottoms + falls.sum(1)).min())

    def rows(self, k: int, rows: Indices) -> tuple[Array, Array]:
        """Slopes and starts of functions of the maximum plus one of the minimum."""
        return self.tilts[rows] + self.falls[k], self.tops[rows] + self.bottoms[k]

    def misses(self, k: int, steps: Array) -> Mask:
        """Functions of the maximum that are too large after steps."""
        least = self.bottoms[k] + self.falls[k] @ steps
        return self.tops + self.tilts @ steps + least > _MET * self.size

    @cached_property
    def bounds(self) -> Array:
        """A bound of the distance through each function of the minimum: that of single rows."""
        rows = np.argsort(-self.tops)[:_N_ALONE]
        rates = np.abs(self.tilts[rows][:, None] + self.falls).sum(axis=2)
        values = self.tops[rows][:, None] + self.bottoms
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(values > 0, values / rates, 0.0).max(axis=0)


def nearest(slopes: Array, starts: Array, region: Region) -> tuple[float, Array] | None:
    """A proven bound of the distance to slopes times steps + starts ≤ 0, and the nearest steps.

    None if it is proven that there are no steps. NaN if neither is known.
    """
    sizes = np.abs(slopes).sum(axis=1)
    if (starts[sizes == 0] > 0).any():
        return None
    slopes, starts = (part[sizes > 0] for part in (slopes, starts))
    slopes, starts = slopes / sizes[sizes > 0, None], starts / sizes[sizes > 0]
    alone = max((reach(starts[i], slopes[i], region) for i in np.argsort(-starts)[:1]), default=0.0)
    if np.isinf(alone):
        return None
    steps, weights = _programme(slopes, starts, region)
    bound = reach(float(weights @ starts), weights @ slopes, region)
    if np.isinf(bound):
        return None
    if region.most is not None:
        steps = _few(steps, slopes, starts + slopes @ steps, region)
    return max(alone, bound), steps


def _few(steps: Array, slopes: Array, values: Array, region: Region) -> Array:
    """The steps without those that the conditions do not need, the smallest ones first."""
    can_stay = (region.lower <= 0) & (region.upper >= 0)
    for j in np.argsort(np.abs(steps)):
        without = values - slopes[:, j] * steps[j]
        if can_stay[j] and (without <= _MET).all():
            values, steps[j] = without, 0.0
    return steps


def _programme(slopes: Array, starts: Array, region: Region) -> tuple[Array, Array]:
    """The nearest steps and the multipliers; NaN and those of the smallest excess if none are."""
    (m, n), here = slopes.shape, region.nearest
    one, unit = np.ones((n, 1)), np.eye(n)
    limits = [*zip(region.lower, region.upper, strict=True)]
    found = linprog(
        np.append(np.zeros(n), 1.0),
        np.block([[slopes, np.zeros((m, 1))], [unit, -one], [-unit, -one]]),
        np.concatenate([-starts, np.zeros(2 * n)]),
        bounds=[*limits, (0, None)],
        method="highs-ds",
    )
    if found.status == 0:
        return np.clip(found.x[:n], region.lower, region.upper), _weights(found, m)
    found = linprog(
        np.append(np.zeros(n), 1.0),
        np.hstack([slopes, -np.ones((m, 1))]),
        -starts,
        bounds=[*limits, (None, None)],
        method="highs-ds",
    )
    weights = _weights(found, m) if found.status == 0 else np.zeros(m)
    return np.full(len(here), np.nan), weights


def _weights(found: Any, m: int) -> Array:
    return np.maximum(-found.ineqlin.marginals[:m], 0.0)
