"""ARFF files as arrays: nominal values become codes in the order of their declaration."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .._utils._sklearn_arff import ArffException, load_arff_text
from .._utils._typing import Array

_MOST_UNCOMPRESSED = 128 << 20  # bytes; a small gzip file can expand to any size


@dataclass(frozen=True)
class ArffTable:
    """A table of numbers, NaN where a value is missing, and the names behind the codes."""

    columns: list[str]
    values: Array  # (n_rows, n_columns)
    categories: dict[str, list[str]]  # of the nominal columns

    def column(self, name: str) -> Array:
        return self.values[:, self.columns.index(name)]


def read_arff(path: Path) -> ArffTable:
    """Read a dense ARFF file, gzipped or not; errors name the file and, where known, the line."""
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


def parse_arff(text: str, name: str) -> ArffTable:
    """Parse the text of an ARFF file; ``name`` is for messages."""
    try:
        content = load_arff_text(text)
    except (ArffException, ValueError, IndexError, StopIteration) as error:
        raise ValueError(f"{name} cannot be read as ARFF: {_reason(error)}") from error
    columns = [column for column, _ in content["attributes"]]
    textual = [column for column, kind in content["attributes"] if kind == "STRING"]
    if textual:
        raise ValueError(f"{name} has columns of free text, {textual}: remove them first")
    if not content["data"]:
        raise ValueError(f"{name} has no rows of data")
    values = np.array(
        [[np.nan if value is None else value for value in row] for row in content["data"]],
        dtype=float,
    )
    categories = {column: kind for column, kind in content["attributes"] if isinstance(kind, list)}
    return ArffTable(columns, values, categories)


def _reason(error: Exception) -> str:
    try:
        return str(error)
    except (TypeError, ValueError):  # the parser's errors cannot be shown where the file has a %
        return f"syntax error in line {getattr(error, 'line', '?')}"
