"""Rows on disk that are read in blocks, in files that vanish with the process."""

from __future__ import annotations

import errno
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import IO, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._base._passes import Block, Passes, added
from .._utils._typing import Array
from ._memory import rows_per_block
from ._progress import Progress

T = TypeVar("T")


class Rows(Passes, Protocol):
    """Passes over rows whose results can also be collected in order, or stored as rows."""

    progress: Progress

    def collect(self, function: Callable[[Block], T]) -> Iterator[T]:
        """Apply a function to each block, in the order of the rows."""

    def stored(self, change: Callable[[Block], Block]) -> Rows:
        """Rows of changed blocks, kept where they are computed."""


class View:
    """Rows whose blocks a function changes first."""

    def __init__(self, rows: Rows, change: Callable[[Block], Block]) -> None:
        self.rows, self.change = rows, change
        self.n_rows, self.progress = rows.n_rows, rows.progress

    def reduce(self, function: Callable[[Block], T], add: Callable[[T, T], T]) -> T:
        """Apply a function to each block and add the results up."""
        return self.rows.reduce(self._then(function), add)

    def collect(self, function: Callable[[Block], T]) -> Iterator[T]:
        """Apply a function to each block, in the order of the rows."""
        return self.rows.collect(self._then(function))

    def stored(self, change: Callable[[Block], Block]) -> Rows:
        """Rows of changed blocks, kept where they are computed."""
        return self.rows.stored(self._then(change))

    def _then(self, function: Callable[[Block], T]) -> Callable[[Block], T]:
        return partial(_in_turn, self.change, function)


def _in_turn(change: Callable[[Block], Block], function: Callable[[Block], T], block: Block) -> T:
    return function(change(block))


class StoredRows:
    """Rows in files without a name, of which one block is in memory at a time.

    A file without a name takes space only as long as the process lives, however it ends.
    """

    def __init__(self, n_features: int, progress: Progress) -> None:
        self.n_features, self.progress, self.n_rows = n_features, progress, 0
        with _room_on_disk():
            self._features, self._classes = (_nameless_file() for _ in range(2))
        for file in (self._features, self._classes):
            weakref.finalize(self, file.close)

    def append(self, X: Array, y: NDArray) -> None:
        """Write rows behind the others."""
        with _room_on_disk():
            self._features.write(np.ascontiguousarray(X, dtype=np.float64).data)
            self._classes.write(np.ascontiguousarray(y, dtype=np.int16).data)
        self.n_rows += len(y)

    def collect(self, function: Callable[[Block], T]) -> Iterator[T]:
        """Apply a function to each block, in the order of the rows."""
        with self.progress.passing(self.n_rows):
            for block in self._blocks():
                yield function(block)
                self.progress.advance(len(block.y))

    def reduce(self, function: Callable[[Block], T], add: Callable[[T, T], T]) -> T:
        """Apply a function to each block and add the results up."""
        return added(self.collect(function), add)

    def stored(self, change: Callable[[Block], Block]) -> StoredRows:
        """Rows of changed blocks, on disk."""
        blocks = self.collect(change)
        first = next(blocks)
        stored = StoredRows(first.X.shape[1], self.progress)
        for block in chain([first], blocks):
            stored.append(block.X, block.y)
        return stored

    def _blocks(self) -> Iterator[Block]:
        self._features.flush()
        self._classes.flush()
        n_rows, n = rows_per_block(self.n_features), self.n_features
        for start in range(0, self.n_rows, n_rows):
            size = min(n_rows, self.n_rows - start)
            X = _read(self._features, np.float64, start * n, size * n).reshape(size, n)
            yield Block(X, _read(self._classes, np.int16, start, size), np.ones(size), start)


def check_disk(n_rows: int, n_columns: int) -> None:
    """Raise an error before any work if the temporary folder cannot hold so many numbers."""
    folder = tempfile.gettempdir()
    needed, free = n_rows * (8 * n_columns + 4), shutil.disk_usage(folder).free
    if needed > free:
        raise OSError(errno.ENOSPC, _full(folder, f"{needed / 1e9:.1f} GB are needed, "), folder)


def store(
    blocks: Iterable[tuple[Array, NDArray]], n_features: int, progress: Progress
) -> StoredRows:
    """Write blocks of features and codes of classes to disk."""
    rows = StoredRows(n_features, progress)
    for X, y in blocks:
        rows.append(X, y)
        progress.advance(len(y))
    return rows


def _nameless_file() -> IO[bytes]:
    """File that is closed with the rows, not with a block of code."""
    return tempfile.TemporaryFile(prefix="rdep-")


def _read(file, dtype, first: int, count: int) -> NDArray:
    file.seek(first * np.dtype(dtype).itemsize)
    return np.fromfile(file, dtype, count)


@contextmanager
def _room_on_disk() -> Iterator[None]:
    folder = tempfile.gettempdir()
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise OSError(errno.ENOSPC, _full(folder), folder) from error


def _full(folder: str, more: str = "") -> str:
    return f"no room for the rows in the temporary folder: {more}set TMPDIR to a larger one"
