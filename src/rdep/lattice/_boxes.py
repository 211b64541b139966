"""Boxes: depth of a point in a box, the best of several boxes, the points inside a box.

The depth in a box is the minimum of an erosion and an anti-dilation: the smallest of the distances
x − lower and upper − x to its faces, negative outside.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._utils._blocks import row_blocks
from .._utils._typing import Array, Indices, Mask

# Number of coordinates to check first.
_GROUP = 64
_FIRST = 8  # if there are more features than points
# Sums of exponentials of this number do not overflow.
LARGEST_EXPONENT = 500.0


def best_boxes(X: Array, boxes: Array) -> tuple[Array, Indices]:
    """Find the largest depth of each point in the boxes, and the first box that attains it.

    Parameters
    ----------
    X : array of shape (n_points, n_features)
        Points.
    boxes : array of shape (n_boxes, 2, n_features)
        Lower and upper corners of at least one box; infinite if there is no face.

    Returns
    -------
    arrays of shape (n_points,)
    """
    depth = np.full(len(X), -np.inf)
    best = np.zeros(len(X), dtype=np.intp)
    for rows in row_blocks(X[:, :_GROUP]):
        # Coordinates first, so that the minimum over them runs along contiguous rows.
        points = np.ascontiguousarray(X[rows].T)
        for k, box in enumerate(boxes):
            better, of_box = _deeper(points, box, depth[rows])
            best[rows][better], depth[rows][better] = k, of_box
    return depth, best


def _deeper(points: Array, box: Array, than: Array) -> tuple[Mask | Indices, Array]:
    """Find the points (columns) that are deeper in a box than ``than``, and their depth."""
    of_box = depth_inside(points[:_GROUP], box[:, :_GROUP])
    deeper = of_box > than
    if len(points) <= _GROUP:
        return deeper, of_box[deeper]
    # One face that is too close excludes a point: most points are compared with few faces.
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
    """Smallest distance to a face of one box; points are columns."""
    lower, upper = box
    return np.minimum((points - lower[:, None]).min(axis=0), (upper[:, None] - points).min(axis=0))


def face_nearness(X: Array, boxes: Array, scale: Array) -> Array:
    """Nearness of each point to the faces of boxes: small in their middle, large outside.

    In one box it is the sum of exp(−distance / scale) over the faces, where distances are negative
    beyond a face. The reciprocals of several boxes are added, so that the box with the smallest sum
    counts most.
    """
    inside = np.zeros(len(X))
    for rows in row_blocks(X):
        for lower, upper in boxes:
            distances = np.hstack([X[rows] - lower, upper - X[rows]]) / np.tile(scale, 2)
            of_box = np.exp(np.minimum(-distances, LARGEST_EXPONENT)).sum(axis=1)
            inside[rows] += 1 / np.maximum(of_box, np.finfo(float).tiny)
    return 1 / np.maximum(inside, np.finfo(float).tiny)


def points_inside(X: Array, boxes: Array) -> Iterator[Indices]:
    """Indices of the points inside each box, including its faces."""
    return points_between(X, boxes[:, 0], boxes[:, 1])


def points_between(X: Array, lower: Array, upper: Array) -> Iterator[Indices]:
    """Indices of the points between each pair of corners, including the faces.

    Only the points between the two opposite faces with the fewest points between them are checked.
    With more features than points, the points between the faces of the first features are checked.
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
    """Do the same by groups of features, each twice as large as all before: few points remain."""
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
    """Mask of shape (n_points, n_boxes): which points are in which boxes, including their faces.

    Only features with a face are checked; readable boxes have few.
    """
    inside = np.ones((len(X), len(boxes)), dtype=bool)
    for k, (lower, upper) in enumerate(boxes):
        for j in np.flatnonzero(np.isfinite(lower) | np.isfinite(upper)):
            inside[:, k] &= (X[:, j] >= lower[j]) & (X[:, j] <= upper[j])
    return inside


def just_inside(boxes: Array) -> Array:
    """Closed boxes that contain the same floats as given open boxes."""
    inwards = np.stack(
        [np.nextafter(boxes[:, 0], np.inf), np.nextafter(boxes[:, 1], -np.inf)], axis=1
    )
    return np.where(np.isfinite(boxes), inwards, boxes)
