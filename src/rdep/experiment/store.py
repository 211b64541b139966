"""The rows of a run on disk: appended and flushed one by one, checked when read again.

Each line is a JSON object with a checksum of its own; the first one says by which protocol the rows
were made. A last line that is not complete (the power went while it was written) is cut off. Any
other damage is refused: what was computed is never overwritten.
"""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

FORMAT = "rdep-rows/1"


class StoreError(ValueError):
    """The results file cannot be used as it is."""


class RowStore:
    """Append-only results of one protocol.

    Parameters
    ----------
    path : Path
        Created, with its folder, when the first row is written.
    identity : dict
        Of the protocol; a file of another one is refused.
    """

    def __init__(self, path: Path, identity: dict) -> None:
        self.path = path
        self.identity = identity
        self.rows: list[dict] = []

    def __enter__(self) -> RowStore:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = self.path.open("a+b")
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error.strerror}") from error
        try:
            self._lock()
            header, self.rows, complete = _read(self.path)
            if header is None:
                self._file.truncate(0)
                self._write({"format": FORMAT, "protocol": self.identity})
            else:
                _check_identity(self.path, header, self.identity)
                self._file.truncate(complete)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_) -> None:
        self._file.close()

    def append(self, row: dict) -> None:
        """Write one row to the disk itself before returning."""
        self._write(row)
        self.rows.append(row)

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise StoreError(
                f"another run is writing to {self.path}: wait for it, or choose another --output"
            ) from error

    def _write(self, content: dict) -> None:
        size = os.fstat(self._file.fileno()).st_size
        try:
            self._file.write(encode(content))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            os.ftruncate(self._file.fileno(), size)
            raise StoreError(
                f"{self.path} cannot be written: {error.strerror}. All earlier rows are safe; make "
                "room and run the same command again"
            ) from error


def read_rows(path: Path) -> tuple[dict, list[dict]]:
    """The protocol's identity and all rows of a results file."""
    if not path.exists():
        raise StoreError(f"{path} does not exist: run `rdep reproduce` first")
    header, rows, _ = _read(path)
    if header is None:
        raise StoreError(f"{path} holds no results yet")
    return header["protocol"], rows


def latest(rows: list[dict]) -> dict[tuple, dict]:
    """The last row of every cell: a retried one replaces the one before."""
    return {cell_of(row): row for row in rows}


def cell_of(row: dict) -> tuple:
    return row["dataset"], row["repeat"], row["fold"], row["classifier"]


def encode(content: dict) -> bytes:
    body = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return f'{{"crc": {zlib.crc32(body.encode())}, "row": {body}}}\n'.encode()


def decode(line: bytes) -> dict:
    """The content of a line, or a ValueError."""
    content = json.loads(line)["row"]
    if encode(content) != line + b"\n":
        raise ValueError("the checksum does not match")
    return content


def _read(path: Path) -> tuple[dict | None, list[dict], int]:
    """Header, rows, and how many bytes of the file are complete."""
    content = path.read_bytes()
    complete = content.rfind(b"\n") + 1
    lines = content[:complete].splitlines()
    contents = []
    for number, line in enumerate(lines, start=1):
        try:
            contents.append(decode(line))
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(
                f"{path}, line {number}, is damaged ({error}). Nothing was changed: restore the "
                "file from a copy, or move it away to begin anew"
            ) from error
    if not contents:
        return None, [], 0
    header, *rows = contents
    if header.get("format") != FORMAT:
        raise StoreError(f"{path} is not a results file of this version ({FORMAT})")
    return header, rows, complete


def _check_identity(path: Path, header: dict, identity: dict) -> None:
    stored = header["protocol"]
    different = sorted(
        key for key in stored.keys() | identity.keys() if stored.get(key) != identity.get(key)
    )
    if different:
        changes = ", ".join(
            f"{key} is {stored.get(key)!r} there and {identity.get(key)!r} here"
            for key in different
        )
        raise StoreError(
            f"{path} holds results of another protocol: {changes}. Choose another --output, or the "
            "same settings"
        )
