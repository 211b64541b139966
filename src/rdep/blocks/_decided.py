"""What follows from the decision values of all rows: their usual size, probabilities, accuracy.

The decision value is the only feature of these rows.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from .._base._extremes import USUAL
from .._base._logistic import logistics_by_passes
from .._base._passes import Block, Passes
from .._utils._typing import Array
from ._rows import Rows

# The penalty of a regression with this C is far below rounding.
_NO_PENALTY = 1e9
_BINS = 4096
_MOST_COLLECTED = 1_000_000
_MOST_PASSES = 20


def usual_size_by_passes(rows: Rows) -> float:
    """Absolute value that nine in ten values do not exceed, as ``usual_size`` finds it."""
    left = int(np.ceil(USUAL * rows.n_rows))  # rank of the value among those from ``low`` on
    low, high = 0.0, float(rows.reduce(_largest, max))
    for _ in range(_MOST_PASSES):
        edges = np.linspace(low, high, _BINS + 1)
        counts = rows.reduce(partial(_histogram, edges), np.add)
        place = int(np.searchsorted(np.cumsum(counts), left))
        left -= int(counts[:place].sum())
        low, high = edges[place], edges[place + 1]
        if counts[place] <= _MOST_COLLECTED:
            break
    is_last = bool(high == edges[-1])
    inside = np.concatenate(list(rows.collect(partial(_between, low, high, is_last))))
    return float(np.partition(inside, left - 1)[left - 1])


def calibration_by_passes(rows: Passes) -> Array:
    """Slope and intercept of Platt's map, as ``logistic_map`` finds them."""
    counts = rows.reduce(_class_counts, np.add)
    targets = 1 / (counts[0] + 2), (counts[1] + 1) / (counts[1] + 2)
    start = np.array([0.0, np.log((counts[1] + 1) / (counts[0] + 1))])
    change = partial(_both_ways, targets)
    (point,) = logistics_by_passes(rows, 1, [change], C=_NO_PENALTY, starts=[start])
    return point if point[0] > 0 else start


def balanced_accuracy(rows: Passes, rounding: float) -> float:
    """Balanced accuracy of the signs of the values."""
    right, counts = rows.reduce(partial(_right, rounding), np.add)
    return float((right / counts).mean())


def _largest(block: Block) -> float:
    return float(np.abs(block.X).max())


def _histogram(edges: Array, block: Block) -> Array:
    return np.histogram(np.abs(block.X), edges)[0]


def _between(low: float, high: float, is_last: bool, block: Block) -> Array:
    sizes = np.abs(block.X[:, 0])
    return sizes[(sizes >= low) & ((sizes <= high) if is_last else (sizes < high))]


def _class_counts(block: Block) -> Array:
    return np.array([(block.y < 0).sum(), (block.y > 0).sum()])


def _both_ways(targets: tuple[float, float], block: Block) -> Block:
    """Each row as a positive and as a negative, with Platt's targets as weights."""
    shares = np.where(block.y > 0, targets[1], targets[0])
    signs = np.repeat([1.0, -1.0], len(shares))
    return Block(np.vstack([block.X, block.X]), signs, np.concatenate([shares, 1 - shares]))


def _right(rounding: float, block: Block) -> Array:
    positive = block.y > 0
    right = (block.X[:, 0] >= -rounding) == positive
    return np.array([
        [np.sum(right & ~positive), np.sum(right & positive)],
        [np.sum(~positive), np.sum(positive)],
    ])  # fmt: skip
