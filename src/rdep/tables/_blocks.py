"""Tables from files or standard input, read in blocks, one of which is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._base._validation import is_frame
from .._utils._imports import pandas, pyarrow
from ..exceptions import warn_caller
from . import _opening
from ._cells import plain_table
from ._csv import csv_tables, read_header
from ._formats import Sheet, arff_tables, arrow_tables, parquet_tables
from ._opening import DAMAGED, STANDARD_INPUT, ReadOptions, opened
from ._schema import NUMBER, Schema, has_index, listed

_AS_IT_IS = ReadOptions()


@dataclass(frozen=True)
class Block:
    """Some rows of a table."""

    table: Any  # a pyarrow.Table of strings, truth values and numbers
    first_row: int  # the table's rows are counted from 1
    share: float | None  # of the file that has been read, where known
    source: str  # for messages
    decimal: str = "."  # the decimal mark of numbers in texts
    told: set[str] = field(default_factory=set, repr=False)  # shared by all blocks of a file

    def warn(self, subject: str, message: str) -> None:
        """Warn once for each subject and file, however many blocks and rows it concerns."""
        if subject not in self.told:
            self.told.add(subject)
            warn_caller(message, UserWarning)


def read_blocks(source: str, options: ReadOptions = _AS_IT_IS) -> Iterator[Block]:
    """The rows of a table in a file of any format that can be read; ``"-"`` is standard input.

    The content says which format it is: CSV, Parquet, Arrow (Feather), ARFF, Excel or
    OpenDocument, compressed or not. Errors name the file and, where there is one, the column and
    the row. There is at least one row.
    """
    name = "standard input" if source == STANDARD_INPUT else source
    row, told = 1, set[str]()
    with opened(source, name, options.encoding) as (file, kind, progress):
        first = Block(None, 1, None, name, options.decimal or ".", told)
        try:
            tables, decimal = _tables(file, kind, progress, first, options)
            for table, share in tables:
                if table.num_rows:
                    plain = plain_table(table, options.na_values)
                    yield Block(plain, row, share, name, decimal, told)
                    row += table.num_rows
        except DAMAGED as error:
            raise ValueError(f"{name} is damaged or cut off ({error})") from error
    if row == 1:
        raise ValueError(f"{name} has a header but no rows of data")


def read_table(source: str, options: ReadOptions = _AS_IT_IS) -> Block:
    """The whole table as one block."""
    pa = pyarrow()
    blocks = list(read_blocks(source, options))
    first = blocks[0]
    try:
        table = pa.concat_tables([block.table for block in blocks], promote_options="permissive")
    except pa.ArrowInvalid as error:
        raise ValueError(
            f"{first.source} has columns whose types differ between blocks: {error}"
        ) from error
    return Block(table, 1, 1.0, first.source, first.decimal, first.told)


def block_of(rows: Any, schema: Schema) -> Block:
    """Rows that a program has, as a block.

    They are a data frame of pandas or polars, a table of Arrow, or an array with the columns of the
    schema in their order. Truth values in columns of numbers are numbers.
    """
    pa = pyarrow()
    name = "the array"
    if isinstance(rows, pa.Table):
        name, table = "the table", rows
    elif is_frame(rows):
        name = "the data frame"
        table = rows.to_arrow() if hasattr(rows, "to_arrow") else _arrow_table(rows, name)
    else:
        rows = np.asarray(rows)
        if rows.ndim != 2 or rows.shape[1] != len(schema.columns):
            raise ValueError(
                f"an array of rows needs one column for each of {listed(schema.names)}, in this "
                f"order; got shape {rows.shape}. Columns of a data frame are found by name"
            )
        frame = pandas().DataFrame(rows, columns=schema.names).infer_objects()
        table = _arrow_table(frame, name)
    of_numbers = set(schema.named(NUMBER))
    for place, column in enumerate(table.schema):
        if column.name in of_numbers and pa.types.is_boolean(column.type):
            table = table.set_column(place, column.name, table.column(place).cast(pa.int8()))
    return Block(plain_table(table), 1, None, name)


def _arrow_table(frame: Any, name: str) -> Any:
    pa = pyarrow()
    try:
        return pa.Table.from_pandas(frame.rename(columns=str), preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(
            f"{name} has a column whose values are of several types ({error}): convert them"
        ) from error


def _tables(file, kind, progress, block: Block, options: ReadOptions):
    """Tables with shares of the file, and the decimal mark of their texts."""
    source, point = block.source, block.decimal
    if kind == _opening.PARQUET:
        return parquet_tables(file, source), point
    if kind == _opening.ARROW:
        return arrow_tables(file, source), point
    if kind == _opening.ARFF:
        return arff_tables(file, source, progress), point
    if kind == _opening.SHEETS:
        sheet = Sheet(file, source, point)
        if sheet.others:
            block.warn(
                "sheets",
                f"{source} has {1 + len(sheet.others)} sheets: {sheet.name!r} is read, and not "
                f"{listed(sheet.others)}",
            )
        _warn_of_index(block, sheet.names)
        return sheet.tables(), point
    dialect, rows = read_header(file, source, options)
    _warn_of_index(block, dialect.names)
    return csv_tables(rows, dialect, source, progress), dialect.decimal


def _warn_of_index(block: Block, names: list[str]) -> None:
    if has_index(names):
        block.warn(
            "index",
            f"the first column of {block.source} has no name and is left out, as it mostly holds "
            "numbers of the rows: if it is more than that, name it in the header",
        )
