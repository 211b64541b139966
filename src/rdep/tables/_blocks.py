"""Read tables from files or standard input in blocks, with one block in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._base._validation import is_frame
from .._utils._imports import pandas, pyarrow
from ..exceptions import warn_caller
from . import _opening
from ._cells import plain_table, text_column
from ._csv import csv_tables, read_header
from ._formats import Sheet, arff_tables, arrow_tables, json_tables, parquet_tables
from ._opening import DAMAGED, STANDARD_INPUT, ReadOptions, opened
from ._schema import NUMBER, Schema, has_index, listed

_AS_IT_IS = ReadOptions()


@dataclass(frozen=True)
class Block:
    """Some rows of a table."""

    table: Any  # a pyarrow.Table of strings, truth values and numbers
    first_row: int  # number of the first row, counted from 1
    share: float | None  # of the file that has been read, if known
    source: str  # for messages
    decimal: str = "."  # the decimal mark of numbers in texts
    kind: str = _opening.CSV  # the format of the file
    told: set[str] = field(default_factory=set, repr=False)  # shared by all blocks of a file
    rows: Any = field(default=None, repr=False)  # numbers of the rows, if some are left out

    def row(self, position: int) -> int:
        """Number of a row, counted from 1 below the header."""
        return self.first_row + position if self.rows is None else int(self.rows[position])

    def warn(self, subject: str, message: str) -> None:
        """Warn once for each subject and file, not once for each block or row."""
        if subject not in self.told:
            self.told.add(subject)
            warn_caller(message, UserWarning)


def read_blocks(source: str, options: ReadOptions = _AS_IT_IS) -> Iterator[Block]:
    """Read the rows of a table from a file; ``"-"`` is standard input.

    The format is recognised from the content: CSV, Parquet, Arrow (Feather), ARFF, JSON lines,
    Excel or OpenDocument, compressed or not. Errors name the file and, if possible, the column and
    the row. There is at least one row.
    """
    name = "standard input" if source == STANDARD_INPUT else source
    row, told = 1, set[str]()
    with opened(source, name, options.encoding, options.skip_rows > 0) as (file, kind, progress):
        first = Block(None, 1, None, name, options.decimal or ".", kind, told)
        try:
            tables, first = _tables(file, kind, progress, first, options)
            for table, share in tables:
                if table.num_rows:
                    plain = plain_table(table, options.na_values)
                    yield replace(first, table=plain, first_row=row, share=share)
                    row += table.num_rows
        except DAMAGED as error:
            raise ValueError(f"{name} is damaged or cut off ({error})") from error
    if row == 1:
        raise ValueError(f"{first.source} has a header but no rows of data")


def read_table(source: str, options: ReadOptions = _AS_IT_IS) -> Block:
    """Read a whole table as one block."""
    pa = pyarrow()
    blocks = list(read_blocks(source, options))
    first = blocks[0]
    try:
        table = pa.concat_tables(
            _of_one_type([block.table for block in blocks]), promote_options="permissive"
        )
    except pa.ArrowException as error:
        raise ValueError(
            f"{first.source} has columns whose types differ between blocks: {error}"
        ) from error
    return replace(first, table=table, share=1.0)


def _of_one_type(tables: list[Any]) -> list[Any]:
    """Convert columns that are texts in some tables and not in others to texts in all of them."""
    pa = pyarrow()
    for name in dict.fromkeys(name for table in tables for name in table.column_names):
        within = [k for k, table in enumerate(tables) if name in table.column_names]
        found = {
            tables[k].column(name).type
            for k in within
            if tables[k].column(name).null_count < len(tables[k])
        }
        for k in within if len(found) <= 1 or pa.string() in found else ():
            position, column = tables[k].column_names.index(name), tables[k].column(name)
            if column.null_count == len(column):
                column = pa.nulls(len(column), min(found, default=pa.string(), key=str))
            elif len(found) > 1:
                column = text_column(column)
            tables[k] = tables[k].set_column(position, name, column)
    return tables


def block_of(rows: Any, schema: Schema) -> Block:
    """Convert rows in memory to a block.

    Rows are a data frame of pandas or polars, an Arrow table, or an array with the columns of the
    schema in their order. Truth values in columns of numbers become numbers.
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
                f"order; got shape {rows.shape}. A data frame may have its columns in any order"
            )
        frame = pandas().DataFrame(rows, columns=schema.names).infer_objects()
        table = _arrow_table(frame, name)
    of_numbers = set(schema.named(NUMBER))
    for place, column in enumerate(table.schema):
        if column.name in of_numbers and pa.types.is_boolean(column.type):
            table = table.set_column(place, column.name, table.column(place).cast(pa.int8()))
    return Block(plain_table(table), 1, None, name)


def block_of_rows(rows: Any, name: str, first_row: int = 1) -> Block:
    """Convert a data frame, an Arrow table or a record batch to a block with its own columns."""
    pa = pyarrow()
    if isinstance(rows, pa.RecordBatch):
        rows = pa.Table.from_batches([rows])
    if is_frame(rows):
        rows = rows.to_arrow() if hasattr(rows, "to_arrow") else _arrow_table(rows, name)
    if not isinstance(rows, pa.Table):
        raise TypeError(
            f"{name} is of type {type(rows).__name__}: it must be a data frame or an Arrow table"
        )
    return Block(plain_table(rows), first_row, None, name)


def _arrow_table(frame: Any, name: str) -> Any:
    pa = pyarrow()
    try:
        return pa.Table.from_pandas(frame.rename(columns=str), preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(
            f"{name} has a column whose values are of several types ({error}): convert them"
        ) from error


def _tables(file, kind, progress, block: Block, options: ReadOptions):
    """Tables with the share of the file that has been read, and a block with source and decimal."""
    source, point = block.source, block.decimal
    _check_has_use(kind, source, options)
    if kind == _opening.PARQUET:
        return parquet_tables(file, source), block
    if kind == _opening.ARROW:
        return arrow_tables(file, source), block
    if kind == _opening.ARFF:
        return arff_tables(file, source, progress), block
    if kind == _opening.JSON_LINES:
        return json_tables(file, source, point, progress), block
    if kind == _opening.SHEETS:
        sheet = Sheet(file, source, point, options.sheet, options.skip_rows)
        if sheet.others and options.sheet is None:
            block.warn(
                "sheets",
                f"{source} has {1 + len(sheet.others)} sheets: {sheet.name!r} is read, but not "
                f"{listed(sheet.others)} (ReadOptions(sheet={sheet.others[0]!r}) reads another)",
            )
        if sheet.others or options.sheet is not None:
            block = replace(block, source=f"the sheet {sheet.name!r} of {source}")
        if sheet.others and not sheet.n_rows:
            raise ValueError(
                f"{block.source} has a header but no rows of data: to read another sheet, give "
                f"ReadOptions(sheet={sheet.others[0]!r})"
            )
        _warn_of_index(block, sheet.names)
        return sheet.tables(), block
    dialect, rows = read_header(file, source, options)
    _warn_of_index(block, dialect.names)
    return csv_tables(rows, dialect, source, progress), replace(block, decimal=dialect.decimal)


def _check_has_use(kind: str, source: str, options: ReadOptions) -> None:
    """Reject options that do not apply to the format of the file, as they hide a mistake."""
    if options.sheet is not None and kind != _opening.SHEETS:
        raise ValueError(
            f"{source} is {kind} and has no sheets: leave out ReadOptions(sheet={options.sheet!r})"
        )
    if options.skip_rows and kind not in (_opening.SHEETS, _opening.CSV):
        raise ValueError(
            f"{source} is {kind} and has no lines above its header: leave out "
            f"ReadOptions(skip_rows={options.skip_rows})"
        )


def _warn_of_index(block: Block, names: list[str]) -> None:
    if has_index(names):
        block.warn(
            "index",
            f"the first column of {block.source} has no name and is left out, because such columns "
            "usually number the rows: if it is a feature, name it in the header",
        )
