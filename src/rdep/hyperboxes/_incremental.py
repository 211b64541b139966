"""Incremental training of a union of boxes: another one around the first sample still wrong.

After the description of Sussner's multilayer perceptron of 1998: hidden units, which are boxes, are
added until all training samples are right; which ones depends on the order of the samples.
"""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array
from ._elimination import open_box_around


def add_boxes(
    own: Array, rest: Array, *, tolerance: float = 0.0, max_dendrites: int | None = None
) -> Array:
    """Boxes that hold all samples of a class and none of the rest.

    Each is the bounding box of the samples of the class in an open box around the first of them
    that no box holds yet, which is as large as the rest lets it become.

    Parameters
    ----------
    own, rest : arrays of shape (n_samples, n_features)
        The samples of the class, which are looked at in their order, and all others. No sample may
        be in both.
    tolerance : float, default=0.0
        Distance by which faces are moved outwards, at most halfway to the sample of the rest that
        is in the way.
    max_dendrites : int or None, default=None
        Number of boxes after which training stops.

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
