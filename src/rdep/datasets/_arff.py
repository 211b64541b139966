"""Read ARFF files as arrays; nominal values become codes in the order of their declaration."""

from __future__ import annotations

import gzip
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .._utils._sklearn_arff import ArffException, load_arff_text
from .._utils._typing import Array

# The parser does not know dates; they are read as texts.
_DATE_ATTRIBUTE = re.compile(
    r"""^(\s*@attribute\s+('[^']*'|"[^"]*"|[^\s'"]\S*)\s+)date\b.*$""", re.IGNORECASE | re.MULTILINE
)
_DATA = re.compile(r"^\s*@data\b", re.IGNORECASE | re.MULTILINE)
_MOST_UNCOMPRESSED = 128 << 20  # bytes; a small gzip file can expand to any size


@dataclass(frozen=True)
class ArffTable:
    """Table of numbers, with NaN for missing values, and the names of the codes."""

    columns: list[str]
    values: Array  # (n_rows, n_columns)
    categories: dict[str, list[str]]  # of the nominal columns
    # Texts of the columns of free text and dates, which are NaN in ``values``.
    texts: dict[str, list[str | None]] = field(default_factory=dict)

    def column(self, name: str) -> Array:
        return self.values[:, self.columns.index(name)]


def read_arff(path: Path) -> ArffTable:
    """Read a dense ARFF file, gzipped or not; errors name the file and, if known, the line."""
    try:
        raw = _uncompressed(path) if path.suffix == ".gz" else path.read_bytes()
        text = raw.decode("utf-8")
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path} is damaged or truncated ({error}): fetch it again") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a text file in UTF-8: {error}") from error
    return parse_arff(text, str(path))


def _uncompressed(path: Path) -> bytes:
    with gzip.open(path) as file:
        raw = file.read(_MOST_UNCOMPRESSED + 1)
    if len(raw) > _MOST_UNCOMPRESSED:
        raise ValueError(
            f"the uncompressed size of {path} exceeds {_MOST_UNCOMPRESSED >> 20} MiB (possible zip "
            "bomb): if that is right, decompress it and pass the uncompressed file"
        )
    return raw


def parse_arff(text: str, name: str, *, free_text: bool = False) -> ArffTable:
    """Parse the text of an ARFF file; ``name`` is for messages.

    Columns of free text and of dates raise an error, unless ``free_text`` is set.
    """
    try:
        content = load_arff_text(_with_texts_for_dates(re.sub("\r\n?", "\n", text)))
    except (ArffException, ValueError, IndexError, StopIteration) as error:
        raise ValueError(f"{name} cannot be read as ARFF: {_reason(error)}") from error
    columns = [column for column, _ in content["attributes"]]
    textual = [column for column, kind in content["attributes"] if kind == "STRING"]
    if textual and not free_text:
        raise ValueError(f"{name} has columns of free text or dates, {textual}: remove them first")
    if not content["data"]:
        raise ValueError(f"{name} has no rows of data")
    texts = {
        column: [row[position] for row in content["data"]]
        for position, column in enumerate(columns)
        if column in textual
    }
    values = np.array(
        [
            [
                np.nan if value is None or column in texts else value
                for column, value in zip(columns, row, strict=True)
            ]
            for row in content["data"]
        ],
        dtype=float,
    )
    categories = {column: kind for column, kind in content["attributes"] if isinstance(kind, list)}
    return ArffTable(columns, values, categories, texts)


def _with_texts_for_dates(text: str) -> str:
    data = _DATA.search(text)
    end = data.start() if data else len(text)
    return _DATE_ATTRIBUTE.sub(r"\1string", text[:end]) + text[end:]


def _reason(error: Exception) -> str:
    try:
        return str(error)
    except (TypeError, ValueError):  # errors of the parser cannot be printed if the file has a %
        return f"syntax error in line {getattr(error, 'line', '?')}"
