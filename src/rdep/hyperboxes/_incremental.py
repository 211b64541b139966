"""Incremental training of a union of boxes: add a box around the first misclassified sample.

It follows descriptions of Sussner's multilayer perceptron of 1998: hidden units, which are boxes,
are added until all training samples are classified correctly. The boxes depend on the order of the
samples.
"""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array
from ._elimination import open_box_around


def add_boxes(
    own: Array, rest: Array, *, tolerance: float = 0.0, max_dendrites: int | None = None
) -> Array:
    """Boxes that hold all samples of a class and none of the rest.

    Each step takes the first sample of the class that is in no box yet and finds an open box around
    it that holds no sample of the rest. The new box is the bounding box of the samples of the class
    in this open box.

    Parameters
    ----------
    own, rest : arrays of shape (n_samples, n_features)
        The samples of the class, in the order in which they are visited, and all others. No sample
        may be in both.
    tolerance : float, default=0.0
        Distance by which faces are moved outwards, at most halfway to the nearest sample of the
        rest.
    max_dendrites : int or None, default=None
        Maximum number of boxes.

    Returns
    -------
    array of shape (n_boxes, 2, n_features)
        Lower and upper corners.
    """
    columns = np.ascontiguousarray(rest.T)
    wrong = np.ones(len(own), dtype=bool)
    boxes: list[Array] = []
    while wrong.any() and (max_dendrites is None or len(boxes) < max_dendrites):
        around = open_box_around(own[np.argmax(wrong)], columns)
        inside = ((own > around[0]) & (own < around[1])).all(axis=1)
        low, high = own[inside].min(axis=0), own[inside].max(axis=0)
        if tolerance:
            low = np.maximum(low - tolerance, low / 2 + around[0] / 2)
            high = np.minimum(high + tolerance, high / 2 + around[1] / 2)
        boxes.append(np.array([low, high]))
        wrong &= ~inside
    return np.array(boxes).reshape(-1, 2, own.shape[1])
