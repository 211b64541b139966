"""Losses of a convex step of the boxes: maxima of faces, or of negated faces."""

from __future__ import annotations

import numpy as np

from ..._utils._typing import Array, Indices, Mask
from ..majoriser._directions import merge_equal, number_of_holders, sole_holders
from ._directions import Slopes, Ties
from ._problem import BoxStep


class Terms:
    r"""Losses :math:`c_i [\max_r (f_{ri} \pm p_{o(r, i)})]_+` of some samples.

    For the positives of one box, o does not depend on the sample i.
    """

    def __init__(self, frozen: Array, faces: Indices, costs: Array, sign: int) -> None:
        self.all_frozen, self.all_faces, self.all_costs = frozen, faces, costs
        self.sign = sign

    @classmethod
    def of_positives(cls, step: BoxStep, k: int) -> Terms:
        """Losses of the positives that box k owns."""
        problem, owned = step.problem, np.flatnonzero(step.owners == k)
        X = problem.positives[owned].T
        faces = k * 2 * len(X) + np.arange(2 * len(X))
        return cls(
            np.concatenate([-X, X]) + problem.margin, faces[:, None],
            problem.positive_costs[owned], +1,
        )  # fmt: skip

    @classmethod
    def of_negatives(cls, step: BoxStep) -> Terms:
        problem = step.problem
        n_faces = 2 * problem.negatives.shape[1]
        faces = step.faces + n_faces * np.arange(len(step.faces))[:, None]
        return cls(problem.margin - step.frozen, faces, problem.negative_costs, -1)

    def maxima_of_all(self, p: Array) -> Array:
        return (self.all_frozen + self.sign * p[self.all_faces]).max(axis=0, initial=-np.inf)

    def keep(self, near: Indices, p: Array) -> None:
        """Restrict the losses to some of the samples."""
        self.frozen, self.costs = self.all_frozen.take(near, axis=1), self.all_costs[near]
        self.by_row = self.all_faces.shape[1] == 1
        self.faces = self.all_faces if self.by_row else self.all_faces.take(near, axis=1)
        self.values = self.frozen + self.sign * p[self.faces]
        self.maxima = self.values.max(axis=0, initial=-np.inf)

    def update(self, p: Array, moved: Mask) -> None:
        """Recompute the values of the faces that moved."""
        rows = np.flatnonzero(moved[self.faces].any(axis=1))
        if len(rows) and len(self.costs):
            self.values[rows] = self.frozen[rows] + self.sign * p[self.faces[rows]]
            self.maxima = self.values.max(axis=0)

    def add_slopes(self, slopes: Slopes, width: float) -> None:
        """Add the slopes of these losses; values closer than ``width`` are equal."""
        active = np.flatnonzero(self.maxima >= -width)
        if not len(active):
            return
        values, costs = self.values[:, active], self.costs[active]
        attained = values >= self.maxima[active] - width
        above = self.maxima[active] > width
        alone = number_of_holders(attained) == 1
        single = np.flatnonzero(alone)
        row = sole_holders(attained[:, single])
        holder = self.faces[row, 0] if self.by_row else self.faces[row, active[single]]
        slopes.add_single(self.sign, holder, costs[single], above[single])
        several = np.flatnonzero(~alone)
        if not len(several):
            return
        tied = np.zeros((len(several), slopes.n_faces), dtype=bool)
        if self.by_row:
            tied[:, self.faces[:, 0]] = attained[:, several].T
        else:
            row, column = np.nonzero(attained[:, several])
            tied[column, self.faces[row, active[several[column]]]] = True
        released = above[several]
        slopes.add_ties(
            self.sign,
            Ties(*merge_equal(tied, costs[several])),
            Ties(*merge_equal(tied[released], costs[several][released])),
        )

    def along(self, rising: Mask, falling: Mask) -> tuple[float, Array, Array]:
        """Slope along a direction before all kinks, the kinks, and the change of slope at each."""
        if self.sign < 0:
            rising, falling = falling, rising
        moves_up, moves_down = rising[self.faces], falling[self.faces]
        none = np.zeros(0)
        goes_up, goes_down = moves_up.any(), moves_down.any()
        if not (goes_up or goes_down) or not len(self.costs):
            return 0.0, none, none
        floor = np.maximum(self._greatest(~(moves_up | moves_down)), 0.0)
        slope, kinks = 0.0, []
        if goes_up:
            above = self._greatest(moves_up)
            joins = floor - above  # from here on a rising value is the maximum
            kinks.append(joins)
        if goes_down:
            below = self._greatest(moves_down)
            leaves = below - floor  # until here a falling one is
            if goes_up:
                meet = leaves > joins
                leaves[meet] = joins[meet] = (below[meet] - above[meet]) / 2
            kinks.append(leaves)
            slope = -float(self.costs.sum())
        return slope, np.concatenate(kinks), np.tile(self.costs, len(kinks))

    def _greatest(self, chosen: Mask) -> Array:
        """Maximum over some values of each sample; −∞ if there are none."""
        if self.by_row:
            return self.values[chosen[:, 0]].max(axis=0, initial=-np.inf)
        return np.where(chosen, self.values, -np.inf).max(axis=0)


def choose_near(terms: list[Terms], p: Array, n_near: int, tie: float) -> float:
    """Keep the samples that have a loss or are close to one; return the distance of the others."""
    maxima = [of_all.maxima_of_all(p) for of_all in terms]
    together = np.concatenate(maxima)
    n_active = int(np.count_nonzero(together >= -tie))
    n_near = max(n_near, n_active + n_active // 2)
    least = -np.inf
    if n_near < len(together):
        least = float(-np.partition(-together, n_near)[n_near])
    for of_all, tops in zip(terms, maxima, strict=True):
        of_all.keep(np.flatnonzero(tops > least), p)
    return np.inf if least == -np.inf else max(-least - 4 * tie, 0.0)
