"""Training of the boxes of every class: greedy, pruned, or by the convex-concave procedure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from heapq import heapify, heappop, heapreplace
from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from .._utils._typing import Array, Indices
from ..lattice import points_inside
from ..training import BoxProblem, BoxUnits, TrainedBoxes, start_boxes, train_boxes
from ._greedy import published_boxes, pure_boxes

# Relative to the range: a face this near to the value of a sample differs by rounding only.
_FACE_ROUNDING = 1e-12


class Samples(NamedTuple):
    """Training samples with positive weights."""

    X: Array
    codes: Indices  # positions of their classes
    weights: Array
    n_classes: int

    def by_class(self) -> Iterator[tuple[Array, Array]]:
        """Yield the samples of each class, and all others."""
        for k in range(self.n_classes):
            yield self.X[self.codes == k], self.X[self.codes != k]

    def taken(self, rows: Indices) -> Samples:
        """The given rows, in the given order."""
        return Samples(self.X[rows], self.codes[rows], self.weights[rows], self.n_classes)


def without_contradictions(samples: Samples, *, keep_order: bool = False) -> tuple[Samples, int]:
    """Distinct samples, each with the class of the largest weight.

    Ties go to the first class. Also returns the number of samples whose label was overruled. The
    samples are sorted, or with ``keep_order`` in the order of their first occurrence.
    """
    distinct, first, place = np.unique(samples.X, axis=0, return_index=True, return_inverse=True)
    place = place.ravel()
    votes = np.zeros((len(distinct), samples.n_classes))
    np.add.at(votes, (place, samples.codes), samples.weights)
    codes = votes.argmax(axis=1)
    outvoted = int(np.count_nonzero(codes[place] != samples.codes))
    order = np.argsort(first) if keep_order else np.arange(len(first))
    weights = votes.sum(axis=1)
    return Samples(distinct, codes, weights, samples.n_classes).taken(order), outvoted


def greedy_boxes(samples: Samples, *, published: bool) -> list[Array]:
    """Greedy boxes of each class, as arrays of shape (n_boxes, 2, n_features)."""
    find = published_boxes if published else pure_boxes
    return [
        find(own, rest) if len(own) else np.zeros((0, 2, samples.X.shape[1]))
        for own, rest in samples.by_class()
    ]


def pruned(boxes: Array, own: Array, max_boxes: int | None, min_samples: int) -> Array:
    """Select the boxes that cover the most samples of their class, one after the other.

    A box is kept if it covers at least ``min_samples`` samples that the boxes before it do not
    cover. The first box is always kept.
    """
    if not len(boxes) or (min_samples == 1 and (max_boxes is None or len(boxes) <= max_boxes)):
        return boxes
    inside = list(points_inside(own, boxes))
    covered = np.zeros(len(own), dtype=bool)
    # The gain of a box only falls: if it is still the largest when recomputed, this box is next.
    queue = [(-len(found), k) for k, found in enumerate(inside)]
    heapify(queue)
    kept: list[int] = []
    while queue and (max_boxes is None or len(kept) < max_boxes):
        k = queue[0][1]
        gain = int(np.count_nonzero(~covered[inside[k]]))
        if -gain != queue[0][0]:
            heapreplace(queue, (-gain, k))
            continue
        heappop(queue)
        if kept and gain < min_samples:
            break
        covered[inside[k]] = True
        kept.append(k)
    return boxes[np.sort(kept)]


def ccp_boxes(
    samples: Samples, *, n_boxes: int, gamma: float, margin: float, init: str, n_init: int,
    solver: str, max_iter: int, tol: float, random_state,
) -> list[TrainedBoxes]:  # fmt: skip
    """Train boxes for each class against all others, in the units of the samples."""
    seeds = _seeds(random_state, 1 if init == "dHpC" else n_init)
    units = BoxUnits.of(samples.X)
    given, samples = samples.X, samples._replace(X=units.into(samples.X))
    trained = []
    for k, (own, rest) in enumerate(samples.by_class()):
        problem = BoxProblem(
            own,
            rest,
            samples.weights[samples.codes == k],
            samples.weights[samples.codes != k],
            gamma,
            margin / units.unit,
        )
        starts = (start_boxes(own, n_boxes, init, seed) for seed in seeds)
        end = train_boxes(problem, starts, solver, max_iter, tol).back(units)
        trained.append(replace(end, boxes=at_samples(end.boxes, given)))
    return trained


def at_samples(boxes: Array, X: Array) -> Array:
    """Move faces to the value of a sample if they differ by rounding only.

    Most faces found by a solver are at samples, up to rounding. Without this step, rounding would
    decide whether a sample on a face is inside.
    """
    moved = boxes.copy()
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        near = _FACE_ROUNDING * (values[-1] - values[0])
        faces = boxes[:, :, j]
        above = np.searchsorted(values, faces).clip(max=len(values) - 1)
        for candidate in (values[np.maximum(above - 1, 0)], values[above]):
            moved[:, :, j] = np.where(np.abs(candidate - faces) <= near, candidate, moved[:, :, j])
    return moved


def _seeds(random_state, n_init: int) -> list[int]:
    """Seeds of the starts. An integer is itself the first seed, as in the authors' code."""
    if isinstance(random_state, int | np.integer):
        return [int(random_state) + k for k in range(n_init)]
    return check_random_state(random_state).randint(2**31 - 1, size=n_init).tolist()


def class_weights_inside(samples: Samples, boxes: list[Array]) -> list[Array]:
    """Weight of every class inside each box, as one (n_boxes, n_classes) array per class."""
    return [
        np.array(
            [
                np.bincount(samples.codes[inside], samples.weights[inside], samples.n_classes)
                for inside in points_inside(samples.X, of_class)
            ]
        ).reshape(-1, samples.n_classes)
        for of_class in boxes
    ]
