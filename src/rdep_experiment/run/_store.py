"""Rows of a run on disk: appended and flushed one by one, and checked when they are read.

Each line is a JSON object with its own checksum; the first one states the protocol of the rows. An
incomplete last line (an interrupted write) is removed. Any other damage is refused, or repaired on
request: undamaged rows are kept, the others are left out, and a copy of the damaged file is kept.

Rows can be packed: ``rows.jsonl.xz`` is read in the same way as ``rows.jsonl``. A run that adds
rows unpacks them first, under its lock, and removes the packed file when the plain one is complete.
If both files exist, because one of these steps was interrupted, one must begin with the other: the
longer one counts.
"""

from __future__ import annotations

import json
import lzma
import os
import zlib
from io import FileIO
from pathlib import Path
from typing import IO

from rdep._utils._files import write_atomically, writing_atomically

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

FORMAT = "rdep-rows/1"
_MOST_UNPACKED = 1 << 30  # bytes; a small packed file can expand to any size
_PRESET = 6 | lzma.PRESET_EXTREME
OK, FAILED = "ok", "failed"  # status of a row
HOW_TO_GO_ON = (
    "choose another --output, or start again with --fresh, which keeps the earlier rows in "
    "another file"
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
            # Unbuffered, because closing would write again the bytes that a full disk refused.
            self._file: FileIO = self.path.open("a+b", buffering=0)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error.strerror}") from error
        try:
            _lock(self._file, self.path)
            content = _content(self.path)
            header, self.rows, complete, damaged = _parse(self.path, content, repair=self.repair)
            if header is not None:
                _check_identity(self.path, header, self.identity)
            self._unpack(content)
            if header is None:
                self._file.truncate(0)
                self._write(encode({"format": FORMAT, "protocol": self.identity}))
            elif damaged:
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
        """Write one row and flush it to the disk."""
        self._write(encode(row))
        self.rows.append(row)

    def _unpack(self, content: bytes) -> None:
        """Complete the plain file, then remove the packed one."""
        self._write(content[os.fstat(self._file.fileno()).st_size :])
        _packed(self.path).unlink(missing_ok=True)

    def _leave_out_damage(self, header: dict) -> None:
        """Rewrite the file in place, under its lock, after writing a copy to the disk."""
        write_atomically(_unused_name(self.path, "damaged"), self.path.read_bytes())
        self._file.truncate(0)
        self._write_through(b"".join(map(encode, [header, *self.rows])))

    def _write(self, data: bytes) -> None:
        size = os.fstat(self._file.fileno()).st_size
        try:
            self._write_through(data)
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
    """Read the protocol's identity and all rows of a results file, packed or not."""
    if not path.exists() and not _packed(path).exists():
        raise StoreError(f"{path} does not exist: run `rdep reproduce` first")
    header, rows, _, _ = _parse(path, _content(path))
    if header is None:
        raise StoreError(f"{path} holds no results yet")
    return header["protocol"], rows


def latest(rows: list[dict]) -> dict[tuple, dict]:
    """Last row of every cell: a repeated computation replaces the earlier row."""
    return {cell_of(row): row for row in rows}


def cell_of(row: dict) -> tuple:
    return row["dataset"], row["repeat"], row["fold"], row["classifier"]


def encode(content: dict) -> bytes:
    body = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return f'{{"crc": {zlib.crc32(body.encode())}, "row": {body}}}\n'.encode()


def decode(line: bytes) -> dict:
    """Decode a line, or raise a ``ValueError``."""
    content = json.loads(line)["row"]
    if not isinstance(content, dict):
        raise ValueError("it is not a row")
    if encode(content) != line + b"\n":
        raise ValueError("the checksum does not match")
    return content


def pack(path: Path) -> Path:
    """Replace a results file by a compressed one and return its path.

    The same rows result in the same bytes. The folder can be read and continued as before.
    """
    packed = _packed(path)
    if not path.exists() and packed.exists():
        return packed
    with path.open("r+b") as file:
        _lock(file, path)
        content = _content(path)
        header, _, complete, _ = _parse(path, content)
        if header is None:
            raise StoreError(f"{path} holds no results yet")
        with writing_atomically(packed) as target:
            target.write(lzma.compress(content[:complete], preset=_PRESET))
            target.flush()
            os.fsync(target.fileno())
        path.unlink()
    return packed


def _packed(path: Path) -> Path:
    return path.with_name(f"{path.name}.xz")


def _content(path: Path) -> bytes:
    """Lines of a results file, plain or packed: the longer one if both exist."""
    # Packed first, because a run that unpacks removes the packed file after the plain one is done.
    packed = _decompressed(_packed(path))
    plain = path.read_bytes() if path.exists() else b""
    if not plain.startswith(packed) and not packed.startswith(plain):
        raise StoreError(
            f"{path} and {_packed(path).name} in the same folder hold different rows, and it is "
            "not known which of them count. Nothing was changed: move one of the two files away"
        )
    return max(plain, packed, key=len)


def _decompressed(packed: Path) -> bytes:
    if not packed.exists():
        return b""
    try:
        with lzma.open(packed) as file:
            content = file.read(_MOST_UNPACKED + 1)
    except (EOFError, OSError, lzma.LZMAError) as error:
        raise StoreError(
            f"{packed} is damaged ({error}). Nothing was changed: restore the file from a copy"
        ) from error
    if len(content) > _MOST_UNPACKED:
        raise StoreError(
            f"{packed} expands to more than {_MOST_UNPACKED >> 20} MB (it may be a decompression "
            "bomb): if that is right, unpack it with unxz"
        )
    return content


def _parse(
    path: Path, raw: bytes, repair: bool = False
) -> tuple[dict | None, list[dict], int, bool]:
    """Header, rows, number of complete bytes, and whether rows were left out."""
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
            # Without the first line, the protocol of the rows is unknown.
            if repair and number > 1:
                continue
            raise StoreError(
                f"{path}, line {number}, is damaged ({error}). Nothing was changed: "
                + (
                    "restore the file from a copy, or move it away to start again"
                    if number == 1
                    else "restore the file from a copy, or run the same command with --repair to "
                    "compute damaged rows again"
                )
            ) from error
    if not contents:
        return None, [], 0, False
    header, *rows = contents
    if header.get("format") != FORMAT or not isinstance(header.get("protocol"), dict):
        raise StoreError(f"{path} is not a results file of this version ({FORMAT})")
    return header, rows, complete, len(contents) < len(lines)


def set_aside(path: Path) -> Path | None:
    """Rename a results file, so that a new one can start; return its new name, or None."""
    packed = _packed(path)
    if not path.exists():
        return packed.rename(_unused_name(packed, "earlier")) if packed.exists() else None
    with path.open("r+b") as file:
        _lock(file, path)
        if packed.exists():
            packed.rename(_unused_name(packed, "earlier"))
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
        if not os.path.samestat(os.fstat(file.fileno()), path.stat()):
            raise OSError("the file was replaced after it was opened")
    except OSError as error:
        raise StoreError(
            f"another run is writing to {path}: wait for it, or choose another --output"
        ) from error


def _check_identity(path: Path, header: dict, identity: dict) -> None:
    changes = differences(header["protocol"], identity)
    if changes:
        raise StoreError(
            f"{path} holds results of another comparison: {changes}. To continue, {HOW_TO_GO_ON}"
        )


def differences(there: dict, here: dict) -> str:
    """Differences between two records as a text for a message; empty if there are none."""
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
