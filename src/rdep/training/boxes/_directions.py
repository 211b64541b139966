r"""Steepest pair of sets: some faces move up and others down, at the same time.

* A positive with a loss adds its cost if *any* of its deciding faces moves up, and subtracts it
  only if *all* of them move down. For negatives it is the reverse.
* If a box has no width, its lower face can move up only if its upper face does, that is −b down.

Every face up and every face down is a node with its own slope. Ties are nodes with a cost or a
profit. A closed selection of nodes is a pair of sets. The best one is a project selection, in which
nodes with a profit need all nodes with a cost that they lead to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..._utils._typing import Array, Indices, Mask
from ..majoriser._closure import best_selection


class PairOfSets(NamedTuple):
    up: Mask
    down: Mask
    slope: float
    sign: int = 0  # both at once

    @property
    def rising_and_falling(self) -> tuple[Mask, Mask]:
        return self.up & ~self.down, self.down & ~self.up


class Ties(NamedTuple):
    """Sets of deciding faces, and the costs of the samples that have them."""

    sets: Mask  # (n_sets, n_faces)
    costs: Array

    def touching(self, faces: Mask) -> Ties:
        touched = self.sets[:, faces].any(axis=1)
        return Ties(self.sets[touched], self.costs[touched])


@dataclass(eq=False)
class Slopes:
    """Slopes of a convex step at given faces."""

    up: Array  # of each face alone
    down: Array
    any_up: list[Ties]  # cost of moving any face of a set up, and so on
    all_up: list[Ties]  # profit
    any_down: list[Ties]
    all_down: list[Ties]

    @classmethod
    def of_widths(cls, gamma: float, n_faces: int) -> Slopes:
        """Slopes of the penalty of the widths, without losses."""
        narrower = np.full(n_faces, gamma, dtype=float)
        return cls(-narrower, narrower, [], [], [], [])

    @property
    def n_faces(self) -> int:
        return len(self.up)

    def add_single(self, sign: int, faces: Indices, costs: Array, above: Mask) -> None:
        """Add losses with one deciding face, which rise with it (+1) or fall with it (−1)."""
        rises, falls = (self.up, self.down) if sign > 0 else (self.down, self.up)
        rises += np.bincount(faces, costs, self.n_faces)
        falls -= np.bincount(faces, costs * above, self.n_faces)

    def add_ties(self, sign: int, costs: Ties, profits: Ties) -> None:
        """Add losses with several deciding faces."""
        (self.any_up if sign > 0 else self.any_down).append(costs)
        (self.all_down if sign > 0 else self.all_up).append(profits)

    def joined(self, name: str) -> Ties:
        parts: list[Ties] = getattr(self, name)
        if not parts:
            return Ties(np.zeros((0, self.n_faces), dtype=bool), np.zeros(0))
        return Ties(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def steepest_pair(slopes: Slopes, tight: Mask, partner: Indices) -> PairOfSets:
    """Find the pair of sets along which the step falls fastest.

    Parameters
    ----------
    slopes : Slopes
        Slopes of the faces and of ties.
    tight : boolean array of shape (n_faces,)
        Whether the box has no width at this face.
    partner : array of shape (n_faces,)
        The opposite face.

    Returns
    -------
    PairOfSets
    """
    all_up, all_down = slopes.joined("all_up"), slopes.joined("all_down")
    may_rise = (slopes.up < 0) | all_up.sets.any(axis=0)
    may_fall = (slopes.down < 0) | all_down.sets.any(axis=0)
    may_fall[partner[tight & may_rise]] = True
    any_up = slopes.joined("any_up").touching(may_rise)
    any_down = slopes.joined("any_down").touching(may_fall)
    dear_up, dear_down = (slopes.up > 0) & may_rise, (slopes.down > 0) & may_fall
    # Nodes with a cost that each face leads to: itself, and the ties that it touches.
    nothing = np.zeros((slopes.n_faces, int(dear_up.sum()) + len(any_up.costs)), dtype=bool)
    down_needs = np.hstack([nothing, np.diag(dear_down)[:, dear_down], any_down.sets.T])
    up_needs = np.zeros_like(down_needs)
    up_needs[:, : nothing.shape[1]] = np.hstack([np.diag(dear_up)[:, dear_up], any_up.sets.T])
    up_needs[tight] |= down_needs[partner[tight]]
    costs = np.concatenate(
        [slopes.up[dear_up], any_up.costs, slopes.down[dear_down], any_down.costs]
    )
    pays_up, pays_down = slopes.up < 0, slopes.down < 0
    profits = np.concatenate(
        [-slopes.up[pays_up], -slopes.down[pays_down], all_up.costs, all_down.costs]
    )
    needs = np.concatenate(
        [
            up_needs[pays_up],
            down_needs[pays_down],
            _led_to(all_up.sets, up_needs),
            _led_to(all_down.sets, down_needs),
        ]
    )
    chosen = best_selection(profits, costs, needs)
    ends = np.cumsum([pays_up.sum(), pays_down.sum(), len(all_up.costs)])
    of_up, of_down, of_all_up, of_all_down = np.split(chosen, ends)
    up, down = np.zeros(slopes.n_faces, dtype=bool), np.zeros(slopes.n_faces, dtype=bool)
    up[pays_up], down[pays_down] = of_up, of_down
    up |= all_up.sets[of_all_up].any(axis=0)
    down |= all_down.sets[of_all_down].any(axis=0)
    down[partner[tight & up]] = True
    slope = costs[needs[chosen].any(axis=0)].sum() - profits[chosen].sum()
    return PairOfSets(up, down, float(slope))


def _led_to(sets: Mask, needs: Mask) -> Mask:
    """Mask of all nodes that the faces of each set need."""
    return (sets.astype(np.float32) @ needs.astype(np.float32)) > 0
