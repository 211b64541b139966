"""The memory matrix from pairs of patterns, in one pass, if this machine can hold it."""

from __future__ import annotations

import os

import numpy as np

from .._utils._typing import Array
from ..lattice import Extreme, product

# Pairs in one product: the patterns are read once, and their negatives are never all in memory.
_PAIRS = 1024


def stored(extreme: Extreme, X: Array, Y: Array) -> Array:
    """The extreme of y_i − x_j over all pairs, shape (n_values, n_keys)."""
    check_size(Y.shape[1], X.shape[1])
    memory = np.full((Y.shape[1], X.shape[1]), extreme.neutral)
    for first in range(0, len(X), _PAIRS):
        pairs = slice(first, first + _PAIRS)
        extreme.larger(memory, product(extreme, Y[pairs].T, -X[pairs]), out=memory)
    return memory


def check_size(n_values: int, n_keys: int) -> None:
    """Refuse a matrix that this machine cannot hold, twice, as storing does."""
    needed, present = 8 * n_values * n_keys, physical_memory()
    if present is not None and 2 * needed > present:
        raise MemoryError(
            f"the memory of {n_keys} key entries and {n_values} value entries takes "
            f"{in_gibibytes(needed)}, storing it twice that, and this machine has "
            f"{in_gibibytes(present)}: reduce the patterns, for images by a lower resolution, or "
            "use kind='pamm', which holds the patterns instead"
        )


def physical_memory() -> int | None:
    """Bytes of memory of this machine; None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def in_gibibytes(n_bytes: int) -> str:
    return f"{n_bytes / 2**30:,.1f} GiB"
