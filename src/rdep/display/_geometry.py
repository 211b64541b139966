r"""A dilation-erosion perceptron on a plane, as boxes and a line of straight pieces.

On a plane of two oriented features :math:`(u, v)`, all others held fixed,

.. math::

    \tau(u, v) = \beta \max(w_1 + u, w_2 + v, a) + (1 - \beta) \min(m_1 + u, m_2 + v, b),

where a and b are what the fixed features contribute. :math:`\tau` is increasing, so every diagonal
:math:`(s, s + t)` enters :math:`\{\tau \ge 0\}` once and stays there. A maximum of minima of
increasing functions is non-negative from the smallest of the largest of their zeros on, which gives
the entry s(t) in closed form: the boundary needs no grid, and is right at any scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from .._utils._typing import Array


@dataclass(frozen=True)
class PlaneDEP:
    """A DEP on a plane; without ``w`` an erosion alone, without ``m`` a dilation alone."""

    w: Array | None  # (2,)
    m: Array | None  # (2,)
    beta: float
    signs: Array  # (2,), by which features are multiplied first
    dilation_floor: float = -np.inf  # a
    erosion_ceiling: float = np.inf  # b

    def dilation_box(self) -> Array | None:
        """D(w) as ((x_low, x_high), (y_low, y_high)); None where the plane misses it."""
        if self.w is None or self.dilation_floor >= 0:
            return None
        return self._box(np.full(2, -np.inf), -self.w)

    def erosion_box(self) -> Array | None:
        """E(m) as ((x_low, x_high), (y_low, y_high)); None where the plane misses it."""
        if self.m is None or self.erosion_ceiling < 0:
            return None
        return self._box(-self.m, np.full(2, np.inf))

    def boundary(self, limits: Array) -> Array:
        """Corners of the line between both decisions, of shape (n_points, 2).

        It reaches from end to end of the rectangle ``limits``, and is empty where all of the plane
        is decided alike.
        """
        (u_low, u_high), (v_low, v_high) = self._oriented(limits)
        ends = v_low - u_high, v_high - u_low
        entries = self._entry(self._corners(*ends))
        if not np.isfinite(entries[:, 0]).all():
            return np.empty((0, 2))
        return entries * self.signs

    def _entry(self, t: Array) -> Array:
        """Where each diagonal v − u = t enters the positive region, as (u, v)."""
        both, dilation_only, erosion_only, neither = self._zeros(t)
        s = np.minimum(np.maximum(both, dilation_only), np.maximum(erosion_only, neither))
        return np.column_stack([s, s + t])

    def _zeros(self, t: Array) -> tuple[Array, Array, Array, Array]:
        """Zeros along the diagonals, by which of the operators' free parts are at work."""
        A = self._free(self.w, np.maximum, t)
        B = self._free(self.m, np.minimum, t)
        a, b, beta = self.dilation_floor, self.erosion_ceiling, self.beta
        both = -(_share(beta, A) + _share(1 - beta, B))
        dilation_only = self._zero_of_one(beta, A, _share(1 - beta, b))
        erosion_only = self._zero_of_one(1 - beta, B, _share(beta, a))
        # Where nothing is fixed a is −∞: no maximum is attained there, whatever b is.
        fixed = _share(beta, a)
        constant = fixed if np.isneginf(fixed) else fixed + _share(1 - beta, b)
        return both, dilation_only, erosion_only, _never_or_always(constant, t)

    def _zero_of_one(self, share: float, free: Array, constant: float) -> Array:
        """Where share × (s + free) + constant reaches zero."""
        if share == 0 or np.isinf(constant):
            return _never_or_always(constant, free)
        return -free - constant / share

    def _free(self, weights: Array | None, extreme, t: Array) -> Array:
        return np.zeros_like(t) if weights is None else extreme(weights[0], weights[1] + t)

    def _corners(self, low: float, high: float) -> Array:
        """All diagonals at which the boundary may bend between two of them, and these two."""
        turns = [
            weights[0] - weights[1]
            for weights in (self.w, self.m)
            if weights is not None and np.isfinite(weights).all()
        ]
        knots = np.array(sorted({low, high, *(turn for turn in turns if low < turn < high)}))
        zeros = self._zeros(knots)[:3]
        crossings = [
            left + (right - left) * before / (before - after)
            for first, second in combinations(zeros, 2)
            if np.isfinite(first).all() and np.isfinite(second).all()
            for (left, right), (before, after) in zip(
                pairwise(knots), pairwise(first - second), strict=True
            )
            if before * after < 0
        ]
        return np.unique(np.concatenate([knots, crossings]))

    def _oriented(self, limits: Array) -> Array:
        return np.sort(limits * self.signs[:, None], axis=1)

    def _box(self, low: Array, high: Array) -> Array:
        return np.sort(np.column_stack([low, high]) * self.signs[:, None], axis=1)


def _share(share: float, value):
    """The product, where nothing of something infinite is nothing."""
    return np.zeros_like(value) if share == 0 else share * value


def _never_or_always(constant: float, like: Array) -> Array:
    """The zero of a constant: −∞ where it is non-negative, otherwise +∞."""
    return np.full_like(like, -np.inf if constant >= 0 else np.inf)
