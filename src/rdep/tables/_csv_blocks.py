"""CSV as blocks of text; cells are interpreted later, by the type of their column."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from ._names import check_names
from ._packages import pyarrow

# Cells that stand for a missing value, without the spaces around them.
MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "?")
# pyarrow reads 32 blocks ahead, so this size determines the memory. A row must fit into one.
_BLOCK_BYTES = 2 << 20
_BYTES_PER_CELL = 256
_MAX_HEADER_BYTES = 64 << 20
_SEPARATORS = (",", ";", "\t", "|")


def csv_tables(file: BinaryIO, source: str) -> Iterator[Any]:
    """Tables of text, null where a value is missing."""
    pa = pyarrow()
    names, separator = _header(file, source)
    check_names(names, source)
    block_size = max(_BLOCK_BYTES, _BYTES_PER_CELL * len(names))
    ragged: list[Any] = []

    def refuse(row):
        ragged.append(row)
        return "error"

    try:
        blocks = pa.csv.open_csv(
            file,
            # With one thread, errors have row numbers, and no other cores are used.
            pa.csv.ReadOptions(column_names=names, use_threads=False, block_size=block_size),
            pa.csv.ParseOptions(
                delimiter=separator, newlines_in_values=True, invalid_row_handler=refuse
            ),
            pa.csv.ConvertOptions(column_types={name: pa.string() for name in names}),
        )
        for block in blocks:
            yield pa.table([_without_missing(column) for column in block.columns], names=names)
    except pa.ArrowInvalid as error:
        if ragged:
            raise ValueError(
                f"row {ragged[0].number} of {source} has {ragged[0].actual_columns} values, the "
                f"header names {len(names)} columns"
            ) from error
        if "Empty CSV" in str(error):
            return
        if "UTF8" in str(error):
            place = re.search(r"column #(\d+): Row #(\d+)", str(error))
            where = f" (row {place[2]}, column {names[int(place[1])]!r})" if place else ""
            raise ValueError(_not_utf8(source, where)) from error
        if "straddl" in str(error):
            raise ValueError(
                f"{source} has a row of more than {block_size >> 20} MB: is a quotation mark not "
                "closed?"
            ) from error
        raise ValueError(f"{source} cannot be read as CSV: {error}") from error


def _header(file: BinaryIO, source: str) -> tuple[list[str], str]:
    """Names of the columns, and what separates them."""
    line = file.readline(_MAX_HEADER_BYTES)
    while line.count(b'"') % 2 and (more := file.readline(_MAX_HEADER_BYTES)):
        line += more
    if len(line) >= _MAX_HEADER_BYTES:
        raise ValueError(f"the first line of {source} is longer than 64 MB: this is not a table")
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(_not_utf8(source)) from error
    if "\0" in text:
        raise ValueError(_not_utf8(source))
    if not text.strip():
        raise ValueError(f"the first line of {source} is empty: it must name the columns")
    separator = max(_SEPARATORS, key=text.count)
    try:
        names = next(csv.reader([text], delimiter=separator))
    except csv.Error as error:
        raise ValueError(f"the first line of {source} does not name columns: {error}") from error
    return [name.strip() for name in names], separator


def _not_utf8(source: str, where: str = "") -> str:
    return (
        f"{source} is not text in UTF-8 encoding{where}: save it again as “CSV UTF-8”, or "
        "convert it (iconv -f LATIN1 -t UTF-8)"
    )


def _without_missing(column):
    pa = pyarrow()
    trimmed = pa.compute.utf8_trim_whitespace(column)
    missing = pa.compute.is_in(trimmed, value_set=pa.array(MISSING))
    return pa.compute.if_else(missing, pa.scalar(None, pa.string()), trimmed)
