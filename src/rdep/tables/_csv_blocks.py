"""CSV as blocks of text; cells are interpreted later, by the type of their column."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from ._csv_dialect import Dialect, not_utf8
from ._names import check_names, has_index
from ._packages import pyarrow

# pyarrow reads 32 blocks ahead, so this size determines the memory. A row must fit into one.
_BLOCK_BYTES = 2 << 20
_BYTES_PER_CELL = 256


def csv_tables(
    rows: BinaryIO, dialect: Dialect, source: str, progress: Callable[[], float | None]
) -> Iterator[tuple[Any, float | None]]:
    """Tables of text, and the share of the file that has been read up to their ends."""
    pa = pyarrow()
    names = dialect.names
    used = names[1:] if has_index(names) else names
    check_names(used, source)
    block_size = max(_BLOCK_BYTES, _BYTES_PER_CELL * len(names))
    ragged: list[Any] = []

    def refuse(row):
        ragged.append(row)
        return "error"

    noted = _Noted(rows, progress)
    try:
        blocks = pa.csv.open_csv(
            noted,
            # With one thread, errors have row numbers, and no other cores are used.
            pa.csv.ReadOptions(column_names=names, use_threads=False, block_size=block_size),
            pa.csv.ParseOptions(
                delimiter=dialect.separator, newlines_in_values=True, invalid_row_handler=refuse
            ),
            pa.csv.ConvertOptions(
                column_types={name: pa.string() for name in names}, include_columns=used
            ),
        )
        for position, block in enumerate(blocks):
            yield pa.Table.from_batches([block]), noted.share(position)
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
            raise ValueError(not_utf8(source, where)) from error
        if "straddl" in str(error):
            raise ValueError(
                f"{source} has a row of more than {block_size >> 20} MB: is a quotation mark not "
                "closed?"
            ) from error
        raise ValueError(f"{source} cannot be read as CSV: {error}") from error


class _Noted(io.RawIOBase):
    """A file that notes after each read how far it has come: pyarrow reads far ahead."""

    def __init__(self, file: BinaryIO, progress: Callable[[], float | None]):
        self._file, self._progress = file, progress
        self._shares: list[float | None] = []

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        content = self._file.read(size)
        if content:
            self._shares.append(self._progress())
        return content

    def share(self, block: int) -> float | None:
        """The share of the file up to the end of one block: each block is one read."""
        return self._shares[min(block, len(self._shares) - 1)]
