r"""The global minimum of F by branch and bound: a proof for three features and more.

On a box :math:`l \le u \le h`, F is at least a sum of convex functions of one coordinate each:

* a negative is at least the value of any one of its features q, and at least its maximum at the
  lowest corner: :math:`[\max_j (v_{ij} + u_j)]_+ \ge \max\{v_{iq} + u_q, f_i\}` with
  :math:`f_i = [\max_j (v_{ij} + l_j)]_+`;
* a positive, whose largest value at the highest corner is that of feature k, is at least
  :math:`\min\{[-(v_{ik} + u_k)]_+, [-s_i]_+\}` with the second largest value :math:`s_i` there, and
  this is at least its convex envelope, which has one kink.

Each function is bounded below by two of its tangents. The sum of their minima is a bound for the
box, and is exact where a single feature decides every sample. All boxes of a step are bounded at
once, and the boxes with the lowest bounds are halved next.

With the negatives as they are, the bound is L♮-convex on the box, and the set descent minimises it
exactly. That takes a hundred times as long. It is done where the positives are all but exact, so
that what is missing is due to negatives, as long as it pays.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from itertools import count
from time import perf_counter
from typing import NamedTuple

import numpy as np

from .._utils._typing import Array, Indices, Mask
from ._ccp import Trace, convex_concave
from ._problem import DilationProblem, Evaluation, brought_to_zero
from ._results import BOX_LIMIT, GAP, INTERRUPTED, OPTIMAL, STEP_LIMIT, TIME_LIMIT
from ._settings import Procedure
from .majoriser._descent import minimise

# Boxes that are halved in a step; fewer, if that takes more sums of a value and a coordinate.
_BOXES_PER_STEP = 256
_SUMS_PER_STEP = 1 << 22
# More unexplored boxes end the search: their memory is about half a gigabyte for ten features.
_MOST_BOXES = 1_000_000
# As many sums at a time stay in the cache.
_SUMS_AT_ONCE = 1 << 16
# The set descent is tried if no more than this share of what a bound misses is due to positives, as
# long as one box in ten needs no further search after it.
_DUE_TO_POSITIVES = 0.01
_TRIALS = 10
_MOST_MOVES = 200
# Relative rounding error of a bound.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Search:
    """What branch and bound has proven, in the units of the problem."""

    best: Evaluation
    lower_bound: float  # up to ``resolution``
    resolution: float
    status: str
    n_boxes: int
    n_steps: int
    seconds: float


class Boxes(NamedTuple):
    """Boxes with their bounds, which hold up to rounding."""

    lower: Array  # (n_boxes, n_features)
    upper: Array
    bounds: Array  # (n_boxes,)
    points: Array  # (n_boxes, n_features), where the bounds are attained or nearly so
    objectives: Array  # F at the points
    of_positives: Array  # how much of the difference is due to positives
    widest: Indices  # the coordinate in which a box is halved

    def kept(self, chosen: Mask) -> Boxes:
        """Some of the boxes; the others need no memory."""
        return Boxes(
            self.lower[chosen],
            self.upper[chosen],
            self.bounds[chosen],
            self.points[chosen],
            self.objectives[chosen],
            self.of_positives[chosen],
            self.widest[chosen],
        )


def search(
    problem: DilationProblem,
    start: Array,
    *,
    time_limit: float = np.inf,
    max_steps: float = np.inf,
    gap: float = 0.0,
) -> Search:
    """Branch and bound from a known point until the relative gap is at most ``gap``.

    An interrupt (Ctrl-C) ends it like a limit does.
    """
    began = perf_counter()
    penalties = problem.negative_penalties.sum() + problem.positive_penalties.sum() + problem.C
    resolution = float(_ROUNDING * penalties * problem.largest)
    best, status, bound, n_boxes, n_steps = problem.at(start), OPTIMAL, 0.0, 0, 0
    n_split = _SUMS_PER_STEP // (2 * problem.n_features * problem.n_samples)
    n_split = max(1, min(_BOXES_PER_STEP, n_split))
    numbers, n_tried, n_closed = count(), 0, 0
    first = _first_box(problem)
    unexplored: list[tuple[float, int, Boxes, int]] = [(0.0, next(numbers), first, 0)]
    try:
        # What is dropped has a bound above ``best - resolution``.
        while unexplored and unexplored[0][0] < best.objective - resolution:
            # Before the boxes are taken: an interrupt finds the bound of all of them.
            bound = unexplored[0][0]
            if best.objective - bound <= gap * best.objective:
                status = GAP
                break
            if perf_counter() - began >= time_limit or n_steps >= max_steps:
                status = TIME_LIMIT if n_steps < max_steps else STEP_LIMIT
                break
            if len(unexplored) > _MOST_BOXES:
                status = BOX_LIMIT
                break
            taken = [heapq.heappop(unexplored) for _ in range(min(n_split, len(unexplored)))]
            boxes = bound_boxes(problem, *_halves(taken))
            lowest = int(np.argmin(boxes.objectives))
            if boxes.objectives[lowest] < best.objective:
                best = _descended(problem, boxes.points[lowest], best)
            bounds = np.maximum(boxes.bounds, np.repeat([box[0] for box in taken], 2))
            missed = boxes.objectives - boxes.bounds
            is_convex = boxes.of_positives <= _DUE_TO_POSITIVES * missed
            goal = best.objective - resolution
            for row in np.flatnonzero(bounds < goal).tolist():
                if is_convex[row] and n_tried <= _TRIALS * (n_closed + 1):
                    bounds[row] = max(bounds[row], convex_bound(problem, boxes, row))
                    n_tried, n_closed = n_tried + 1, n_closed + int(bounds[row] >= goal)
            is_open = bounds < goal
            kept = boxes.kept(is_open)
            for place, known in enumerate(bounds[is_open].tolist()):
                heapq.heappush(unexplored, (known, next(numbers), kept, place))
            n_boxes, n_steps = n_boxes + len(bounds), n_steps + 1
    except KeyboardInterrupt:
        status = INTERRUPTED
    return Search(
        best=best,
        lower_bound=best.objective if status == OPTIMAL else min(bound, best.objective),
        resolution=resolution,
        status=status,
        n_boxes=n_boxes,
        n_steps=n_steps,
        seconds=perf_counter() - began,
    )


def _first_box(problem: DilationProblem) -> Boxes:
    """A minimiser lies between the smallest and the largest kink of each coordinate."""
    kinks = brought_to_zero(np.hstack([problem.negatives, problem.positives]))
    lower, upper = np.minimum(kinks.min(axis=1), 0.0), np.maximum(kinks.max(axis=1), 0.0)
    widest = np.argmax(upper - lower, keepdims=True)
    zero = np.zeros(1)
    return Boxes(lower[None], upper[None], zero, lower[None], np.full(1, np.inf), zero, widest)


def _halves(taken: list[tuple[float, int, Boxes, int]]) -> tuple[Array, Array]:
    """Both halves of each box, one after the other."""
    lower = np.repeat([boxes.lower[row] for _, _, boxes, row in taken], 2, axis=0)
    upper = np.repeat([boxes.upper[row] for _, _, boxes, row in taken], 2, axis=0)
    widest = np.array([boxes.widest[row] for _, _, boxes, row in taken])
    left = np.arange(0, len(lower), 2)
    middle = lower[left, widest] / 2 + upper[left, widest] / 2
    upper[left, widest] = lower[left + 1, widest] = middle
    return lower, upper


def _descended(problem: DilationProblem, u: Array, best: Evaluation) -> Evaluation:
    """The end of the convex-concave procedure from a point, if it is below the best one known."""
    end = convex_concave(problem, Trace.start(problem.at(u)), Procedure()).at
    return end if end.objective < best.objective else best


def bound_boxes(problem: DilationProblem, lower: Array, upper: Array) -> Boxes:
    """Lower bounds of F on boxes, as many at a time as fit into the cache."""
    size = max(1, _SUMS_AT_ONCE // (problem.n_features * problem.n_samples))
    parts = [
        _bound_some(problem, lower[i : i + size], upper[i : i + size])
        for i in range(0, len(lower), size)
    ]
    return Boxes._make(map(np.concatenate, zip(*parts, strict=True)))


class _Tangent(NamedTuple):
    """A line below a convex function, for each box and coordinate."""

    place: Array  # where it touches
    value: Array
    slope: Array

    def replaced(self, where: Mask, other: _Tangent) -> _Tangent:
        return _Tangent(*(np.where(where, *pair) for pair in zip(other, self, strict=True)))


class _Pieces(NamedTuple):
    """Convex functions of one coordinate, with one kink each; shape (n_boxes, n_pieces)."""

    owners: Indices
    kinks: Array
    heights: Array  # at the kink
    falls: Array  # slope before it, times −1
    rises: Array  # slope behind it

    def values(self, u: Array) -> Array:
        ahead = np.take_along_axis(u, self.owners, axis=1) - self.kinks
        return self.heights + np.maximum(self.rises * ahead, -self.falls * ahead)

    def tangents(self, u: Array) -> tuple[_Tangent, _Tangent]:
        """Tangents of the sums at a point: to the left and to the right of each coordinate."""
        n = u.shape[1]
        ahead = np.take_along_axis(u, self.owners, axis=1) - self.kinks
        sums = _by_owner(self.owners, self.values(u), n)
        down, up = (
            _by_owner(self.owners, np.where(passed, self.rises, -self.falls), n)
            for passed in (ahead > 0, ahead >= 0)
        )
        return _Tangent(u, sums, down), _Tangent(u, sums, up)


def _by_owner(owners: Indices, numbers: Array, n: int) -> Array:
    """Sums of the numbers of each owner, one row for each box."""
    n_boxes = len(owners)
    index = owners + n * np.arange(n_boxes)[:, None]
    sums: Array = np.bincount(index.ravel(), numbers.ravel(), n * n_boxes).astype(float, copy=False)
    return sums.reshape(n_boxes, n)


def _bound_some(problem: DilationProblem, lower: Array, upper: Array) -> Boxes:
    n_boxes, n = lower.shape
    positives, rivals = _of_positives(problem, lower, upper)
    zero, slope = np.zeros((n_boxes, n)), np.full((n_boxes, n), problem.C)
    own = _Pieces(np.tile(np.arange(n), (n_boxes, 1)), zero, zero, slope, slope)
    parts = (_of_negatives(problem, lower, upper), positives, own)
    pieces = _Pieces._make(map(np.hstack, zip(*parts, strict=True)))

    left, right = pieces.tangents(lower)[1], pieces.tangents(upper)[0]
    points, _ = _lowest(left, right)
    down, up = pieces.tangents(points)
    _, minima = _lowest(left.replaced(down.slope <= 0, up), right.replaced(down.slope > 0, down))

    # F exceeds the bound at the points: halve the box where the features to blame are.
    negatives = problem.negatives + points[:, :, None]
    best_of_positives = (problem.positives + points[:, :, None]).max(axis=1)
    of_negatives = problem.negative_penalties * np.maximum(negatives.max(axis=1), 0.0)
    of_positives = problem.positive_penalties * np.maximum(-best_of_positives, 0.0)
    losses = np.hstack([of_negatives, of_positives, problem.C * np.abs(points)])
    missed = np.maximum(losses - pieces.values(points), 0.0)
    others = np.hstack([negatives.argmax(axis=1), rivals, own.owners])
    blame = _by_owner(pieces.owners, missed, n) + _by_owner(others, missed, n)
    blame += 2 * np.maximum(up.value - minima, 0.0)
    return Boxes(
        lower,
        upper,
        bounds=minima.sum(axis=1),
        points=points,
        objectives=losses.sum(axis=1),
        of_positives=missed[:, negatives.shape[2] : -n].sum(axis=1),
        widest=np.argmax(blame * np.sqrt(upper - lower), axis=1),
    )


def convex_bound(problem: DilationProblem, boxes: Boxes, row: int) -> float:
    """The exact minimum on a box, with the negatives as they are; −∞ at the limit of steps."""
    lower, upper = boxes.lower[row], boxes.upper[row]
    pieces = _Pieces._make(part[0] for part in _of_positives(problem, lower[None], upper[None])[0])
    n = len(lower)
    # Outside the box a negative and n hinges outweigh everything else.
    values = np.hstack([problem.negatives, -upper[:, None]])
    penalties = problem.negative_penalties.sum() + problem.positive_penalties.sum()
    steep = 2 * float(penalties + n * problem.C)
    step = replace(
        problem.convex_step(pieces.owners),
        values=values,
        penalties=np.append(problem.negative_penalties, steep),
        owners=np.append(pieces.owners, np.arange(n)),
        hinges=-np.append(pieces.kinks, lower),
        hinge_penalties=np.append(pieces.falls, np.full(n, steep)),
        tops=values.max(axis=1),
    )
    minimum = minimise(step, boxes.points[row], _MOST_MOVES)
    if not minimum.exact:
        return -np.inf
    at = problem.at(np.clip(minimum.point, lower, upper))
    hinges = np.maximum(pieces.kinks - at.u[pieces.owners], 0.0)
    losses = problem.negative_penalties @ np.maximum(at.negatives, 0.0) + pieces.falls @ hinges
    return float(losses + pieces.heights.sum() + problem.C * np.abs(at.u).sum())


def _of_negatives(problem: DilationProblem, lower: Array, upper: Array) -> _Pieces:
    """The feature that decides in the middle, and the maximum at the lowest corner."""
    owners = (problem.negatives + (lower / 2 + upper / 2)[:, :, None]).argmax(axis=1)
    floors = np.maximum((problem.negatives + lower[:, :, None]).max(axis=1), 0.0)
    rises = np.broadcast_to(problem.negative_penalties, floors.shape)
    kinks = floors - problem.negatives[owners, np.arange(floors.shape[1])]
    return _Pieces(owners, kinks, rises * floors, np.zeros_like(floors), rises)


def _of_positives(problem: DilationProblem, lower: Array, upper: Array) -> tuple[_Pieces, Indices]:
    """The envelope in the feature that is largest at the highest corner; and the second one."""
    b = problem.positive_penalties
    values = problem.positives + upper[:, :, None]
    owners = values.argmax(axis=1)
    first = values.max(axis=1)
    np.put_along_axis(values, owners[:, None], -np.inf, axis=1)
    rivals, second = values.argmax(axis=1), values.max(axis=1)
    own = problem.positives[owners, np.arange(len(b))]
    lowest, end = own + np.take_along_axis(lower, owners, axis=1), np.minimum(first, 0.0)
    # From (lowest, loss) to (end, -end), and level from there.
    loss = np.minimum(np.maximum(-second, 0.0), np.maximum(-lowest, 0.0))
    width = end - lowest
    falls = np.divide(loss + end, width, where=width > 0, out=np.zeros_like(width))
    falls = np.clip(falls, 0.0, 1.0)  # but for rounding it is
    return _Pieces(owners, end - own, -b * end, b * falls, np.zeros_like(falls)), rivals


def _lowest(left: _Tangent, right: _Tangent) -> tuple[Array, Array]:
    """Between the places of two tangents, where the larger one is smallest; its value there."""
    width = right.place - left.place
    meets = (left.slope < 0) & (right.slope > 0)
    ahead = np.divide(
        right.value - left.value - right.slope * width,
        left.slope - right.slope,
        where=meets,
        out=np.where(left.slope < 0, width, 0.0),
    )
    ahead = np.clip(ahead, 0.0, width)
    value = np.where(meets, left.value + left.slope * ahead, right.value)
    return left.place + ahead, np.where(left.slope < 0, value, left.value)
