r"""The convex functions that the descent minimises.

.. math::

    G(u) = \sum_i a_i \max\Big\{f, \max_j (v_{ij} + u_j)\Big\}
         + \sum_p b_p \big[-(h_p + u_{o(p)})\big]_+ + \sum_j \ell_j u_j + C \lVert u \rVert_1 .

A maximum of variables is L♮-convex, and so is a function of one variable: G is a sum of these. The
step of one operator has f = 0 and no linear part; that of both operators together has no floor,
:math:`f = -\infty`, and no hinges.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..._utils._typing import Array, Indices


@dataclass(frozen=True, eq=False)
class ConvexStep:
    """G, and what counts as rounding of its values and slopes."""

    values: Array  # v, (n, m), coordinates first; −∞ where a maximum does not see a coordinate
    penalties: Array  # a, (m,)
    floor: float  # f, 0 or −∞
    owners: Indices  # o, the coordinate of every hinge
    hinges: Array  # h
    hinge_penalties: Array  # b
    linear: Array  # ℓ, (n,)
    C: float
    tops: Array  # the largest value of each coordinate
    largest: float  # size of a finite value
    tie: float  # values nearer than this are equal
    flat: float  # slopes smaller than this are zero
