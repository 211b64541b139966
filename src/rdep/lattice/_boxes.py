"""Boxes: how deep a point is inside one, which of several is best, which points are inside.

A box is the minimum of an erosion and an anti-dilation: of the distances x − lower and upper − x
to its faces the smallest one, negative outside.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._utils._blocks import row_blocks
from .._utils._typing import Array, Indices, Mask

# Coordinates that are looked at first.
_GROUP = 64
_FIRST = 8  # if there are more features than points
# Sums of exponentials of it are far from infinite.
LARGEST_EXPONENT = 500.0


def best_boxes(X: Array, boxes: Array) -> tuple[Array, Indices]:
    """The greatest depth of each point in one of the boxes, and the first box that attains it.

    Parameters
    ----------
    X : array of shape (n_points, n_features)
        Points.
    boxes : array of shape (n_boxes, 2, n_features)
        Lower and upper corners; infinite where there is no face. At least one box.

    Returns
    -------
    arrays of shape (n_points,)
    """
    depth = np.full(len(X), -np.inf)
    best = np.zeros(len(X), dtype=np.intp)
    for rows in row_blocks(X[:, :_GROUP]):
        # Coordinates first: the minimum over them then goes along contiguous rows.
        points = np.ascontiguousarray(X[rows].T)
        for k, box in enumerate(boxes):
            better, of_box = _deeper(points, box, depth[rows])
            best[rows][better], depth[rows][better] = k, of_box
    return depth, best


def _deeper(points: Array, box: Array, than: Array) -> tuple[Mask | Indices, Array]:
    """Which points, as columns, are deeper in a box than given for each, and how deep they are."""
    of_box = depth_inside(points[:_GROUP], box[:, :_GROUP])
    deeper = of_box > than
    if len(points) <= _GROUP:
        return deeper, of_box[deeper]
    # A face that is too near decides: most points need not be compared with most faces.
    left = np.flatnonzero(deeper)
    of_box = of_box[left]
    start = _GROUP
    while start < len(points) and len(left):
        group = slice(start, 2 * start)
        of_box = np.minimum(of_box, depth_inside(points[group, left], box[:, group]))
        is_deeper = of_box > than[left]
        left, of_box = left[is_deeper], of_box[is_deeper]
        start *= 2
    return left, of_box


def depth_inside(points: Array, box: Array) -> Array:
    """The smallest distance to a face of one box; points are columns."""
    lower, upper = box
    return np.minimum((points - lower[:, None]).min(axis=0), (upper[:, None] - points).min(axis=0))


def face_nearness(X: Array, boxes: Array, scale: Array) -> Array:
    """How near each point is to all faces of boxes: small in their middle, large outside.

    In one box it is the sum of exp(−distance / scale) over the faces, where distances are negative
    beyond a face. Reciprocals of boxes add up, so that the box with the smallest sum counts most.
    """
    inside = np.zeros(len(X))
    for rows in row_blocks(X):
        for lower, upper in boxes:
            distances = np.hstack([X[rows] - lower, upper - X[rows]]) / np.tile(scale, 2)
            of_box = np.exp(np.minimum(-distances, LARGEST_EXPONENT)).sum(axis=1)
            inside[rows] += 1 / np.maximum(of_box, np.finfo(float).tiny)
    return 1 / np.maximum(inside, np.finfo(float).tiny)


def points_inside(X: Array, boxes: Array) -> Iterator[Indices]:
    """For each box the indices of the points inside, faces included."""
    return points_between(X, boxes[:, 0], boxes[:, 1])


def points_between(X: Array, lower: Array, upper: Array) -> Iterator[Indices]:
    """For each pair of corners the indices of the points between them, faces included.

    Only the points between its two faces are looked at, for the two faces with the fewest between;
    of more features than points, those that are between the faces of the first features.
    """
    if X.shape[1] > len(X):
        yield from _points_left(X, lower, upper)
        return
    order = np.argsort(X, axis=0, kind="stable").T
    coordinates = [X[index, j] for j, index in enumerate(order)]
    both = list(enumerate(coordinates))
    first = np.array([np.searchsorted(x, lower[:, j], "left") for j, x in both])
    end = np.array([np.searchsorted(x, upper[:, j], "right") for j, x in both])
    for low, high, place, start, stop in zip(
        lower, upper, np.argmin(end - first, axis=0), first.T, end.T, strict=True
    ):
        between = order[place, start[place] : stop[place]]
        candidates = X[between]
        yield between[((candidates >= low) & (candidates <= high)).all(axis=1)]


def _points_left(X: Array, lower: Array, upper: Array) -> Iterator[Indices]:
    """The same by groups of features, each twice as large as all before: most points leave soon."""
    firsts = np.ascontiguousarray(X[:, :_FIRST])
    for low, high in zip(lower, upper, strict=True):
        group = slice(0, _FIRST)
        left = np.flatnonzero(((firsts >= low[group]) & (firsts <= high[group])).all(axis=1))
        while group.stop < X.shape[1] and len(left):
            group = slice(group.stop, 3 * group.stop)
            values = X[left, group]
            left = left[((values >= low[group]) & (values <= high[group])).all(axis=1)]
        yield left


def inside_boxes(X: Array, boxes: Array) -> Mask:
    """Which points are in which boxes, faces included, (n_points, n_boxes).

    Only features with a face are looked at, which are few in boxes to be read.
    """
    inside = np.ones((len(X), len(boxes)), dtype=bool)
    for k, (lower, upper) in enumerate(boxes):
        for j in np.flatnonzero(np.isfinite(lower) | np.isfinite(upper)):
            inside[:, k] &= (X[:, j] >= lower[j]) & (X[:, j] <= upper[j])
    return inside


def just_inside(boxes: Array) -> Array:
    """Closed boxes that hold the same numbers as open ones."""
    inwards = np.stack(
        [np.nextafter(boxes[:, 0], np.inf), np.nextafter(boxes[:, 1], -np.inf)], axis=1
    )
    return np.where(np.isfinite(boxes), inwards, boxes)
