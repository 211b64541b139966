"""The boxes of every class: greedy, pruned or not, or by the convex-concave procedure."""

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

# Faces are this near to the value of a sample, relative to the range, by rounding alone.
_FACE_ROUNDING = 1e-12


class Samples(NamedTuple):
    """Training samples with positive weights."""

    X: Array
    codes: Indices  # positions of their classes
    weights: Array
    n_classes: int

    def by_class(self) -> Iterator[tuple[Array, Array]]:
        """For each class its samples, and all others."""
        for k in range(self.n_classes):
            yield self.X[self.codes == k], self.X[self.codes != k]

    def taken(self, rows: Indices) -> Samples:
        """These rows, in this order."""
        return Samples(self.X[rows], self.codes[rows], self.weights[rows], self.n_classes)


def without_contradictions(samples: Samples, *, keep_order: bool = False) -> tuple[Samples, int]:
    """Distinct samples, each of the class that has the greatest weight there.

    Of classes with the same weight the first. Also the number of samples that were outvoted. The
    samples are in an order of their own, or in that of the first of each.
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
    """For each class an array (n_boxes, 2, n_features)."""
    find = published_boxes if published else pure_boxes
    return [
        find(own, rest) if len(own) else np.zeros((0, 2, samples.X.shape[1]))
        for own, rest in samples.by_class()
    ]


def pruned(boxes: Array, own: Array, max_boxes: int | None, min_samples: int) -> Array:
    """The boxes that cover the most samples of their class, one after the other.

    A box is kept if it adds ``min_samples`` samples to those that the boxes before it cover; the
    first is kept in any case.
    """
    if not len(boxes) or (min_samples == 1 and (max_boxes is None or len(boxes) <= max_boxes)):
        return boxes
    inside = list(points_inside(own, boxes))
    covered = np.zeros(len(own), dtype=bool)
    # The gain of a box only falls: one that is still the greatest when computed anew is the next.
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
    """For each class boxes trained against all others, in the units of the samples."""
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
    """Boxes whose faces are at the value of a sample if that differs by rounding alone.

    A solver's faces are mostly at samples, up to rounding, which would decide whether a sample on
    a face is inside.
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
    """A whole number is the first seed itself, as in the authors' code."""
    if isinstance(random_state, int | np.integer):
        return [int(random_state) + k for k in range(n_init)]
    return check_random_state(random_state).randint(2**31 - 1, size=n_init).tolist()


def class_weights_inside(samples: Samples, boxes: list[Array]) -> list[Array]:
    """For each class the weight of every class inside each of its boxes, (n_boxes, n_classes)."""
    return [
        np.array(
            [
                np.bincount(samples.codes[inside], samples.weights[inside], samples.n_classes)
                for inside in points_inside(samples.X, of_class)
            ]
        ).reshape(-1, samples.n_classes)
        for of_class in boxes
    ]
