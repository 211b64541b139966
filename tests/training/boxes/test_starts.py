"""Boxes to start from."""

import numpy as np

from rdep.training.boxes._starts import start_boxes

X = np.random.default_rng(0).normal(size=(40, 3))


def test_halves_tile_the_bounding_box():
    boxes = start_boxes(X, 4, "dHpC", 0)
    volumes = np.prod(boxes[:, 1] - boxes[:, 0], axis=1)
    low, high = X.min(axis=0), X.max(axis=0)
    assert np.allclose(volumes, np.prod(high - low) / 4)
    assert np.array_equal(boxes[:, 0].min(axis=0), low)
    assert np.array_equal(boxes[:, 1].max(axis=0), high)
    # No more halves than there are axes.
    assert len(start_boxes(X, 64, "dHpC", 0)) == 8


def test_points_are_samples_and_random_boxes_are_inside():
    points = start_boxes(X, 5, "k-means++", 1)
    assert np.array_equal(points[:, 0], points[:, 1])
    assert all((point == X).all(axis=1).any() for point in points[:, 0])
    boxes = start_boxes(X, 5, "random", 1)
    assert (boxes[:, 0] >= X.min(axis=0)).all()
    assert (boxes[:, 0] <= boxes[:, 1]).all()
    assert (boxes[:, 1] <= X.max(axis=0)).all()
