"""How much memory a fit may take, and what fits into it."""

from __future__ import annotations

import re

DEFAULT_MEMORY = "2GB"
# Python with its packages, two blocks with what is computed from them, and the model.
BASE_BYTES = 600 << 20
# Numbers in a block of rows: 8 MB.
_VALUES, _ROWS = 1 << 20, 1 << 16
_SIZE = re.compile(r"(\d+(?:\.\d+)?) *([KMGT]?)(i?)B?", re.IGNORECASE)
_SMALLEST = 10**9


def parse_memory(memory: int | str) -> int:
    """Number of bytes of a text such as ``"2GB"`` or ``"1.5GiB"``, or of a number."""
    if isinstance(memory, int) and not isinstance(memory, bool):
        n_bytes = memory
    else:
        found = _SIZE.fullmatch(str(memory).strip())
        if found is None:
            raise ValueError(f"memory={memory!r} is no size: write it as '2GB' or '1500MB'")
        number, unit, binary = found.groups()
        power = " KMGT".index(unit.upper() or " ")
        n_bytes = int(float(number) * (1024 if binary else 1000) ** power)
    if n_bytes < _SMALLEST:
        raise ValueError(
            f"memory={memory!r} is too little: Python and its packages alone take half a gigabyte. "
            "Give at least 1GB"
        )
    return n_bytes


def rows_per_block(n_columns: int) -> int:
    """Number of rows in a block."""
    return max(1, min(_ROWS, _VALUES // max(1, n_columns)))


def rows_kept(memory: int) -> int:
    """Number of rows that a pass of the DEP may keep for an operator: a fifth of the memory."""
    return int(min(1_000_000, memory // 5 // 400))


def rows_for_trees(memory: int, n_features: int) -> int:
    """Number of rows on which forest and boosting can be fitted.

    A row takes eight bytes for each feature, four for the half in a fold, four for the forest, one
    for a bin and some more for its gradient.
    """
    return max(1, (memory - BASE_BYTES) // (17 * n_features + 80))
