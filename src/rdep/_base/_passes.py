"""Passes over rows that are never in memory together: sums over blocks, added in a fixed tree.

Everything that trains by passes uses :class:`Passes` only. A loop over files, a memory-mapped
array and a cluster provide it alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._utils._typing import Array, Indices

T = TypeVar("T")


class Block(NamedTuple):
    """Consecutive rows. Their positions among all rows begin with ``start``."""

    X: Array  # (m, n)
    y: NDArray  # (m,); −1 and +1 for functions that train on two classes
    weight: Array  # (m,)
    start: int = 0

    @property
    def rows(self) -> Indices:
        """Positions of the rows among all rows."""
        if self.start < 0:
            raise ValueError("the positions of selected rows are not known: pass over all rows")
        return np.arange(self.start, self.start + len(self.y))

    def take(self, chosen: NDArray) -> Block:
        """Some rows; their positions are no longer known."""
        return Block(self.X[chosen], self.y[chosen], self.weight[chosen], -1)


class Passes(Protocol):
    """Rows in blocks, over which sums are formed."""

    @property
    def n_rows(self) -> int:
        """Number of all rows."""

    def reduce(self, partial: Callable[[Block], T], add: Callable[[T, T], T]) -> T:
        """Apply ``partial`` to each block and add the results up by ``add``.

        ``partial`` and ``add`` can be pickled and change nothing. ``add`` is associative up to
        rounding. Results are added in the tree of :func:`added`, so that they repeat.
        """


def added(values: Iterable[T], add: Callable[[T, T], T]) -> T:
    """Add values up in a balanced tree of neighbours, of which few are in memory at a time.

    The tree is that of repeatedly adding neighbours, 0 and 1, 2 and 3, and so on.
    """
    stack: list[tuple[int, T]] = []  # sums of 2^k values each, k falling
    for value in values:
        level = 0
        while stack and stack[-1][0] == level:
            value, level = add(stack.pop()[1], value), level + 1
        stack.append((level, value))
    if not stack:
        raise ValueError("there are no rows: give at least one block")
    _, total = stack.pop()
    while stack:
        total = add(stack.pop()[1], total)
    return total


@dataclass(frozen=True, eq=False)
class ListOfBlocks:
    """Blocks that are in memory: for tests, and for data that fit."""

    blocks: Sequence[Block]

    @classmethod
    def of_arrays(
        cls, X: Array, y: NDArray, weight: Array | None = None, n_rows: int = 1 << 16
    ) -> ListOfBlocks:
        """Cut arrays into blocks of ``n_rows`` rows."""
        weight = np.ones(len(y)) if weight is None else weight
        starts = range(0, len(y), n_rows)
        cuts = ((slice(start, start + n_rows), start) for start in starts)
        return cls([Block(X[cut], y[cut], weight[cut], start) for cut, start in cuts])

    @property
    def n_rows(self) -> int:
        return sum(len(block.y) for block in self.blocks)

    def reduce(self, partial: Callable[[Block], T], add: Callable[[T, T], T]) -> T:
        return added(map(partial, self.blocks), add)


@dataclass(frozen=True, eq=False)
class Changed:
    """Passes over blocks that a function changes first: scales, weights, or selects rows."""

    passes: Passes
    change: Callable[[Block], Block]

    @property
    def n_rows(self) -> int:
        return self.passes.n_rows

    def reduce(self, partial: Callable[[Block], T], add: Callable[[T, T], T]) -> T:
        return self.passes.reduce(after(self.change, partial), add)


def after(change: Callable[[Block], Block], then: Callable[[Block], T]) -> Callable[[Block], T]:
    """Function of a block that is changed first."""
    return partial(_in_turn, change, then)


def _in_turn(change: Callable[[Block], Block], then: Callable[[Block], T], block: Block) -> T:
    return then(change(block))


def weighted_by_class(passes: Passes, factors: tuple[float, ...]) -> Changed:
    """Multiply the weights of the negatives, and of the positives, by a factor."""
    return Changed(passes, partial(_by_class, factors))


def _by_class(factors: tuple[float, ...], block: Block) -> Block:
    return block._replace(weight=block.weight * np.where(block.y < 0, *factors))


def each(functions: tuple[Callable[[Block], Any], ...], block: Block) -> tuple[Any, ...]:
    """Apply several functions to a block, for one pass instead of several."""
    return tuple(function(block) for function in functions)


def add_each(adds: tuple[Callable[[Any, Any], Any], ...], a: tuple, b: tuple) -> tuple[Any, ...]:
    """Add the results of :func:`each`."""
    return tuple(add(x, y) for add, x, y in zip(adds, a, b, strict=True))


def reduce_each(passes: Passes, *pairs: tuple[Callable[[Block], Any], Callable[[Any, Any], Any]]):
    """Reduce by several pairs of ``partial`` and ``add`` in one pass."""
    functions, adds = zip(*pairs, strict=True)
    return passes.reduce(partial(each, functions), partial(add_each, adds))


def rows_at(passes: Passes, positions: Indices) -> tuple[Array, NDArray, Array]:
    """X, y and weights of the rows at some positions, in the order of all rows; one pass."""
    wanted = np.unique(positions)
    return passes.reduce(partial(_found, wanted), _stacked)


def _found(wanted: Indices, block: Block) -> tuple[Array, NDArray, Array]:
    found = block.take(np.isin(block.rows, wanted, assume_unique=True))
    return found.X, found.y, found.weight


def _stacked(a: tuple[NDArray, ...], b: tuple[NDArray, ...]) -> Any:
    return tuple(np.concatenate(pair) for pair in zip(a, b, strict=True))
