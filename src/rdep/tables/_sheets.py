"""Sheets of Excel and OpenDocument workbooks as blocks of text, as CSV has it."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Iterator
from typing import Any, BinaryIO

from ._arrow_blocks import rows_per_block
from ._cells import FALSE, TRUE, number_text
from ._names import check_names, has_index
from ._opening import seekable
from ._packages import calamine, pyarrow

# Uncompressed; a small workbook can unfold to any size.
_MOST_BYTES = 2 << 30


class Sheet:
    """The first sheet of a workbook that is not empty; numbers get the decimal mark of texts."""

    def __init__(self, file: BinaryIO, source: str, decimal: str):
        content = seekable(file)
        _check_size(content, source)
        try:
            workbook = calamine().CalamineWorkbook.from_filelike(content)
            sheets = {name: workbook.get_sheet_by_name(name) for name in workbook.sheet_names}
        except calamine().CalamineError as error:
            raise ValueError(f"{source} is damaged or not a workbook ({error})") from error
        filled = [name for name, sheet in sheets.items() if sheet.height]
        if not filled:
            raise ValueError(f"{source} is empty: a table needs a header and rows")
        self.name, *self.others = filled
        header, *self._rows = sheets[self.name].to_python(skip_empty_area=True)
        self.names = [(_text(cell, ".") or "").strip() for cell in header]
        self._source, self._decimal = source, decimal

    def tables(self) -> Iterator[tuple[Any, float]]:
        """Tables of some thousand rows, and the share of rows up to their ends."""
        pa = pyarrow()
        first = 1 if has_index(self.names) else 0
        check_names(self.names[first:], self._source)
        rows = self._rows
        while rows and not any(cell not in ("", None) for cell in rows[-1]):
            rows.pop()  # below the table there may be cells with a format and no content
        n_rows = rows_per_block(len(self.names))
        for start in range(0, len(rows), n_rows):
            block = rows[start : start + n_rows]
            columns = [
                pa.array([_text(row[k], self._decimal) for row in block], pa.string())
                for k in range(first, len(self.names))
            ]
            table = pa.table(columns, names=self.names[first:])
            yield table, (start + len(block)) / len(rows)


def _text(cell: Any, decimal: str) -> str | None:
    """A cell as CSV would have it."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, bool):
        return TRUE if cell else FALSE
    if isinstance(cell, int | float):
        return (number_text(repr(cell)) or repr(cell)).replace(".", decimal)
    if isinstance(cell, datetime.datetime):
        return str(cell.date() if cell.time() == datetime.time() else cell)
    return str(cell)


def _check_size(content: BinaryIO, source: str) -> None:
    if not zipfile.is_zipfile(content):
        content.seek(0)
        return
    with zipfile.ZipFile(content) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    content.seek(0)
    if size > _MOST_BYTES:
        raise ValueError(
            f"the uncompressed size of {source} exceeds {_MOST_BYTES >> 30} GiB (possible zip "
            "bomb): if that is right, save the table as CSV"
        )
