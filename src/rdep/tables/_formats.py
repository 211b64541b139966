"""Read Parquet, Arrow (Feather), ARFF, JSON lines and workbooks as blocks of rows."""

from __future__ import annotations

import datetime
import json
import zipfile
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any, BinaryIO

import numpy as np

from .._utils._imports import optional, pyarrow
from ..datasets import ArffTable, parse_arff
from ._cells import FALSE, TRUE, number_text
from ._csv import not_utf8
from ._opening import seekable
from ._schema import check_names, has_index, listed

# Limits of 64-bit integers, and of integers that are exact as floats.
_INTEGERS_BELOW, _EXACT = 2**63, 2**53
_PANDAS_INDEX = "__index_level_"
_ROWS = 10_000
# Numbers in one block of a wide table: 32 MB.
_VALUES = 4_000_000
# Limit of the uncompressed size; a small workbook can expand to any size.
_MOST_BYTES = 2 << 30


def _rows_per_block(n_columns: int) -> int:
    """Number of rows in a block: some thousand, fewer for a wide table."""
    return max(1, min(_ROWS, _VALUES // max(1, n_columns)))


def parquet_tables(file: BinaryIO, source: str) -> Iterator[tuple[Any, float]]:
    """Tables of some thousand rows, and the share of rows up to their ends."""
    pa = pyarrow()
    try:
        parquet = pa.parquet.ParquetFile(seekable(file))  # the metadata are at the end
        names = _arrow_names(parquet.schema_arrow, source)
        total, done = max(1, parquet.metadata.num_rows), 0
        for batch in parquet.iter_batches(batch_size=_rows_per_block(len(names)), columns=names):
            done += batch.num_rows
            yield _checked(pa.Table.from_batches([batch])), done / total
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{source} is damaged or not a Parquet file ({error})") from error


def arrow_tables(file: BinaryIO, source: str) -> Iterator[tuple[Any, float]]:
    """Read like :func:`parquet_tables`; the batches of the file are split into smaller ones."""
    pa = pyarrow()
    try:
        arrow = pa.ipc.open_file(seekable(file))
        names = _arrow_names(arrow.schema, source)
        for position in range(arrow.num_record_batches):
            whole = _checked(pa.Table.from_batches([arrow.get_batch(position)]).select(names))
            n_rows = _rows_per_block(len(names))
            for start in range(0, len(whole), n_rows):
                table = whole.slice(start, n_rows)
                inside = (start + len(table)) / len(whole)
                yield table, (position + inside) / arrow.num_record_batches
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{source} is damaged or not an Arrow file ({error})") from error


def _checked(table: Any) -> Any:
    """Return the table; raise Arrow's error if texts are not UTF-8 or exceed their buffer."""
    table.validate(full=True)
    return table


def _arrow_names(schema: Any, source: str) -> list[str]:
    """Names of all columns except the index that pandas writes."""
    names = [name for name in schema.names if not name.startswith(_PANDAS_INDEX)]
    check_names(names, source)
    return names


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
    first, n_rows = 1, _rows_per_block(len(header))
    while block := list(islice(rows, n_rows)):
        where = f"{source}, rows {first} to {first + len(block) - 1},"
        content = parse_arff("".join([*header, *block]), where, free_text=True)
        check_names(content.columns, source)
        table = pa.table({column: _arff_column(content, column) for column in content.columns})
        yield table, progress()
        first += len(block)


def _text_lines(file: BinaryIO, source: str) -> Iterator[str]:
    # Lines of old Macs end in a carriage return, which files treat as a part of the line.
    lines = (line for lines in file for line in lines.splitlines())
    for number, line in enumerate(lines, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8") + "\n"
        except UnicodeDecodeError as error:
            raise ValueError(not_utf8(source, f" (line {number})")) from error


def _arff_column(content: ArffTable, column: str) -> Any:
    pa = pyarrow()
    if column in content.texts:
        return pa.array(content.texts[column], pa.string())
    values = content.column(column)
    if column not in content.categories:
        return pa.array(values, from_pandas=True)
    names = content.categories[column]
    return pa.array([None if np.isnan(code) else names[int(code)] for code in values], pa.string())


def json_tables(
    file: BinaryIO, source: str, decimal: str, progress: Callable[[], float | None]
) -> Iterator[tuple[Any, float | None]]:
    """Tables of some thousand rows of JSON lines, and the share of the file that has been read.

    Columns are the keys in the order of their first occurrence. A key that an object lacks is a
    missing value. Columns with values of different types become texts, as in CSV.
    """
    pa = pyarrow()
    objects = _json_objects(file, source)
    first = next(objects, {})
    objects, n_rows = chain([first], objects), _rows_per_block(len(first))
    names: dict[str, None] = {}
    while block := list(islice(objects, n_rows)):
        names.update((name, None) for row in block for name in row)
        check_names(list(names), source)
        try:
            columns = {
                name: _json_column([row.get(name) for row in block], decimal) for name in names
            }
            table = pa.table(columns)
        except UnicodeEncodeError as error:
            raise ValueError(f"{source} has a text that is not valid Unicode ({error})") from error
        yield table, progress()


def _json_objects(file: BinaryIO, source: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_text_lines(file, source), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else error
            raise ValueError(
                f"line {number} of {source} is not JSON ({reason}): JSON lines have one object in "
                "each line"
            ) from error
        if not isinstance(row, dict):
            raise ValueError(
                f"line {number} of {source} is not an object with the names of columns: each line "
                'must be an object such as {"age": 30, "colour": "red"}'
            )
        yield row


def _json_column(cells: list[Any], decimal: str) -> Any:
    """Values of one type, or texts; lists and objects have a type that cannot be used."""
    pa = pyarrow()
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds & {list, dict}:
        texts = [None if cell is None else [json.dumps(cell)] for cell in cells]
        return pa.array(texts, pa.list_(pa.string()))
    if kinds == {bool}:
        return pa.array(cells, pa.bool_())
    largest = max((abs(cell) for cell in cells if type(cell) is int), default=0)
    if kinds == {int} and largest < _INTEGERS_BELOW:
        return pa.array(cells, pa.int64())
    if kinds and kinds <= {int, float} and largest <= _EXACT:
        return pa.array(cells, pa.float64())
    return pa.array([_cell_text(cell, decimal) for cell in cells], pa.string())


class Sheet:
    """One sheet of a workbook; numbers get the decimal mark of texts.

    It is the first sheet that is not empty, or the one whose name or number is ``chosen``.
    """

    def __init__(
        self,
        file: BinaryIO,
        source: str,
        decimal: str,
        chosen: str | None = None,
        skip_rows: int = 0,
    ):
        content = seekable(file)
        _check_workbook_size(content, source)
        calamine = optional("python_calamine", "reading Excel files", "cli")
        try:
            workbook = calamine.CalamineWorkbook.from_filelike(content)
            sheets = {name: workbook.get_sheet_by_name(name) for name in workbook.sheet_names}
        except calamine.CalamineError as error:
            raise ValueError(f"{source} is damaged or not a workbook ({error})") from error
        filled = [name for name, sheet in sheets.items() if sheet.height]
        if not filled:
            raise ValueError(f"{source} is empty: a table needs a header and rows")
        self.name = filled[0] if chosen is None else _chosen_sheet(chosen, list(sheets), source)
        self.others = [name for name in filled if name != self.name]
        sheet = sheets[self.name]
        # Empty rows at the top are already left out, and count as skipped.
        left_out = sheet.start[0] if sheet.start else 0
        rows = sheet.to_python(skip_empty_area=True)[max(0, skip_rows - left_out) :]
        if not rows:
            below = f"below {skip_rows} rows, " if skip_rows else ""
            raise ValueError(
                f"{below}the sheet {self.name!r} of {source} is empty: a table needs a header and "
                "rows"
            )
        header, *self._rows = rows
        while self._rows and not any(cell not in ("", None) for cell in self._rows[-1]):
            self._rows.pop()  # cells below the table may have a format but no content
        self.n_rows = len(self._rows)
        self.names = [(_cell_text(cell, ".") or "").strip() for cell in header]
        self._source, self._decimal = source, decimal

    def tables(self) -> Iterator[tuple[Any, float]]:
        """Tables of some thousand rows, and the share of rows up to their ends."""
        pa = pyarrow()
        first = 1 if has_index(self.names) else 0
        check_names(self.names[first:], self._source)
        rows = self._rows
        n_rows = _rows_per_block(len(self.names))
        for start in range(0, len(rows), n_rows):
            block = rows[start : start + n_rows]
            columns = [
                pa.array([_cell_text(row[k], self._decimal) for row in block], pa.string())
                for k in range(first, len(self.names))
            ]
            table = pa.table(columns, names=self.names[first:])
            yield table, (start + len(block)) / len(rows)


def _chosen_sheet(chosen: str, names: list[str], source: str) -> str:
    if chosen in names:
        return chosen
    if chosen.isdecimal() and 1 <= int(chosen) <= len(names):
        return names[int(chosen) - 1]
    raise ValueError(f"{source} has no sheet {chosen!r}; it has {listed(names)}")


def _cell_text(cell: Any, decimal: str) -> str | None:
    """Text of a cell, as in CSV."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, bool):
        return TRUE if cell else FALSE
    if isinstance(cell, int | float):
        return (number_text(repr(cell)) or repr(cell)).replace(".", decimal)
    if isinstance(cell, datetime.datetime):
        return str(cell.date() if cell.time() == datetime.time() else cell)
    return str(cell)


def _check_workbook_size(content: BinaryIO, source: str) -> None:
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
