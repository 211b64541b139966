"""Open files: recognise the format from the first bytes, decompress, and decode text to UTF-8."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from .._utils._imports import pyarrow

STANDARD_INPUT = "-"
PARQUET, ARROW, ARFF, SHEETS, CSV = "Parquet", "Arrow", "ARFF", "sheets", "CSV"
JSON_LINES = "JSON lines"
TYPED = (PARQUET, ARROW, ARFF)  # a column has one type in the whole file
FORMATS = "CSV, Parquet, Arrow (Feather), ARFF, JSON lines, Excel or OpenDocument"
# Errors of damaged compressed files; OSError is raised by bz2 and pyarrow.
DAMAGED = (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)

# Signatures that consist of letters are long enough that no header of a CSV file begins like that.
_COMPRESSED: dict[bytes, Callable[[BinaryIO], object]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file, mode="rb"),
    **{b"BZh%d1AY&SY" % level: bz2.BZ2File for level in range(1, 10)},
    b"\xfd7zXZ\0": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": lambda file: pyarrow().CompressedInputStream(file, "zstd"),
    b"\x04\x22\x4d\x18": lambda file: pyarrow().CompressedInputStream(file, "lz4"),
}
_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MOST_LAYERS = 3  # a file in an archive in an archive; more are an attack on the reader
_EXPORT = "export the table from there as CSV or Parquet"
_JSON = "write JSON lines instead, one object for each row, or CSV or Parquet"
# Formats that cannot be read, with a remedy.
_FOREIGN = (
    *((b"\x80%c" % n, "a Python pickle (it could run any code)", _EXPORT) for n in range(2, 6)),
    (b"FEA1\0", "a Feather file of the first version", "write it again as version 2"),
    (b"\xff\xff\xff\xff", "an Arrow stream", "write it as an Arrow file (Feather) or as Parquet"),
    (b"\x93NUMPY", "a NumPy array", "write it as CSV or Parquet, with names of its columns"),
    (b"\x89HDF", "an HDF5 file", _EXPORT),
    (b"SQLite format 3", "an SQLite database", _EXPORT),
    (b"Obj\x01", "an Avro file", "convert it to Parquet"),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it"),
    (b"Rar!\x1a", "a RAR archive", "unpack it"),
    (b"%PDF-", "a PDF document", _EXPORT),
    (b"<", "HTML or XML", _EXPORT),
    *((start, "one JSON document", _JSON) for start in (b"[{", b"[\n", b"[\r", b"{\n", b"{\r")),
)
# First bytes of an object in JSON lines.
_OBJECTS = (b'{"', b'{ "', b"{}")
# UTF-32 comes before UTF-16, because its mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_NAMED_SEPARATORS = {"tab": "\t", "\\t": "\t", "space": " "}


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading a table, if they cannot be inferred from the file.

    The options describe one file, not a model: a model that was fitted on a file with decimal
    commas also predicts a Parquet file. The first three are for text. The last two raise an error
    for files that have no sheets, or no lines above a header.

    Parameters
    ----------
    sep : str or None, default=None
        Separator of the cells of a line: one character, ``"tab"`` or ``"space"``. None chooses
        among comma, semicolon, tab and bar.
    decimal : {".", ","} or None, default=None
        Decimal mark of numbers. None means a comma if cells are not separated by commas and the
        first rows leave no doubt, otherwise a point.
    encoding : str or None, default=None
        Name of an encoding that Python knows, such as ``"latin-1"``. None means the encoding of the
        byte order mark, or UTF-8 without a mark.
    na_values : tuple of str, default=()
        Additional texts of missing values, such as ``"n.a."`` or ``"-999"``.
    sheet : str or None, default=None
        Sheet of a workbook: its name, or its number, counted from 1. None means the first sheet
        that is not empty.
    skip_rows : int, default=0
        Number of lines, or rows of a sheet, above the header.

    Examples
    --------
    >>> from rdep.tables import ReadOptions
    >>> ReadOptions(sep="space", decimal=",").separator
    ' '
    """

    sep: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    na_values: tuple[str, ...] = ()
    sheet: str | None = None
    skip_rows: int = 0

    def __post_init__(self) -> None:
        mark = self.separator
        if mark is not None and (len(mark) != 1 or not mark.isascii() or mark in '"\r\n\0'):
            raise ValueError(f"sep={self.sep!r} must be one ASCII character, 'tab' or 'space'")
        if self.decimal not in (None, ".", ","):
            raise ValueError(f"decimal={self.decimal!r} must be '.' or ','")
        if self.skip_rows < 0:
            raise ValueError(f"skip_rows={self.skip_rows} must be a number of lines, 0 or more")
        if self.encoding is not None:
            try:
                "".encode(self.encoding)
                codecs.getincrementaldecoder(self.encoding)
            except (LookupError, UnicodeError, ValueError) as error:
                raise ValueError(
                    f"encoding={self.encoding!r} is not known: try utf-8, utf-16, latin-1 or cp1252"
                ) from error

    @property
    def separator(self) -> str | None:
        """Character that ``sep`` denotes."""
        return None if self.sep is None else _NAMED_SEPARATORS.get(self.sep, self.sep)


@contextmanager
def opened(
    source: str, name: str, encoding: str | None = None, begins_below: bool = False
) -> Iterator[tuple[BinaryIO, str, Callable[[], float | None]]]:
    """Open a file: its content, its format, and a function for the share that has been read.

    Text is in UTF-8. ``name`` is for messages. If the table begins below other lines, the first
    line does not show the format, and text is read as CSV.
    """
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
        file, kind = _unpacked(raw, name)
        if kind == CSV:
            file, kind = _as_text(file, name, encoding, begins_below)
        yield file, kind, lambda: None if size is None else min(raw.tell() / size, 1.0)
    finally:
        if raw is not sys.stdin.buffer:
            raw.close()


def _unpacked(file: BinaryIO, name: str) -> tuple[BinaryIO, str]:
    for _ in range(_MOST_LAYERS):
        start = peek(file, name)
        if not start:
            raise ValueError(f"{name} is empty: a table needs a header and rows")
        if start.startswith(_ZIP):
            member = _zip_member(file, name)
            if member is None:
                return file, SHEETS
            file = member
            continue
        decompress = next(
            (use for magic, use in _COMPRESSED.items() if start.startswith(magic)), None
        )
        if decompress is None:
            return file, _kind(start)
        file = io.BufferedReader(cast(io.RawIOBase, decompress(file)))
    raise ValueError(f"{name} is compressed more than {_MOST_LAYERS - 1} times: unpack it first")


def _kind(start: bytes) -> str:
    if start.startswith(b"PAR1") and not start[4:5].isspace() and start[4:5] < b" ":
        return PARQUET
    if start.startswith(b"ARROW1\0"):
        return ARROW
    return SHEETS if start.startswith(_OLD_EXCEL) else CSV


def _zip_member(file: BinaryIO, name: str) -> BinaryIO | None:
    """Open the only file in a zip archive; None if the archive is a workbook."""
    try:
        archive = zipfile.ZipFile(seekable(file))
        # Not is_dir(), which fails if an entry has no name.
        members = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
        names = [entry.filename for entry in members]
        if any(entry.startswith("xl/") for entry in names) or "content.xml" in names:
            return None
        if "rdep.json" in names:
            raise ValueError(f"{name} is a model file of rdep: a table is needed here")
        # Files that macOS adds to every archive are not files of the user.
        members = [entry for entry in members if not entry.filename.startswith("__MACOSX/")]
        if len(members) != 1:
            raise ValueError(
                f"{name} is a zip archive of {len(members)} files: unpack it, and name one of them"
            )
        return io.BufferedReader(cast(io.RawIOBase, archive.open(members[0])))
    except (*DAMAGED, RuntimeError, NotImplementedError) as error:  # RuntimeError: a password
        raise ValueError(f"{name} is a zip archive that cannot be read ({error})") from error


def _as_text(
    file: BinaryIO, name: str, encoding: str | None, begins_below: bool
) -> tuple[BinaryIO, str]:
    start = peek(file, name)
    if encoding is None:
        encoding = next((code for mark, code in _MARKS if start.startswith(mark)), None)
    if encoding is not None and codecs.lookup(encoding).name not in ("utf-8", "utf-8-sig"):
        file = io.BufferedReader(_Recoded(file, name, encoding))
        start = peek(file, name)
    start = start.removeprefix(codecs.BOM_UTF8)
    begun = start.lstrip(b" \r\n\t")
    for magic, what, remedy in () if begins_below else _FOREIGN:
        if begun.startswith(magic):
            raise ValueError(f"{name} is {what} and cannot be read: {remedy}")
    if b"\0" in start:
        raise ValueError(_with_zeros(start, name))
    if begins_below:
        return file, CSV
    if begun.startswith(_OBJECTS):
        return file, JSON_LINES
    return file, ARFF if begun[:1] in (b"%", b"@") else CSV


def _with_zeros(start: bytes, name: str) -> str:
    if start[1::2].count(0) == len(start) // 2:
        return f"{name} seems to be text in UTF-16: give ReadOptions(encoding='utf-16-le')"
    if start[::2].count(0) == (len(start) + 1) // 2:
        return f"{name} seems to be text in UTF-16: give ReadOptions(encoding='utf-16-be')"
    return f"{name} is not text but binary data of an unknown kind: a table is {FORMATS}"


class _Recoded(io.RawIOBase):
    """Convert text from another encoding to UTF-8."""

    def __init__(self, file: BinaryIO, name: str, encoding: str):
        self._file, self._name, self._encoding = file, name, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._ready = b""
        self._line = 1

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        while not self._ready:
            raw = self._file.read(1 << 16)
            try:
                text = self._decoder.decode(raw, final=not raw)
            except UnicodeError as error:
                raise ValueError(
                    f"{self._name} is not text in the encoding {self._encoding}, from about line "
                    f"{self._line} on: give another encoding"
                ) from error
            self._ready = text.encode("utf-8", "replace")
            self._line += text.count("\n")
            if not raw:
                break
        part, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def peek(file: BinaryIO, name: str) -> bytes:
    """First bytes of a buffered file, without consuming them."""
    try:
        return cast(io.BufferedReader, file).peek(64)[:64]
    except DAMAGED as error:
        raise ValueError(f"{name} is damaged or cut off ({error})") from error


def seekable(file: BinaryIO) -> BinaryIO:
    """Return the file, or its whole content in memory if it can be read only once."""
    return file if file.seekable() else io.BytesIO(file.read())
