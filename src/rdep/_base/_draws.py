"""Uniform draws of rows that are never in memory together.

A draw is the same for any cut of the rows into blocks: each row has a random number that depends on
its position only, and the rows with the smallest numbers are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._utils._typing import Array, Indices
from ._passes import Block

_MIXING = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_STEP = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Drawn:
    """Rows of one class with the smallest random numbers."""

    X: Array
    weight: Array
    numbers: NDArray[np.uint64]

    def __add__(self, other: Drawn) -> Drawn:
        return Drawn(
            np.concatenate([self.X, other.X]),
            np.concatenate([self.weight, other.weight]),
            np.concatenate([self.numbers, other.numbers]),
        )

    def fewest(self, n_rows: int) -> Drawn:
        """The rows with the smallest numbers, in the order of the numbers."""
        order = np.argsort(self.numbers)[:n_rows]
        return Drawn(self.X[order], self.weight[order], self.numbers[order])


def random_numbers(positions: Indices, seed: int = 0) -> NDArray[np.uint64]:
    """Random numbers of positions (SplitMix64; Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        z = (positions.astype(np.uint64) + np.uint64((seed << 40) + 1)) * _STEP
        z = (z ^ (z >> np.uint64(30))) * _MIXING[0]
        z = (z ^ (z >> np.uint64(27))) * _MIXING[1]
        return z ^ (z >> np.uint64(31))


def drawn(n_rows: int, seed: int, block: Block) -> tuple[Drawn, ...]:
    """Draw from both classes of a block."""
    numbers = random_numbers(block.rows, seed)
    used = block.weight > 0
    negative, positive = ((block.y < 0) & used, (block.y > 0) & used)
    return tuple(
        Drawn(block.X[mask], block.weight[mask], numbers[mask]).fewest(n_rows)
        for mask in (negative, positive)
    )


def add_drawn(n_rows: int, a: tuple[Drawn, ...], b: tuple[Drawn, ...]) -> tuple[Drawn, ...]:
    """Draw from both classes of two parts of the rows."""
    return tuple((x + y).fewest(n_rows) for x, y in zip(a, b, strict=True))
