r"""Descent on many samples through cubes: small problems equal to the full one near a point.

In the cube :math:`\lVert u - \tilde u \rVert_\infty \le \Delta` the maximum :math:`M_i` of a sample
changes by at most Δ, and the lead of the feature that attains it over all others by at most 2Δ.
So, if the maximum is farther than Δ from zero,

* a sample without a loss has none in the whole cube: it is left out;
* the loss of a sample with a loss and a lead of more than 2Δ is linear in the whole cube. Samples
  of this kind with the same class and deciding feature are merged: the sum of their losses is that
  of one sample at their mean, with their penalties added.

The other samples are kept. On the cube, the objective of this small problem is that of all samples.
The walls of the cube are samples as well: one for all upper walls and one for each lower wall, with
penalties that no descent overcomes. An end inside the cube is critical for all samples. If the end
is at a wall, the next cube begins there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._utils._typing import Array, Indices, Mask
from ._ccp import Trace
from ._descend import descend, with_escapes
from ._problem import DilationProblem
from ._settings import Procedure
from .majoriser._directions import sole_holders

# Samples that a cube keeps: as a share of all samples, and the minimum number.
_SHARE, _FEWEST = 0.05, 2000
# Number of cubes after which the share is doubled, because the path is longer than expected.
_PATIENCE = 8
# Distance below the other sums at which no maximum depends on a coordinate; values are at most 1.
_FAR = 64.0
# Number of samples in a block, whose values stay in the cache.
_BLOCK = 1 << 12


def descend_by_cubes(problem: DilationProblem, u: Array, procedure: Procedure) -> Trace:
    """Run CCP from ``u``, each step to its end in a cube, or on all samples if there is no cube.

    With ``escape``, CCP runs again from each point that a coordinate search finds.
    """
    trace = Trace.start(problem.at(u))
    return with_escapes(trace, procedure, lambda at: _through_cubes(problem, at, procedure))


def _through_cubes(problem: DilationProblem, trace: Trace, procedure: Procedure) -> Trace:
    """Descend from a point to one that is critical for all samples."""
    plain = replace(procedure, escape=False)
    u, history, n_iter = trace.at.u, list(trace.history), trace.n_iter
    n_kept = max(_FEWEST, int(_SHARE * problem.n_samples))
    last: Trace | None = None
    for n_cubes in range(1, procedure.max_iter - n_iter + 1):
        cube = Cube.around(problem, u, n_kept) if 2 * n_kept < problem.n_samples else None
        if cube is None:
            break
        end = descend(cube.problem, u, plain)
        u = end.at.u
        history.append(end.objective)
        n_iter += 1
        if cube.contains(u):
            at = problem.at(u)
            last = replace(end, at=at, history=(at.objective,), n_iter=0)
            break
        if n_cubes % _PATIENCE == 0:
            n_kept *= 2
    if last is None:
        last = descend(problem, u, replace(plain, max_iter=procedure.max_iter - n_iter))
    return replace(
        last,
        history=(*history[:-1], *last.history),
        escapes=trace.escapes,
        n_iter=n_iter + last.n_iter,
        fallbacks=trace.fallbacks + last.fallbacks,
    )


@dataclass(frozen=True, eq=False)
class Cube:
    """Problem of few samples whose objective near a point is that of all samples."""

    problem: DilationProblem
    centre: Array
    half_width: float

    @classmethod
    def around(cls, problem: DilationProblem, centre: Array, n_kept: int) -> Cube | None:
        """Build the largest cube that keeps ``n_kept`` samples; None if it is a point."""
        classes = (
            Side(problem.negatives, problem.negative_penalties, centre, +1.0),
            Side(problem.positives, problem.positive_penalties, centre, -1.0),
        )
        reach = np.concatenate([side.reach for side in classes])
        reach.partition(n_kept)
        delta = float(reach[n_kept])
        if is_a_point(delta, problem):
            return None
        negatives, positives = (side.reduced(delta) for side in classes)
        return cls.of(problem, centre, delta, negatives, positives)

    @classmethod
    def of(
        cls,
        problem: DilationProblem,
        centre: Array,
        delta: float,
        negatives: tuple[Array, Array],
        positives: tuple[Array, Array],
    ) -> Cube:
        """Cube of the kept and merged samples of both classes, with its walls."""
        half_width = delta - 4 * problem.tie_tolerance
        sides = zip((negatives, positives), _walls(problem, centre, half_width), strict=True)
        (below, a), (above, b) = (
            (np.ascontiguousarray(np.hstack([values, wall])), np.concatenate([penalties, steep]))
            for (values, penalties), (wall, steep) in sides
        )
        small = problem.with_samples(below, a, above, b)
        # Walls are not samples of the data: the tolerance of slopes remains that of all samples.
        vars(small)["slope_tolerance"] = problem.slope_tolerance
        return cls(small, centre, half_width)

    def contains(self, u: Array) -> bool:
        """Whether a point is inside, not at a wall."""
        distance = np.abs(u - self.centre).max()
        return bool(distance < self.half_width - 4 * self.problem.tie_tolerance)


class Side:
    """One class near a point: which samples have a loss, and up to which distance that holds.

    ``reach`` is the largest Δ for which a sample has no loss, or a linear one, in the whole cube.
    """

    def __init__(self, values: Array, penalties: Array, centre: Array, sign: float) -> None:
        self.values, self.penalties, self.centre = values, penalties, centre
        self.reach = np.empty(len(penalties))
        self.loses = np.empty(len(penalties), dtype=bool)
        for block, sums in sums_at(values, centre):
            self.loses[block], self.reach[block] = loss_and_reach(sums, sign)

    def reduced(self, delta: float) -> tuple[Array, Array]:
        """Values and penalties of the kept samples and of the merged samples."""
        kept = np.flatnonzero(self.reach <= delta)
        merged, weights = merged_samples(self._linear(delta), self.centre)
        values = np.hstack([self.values.take(kept, axis=1), merged])
        return values, np.concatenate([self.penalties[kept], weights])

    def _linear(self, delta: float) -> Array:
        """Sums over the samples to merge."""
        total = np.zeros((2, len(self.centre)))
        for block, sums in sums_at(self.values, self.centre):
            linear = np.flatnonzero(self.loses[block] & (self.reach[block] > delta))
            total += linear_sums(sums.take(linear, axis=1), self.penalties[block][linear])
        return total


def sums_at(values: Array, centre: Array) -> Iterator[tuple[slice, Array]]:
    """Values at a point, for blocks of samples."""
    for start in range(0, values.shape[1], _BLOCK):
        block = slice(start, start + _BLOCK)
        yield block, values[:, block] + centre[:, None]


def loss_and_reach(sums: Array, sign: Array | float) -> tuple[Mask, Array]:
    """Whether each sample has a loss, and up to which Δ that, or its linear loss, holds.

    ``sign`` is +1 for negatives and −1 for positives.
    """
    top, second = _two_largest(sums)
    loses, reach = sign * top > 0, np.abs(top)
    half_lead = np.subtract(top, second, out=second)
    half_lead *= 0.5
    np.minimum(reach, half_lead, out=reach, where=loses)
    return loses, reach


def linear_sums(sums: Array, penalties: Array) -> Array:
    """Penalties, and penalties times maxima, summed by deciding feature; one decides each."""
    top = sums.max(axis=0)
    holder = sole_holders(sums == top)
    n = len(sums)
    return np.array([np.bincount(holder, penalties, n), np.bincount(holder, penalties * top, n)])


def is_a_point(delta: Any, problem: DilationProblem) -> Any:
    """Whether nothing would be inside a cube of this half-width, up to rounding."""
    return delta <= 68 * problem.tie_tolerance


def merged_samples(sums: Array, centre: Array) -> tuple[Array, Array]:
    """Mean of the merged samples of each deciding feature, and the sum of their penalties."""
    weights, tops = sums
    found = np.flatnonzero(weights)
    return _seen_by_one(found, tops[found] / weights[found], centre), weights[found]


def _two_largest(sums: Array) -> tuple[Array, Array]:
    """Largest and second largest value of each sample; ``sums`` has shape (n_features, m)."""
    first, second = sums[0].copy(), np.full(sums.shape[1], -np.inf)
    smaller = np.empty_like(first)
    for row in sums[1:]:
        np.minimum(first, row, out=smaller)
        np.maximum(second, smaller, out=second)
        np.maximum(first, row, out=first)
    return first, second


def _walls(
    problem: DilationProblem, centre: Array, half_width: float
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Samples whose loss is zero inside the cube, a negative and positives, and their penalties."""
    n = len(centre)
    penalties = problem.negative_penalties.sum() + problem.positive_penalties.sum()
    steep = 2 * (float(penalties) + n * problem.C)
    upper = -(centre + half_width)[:, None]
    lower = _seen_by_one(np.arange(n), np.full(n, half_width), centre)
    return (upper, np.full(1, steep)), (lower, np.full(n, steep))


def _seen_by_one(features: Indices, tops: Array, centre: Array) -> Array:
    """Samples with given maxima at the centre, which only one feature attains in the cube."""
    values = np.full((len(centre), len(features)), -_FAR - 4 * np.abs(tops).max(initial=0.0))
    values[features, np.arange(len(features))] = tops
    return values - centre[:, None]
