"""Tables from files or standard input, read in blocks, one of which is in memory at a time."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from ..datasets._arff import parse_arff
from ._csv_blocks import csv_tables
from ._names import check_names
from ._packages import pyarrow

STANDARD_INPUT = "-"
_PANDAS_INDEX = "__index_level_"
_ROWS = 10_000
# Numbers in one block of a wide table: 32 MB of them.
_VALUES = 4_000_000


@dataclass(frozen=True)
class Block:
    """Some rows of a table."""

    table: Any  # a pyarrow.Table
    first_row: int  # the table's rows are counted from 1
    share: float | None  # of the file that has been read, where known
    source: str  # for messages


def read_blocks(source: str) -> Iterator[Block]:
    """The rows of a CSV, Parquet or ARFF file, gzipped or not; ``"-"`` is standard input.

    The content says which of the three it is. Errors name the file and, where there is one, the
    column and the row. There is at least one row.
    """
    name = "standard input" if source == STANDARD_INPUT else source
    with _opened(source, name) as (file, progress):
        start = _peek(file)
        if not start:
            raise ValueError(f"{name} is empty: a table needs a header and rows")
        if start.startswith(b"PAR1"):
            tables = _parquet_tables(file, name)
        elif start.lstrip()[:1] in (b"%", b"@"):
            tables = _arff_tables(file, name)
        else:
            tables = csv_tables(file, name)
        row = 1
        try:
            for table in tables:
                if table.num_rows:
                    yield Block(table, row, progress(), name)
                    row += table.num_rows
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{name} is damaged or cut off ({error})") from error
    if row == 1:
        raise ValueError(f"{name} has a header but no rows of data")


def read_table(source: str) -> Block:
    """The whole table as one block."""
    pa = pyarrow()
    blocks = list(read_blocks(source))
    try:
        table = pa.concat_tables([block.table for block in blocks], promote_options="permissive")
    except pa.ArrowInvalid as error:
        raise ValueError(
            f"{blocks[0].source} has columns whose types differ between blocks: {error}"
        ) from error
    return Block(table, 1, 1.0, blocks[0].source)


@contextmanager
def _opened(source: str, name: str):
    """A buffered file, decompressed if gzipped, and a function for the share that has been read."""
    if source == STANDARD_INPUT:
        raw: BinaryIO = sys.stdin.buffer
        size = None
    else:
        path = Path(source)
        if path.is_dir():
            raise ValueError(f"{name} is a folder: name a file")
        if not path.exists():
            raise FileNotFoundError(f"{name} does not exist")
        raw = path.open("rb")
        size = os.path.getsize(path) or None
    try:
        file = raw
        if _peek(raw)[:2] == b"\x1f\x8b":
            file = io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=raw)))
        yield file, lambda: None if size is None else min(raw.tell() / size, 1.0)
    finally:
        if raw is not sys.stdin.buffer:
            raw.close()


def _peek(file) -> bytes:
    try:
        return file.peek(64)[:64]
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"the gzipped file is damaged or cut off ({error})") from error


def _parquet_tables(file: BinaryIO, name: str) -> Iterator[Any]:
    pa = pyarrow()
    if not file.seekable():
        file = io.BytesIO(file.read())  # its metadata are at the end
    try:
        parquet = pa.parquet.ParquetFile(file)
        # The index that pandas writes is no column of the table.
        names = [name for name in parquet.schema_arrow.names if not name.startswith(_PANDAS_INDEX)]
        check_names(names, name)
        n_rows = max(1, min(_ROWS, _VALUES // max(1, len(names))))
        for batch in parquet.iter_batches(batch_size=n_rows, columns=names):
            yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{name} is damaged or not a Parquet file ({error})") from error


def _arff_tables(file: BinaryIO, name: str) -> Iterator[Any]:
    """Each block of lines is parsed below the file's header."""
    pa = pyarrow()
    header: list[str] = []
    lines = _text_lines(file, name)
    for line in lines:
        header.append(line)
        if line.strip().lower() == "@data":
            break
    rows = (line for line in lines if line.strip() and not line.lstrip().startswith("%"))
    first = 1
    while block := list(islice(rows, _ROWS)):
        where = f"{name}, rows {first} to {first + len(block) - 1},"
        content = parse_arff("".join([*header, *block]), where)
        check_names(content.columns, name)
        yield pa.table({column: _arff_column(content, column) for column in content.columns})
        first += len(block)


def _text_lines(file: BinaryIO, name: str) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"{name} is not text in UTF-8 encoding (line {number})") from error


def _arff_column(content, column: str):
    pa = pyarrow()
    values = content.column(column)
    if column not in content.categories:
        return pa.array(values, from_pandas=True)
    names = content.categories[column]
    return pa.array([None if code != code else names[int(code)] for code in values], pa.string())
