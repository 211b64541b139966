"""ARFF as blocks of rows, each parsed below the file's header."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, BinaryIO

import numpy as np

from ..datasets import ArffTable, parse_arff
from ._arrow_blocks import rows_per_block
from ._csv_dialect import not_utf8
from ._names import check_names
from ._packages import pyarrow


def arff_tables(
    file: BinaryIO, source: str, progress: Callable[[], float | None]
) -> Iterator[tuple[Any, float | None]]:
    """Tables of some thousand rows, and the share of the file that has been read."""
    pa = pyarrow()
    header: list[str] = []
    lines = _text_lines(file, source)
    for line in lines:
        header.append(line)
        if line.strip().lower() == "@data":
            break
    rows = (line for line in lines if line.strip() and not line.lstrip().startswith("%"))
    first, n_rows = 1, rows_per_block(len(header))
    while block := list(islice(rows, n_rows)):
        where = f"{source}, rows {first} to {first + len(block) - 1},"
        content = parse_arff("".join([*header, *block]), where, free_text=True)
        check_names(content.columns, source)
        table = pa.table({column: _column(content, column) for column in content.columns})
        yield table, progress()
        first += len(block)


def _text_lines(file: BinaryIO, source: str) -> Iterator[str]:
    # A line of old Macs ends in a carriage return, which files take for a part of it.
    lines = (line for lines in file for line in lines.splitlines())
    for number, line in enumerate(lines, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8") + "\n"
        except UnicodeDecodeError as error:
            raise ValueError(not_utf8(source, f" (line {number})")) from error


def _column(content: ArffTable, column: str) -> Any:
    pa = pyarrow()
    if column in content.texts:
        return pa.array(content.texts[column], pa.string())
    values = content.column(column)
    if column not in content.categories:
        return pa.array(values, from_pandas=True)
    names = content.categories[column]
    return pa.array([None if np.isnan(code) else names[int(code)] for code in values], pa.string())
