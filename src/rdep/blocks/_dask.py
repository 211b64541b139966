"""Rows in the partitions of Dask, where sums are formed by plain tasks and added in a tree.

No task is pinned to a worker and nothing is scattered, so that Dask computes again what a lost
worker had.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from .._base._passes import Block, added
from .._utils._imports import optional
from ._memory import rows_per_block
from ._progress import Progress

T = TypeVar("T")

# Partitions whose results are fetched at a time.
_AT_ONCE = 16


class DaskRows:
    """Rows of which each part is the result of a task, a :class:`Block`."""

    def __init__(self, parts: Sequence[Any], n_rows: int, progress: Progress) -> None:
        self.parts, self.n_rows, self.progress = list(parts), n_rows, progress

    def reduce(self, function: Callable[[Block], T], add: Callable[[T, T], T]) -> T:
        """Apply a function to each block and add the results up, two parts in each task."""
        with self._pass():
            sums = self._tasks(_sum_of_part, (function, add))
            return added(sums, task(add)).compute()

    def collect(self, function: Callable[[Block], T]) -> Iterator[T]:
        """Apply a function to each block, in the order of the rows."""
        with self._pass():
            tasks = self._tasks(_values_of_part, function)
            for first in range(0, len(tasks), _AT_ONCE):
                for values in dask().compute(*tasks[first : first + _AT_ONCE]):
                    yield from values

    def stored(self, change: Callable[[Block], Block]) -> DaskRows:
        """Rows of changed blocks, kept by the workers."""
        with self._pass():
            parts = dask().persist(*self._tasks(_changed_part, change))
            if are_futures(parts):
                optional("distributed", "a Dask cluster", "dask").wait(parts)
        return DaskRows(parts, self.n_rows, self.progress)

    def _tasks(self, function: Callable[..., Any], shared: Any) -> list[Any]:
        """Tasks of a function of something shared and of each part."""
        shared = dask().delayed(shared, pure=False, traverse=False)
        return [task(function)(shared, part) for part in self.parts]

    @contextmanager
    def _pass(self) -> Iterator[None]:
        with self.progress.passing(self.n_rows), _without_remarks():
            yield
            self.progress.advance(self.n_rows)


def dask() -> Any:
    """Import Dask, or raise an error that says how to install it."""
    return optional("dask", "training on Dask", "dask")


def task(function: Callable[..., T]) -> Callable[..., Any]:
    """Make a function one whose calls are tasks."""
    return dask().delayed(function, pure=False, traverse=False)


def pieces(block: Block) -> Iterator[Block]:
    """Cut a part into blocks, so that what is computed from them needs little memory."""
    n_rows = rows_per_block(block.X.shape[1])
    for first in range(0, len(block.y), n_rows):
        cut = slice(first, first + n_rows)
        yield Block(block.X[cut], block.y[cut], block.weight[cut], block.start + first)


def _sum_of_part(shared: tuple[Callable, Callable], block: Block) -> Any:
    function, add = shared
    return added(map(function, pieces(block)), add)


def _values_of_part(function: Callable[[Block], T], block: Block) -> list[T]:
    return [function(piece) for piece in pieces(block)]


def _changed_part(change: Callable[[Block], Block], block: Block) -> Block:
    X, y, weight, _ = zip(*_values_of_part(change, block), strict=True)
    return Block(np.concatenate(X), np.concatenate(y), np.concatenate(weight), block.start)


def are_futures(parts: Sequence[Any]) -> bool:
    """Whether persisted parts are computed by a cluster, in the background."""
    values = (value for part in parts for value in dict(part.dask).values())
    return any(type(value).__module__.startswith("distributed") for value in values)


@contextmanager
def _without_remarks() -> Iterator[None]:
    """Members with many trees are a large graph, which is sent once and can be computed again."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
        yield
