"""One column of a block as numbers or as texts, or an error that names the invalid row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._utils._typing import Array, Mask
from ._blocks import Block
from ._packages import pandas, pyarrow


def numbers(block: Block, name: str) -> Array:
    """The column as numbers, NaN where a value is missing."""
    pa = pyarrow()
    column = _plain(block, name)
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        values = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    else:
        if pa.types.is_string(kind):
            values, wrong = _parsed(column)
        else:
            wrong = column.is_valid().to_numpy(zero_copy_only=False)
            values = np.full(len(column), np.nan)
        if wrong.any():
            raise ValueError(
                f"column {name!r} of {block.source} should hold numbers, row "
                f"{block.first_row + _first(wrong)} has {column[_first(wrong)].as_py()!r}"
            )
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
    """Whether all values of the column, apart from missing ones, are numbers."""
    pa = pyarrow()
    column = _plain(block, name)
    if pa.types.is_boolean(column.type):
        return False
    if not pa.types.is_string(column.type):
        return True
    return not _parsed(column)[1].any()


def first_text_among_numbers(block: Block, name: str) -> tuple[int, str] | None:
    """The row and the content of the first cell of a mostly numeric column that is not a number.

    None where all cells are numbers, or most are not.
    """
    column = _plain(block, name)
    if not pyarrow().types.is_string(column.type):
        return None
    values, wrong = _parsed(column)
    if not 0 < wrong.sum() < np.isfinite(values).sum():
        return None
    return block.first_row + _first(wrong), column[_first(wrong)].as_py()


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
            "numbers nor texts: convert them, or leave the column out (--drop)"
        )
    return column


def _parsed(column) -> tuple[Array, Mask]:
    """Texts as numbers, and a mask of those that are not numbers."""
    pa = pyarrow()
    try:
        values = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
        return values, np.zeros(len(values), dtype=bool)
    except pa.ArrowInvalid:  # slower, but more permissive: +1 is a number here
        cells = column.to_pandas()
        parsed = pandas().to_numeric(cells, errors="coerce")
        return parsed.to_numpy(float), (parsed.isna() & cells.notna()).to_numpy(bool)


def _first(mask: NDArray) -> int:
    return int(np.flatnonzero(mask)[0])
