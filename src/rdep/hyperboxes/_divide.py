"""Divide-and-conquer training of dendrites: halve boxes along all axes until pure, then join them.

Only boxes that hold samples are visited, never all 2ⁿ halves. Corners are whole numbers on the
grid of the finest division, so that boxes share a face exactly or not at all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._utils._typing import Array, Indices, Mask
from ._box_training import Samples

# The finest grid has 2^50 cells along an axis: a double has hardly more digits.
DEEPEST = 50
# Relative to the size of the whole box: samples this near to a face count as on it.
_ROUNDING = 1e-10


class Division(NamedTuple):
    """Boxes of all classes."""

    lower: Indices  # corners on the grid, (n_boxes, n_features)
    upper: Indices
    codes: Indices  # positions of their classes, (n_boxes,)
    n_mixed: int  # boxes at the maximum depth that hold more errors than allowed


def divide(
    samples: Samples, *, margin: float, max_error: float, max_depth: int | None
) -> tuple[list[Array], int]:
    """Divide the bounding box of all samples into boxes of each class.

    Parameters
    ----------
    samples : Samples
        Training samples. Their order decides which pairs of boxes are joined.
    margin : float
        Fraction of its size by which the bounding box of all samples is widened on each side.
    max_error : float
        Maximum share of other classes, by weight, in a box that is not divided further.
    max_depth : int or None
        Maximum number of divisions; None means ``DEEPEST``.

    Returns
    -------
    boxes : list of arrays of shape (n_boxes, 2, n_features)
        Lower and upper corners, by class.
    n_mixed : int
        Number of boxes that were not divided only because of the maximum depth.
    """
    dividing = _Dividing(samples, max_error, DEEPEST if max_depth is None else max_depth)
    X = samples.X
    low, high = X.min(axis=0), X.max(axis=0)
    low, high = low - margin * (high - low), high + margin * (high - low)
    start = np.zeros(X.shape[1], dtype=np.int64)
    found = dividing.divided(np.arange(len(X)), start, np.array([low, high]), 0)
    shares = np.stack([found.lower, found.upper], axis=1) / 2.0**DEEPEST
    # Keep the upper face of the whole box exact: the formula would round it.
    corners = np.where(shares == 1.0, high, low + shares * (high - low))
    return [corners[found.codes == k] for k in range(samples.n_classes)], found.n_mixed


class _Dividing:
    """Divisions of one training set."""

    def __init__(self, samples: Samples, max_error: float, max_depth: int) -> None:
        self.X, self.codes, self.weights, self.n_classes = samples
        self.max_error, self.max_depth = max_error, max_depth
        self.rounding = _ROUNDING * np.ptp(self.X, axis=0)

    def divided(self, samples: Indices, lower: Indices, box: Array, depth: int) -> Division:
        """Divide the box of some samples, which begins at ``lower`` on the grid."""
        votes = np.bincount(self.codes[samples], self.weights[samples], self.n_classes)
        mode = int(votes.argmax())
        error = 1.0 - votes[mode] / votes.sum()
        is_pure = np.count_nonzero(votes) == 1 or error <= self.max_error
        size = 1 << (DEEPEST - depth)
        if is_pure or depth == self.max_depth:
            return Division(lower[None], lower[None] + size, np.array([mode]), int(not is_pure))
        half = size // 2
        # As published: if features are whole numbers, rounding decides which are on a face.
        centre, widths = (box[0] + box[1]) / 2, (box[1] - box[0]) / 2
        beyond = self.X[samples] - centre
        above = beyond >= 0
        on_face = np.abs(beyond) <= self.rounding
        parts = []
        for chosen in _taken_in_turn(above, on_face) if on_face.any() else _equal_rows(above):
            is_upper = above[chosen[0]]
            corner = np.where(is_upper, centre, box[0])
            half_size = np.array([corner, corner + widths])
            parts.append(
                self.divided(samples[chosen], lower + half * is_upper, half_size, depth + 1)
            )
        return _joined(
            Division(
                np.concatenate([part.lower for part in parts]),
                np.concatenate([part.upper for part in parts]),
                np.concatenate([part.codes for part in parts]),
                sum(part.n_mixed for part in parts),
            )
        )


def _taken_in_turn(above: Mask, on_face: Mask) -> list[Indices]:
    """Samples of each half-size box. A sample on a face goes to the first box that is opened."""
    left = np.arange(len(above))
    groups = []
    while len(left):
        inside = ((above[left] == above[left[0]]) | on_face[left]).all(axis=1)
        groups.append(left[inside])
        left = left[~inside]
    return groups


def _equal_rows(rows: Mask) -> list[Indices]:
    """Group the indices of equal Boolean rows, in the order of their first occurrence."""
    packed = np.packbits(rows, axis=1)
    _, first, place = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(place.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(place.ravel()))
    groups = np.split(order, ends[:-1])
    return [groups[k] for k in np.argsort(first)]


def _joined(boxes: Division) -> Division:
    """Join pairs of boxes of one class that share a whole face.

    Every box is joined at most once, with the first matching box after it.
    """
    partners = _sharing_a_face(boxes)
    is_left = np.ones(len(boxes.codes), dtype=bool)
    lower, upper = boxes.lower.copy(), boxes.upper.copy()
    for k, others in partners.items():
        if not is_left[k]:
            continue
        other = next((other for other in others if is_left[other]), None)
        if other is not None:
            lower[k] = np.minimum(lower[k], lower[other])
            upper[k] = np.maximum(upper[k], upper[other])
            is_left[other] = False
    return Division(lower[is_left], upper[is_left], boxes.codes[is_left], boxes.n_mixed)


def _sharing_a_face(boxes: Division) -> dict[int, list[int]]:
    """Map each box to the later boxes of its class that share a face with it, in order.

    Boxes do not overlap. Two share a face along an axis if one begins where the other ends, and all
    other faces are the same. Hashes of all faces except one find candidates, which are then
    compared.
    """
    lower, upper, codes, _ = boxes
    n = lower.shape[1]
    rng = np.random.default_rng(0)
    factors = rng.integers(1, 2**63, size=(2 * n + 1, 1), dtype=np.uint64)
    faces = np.hstack([lower, upper, codes[:, None]]).astype(np.uint64)
    with np.errstate(over="ignore"):
        terms = faces * factors.T
        whole = terms.sum(axis=1, keepdims=True, dtype=np.uint64)
        without_upper = whole - terms[:, n : 2 * n]
        # Hash of a box that begins where this one ends.
        above = without_upper - terms[:, :n] + upper.astype(np.uint64) * factors[:n].T
        axis = np.arange(n, dtype=np.uint64) * factors[-1]
        wanted, offered = (above + axis).ravel(), (without_upper + axis).ravel()
    order = np.argsort(offered)
    place = np.minimum(np.searchsorted(offered[order], wanted), len(order) - 1)
    match = order[place]
    found = np.flatnonzero(offered[match] == wanted)
    first, axes, second = found // n, found % n, match[found] // n
    pairs: dict[int, list[int]] = {}
    differ = (lower[first] != lower[second]).sum(axis=1)
    differ += (upper[first] != upper[second]).sum(axis=1)
    touch = upper[first, axes] == lower[second, axes]
    for one, other in zip(first[touch & (differ == 2)], second[touch & (differ == 2)], strict=True):
        pairs.setdefault(int(min(one, other)), []).append(int(max(one, other)))
    return {k: sorted(pairs[k]) for k in sorted(pairs)}
