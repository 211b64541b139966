"""Extreme decision values: a reach, values compressed beyond it, and the rows that are extreme.

A single row whose decision value is millions of times larger than the others would determine a
sigmoid or a temperature that is fitted to all rows.
"""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array, Mask

# Nine in ten values have at most the usual size. The reach is this multiple of it.
USUAL = 0.9
_REACH = 5.0
# A value beyond this multiple of the reach causes a warning.
_EXTREME = 50.0


def usual_size(values: Array, sample_weight: Array | None = None) -> float:
    """Absolute value that nine in ten values, by weight, do not exceed."""
    order = np.argsort(np.abs(values), kind="stable")
    weights = np.ones(len(values)) if sample_weight is None else sample_weight
    shares = np.cumsum(weights[order])
    return float(np.abs(values[order[np.searchsorted(shares, USUAL * shares[-1])]]))


def reach_of(usual: float) -> float:
    """Absolute value up to which values stay unchanged; infinite if the usual size is zero."""
    return _REACH * usual if usual > 0 else np.inf


def drawn_in(values: Array, reach: float) -> Array:
    """Compress the values beyond the reach to at most twice the reach, in the same order."""
    if not np.isfinite(reach):
        return values
    sizes = np.abs(values)
    drawn = np.sign(values) * reach * (2.0 - reach / np.maximum(sizes, reach))
    return np.where(sizes > reach, drawn, values)


def extreme_rows(values: Array, reach: float) -> Mask:
    """Mask of the rows with an extreme value; ``values`` may have several columns."""
    return np.abs(values).reshape(len(values), -1).max(axis=1) > _EXTREME * reach
