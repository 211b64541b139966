"""Parquet and Arrow (Feather) files as blocks of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from ._names import check_names
from ._opening import seekable
from ._packages import pyarrow

_PANDAS_INDEX = "__index_level_"
_ROWS = 10_000
# Numbers in one block of a wide table: 32 MB of them.
_VALUES = 4_000_000


def parquet_tables(file: BinaryIO, source: str) -> Iterator[tuple[Any, float]]:
    """Tables of some thousand rows, and the share of rows up to their ends."""
    pa = pyarrow()
    try:
        parquet = pa.parquet.ParquetFile(seekable(file))  # its metadata are at the end
        names = _names(parquet.schema_arrow, source)
        total, done = max(1, parquet.metadata.num_rows), 0
        for batch in parquet.iter_batches(batch_size=rows_per_block(len(names)), columns=names):
            done += batch.num_rows
            yield pa.Table.from_batches([batch]), done / total
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{source} is damaged or not a Parquet file ({error})") from error


def arrow_tables(file: BinaryIO, source: str) -> Iterator[tuple[Any, float]]:
    """As :func:`parquet_tables`; the file's own batches are cut into smaller ones."""
    pa = pyarrow()
    try:
        arrow = pa.ipc.open_file(seekable(file))
        names = _names(arrow.schema, source)
        for position in range(arrow.num_record_batches):
            whole = pa.Table.from_batches([arrow.get_batch(position)]).select(names)
            n_rows = rows_per_block(len(names))
            for start in range(0, len(whole), n_rows):
                table = whole.slice(start, n_rows)
                inside = (start + len(table)) / len(whole)
                yield table, (position + inside) / arrow.num_record_batches
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{source} is damaged or not an Arrow file ({error})") from error


def _names(schema: Any, source: str) -> list[str]:
    """All columns but the index that pandas writes, which is no column of the table."""
    names = [name for name in schema.names if not name.startswith(_PANDAS_INDEX)]
    check_names(names, source)
    return names


def rows_per_block(n_columns: int) -> int:
    """Some thousand rows; fewer of a wide table."""
    return max(1, min(_ROWS, _VALUES // max(1, n_columns)))
