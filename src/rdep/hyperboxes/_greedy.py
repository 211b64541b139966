"""Greedy training of a union of boxes: samples outside the overlap of two classes become boxes.

One class against the rest. Their bounding boxes overlap in a box. Samples of the class beyond one
of its faces are in the class's half of the space, so their bounding box holds no sample of the
rest. Samples inside the overlap are treated in the same way, until one of the two sets is empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._utils._typing import Array, Indices, Mask
from ..lattice import points_between


def published_boxes(own: Array, rest: Array) -> Array:
    """Boxes of a class as published: samples on a face of the overlap are dropped.

    Parameters
    ----------
    own, rest : arrays of shape (n_samples, n_features)
        The samples of the class, and all others.

    Returns
    -------
    array of shape (n_boxes, 2, n_features)
        Lower and upper corners; empty if all samples were dropped.
    """
    boxes: list[Array] = []
    _Peeling(own, rest).peel(boxes, drops_faces=True)
    return _stacked(boxes, own.shape[1])


def pure_boxes(own: Array, rest: Array) -> Array:
    """Boxes that hold all samples of a class and none of the rest.

    The overlap is closed, so that no sample is lost. If the bounding boxes are equal, no sample is
    beyond a face, and the widest coordinate of the overlap is halved. Widths are relative to the
    range of all samples. No sample may be in both classes.

    Parameters
    ----------
    own, rest : arrays of shape (n_samples, n_features)
        The samples of the class, and all others.

    Returns
    -------
    array of shape (n_boxes, 2, n_features)
        Lower and upper corners; no box is inside another.
    """
    boxes: list[Array] = []
    extent = np.ptp(np.concatenate([own, rest]), axis=0)
    extent[extent == 0] = 1.0
    stack = [(own, rest)]
    while stack:
        own_left, rest_left = _Peeling(*stack.pop()).peel(boxes, drops_faces=False)
        if len(own_left):
            stack += reversed(_halves(own_left, rest_left, extent))
    return _outermost(_stacked(_distinct(boxes), own.shape[1]))


def _distinct(boxes: list[Array]) -> list[Array]:
    """Boxes without duplicates, in their order."""
    first: dict[bytes, Array] = {}
    for box in boxes:
        first.setdefault((box + 0.0).tobytes(), box)  # −0.0 becomes 0.0
    return list(first.values())


def _outermost(boxes: Array) -> Array:
    """Drop boxes inside others: no point lies deeper in them."""
    # As points (lower, −upper), boxes inside another are above it.
    faces = np.hstack([boxes[:, 0], -boxes[:, 1]])
    is_outer = np.ones(len(boxes), dtype=bool)
    for k, inner in enumerate(points_between(faces, faces, np.broadcast_to(np.inf, faces.shape))):
        is_outer[inner[inner != k]] = False
    return boxes[is_outer]


def _stacked(boxes: list[Array], n_features: int) -> Array:
    return np.array(boxes).reshape(-1, 2, n_features)


def _halves(own: Array, rest: Array, extent: Array) -> list[tuple[Array, Array]]:
    """Split both classes, whose bounding boxes are equal, into two halves."""
    low, high = own.min(axis=0), own.max(axis=0)
    widest = int(np.argmax((high - low) / extent))
    middle = low[widest] / 2 + high[widest] / 2
    if not low[widest] <= middle < high[widest]:  # neighbouring numbers
        middle = low[widest]
    sides = [(samples, samples[:, widest] <= middle) for samples in (own, rest)]
    return [
        (own[sides[0][1]], rest[sides[1][1]]),
        (own[~sides[0][1]], rest[~sides[1][1]]),
    ]


class _Side(NamedTuple):
    """Samples of one class beyond the faces of the overlap."""

    below: list[Indices]  # for each coordinate
    above: list[Indices]


class _Sorted:
    """Samples sorted along each coordinate, removed from both ends."""

    def __init__(self, samples: Array) -> None:
        self.samples = samples
        self.order = np.argsort(samples, axis=0).T.copy()
        self.values = np.take_along_axis(samples.T, self.order, axis=1)
        self.is_left = np.ones(len(samples), dtype=bool)
        self.n_left = len(samples)
        self.first = np.zeros(len(self.order), dtype=np.intp)
        self.last = np.full(len(self.order), len(samples) - 1)

    def bounds(self) -> tuple[Array, Array]:
        coordinates = np.arange(len(self.order))
        return self.values[coordinates, self.first], self.values[coordinates, self.last]

    def beyond(self, low: Array, high: Array, *, closed: bool) -> _Side:
        """Remaining samples below and above; ``closed`` includes those on the faces."""
        least, greatest = self.bounds()
        none = np.zeros(0, dtype=np.intp)
        below, above = [none] * len(low), [none] * len(low)
        for j in np.flatnonzero(least <= low if closed else least < low):
            end = np.searchsorted(self.values[j], low[j], "right" if closed else "left")
            below[j] = self._left(self.order[j, self.first[j] : end])
        for j in np.flatnonzero(greatest >= high if closed else greatest > high):
            start = np.searchsorted(self.values[j], high[j], "left" if closed else "right")
            above[j] = self._left(self.order[j, start : self.last[j] + 1])
        return _Side(below, above)

    def _left(self, samples: Indices) -> Indices:
        return samples[self.is_left[samples]]

    def remove(self, side: _Side) -> bool:
        """Remove samples; return whether there were any."""
        gone = np.concatenate([*side.below, *side.above])
        self.is_left[gone] = False
        before, self.n_left = self.n_left, int(np.count_nonzero(self.is_left))
        if self.n_left and self.n_left < before:
            for j, order in enumerate(self.order):
                self.first[j] += _leading(self.is_left, order[self.first[j] :])
                self.last[j] -= _leading(self.is_left, order[self.last[j] :: -1])
        return self.n_left < before

    @property
    def left(self) -> Array:
        return self.samples[self.is_left]


def _leading(is_left: Mask, order: Indices) -> int:
    """Number of removed samples at the beginning. At least one sample must be left."""
    start, length = 0, 16
    while True:
        found = is_left[order[start : start + length]]
        place = int(np.argmax(found))
        if found[place]:
            return start + place
        start, length = start + length, 2 * length


class _Peeling:
    """Both classes, peeled from the faces of their overlap inwards."""

    def __init__(self, own: Array, rest: Array) -> None:
        self.own, self.rest = _Sorted(own), _Sorted(rest)
        self.boxed: set[bytes] = set()  # groups of samples that have a box

    def peel(self, boxes: list[Array], *, drops_faces: bool) -> tuple[Array, Array]:
        """Add boxes until a class is empty or no sample is outside; return the samples left."""
        own, rest = self.own, self.rest
        while own.n_left and rest.n_left:
            lows, highs = zip(own.bounds(), rest.bounds(), strict=True)
            low, high = np.maximum(*lows), np.minimum(*highs)
            outside = own.beyond(low, high, closed=False)
            for samples in (s for pair in zip(*outside, strict=True) for s in pair if len(s)):
                if drops_faces or self._is_new(samples):
                    boxes.append(_bounding_box(own.samples[samples]))
            dropped = own.beyond(low, high, closed=True) if drops_faces else outside
            others = rest.beyond(low, high, closed=drops_faces)
            if not own.remove(dropped) | rest.remove(others):
                return own.left, rest.left
        if own.n_left:
            boxes.append(_bounding_box(own.left))
        return own.samples[:0], rest.samples[:0]

    def _is_new(self, samples: Indices) -> bool:
        """Whether these samples have no box yet: they can be beyond faces of several features."""
        key = np.sort(samples).tobytes()
        is_new = key not in self.boxed
        self.boxed.add(key)
        return is_new


def _bounding_box(samples: Array) -> Array:
    return np.array([samples.min(axis=0), samples.max(axis=0)])
