r"""Boxes and exact decision boundary of a dilation-erosion perceptron on a plane.

On a plane of two oriented features :math:`(u, v)`, all others held fixed,

.. math::

    \tau(u, v) = \beta \max(w_1 + u, w_2 + v, a) + (1 - \beta) \min(m_1 + u, m_2 + v, b),

where a and b are the contributions of the fixed features. :math:`\tau` is increasing, so every
diagonal :math:`(s, s + t)` enters :math:`\{\tau \ge 0\}` once and stays there. A maximum of minima
of increasing functions is non-negative from the smallest of the largest of their zeros on, which
gives the entry s(t) in closed form. The boundary needs no grid and is exact at any scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from .._utils._typing import Array


@dataclass(frozen=True)
class PlaneDEP:
    """DEP on a plane; a single erosion if ``w`` is None, a single dilation if ``m`` is None."""

    w: Array | None  # (2,)
    m: Array | None  # (2,)
    beta: float
    signs: Array  # (2,), factors of the features
    dilation_floor: float = -np.inf  # a
    erosion_ceiling: float = np.inf  # b

    def dilation_box(self) -> Array | None:
        """D(w) as ((x_low, x_high), (y_low, y_high)); None if the plane misses it."""
        if self.w is None or self.dilation_floor >= 0:
            return None
        return self._box(np.full(2, -np.inf), -self.w)

    def erosion_box(self) -> Array | None:
        """E(m) as ((x_low, x_high), (y_low, y_high)); None if the plane misses it."""
        if self.m is None or self.erosion_ceiling < 0:
            return None
        return self._box(-self.m, np.full(2, np.inf))

    def boundary(self, limits: Array) -> Array:
        """Corners of the decision boundary, of shape (n_points, 2).

        It reaches from end to end of the rectangle ``limits``, and is empty if one class is
        predicted on the whole plane.
        """
        (u_low, u_high), (v_low, v_high) = self._oriented(limits)
        ends = v_low - u_high, v_high - u_low
        entries = self._entry(self._corners(*ends))
        if not np.isfinite(entries[:, 0]).all():
            return np.empty((0, 2))
        return entries * self.signs

    def _entry(self, t: Array) -> Array:
        """Points (u, v) at which the diagonals v − u = t enter the positive region."""
        both, dilation_only, erosion_only, neither = self._zeros(t)
        s = np.minimum(np.maximum(both, dilation_only), np.maximum(erosion_only, neither))
        return np.column_stack([s, s + t])

    def _zeros(self, t: Array) -> tuple[Array, Array, Array, Array]:
        """Zeros of τ along the diagonals, if the free parts of both, one or no operator count."""
        A = self._free(self.w, np.maximum, t)
        B = self._free(self.m, np.minimum, t)
        a, b, beta = self.dilation_floor, self.erosion_ceiling, self.beta
        both = -(_share(beta, A) + _share(1 - beta, B))
        dilation_only = self._zero_of_one(beta, A, _share(1 - beta, b))
        erosion_only = self._zero_of_one(1 - beta, B, _share(beta, a))
        # If no feature is fixed, a is −∞: the maximum is never attained there, for any b.
        fixed = _share(beta, a)
        constant = fixed if np.isneginf(fixed) else fixed + _share(1 - beta, b)
        return both, dilation_only, erosion_only, _never_or_always(constant, t)

    def _zero_of_one(self, share: float, free: Array, constant: float) -> Array:
        """The s at which share × (s + free) + constant reaches zero."""
        if share == 0 or np.isinf(constant):
            return _never_or_always(constant, free)
        return -free - constant / share

    def _free(self, weights: Array | None, extreme, t: Array) -> Array:
        return np.zeros_like(t) if weights is None else extreme(weights[0], weights[1] + t)

    def _corners(self, low: float, high: float) -> Array:
        """Diagonals between ``low`` and ``high`` at which the boundary may bend, and these two."""
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
    """Product with 0 · ∞ = 0."""
    return np.zeros_like(value) if share == 0 else share * value


def _never_or_always(constant: float, like: Array) -> Array:
    """The zero of a constant: −∞ if it is non-negative, otherwise +∞."""
    return np.full_like(like, -np.inf if constant >= 0 else np.inf)
