"""Safe output: write files atomically, and write to pipes and devices directly."""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

_STANDARD_INPUT = "-"
# Names of the open descriptors of this process; a shell's >(command) is one of them.
_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
_MAX_LINKS = 40


def check_output(path: Path | None, inputs: Iterable[str | os.PathLike] = ()) -> None:
    """Raise an ``OSError`` or a ``ValueError`` if the output cannot, or should not, be written.

    None is standard output. ``inputs`` are files that must not be overwritten; ``"-"`` is standard
    input. Call it before any work begins; :func:`writing_atomically` checks the output again.
    """
    target = _STREAMS["/dev/stdout"] if path is None else _target(path)
    for source in inputs:
        if _same_file(target, source):
            raise ValueError(
                f"the output {'-' if path is None else path} is the same file as the input "
                f"{source}, which would be lost: choose another name for the output"
            )
    if isinstance(target, int):
        return
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name a file in it")
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"{path} cannot be written: there is no folder {target.parent}; create it first"
        )
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(f"{path} is write-protected: choose another name, or change its mode")
    if _is_replaced(target) and not os.access(target.parent, os.W_OK | os.X_OK):
        raise PermissionError(
            f"{path} cannot be written: no permission to create files in the folder {target.parent}"
        )


@contextmanager
def writing_atomically(path: Path) -> Iterator[BinaryIO]:
    """Open a file that gets its name only if the block ends without an error.

    If the path is a link, the link stays, and the file that it points to is replaced. The new file
    has the permissions of the file that it replaces. Pipes, devices and open descriptors
    (``/dev/stdout``) cannot be replaced: they are written to directly.
    """
    check_output(path)
    target = _target(path)
    if isinstance(target, int) or not _is_replaced(target):
        with open(os.dup(target) if isinstance(target, int) else target, "wb") as file:
            yield file
        return
    # A name in the same folder, because only there it can be replaced in one step.
    descriptor, name = tempfile.mkstemp(".tmp", f".{target.name[:40]}.", target.parent)
    partial = Path(name)
    try:
        with open(descriptor, "wb") as file:
            _take_permissions(partial, target)
            yield file
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that no reader sees it incomplete."""
    with writing_atomically(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def as_private_as(*sources: str | os.PathLike) -> Iterator[None]:
    """Create new files that only users who can read all sources can read."""
    denied = 0
    for source in sources:
        status = _status(source)
        if status is not None and stat.S_ISREG(status.st_mode):
            denied |= 0 if status.st_mode & stat.S_IRGRP else stat.S_IRWXG
            denied |= 0 if status.st_mode & stat.S_IROTH else stat.S_IRWXO
    usual = os.umask(0o077)
    os.umask(usual | denied)
    try:
        yield
    finally:
        os.umask(usual)


def is_stream(path: Path) -> bool:
    """Whether the path leads to a pipe, a device or an open descriptor instead of a file."""
    target = _target(path)
    return isinstance(target, int) or not _is_replaced(target)


def _target(path: Path) -> Path | int:
    """Target of a path: an open descriptor, or the path at the end of its links."""
    target = path.absolute()
    for _ in range(_MAX_LINKS):
        if str(target) in _STREAMS:
            return _STREAMS[str(target)]
        if found := _DESCRIPTOR.fullmatch(str(target)):
            return int(found[1])
        if not target.is_symlink():
            return target
        target = target.parent / os.readlink(target)
    raise OSError(errno.ELOOP, "too many links in a row", str(path))


def _is_replaced(target: Path) -> bool:
    """Whether the target is a regular file, or does not exist yet."""
    return not target.exists() or target.is_file()


def _take_permissions(partial: Path, target: Path) -> None:
    """Set the permissions of the replaced file; for a new file, those of the user's umask."""
    earlier = _status(target)
    if earlier is None:
        umask = os.umask(0o077)
        os.umask(umask)
        partial.chmod(0o666 & ~umask)
        return
    with suppress(PermissionError, AttributeError):  # only root may give files to others
        os.chown(partial, earlier.st_uid, earlier.st_gid)
    partial.chmod(stat.S_IMODE(earlier.st_mode))


def _same_file(target: Path | int, source: str | os.PathLike) -> bool:
    """Whether both paths lead to the same regular file."""
    output, read = _status(target), _status(source)
    return (
        output is not None
        and read is not None
        and stat.S_ISREG(output.st_mode)
        and os.path.samestat(output, read)
    )


def _status(place: str | os.PathLike | int) -> os.stat_result | None:
    try:
        return os.stat(0 if place == _STANDARD_INPUT else place)
    except OSError:
        return None
