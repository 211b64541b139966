"""One column of a block as numbers or as texts, or a message that names the row that is neither."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._typing import Array
from .blocks import Block
from .packages import pandas, pyarrow


def numbers(block: Block, name: str) -> Array:
    """The column as numbers, NaN where a value is missing."""
    pa = pyarrow()
    column = _plain(block, name)
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        converted = column
    elif pa.types.is_string(kind):
        converted = _parsed(column, block, name)
    else:
        first = _first(column.is_valid().to_numpy(zero_copy_only=False))
        raise ValueError(
            f"column {name!r} of {block.source} should hold numbers, row {block.first_row + first} "
            f"has {column[first].as_py()!r}"
        )
    values = converted.cast(pa.float64()).to_numpy(zero_copy_only=False)
    if np.isinf(values).any():
        raise ValueError(
            f"column {name!r} of {block.source} has a number too large to use, in row "
            f"{block.first_row + _first(np.isinf(values))}"
        )
    return values


def texts(block: Block, name: str) -> NDArray:
    """The column as an array of strings, NaN where a value is missing."""
    pa = pyarrow()
    column = _plain(block, name).cast(pa.string())
    values = column.to_numpy(zero_copy_only=False)
    if column.null_count:
        values = values.copy()
        values[column.is_null().to_numpy(zero_copy_only=False)] = np.nan
    return values


def is_numeric(block: Block, name: str) -> bool:
    """Whether every value of the column that is there is a number."""
    pa = pyarrow()
    column = _plain(block, name)
    if pa.types.is_boolean(column.type):
        return False
    if not pa.types.is_string(column.type):
        return True
    try:
        column.cast(pa.float64())
    except pa.ArrowInvalid:
        return False
    return True


def _plain(block: Block, name: str):
    """The column as one array of strings, booleans or numbers."""
    pa = pyarrow()
    column = block.table.column(name)
    column = pa.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if pa.types.is_null(kind):
        return column.cast(pa.string())
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string())
    readable = (
        pa.types.is_string(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
    )
    if not readable:
        raise ValueError(
            f"column {name!r} of {block.source} holds values of type {kind}, which are neither "
            "numbers nor texts: turn them into one of these, or leave the column out (--drop)"
        )
    return column


def _parsed(column, block: Block, name: str):
    pa = pyarrow()
    try:
        return column.cast(pa.float64())
    except pa.ArrowInvalid as error:
        cells = column.to_pandas()
        wrong = pandas().to_numeric(cells, errors="coerce").isna() & cells.notna()
        first = _first(wrong.to_numpy())
        raise ValueError(
            f"column {name!r} of {block.source} should hold numbers, row {block.first_row + first} "
            f"has {cells[first]!r}"
        ) from error


def _first(mask: NDArray) -> int:
    return int(np.flatnonzero(mask)[0]) if mask.any() else 0
