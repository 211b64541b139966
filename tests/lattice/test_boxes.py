"""Depths and points inside, against their definitions."""

import numpy as np
import pytest

from rdep.lattice._boxes import best_boxes, points_inside


@pytest.mark.parametrize(
    ("n_points", "n_features"), [(1, 2), (300, 2), (70_000, 2), (40, 65), (2000, 200)]
)
def test_depth_and_points_by_definition(n_points, n_features):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (n_points, n_features)).astype(float)
    lower = rng.integers(0, 4, (7, n_features)).astype(float)
    boxes = np.stack([lower, lower + rng.integers(0, 3, (7, n_features))], axis=1)
    # With many features, points that only their last ones keep out.
    boxes[:, 0, 2:-1], boxes[:, 1, 2:-1] = -rng.random((7, 1)), 7.0
    boxes[3, :, 0] = -np.inf, np.inf
    distances = np.array([np.hstack([X - low, high - X]).min(axis=1) for low, high in boxes])
    depth, best = best_boxes(X, boxes)
    assert np.array_equal(depth, distances.max(axis=0))
    assert np.array_equal(best, distances.argmax(axis=0))
    for inside, of_box in zip(points_inside(X, boxes), distances, strict=True):
        assert np.array_equal(np.sort(inside), np.flatnonzero(of_box >= 0))
