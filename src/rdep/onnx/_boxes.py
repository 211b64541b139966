"""The depth of samples in boxes, and in the best of several, as nodes."""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array
from ..hyperboxes import NO_BOX
from ._graph import Graph


def box_depth(graph: Graph, X: str, boxes: Array) -> str:
    """The greatest depth of each sample in one of the boxes, shape (n_samples, 1)."""
    if not np.isfinite(boxes).any():  # a class without boxes
        zero = graph.add("Mul", graph.columns(X, [0]), np.array(0.0))
        return graph.add("Add", zero, np.array(NO_BOX))
    return graph.add("ReduceMax", box_depths(graph, X, boxes), np.array([1]), keepdims=1)


def box_depths(graph: Graph, X: str, boxes: Array) -> str:
    """The depth of each sample in each of the boxes, shape (n_samples, n_boxes).

    Feature by feature, so that no value has samples, boxes and features at once.
    """
    distances = []
    for j in np.flatnonzero(np.isfinite(boxes).any(axis=(0, 1))):
        x = graph.columns(X, [j])
        distances.append(graph.add("Sub", x, boxes[:, 0, j]))
        distances.append(graph.add("Sub", boxes[:, 1, j], x))
    return graph.add("Min", *distances)
