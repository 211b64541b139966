"""Write rows in blocks, in the format given by the ending of the file name."""

from __future__ import annotations

import gzip
import json as json_format
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from .._utils._files import is_stream, writing_atomically
from .._utils._imports import pandas, pyarrow


def output_format(output: Path | None, json: bool = False) -> str:
    """Find the ending of the file name that gives the format; an error lists the known endings.

    Standard output (None), pipes and devices have no ending; their format is CSV or JSON lines.
    """
    name = "" if output is None else output.name.lower()
    found = next((ending for ending in _WRITERS if name.endswith(ending)), None)
    if found is None:
        if output is not None and not is_stream(output):
            *others, last = _WRITERS
            raise ValueError(
                f"the name of the output gives its format, but {str(output)!r} has no known "
                f"ending: use a name that ends in {', '.join(others)} or {last}"
            )
        return ".jsonl" if json else ".csv"
    if json and not found.startswith(".json"):
        raise ValueError(
            f"json=True is not for a file that ends in {found}: omit it, or use a name that ends "
            f"in .jsonl instead of {str(output)!r}"
        )
    return found


@contextmanager
def writing_rows(output: Path | None, json: bool = False) -> Iterator[Callable[[Any], None]]:
    """Yield a function that writes one ``pyarrow.Table`` after another with the same columns."""
    writer = _WRITERS[output_format(output, json)]
    if output is None:
        with writer(sys.stdout.buffer) as write:
            yield write
        sys.stdout.buffer.flush()
    else:
        with writing_atomically(output) as file, writer(file) as write:
            yield write


@contextmanager
def _csv(file: BinaryIO) -> Iterator[Callable[[Any], None]]:
    header = True

    def write(rows) -> None:
        nonlocal header
        columns = {name: _csv_values(rows, name) for name in rows.column_names}
        text = pandas().DataFrame(columns).to_csv(index=False, header=header, lineterminator="\n")
        file.write(text.encode("utf-8"))
        header = False

    yield write


@contextmanager
def _csv_gz(file: BinaryIO) -> Iterator[Callable[[Any], None]]:
    # Without name and time, so that the same rows make the same file.
    with (
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
        _csv(cast(BinaryIO, packed)) as write,
    ):
        yield write


@contextmanager
def _parquet(file: BinaryIO) -> Iterator[Callable[[Any], None]]:
    parquet = None

    def write(rows) -> None:
        nonlocal parquet
        if parquet is None:
            parquet = pyarrow().parquet.ParquetWriter(file, rows.schema)
        parquet.write_table(rows.cast(parquet.schema))

    try:
        yield write
    finally:  # also on errors; otherwise it would be closed at a later time
        if parquet is not None:
            parquet.close()


@contextmanager
def _json_lines(file: BinaryIO) -> Iterator[Callable[[Any], None]]:
    def write(rows) -> None:
        file.write("".join(f"{line}\n" for line in _json_objects(rows)).encode("utf-8"))

    yield write


@contextmanager
def _json_array(file: BinaryIO) -> Iterator[Callable[[Any], None]]:
    before = "["

    def write(rows) -> None:
        nonlocal before
        file.write(f"{before}\n".encode() + ",\n".join(_json_objects(rows)).encode("utf-8"))
        before = ","

    yield write
    file.write(b"\n]\n")


_WRITERS = {
    ".csv": _csv,
    ".csv.gz": _csv_gz,
    ".parquet": _parquet,
    ".json": _json_array,
    ".jsonl": _json_lines,
}


def _csv_values(rows, name: str):
    """Numbers unchanged, because pandas writes all of their digits; anything else as text."""
    column = rows.column(name)
    if pyarrow().types.is_floating(column.type):
        return column.to_numpy()
    return _texts(column, name).to_pandas()


def _json_objects(rows) -> Iterator[str]:
    values = [_json_values(rows.column(name), name) for name in rows.column_names]
    for cells in zip(*values, strict=True):
        # repr of a float is the shortest text with all of its digits.
        yield json_format.dumps(
            dict(zip(rows.column_names, cells, strict=True)), ensure_ascii=False
        )


def _json_values(column, name: str) -> list[Any]:
    types = pyarrow().types
    if types.is_floating(column.type):  # JSON has no infinite numbers
        return [
            value if value is not None and math.isfinite(value) else None
            for value in column.to_pylist()
        ]
    if types.is_integer(column.type) or types.is_boolean(column.type):
        return column.to_pylist()
    return _texts(column, name).to_pylist()


def _texts(column, name: str):
    pa = pyarrow()
    try:
        texts = column.cast(pa.string())
    except pa.ArrowException as error:
        raise ValueError(
            f"column {name!r} holds values of type {column.type}, which are not written as text: "
            "write a Parquet file (-o NAME.parquet), or do not keep the column"
        ) from error
    if pa.types.is_timestamp(column.type):  # whole seconds without a fraction
        return pa.compute.replace_substring_regex(texts, r"\.0+(Z|[+-]\d{4})?$", r"\1")
    return texts
