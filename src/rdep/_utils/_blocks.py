"""Blocks of rows of large arrays, so that intermediate results stay in the cache."""

from __future__ import annotations

from collections.abc import Iterator

from numpy.typing import NDArray

# Numbers in one block: half a megabyte.
_SIZE = 1 << 16


def row_blocks(values: NDArray) -> Iterator[slice]:
    """Slices of the rows of a matrix."""
    n_rows = max(1, _SIZE // max(1, values.shape[1]))
    return (slice(start, start + n_rows) for start in range(0, len(values), n_rows))
