r"""Exact minimisation of the convex step of the boxes by steepest descent over pairs of sets.

The losses are L♮-convex in the faces p = (a, −b): those of positives are maxima of p, those of
negatives are maxima of −p. Widths are sums of faces, :math:`-(p_a + p_b)`, which are not
L♮-convex; but with r = −p as separate variables they become differences. The doubled function
:math:`\tfrac12 (G(p) + G(-r))` with :math:`p_a \le r_b, p_b \le r_a` is L♮-convex. If (p, r)
minimises it, the mean of p and −r minimises G. A set direction of it moves the faces of one set up
and those of another set down. The steepest one is a project selection: see ``_directions``.
"""

from __future__ import annotations

import numpy as np

from ..._utils._typing import Array, Mask
from ..majoriser._descent import descend, minimising_kink
from ._directions import PairOfSets, Slopes, steepest_pair
from ._problem import BoxStep, to_boxes, to_faces
from ._terms import Terms, choose_near

# A guard: HiGHS finishes a step that takes the descent longer than this.
_STEP_LIMIT = 5000

_FEWEST_NEAR = 512


def minimise_step(step: BoxStep, boxes: Array) -> tuple[Array, bool]:
    """Minimise the majoriser from given boxes; also return whether the minimum is certified."""
    p = to_faces(boxes)
    largest = max(np.abs(p).max(), np.abs(step.problem.positives).max(), step.problem.margin)
    largest = max(float(largest), float(np.abs(step.problem.negatives).max()))
    tie = float(64 * np.finfo(float).eps * largest)
    total = step.problem.positive_costs.sum() + step.problem.negative_costs.sum()
    flat = float(1e-13 * (total + step.problem.gamma * p.size))
    descent = _Descent(step, p, tie, flat)
    _, _, exact = descend(descent, tie, flat, largest, _STEP_LIMIT)
    return to_boxes(descent.p.reshape(p.shape)), exact


class _Descent:
    """Faces, and the values that move with them.

    Samples whose loss is zero and far from positive are left out until a face has moved that far.
    """

    def __init__(self, step: BoxStep, p: Array, tie: float, flat: float) -> None:
        self.p = p.ravel().copy()
        self.gamma, self.tie, self.flat = step.problem.gamma, tie, flat
        n_boxes, n_faces = p.shape
        self.n_boxes, self.n = n_boxes, n_faces // 2
        # The opposite face of the same coordinate and box.
        faces = np.arange(p.size).reshape(n_boxes, 2, self.n)
        self.partner = faces[:, ::-1].ravel()
        self.terms = [
            *(Terms.of_positives(step, k) for k in range(n_boxes)),
            Terms.of_negatives(step),
        ]
        self.n_near = _FEWEST_NEAR
        self.room = choose_near(self.terms, self.p, self.n_near, tie)

    @property
    def widths(self) -> Array:
        """Width of the box at each face; both faces of a pair have the same."""
        return -(self.p + self.p[self.partner])

    def look_at_all(self) -> None:
        self.n_near = sum(len(terms.all_costs) for terms in self.terms)
        self.room = choose_near(self.terms, self.p, self.n_near, self.tie)

    def steepest(self, width: float) -> PairOfSets:
        slopes = Slopes.of_widths(self.gamma, len(self.p))
        for terms in self.terms:
            terms.add_slopes(slopes, width)
        tight = self.widths <= width
        return steepest_pair(slopes, tight, self.partner)

    def move_between(self, first: PairOfSets, second: PairOfSets) -> None:
        """Never called, because a pair of sets moves up and down at once."""

    def move(self, rising: Mask, falling: Mask) -> bool:
        """Move to the kink where the slope is no longer negative, or as far as widths allow."""
        speed = rising.astype(float) - falling
        closing = speed + speed[self.partner]
        allowed = np.inf
        if (closing > 0).any():
            allowed = float((self.widths[closing > 0] / closing[closing > 0]).min())
        distance = min(self._distance_to_minimum(rising, falling, speed), allowed)
        if distance <= 0:
            return False
        beyond = distance > self.room
        if beyond:
            distance = self.room
        self.room -= distance
        self.p += distance * speed
        # A width that closed is set to zero, in spite of rounding.
        shut = (closing > 0) & (self.widths < self.tie)
        upper = shut & (np.arange(len(self.p)) // self.n % 2 == 1)
        self.p[upper] = -self.p[self.partner[upper]]
        if beyond:
            self.n_near *= 2
            self.room = choose_near(self.terms, self.p, self.n_near, self.tie)
        else:
            moved = rising | falling
            for terms in self.terms:
                terms.update(self.p, moved)
        return True

    def _distance_to_minimum(self, rising: Mask, falling: Mask, speed: Array) -> float:
        slope, kinks, added = -self.gamma * speed.sum(), [], []
        for terms in self.terms:
            before, distances, rises = terms.along(rising, falling)
            slope += before
            kinks.append(distances)
            added.append(rises)
        distances, rises = np.concatenate(kinks), np.concatenate(added)
        ahead = distances > self.tie
        slope += rises[~ahead].sum()
        if slope >= -self.flat:
            return 0.0
        if not ahead.any():
            return np.inf  # until a width is closed
        return minimising_kink(distances, rises, ahead, slope, self.flat)
