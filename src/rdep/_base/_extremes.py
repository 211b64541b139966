"""Values far beyond all others: a reach, values drawn in to it, and which rows are extreme.

One row whose decision value is millions of times that of the others decides, alone, what a sigmoid
or a temperature fitted to all of them looks like.
"""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array, Mask

# Nine in ten values have at most the usual size. The reach is so many times this size.
_USUAL = 0.9
_REACH = 5.0
# From so many times the reach on, a value is worth a warning.
_EXTREME = 50.0


def usual_size(values: Array, sample_weight: Array | None = None) -> float:
    """The absolute value that nine in ten values, by weight, do not exceed."""
    order = np.argsort(np.abs(values), kind="stable")
    weights = np.ones(len(values)) if sample_weight is None else sample_weight
    shares = np.cumsum(weights[order])
    return float(np.abs(values[order[np.searchsorted(shares, _USUAL * shares[-1])]]))


def reach_of(usual: float) -> float:
    """The absolute value up to which values are as they are; infinite if the usual one is zero."""
    return _REACH * usual if usual > 0 else np.inf


def drawn_in(values: Array, reach: float) -> Array:
    """Values of which those beyond the reach are drawn in: in the same order, none beyond twice."""
    if not np.isfinite(reach):
        return values
    sizes = np.abs(values)
    drawn = np.sign(values) * reach * (2.0 - reach / np.maximum(sizes, reach))
    return np.where(sizes > reach, drawn, values)


def extreme_rows(values: Array, reach: float) -> Mask:
    """Rows with a value that is extreme; ``values`` may have several columns."""
    return np.abs(values).reshape(len(values), -1).max(axis=1) > _EXTREME * reach
