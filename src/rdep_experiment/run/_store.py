"""The rows of a run on disk: appended and flushed one by one, checked when read again.

Each line is a JSON object with its own checksum; the first one states the protocol of the rows. An
incomplete last line (an interrupted write) is removed. Any other damage is refused, or repaired on
request: undamaged rows are kept, the others are left out, and a copy of the damaged file is kept.
"""

from __future__ import annotations

import json
import os
import zlib
from io import FileIO
from pathlib import Path
from typing import IO

from rdep._utils._files import write_atomically

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

FORMAT = "rdep-rows/1"
HOW_TO_GO_ON = (
    "choose another --output, or begin anew with --fresh, which keeps the earlier rows beside"
)


class StoreError(ValueError):
    """The results file cannot be used as it is."""


class RowStore:
    """Append-only results of one protocol.

    Parameters
    ----------
    path : Path
        The file; it is created with its folder if it does not exist.
    identity : dict
        Settings of the protocol; a file with other settings is refused.
    repair : bool, default=False
        Whether to leave out damaged rows instead of refusing the file.
    """

    def __init__(self, path: Path, identity: dict, *, repair: bool = False) -> None:
        self.path = path
        self.identity = identity
        self.repair = repair
        self.rows: list[dict] = []

    def __enter__(self) -> RowStore:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # Without a buffer: what a full disk refused would be written again on closing.
            self._file: FileIO = self.path.open("a+b", buffering=0)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error.strerror}") from error
        try:
            _lock(self._file, self.path)
            header, self.rows, complete, damaged = _read(self.path, repair=self.repair)
            if header is None:
                self._file.truncate(0)
                self._write({"format": FORMAT, "protocol": self.identity})
            else:
                _check_identity(self.path, header, self.identity)
                if damaged:
                    self._leave_out_damage(header)
                else:
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

    def _leave_out_damage(self, header: dict) -> None:
        """Rewrite the file in place, under its lock, when a copy of it is safe on the disk."""
        write_atomically(_unused_name(self.path, "damaged"), self.path.read_bytes())
        self._file.truncate(0)
        self._write_through(b"".join(map(encode, [header, *self.rows])))

    def _write(self, content: dict) -> None:
        size = os.fstat(self._file.fileno()).st_size
        try:
            self._write_through(encode(content))
        except OSError as error:
            os.ftruncate(self._file.fileno(), size)
            raise StoreError(
                f"{self.path} cannot be written: {error.strerror}. All earlier rows are safe; free "
                "some space and run the same command again"
            ) from error

    def _write_through(self, data: bytes) -> None:
        while data:
            data = data[self._file.write(data) :]
        os.fsync(self._file.fileno())


def read_rows(path: Path) -> tuple[dict, list[dict]]:
    """The protocol's identity and all rows of a results file."""
    if not path.exists():
        raise StoreError(f"{path} does not exist: run `rdep reproduce` first")
    header, rows, _, _ = _read(path)
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
    if not isinstance(content, dict):
        raise ValueError("it is not a row")
    if encode(content) != line + b"\n":
        raise ValueError("the checksum does not match")
    return content


def _read(path: Path, repair: bool = False) -> tuple[dict | None, list[dict], int, bool]:
    """Header, rows, how many bytes of the file are complete, and whether rows were left out."""
    raw = path.read_bytes()
    complete = raw.rfind(b"\n") + 1
    lines = raw[:complete].splitlines()
    contents = []
    for number, line in enumerate(lines, start=1):
        try:
            content = decode(line)
            if number > 1:
                cell_of(content)
            contents.append(content)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            # Without the first line the protocol of the rows is unknown.
            if repair and number > 1:
                continue
            raise StoreError(
                f"{path}, line {number}, is damaged ({error}). Nothing was changed: "
                + (
                    "restore the file from a copy, or move it away to start again"
                    if number == 1
                    else "restore the file from a copy, or run the same command with --repair to "
                    "compute such rows again"
                )
            ) from error
    if not contents:
        return None, [], 0, False
    header, *rows = contents
    if header.get("format") != FORMAT or not isinstance(header.get("protocol"), dict):
        raise StoreError(f"{path} is not a results file of this version ({FORMAT})")
    return header, rows, complete, len(contents) < len(lines)


def set_aside(path: Path) -> Path | None:
    """Rename a results file, so that a new one can be begun; its new name, or None without one."""
    if not path.exists():
        return None
    with path.open("r+b") as file:
        _lock(file, path)
        return path.rename(_unused_name(path, "earlier"))


def _unused_name(path: Path, word: str) -> Path:
    number = 1
    while (unused := path.with_name(f"{path.name}.{word}-{number}")).exists():
        number += 1
    return unused


def _lock(file: IO[bytes], path: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise StoreError(
            f"another run is writing to {path}: wait for it, or choose another --output"
        ) from error


def _check_identity(path: Path, header: dict, identity: dict) -> None:
    changes = differences(header["protocol"], identity)
    if changes:
        raise StoreError(
            f"{path} holds results of another comparison: {changes}. To go on, {HOW_TO_GO_ON}"
        )


def differences(there: dict, here: dict) -> str:
    """What differs between two records, in the words of a message; empty if nothing does."""
    return ", ".join(
        f"{key} is {_shown(key, there)} there and {_shown(key, here)} here"
        for key in sorted(there.keys() | here.keys())
        if there.get(key) != here.get(key)
    )


def _shown(key: str, record: dict) -> str:
    value = record.get(key)
    if value is None:
        return "not given"
    return f"{value[:12]}…" if key.endswith("sha256") else repr(value)
