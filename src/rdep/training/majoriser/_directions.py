r"""Convex function of a CCP step, its maxima and its steepest set direction.

.. math::

    G(u) = \sum_i a_i \max\Big\{f, \max_j (v_{ij} + u_j)\Big\}
         + \sum_p b_p \big[-(h_p + u_{o(p)})\big]_+ + \sum_j \ell_j u_j + C \lVert u \rVert_1 .

A maximum of variables is L♮-convex, and so is a convex function of one variable; G is a sum of
these. The step of one operator has f = 0 and no linear part. The step of both operators together
has no floor, :math:`f = -\infty`, and no hinges.

The majoriser is polyhedral L♮-convex (K. Murota, *Discrete Convex Analysis*, SIAM, 2003): a point
minimises it if and only if it does not descend along any set ``S`` of coordinates that move up or
down together. The slope along a set has two parts: the slopes of its coordinates, and that of the
tied negatives, whose maximum several coordinates attain.

* Upwards, a negative with :math:`M_i \ge 0` adds :math:`a_i` if *any* of its coordinates moves.
* Downwards, a negative with :math:`M_i > 0` subtracts :math:`a_i` only if *all* of them move.

A negative with a single deciding coordinate is part of the slope of this coordinate. For the tied
negatives, the best set is a project selection, found by a minimum cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._utils._blocks import row_blocks
from ..._utils._typing import Array, Indices, Mask
from ._closure import best_selection


@dataclass(frozen=True, eq=False)
class ConvexStep:
    """G, with the tolerances of its values and slopes."""

    values: Array  # v, (n, m), coordinates first; −∞ if a maximum excludes a coordinate
    penalties: Array  # a, (m,)
    floor: float  # f, 0 or −∞
    owners: Indices  # o, the coordinate of every hinge
    hinges: Array  # h
    hinge_penalties: Array  # b
    linear: Array  # ℓ, (n,)
    C: float
    tops: Array  # largest value of each coordinate
    largest: float  # largest absolute finite value
    tie: float  # values closer than this are equal
    flat: float  # slopes smaller than this are zero


def maxima(values: Array, u: Array) -> Array:
    """Largest value of each sample; ``values`` has shape (n_features, n_samples)."""
    largest = np.full(values.shape[1], -np.inf)
    # Blocks of features, whose sums stay in the cache.
    for features in row_blocks(values):
        sums = values[features] + u[features, None]
        np.maximum(largest, sums.max(axis=0), out=largest)
    return largest


def number_of_holders(attained: Mask) -> NDArray[np.unsignedinteger]:
    """Number of features that attain the maximum of each sample, from (n_features, n_samples)."""
    return attained.sum(axis=0, dtype=np.min_scalar_type(len(attained)))


def sole_holders(attained: Mask) -> Indices:
    """Feature that attains the maximum of each sample, valid if it is the only one.

    The smallest sufficient integer type makes this many times faster than ``argmax``.
    """
    features = np.arange(len(attained), dtype=np.min_scalar_type(len(attained)))
    return (attained * features[:, None]).sum(axis=0, dtype=features.dtype).astype(np.intp)


class Direction(NamedTuple):
    members: Mask  # (n,), the coordinates that move
    sign: int  # +1 up, −1 down
    slope: float  # of the majoriser along it

    @property
    def rising_and_falling(self) -> tuple[Mask, Mask]:
        none = np.zeros_like(self.members)
        return (self.members, none) if self.sign > 0 else (none, self.members)


def steepest_direction(
    own_up: Array,
    own_down: Array,
    values: Array,
    maxima: Array,
    penalties: Array,
    floor: float,
    tie: float,
    flat: float,
) -> Direction:
    """Find the set direction along which the majoriser falls fastest.

    Parameters
    ----------
    own_up, own_down : arrays of shape (n,)
        Slope of the function of each coordinate if it moves up, and if it moves down.
    values : array of shape (n, |N|)
        The values v + u of every negative.
    maxima : array of shape (|N|,)
        The largest value of each negative.
    penalties : array of shape (|N|,)
        The penalty a_i of each negative.
    floor : float
        Minimum value of every maximum.
    tie : float
        Values that differ by less than this are equal.
    flat : float
        Slopes that differ by less than this are equal.

    Returns
    -------
    Direction
        The set, its sign and the slope along it.
    """
    n = len(values)
    attained = values >= maxima - tie
    alone = number_of_holders(attained) == 1
    active = maxima >= floor - tie
    single = (active & alone).nonzero()[0]
    holder, penalty = sole_holders(attained)[single], penalties[single]
    above = maxima[single] > floor + tie
    up = own_up + np.bincount(holder, penalty, n)
    down = own_down - np.bincount(holder, penalty * above, n)
    several = (active & ~alone).nonzero()[0]
    tied, penalty = attained[:, several], penalties[several]
    return steepest_of_tied(up, down, tied, penalty, maxima[several] > floor + tie, flat)


def steepest_of_tied(
    up: Array, down: Array, tied: Mask, penalties: Array, released: Mask, flat: float
) -> Direction:
    """Find the steepest direction from the slopes of single coordinates and the tied negatives.

    If several directions are equally steep up to rounding, the smallest set is chosen, and up
    before down. So the result does not depend on the order in which slopes were summed.

    Parameters
    ----------
    up, down : arrays of shape (n,)
        Slope of each coordinate, including the negatives whose maximum it alone attains.
    tied : boolean array of shape (n, n_tied)
        Which coordinates attain the maximum of each tied negative.
    penalties : array of shape (n_tied,)
        Penalties of the tied negatives.
    released : boolean array of shape (n_tied,)
        Whether each tied negative is above the floor, so that the loss falls with it.
    flat : float
        Slopes that differ by less than this are equal.

    Returns
    -------
    Direction
        The set, its sign and the slope along it.
    """
    up, down = (np.where(np.abs(slopes) <= flat, 0.0, slopes) for slopes in (up, down))
    upwards = _steepest_up(up, tied, penalties, flat)
    downwards = _steepest_down(down, tied[:, released], penalties[released], flat)
    return upwards if upwards.slope <= downwards.slope + flat else downwards


def _steepest_up(slopes: Array, tied: Mask, penalties: Array, flat: float) -> Direction:
    # A coordinate whose own slope is not negative can only increase the slope of a set.
    candidates = slopes < 0
    if not len(penalties) or not candidates.any():
        return Direction(candidates, +1, float(slopes[candidates].sum()))
    members = candidates.copy()
    touched = tied[candidates].any(axis=0)
    needs, costs = merge_equal(tied[:, touched][candidates].T, penalties[touched])
    members[candidates] = best_selection(-slopes[candidates], costs, needs.T, flat)
    paid = needs[:, members[candidates]].any(axis=1)
    return Direction(members, +1, float(slopes[members].sum() + costs[paid].sum()))


def _steepest_down(slopes: Array, tied: Mask, penalties: Array, flat: float) -> Direction:
    # A coordinate without a cost may be in every set; only the other coordinates are tools.
    costly = slopes > 0
    if not len(penalties):
        return Direction(slopes < 0, -1, float(slopes[slopes < 0].sum()))
    sets, profits = merge_equal(tied.T, penalties)
    chosen = best_selection(profits, slopes[costly], sets[:, costly], flat)
    members = (slopes < 0) | sets[chosen].any(axis=0)
    return Direction(members, -1, float(slopes[members].sum() - profits[chosen].sum()))


def merge_equal(rows: Mask, penalties: Array) -> tuple[Mask, Array]:
    """Merge samples that are tied at the same set of coordinates."""
    if not rows.size:
        return rows, penalties
    packed = np.ascontiguousarray(np.packbits(rows, axis=1))
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], np.bincount(group, weights=penalties).astype(float, copy=False)
