"""CSV: infer header, separator and decimal mark from the first rows, then read blocks of text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from .._utils._imports import pyarrow
from ._opening import ReadOptions
from ._schema import check_names, has_index, listed

_SEPARATORS = (",", ";", "\t", "|")
_SAMPLE_BYTES = 1 << 16
_MAX_HEADER_BYTES = 64 << 20
_SAMPLE_ROWS = 100
_COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
# 1,250 may be a number with a comma that groups thousands.
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
# pyarrow reads 32 blocks ahead, so this size determines the memory. A row must fit into one.
_BLOCK_BYTES = 2 << 20
_BYTES_PER_CELL = 256


@dataclass(frozen=True)
class Dialect:
    """Format of a CSV file."""

    names: list[str]
    separator: str
    decimal: str
    # Presumed number of lines above the header, if rows have more cells than the header.
    above: int = 0


def read_header(file: BinaryIO, source: str, options: ReadOptions) -> tuple[Dialect, BinaryIO]:
    """Read the header: the dialect of a file in UTF-8, and the file from the first row on."""
    sample, complete = _sample(file, options, source)
    lines = _lines(sample.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape"))
    lines = lines[options.skip_rows :]
    if not lines and options.skip_rows:
        raise ValueError(f"{source} has no header below {options.skip_rows} lines")
    if not lines or not lines[0].strip():
        raise ValueError(f"the first line of {source} is empty: it must name the columns")
    separator = options.separator or _separator(lines, complete)
    records = _records(lines, separator, complete)
    if not records:
        raise ValueError(f"the first line of {source} does not name columns: is it a table?")
    names, *rows = records
    n_lines = _header_lines(lines, separator)
    header = "".join(lines[:n_lines])
    if any(letter == "\0" or "\udc80" <= letter <= "\udcff" for letter in header):
        raise ValueError(not_utf8(source))
    decimal = options.decimal or _decimal(rows, separator)
    rest = "".join(lines[n_lines:]).encode("utf-8", "surrogateescape")
    return (
        Dialect([name.strip() for name in names], separator, decimal, _above(lines, options)),
        io.BufferedReader(_Rest(rest, file)),
    )


def _above(lines: list[str], options: ReadOptions) -> int:
    """Number of lines above the first line that has as many cells as most lines."""
    separators = _SEPARATORS if options.separator is None else (options.separator,)
    first, most = 0, 0
    for mark in separators:
        counts = [line.count(mark) for line in lines[:_SAMPLE_ROWS] if line.strip()]
        usual = max(set(counts), key=counts.count) if counts else 0
        if usual and counts.count(usual) > most:
            found = next(k for k, line in enumerate(lines) if line.count(mark) == usual)
            first, most = found, counts.count(usual)
    return first + options.skip_rows if first else 0


def not_utf8(source: str, where: str = "") -> str:
    return (
        f"{source} is not text in UTF-8 encoding{where}: name its encoding, often "
        "ReadOptions(encoding='latin-1') or ReadOptions(encoding='cp1252'), or save it again as "
        "“CSV UTF-8”"
    )


def _sample(file: BinaryIO, options: ReadOptions, source: str) -> tuple[bytes, bool]:
    """First rows, and whether these are all; at least the header and a row, if they exist."""
    sample, size = b"", _SAMPLE_BYTES
    while True:
        more = file.read(size - len(sample))
        sample += more
        if len(sample) < size:
            return sample, True
        lines = _lines(sample.decode("utf-8", "replace"))[options.skip_rows :]
        separators = _SEPARATORS if options.separator is None else (options.separator,)
        # One record is a header that may continue; no record is a header that cannot be read.
        if max(len(_records(lines, mark, False)) for mark in separators) != 1:
            return sample, False
        if size >= _MAX_HEADER_BYTES:
            raise ValueError(
                f"the first line of {source} is longer than 64 MB: this is not a table"
            )
        size = min(4 * size, _MAX_HEADER_BYTES)


def _lines(text: str) -> list[str]:
    """Lines with their line ends, which may be those of Unix, Windows or old Macs."""
    return list(io.StringIO(text, newline=""))


def _records(lines: list[str], separator: str, complete: bool) -> list[list[str]]:
    """Header and some complete rows, without blank lines.

    Empty if a name in the header is longer than the parser accepts.
    """
    reader = csv.reader(lines, delimiter=separator)
    records: list[list[str]] = []
    while len(records) <= _SAMPLE_ROWS:
        try:
            record = next(reader)
        except (StopIteration, csv.Error):
            break
        # A record that reaches the end of a part of the file may continue after it.
        if not complete and records and reader.line_num >= len(lines):
            break
        if record or not records:
            records.append(record)
    return records


def _header_lines(lines: list[str], separator: str) -> int:
    reader = csv.reader(lines, delimiter=separator)
    next(reader)
    return reader.line_num


def _separator(lines: list[str], complete: bool) -> str:
    """Separator that gives all rows as many cells as the header; if several do, the most cells."""

    def cells(mark: str) -> tuple[bool, int]:
        records = _records(lines, mark, complete) or [[]]
        n_cells = len(records[0])
        return n_cells > 1 and all(len(row) == n_cells for row in records), n_cells

    return max(_SEPARATORS, key=cells)


def _decimal(rows: list[list[str]], separator: str) -> str:
    """A comma if no column has points and one has commas that cannot group thousands."""
    if separator == ",":
        return "."
    cells = [cell.strip() for row in rows for cell in row]
    with_comma = [cell for cell in cells if _COMMA_NUMBER.fullmatch(cell)]
    with_point = any(_POINT_NUMBER.fullmatch(cell) for cell in cells)
    certain = any(not _GROUPED.fullmatch(cell) for cell in with_comma)
    return "," if certain and not with_point else "."


class _Rest(io.RawIOBase):
    """File that starts with bytes that were already read from it."""

    def __init__(self, start: bytes, file: BinaryIO):
        self._start, self._file = start, file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        if not self._start:
            return self._file.readinto(buffer)  # type: ignore[attr-defined]
        part, self._start = self._start[: len(buffer)], self._start[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def csv_tables(
    rows: BinaryIO, dialect: Dialect, source: str, progress: Callable[[], float | None]
) -> Iterator[tuple[Any, float | None]]:
    """Read tables of text, and the share of the file up to the end of each."""
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
            named = "1 column" if len(names) == 1 else f"{len(names)} columns"
            hint = (
                f". If the header is below other lines, give ReadOptions(skip_rows={dialect.above})"
                if dialect.above
                else ""
            )
            raise ValueError(
                f"row {ragged[0].number} of {source} has {ragged[0].actual_columns} values, the "
                f"header names {named}: {listed(names)}{hint}"
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
    """File that records its progress after each read, because pyarrow reads far ahead."""

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
        """Share of the file up to the end of one block: each block is one read."""
        return self._shares[min(block, len(self._shares) - 1)]
