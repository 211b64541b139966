"""Starts of boxes: points by k-means++, the halved bounding box ("dHpC"), or random boxes."""

from __future__ import annotations

import numpy as np
from sklearn.cluster import kmeans_plusplus

from ..._utils._typing import Array


def start_boxes(samples: Array, n_boxes: int, init: str, seed: int) -> Array:
    """Boxes of shape (n_boxes, 2, n_features) around samples of a class, or among them."""
    if init == "k-means++":
        points, _ = kmeans_plusplus(samples, n_boxes, random_state=seed)
        return np.stack([points, points], axis=1)
    low, high = samples.min(axis=0), samples.max(axis=0)
    if init == "dHpC":
        return _halved(low, high, n_boxes)
    generator = np.random.default_rng(seed)
    lower = generator.uniform(low, high, (n_boxes, len(low)))
    return np.stack([lower, generator.uniform(lower, high)], axis=1)


def _halved(low: Array, high: Array, n_boxes: int) -> Array:
    """Halve a box along its first axis, then each part along the next axis, and so on."""
    boxes = np.array([[low, high]])
    for axis in range(min(n_boxes.bit_length() - 1, len(low))):
        middle = low[axis] + (high[axis] - low[axis]) / 2
        boxes = np.repeat(boxes, 2, axis=0)
        boxes[::2, 1, axis] = middle
        boxes[1::2, 0, axis] = middle
    return boxes
