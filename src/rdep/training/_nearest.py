"""Rows nearest to a point, gathered block by block; the others are in sums.

A rule says what happens to a row that is farther away than a width: what it adds to the sums holds
for each smaller width as well. So the width can shrink at any time, and at the end it is that of
the allowed number of nearest rows among all, in whatever order blocks are added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .._base._passes import Block
from .._utils._typing import Array, Mask


class Rule(Protocol):
    """What to gather."""

    @property
    def width(self) -> float:
        """Largest width."""

    @property
    def n_kept(self) -> int:
        """Number of rows that may be kept."""

    @property
    def most(self) -> int:
        """The same if so many rows are tied."""

    def table(self, block: Block) -> Array:
        """Rows of a block as columns of numbers."""

    def reach(self, table: Array) -> Array:
        """Distance of each row: the largest width within which it need not be kept."""

    def sums(self, table: Array, outside: Mask) -> Array:
        """What the rows outside of the width add up to."""

    def distinct(self, table: Array) -> Array:
        """Merge equal rows."""

    def is_a_point(self, width: float) -> bool:
        """Whether nothing is within a width, up to rounding."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """Rows within a width, and the sums over the others."""

    table: Array
    reach: Array
    sums: Array
    width: float

    def within(self, rule: Rule, width: float) -> Nearest:
        """Add the rows to the sums that are outside of a smaller width."""
        if width >= self.width:
            return self
        outside = self.reach > width
        sums, kept = self.sums + rule.sums(self.table, outside), np.flatnonzero(~outside)
        return Nearest(self.table.take(kept, axis=1), self.reach[kept], sums, width)

    def at_most(self, rule: Rule) -> Nearest:
        """Shrink the width until at most the allowed number of rows are inside.

        Tied rows are inside every width. They are merged if they are equal. The width is 0 if
        more others are tied than there may be.
        """
        found = self
        for limit in (rule.n_kept, rule.most):
            if len(found.reach) > limit and rule.is_a_point(found._reach_of(limit)):
                table = rule.distinct(found.table)
                found = Nearest(table, rule.reach(table), found.sums, found.width)
            if len(found.reach) <= limit:
                return found
            if not rule.is_a_point(width := found._reach_of(limit)):
                return found.within(rule, width)
        return Nearest(found.table[:, :0], found.reach[:0], found.sums, 0.0)

    def _reach_of(self, limit: int) -> float:
        """Width that excludes all but the nearest rows."""
        return float(np.nextafter(np.partition(self.reach, limit)[limit], -np.inf))


def nearest(rule: Rule, block: Block) -> Nearest:
    """Gather from a block."""
    table = rule.table(block)
    none = rule.sums(table, np.zeros(table.shape[1], dtype=bool))
    found = Nearest(table, rule.reach(table), none, np.inf)
    return found.within(rule, rule.width).at_most(rule)


def add_nearest(rule: Rule, a: Nearest, b: Nearest) -> Nearest:
    """Gather from two parts of the rows."""
    width = min(a.width, b.width)
    a, b = a.within(rule, width), b.within(rule, width)
    both = Nearest(
        np.hstack([a.table, b.table]),
        np.concatenate([a.reach, b.reach]),
        a.sums + b.sums,
        width,
    )
    return both.at_most(rule)
