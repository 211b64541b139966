r"""Exact radii of linear DEPs: the duals of linear programmes, solved for all samples at once.

For one function :math:`B_k` of the minimum, the minimum of :math:`\max_c A_c + B_k` over the box of
radius r is

.. math::

    \max_\lambda \; \sum_c \lambda_c A_c(x) + B_k(x) - r \lVert s \circ (\lambda A + B_k) \rVert_1 ,

where λ has non-negative entries that sum to one. So the distance to the threshold t is the maximum
over λ of a ratio. It is attained where the norm has kinks, at points λ that do not depend on x.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from .._utils._blocks import row_blocks
from .._utils._typing import Array, Indices
from ._expressions import Affine, Expression, Extreme, Sum

# Most points λ that are listed; beyond, programmes are solved sample by sample.
_MOST_POINTS = 50_000
_ROUNDING = 1e-10


def two_parts(value: Expression) -> tuple[Affine, Affine] | None:
    """The functions of a maximum plus a minimum, if both are so few that points can be listed."""
    if not isinstance(value, Sum) or len(value.parts) != 2:
        return None
    above, below = value.parts
    if not (isinstance(above, Extreme) and isinstance(below, Extreme)):
        return None
    if not (isinstance(above.parts, Affine) and isinstance(below.parts, Affine)):
        return None
    most = max(len(above.parts.coef), len(below.parts.coef))
    if comb(above.parts.coef.shape[1] + most, most - 1) > _MOST_POINTS:
        return None
    return above.parts, below.parts


def descend_linear(
    above: Affine, below: Affine, X: Array, scale: Array, threshold: float
) -> tuple[Array, Indices, Array]:
    """Distance of each sample to where max(above) + min(below) is at most the threshold.

    Returns
    -------
    distances, the function of the minimum through which the set is reached, and λ
    """
    tops, bottoms = above.values(X), below.values(X)
    best, through = np.full(len(X), np.inf), np.zeros(len(X), dtype=np.intp)
    multipliers = np.zeros(tops.shape)
    multipliers[:, 0] = 1.0
    for k, coef in enumerate(below.coef):
        points = _points(above.coef * scale, coef * scale)
        norms = np.abs(points @ (above.coef * scale) + coef * scale).sum(axis=1)
        for rows in row_blocks(np.broadcast_to(norms, (len(X), len(norms)))):
            values = tops[rows] @ points.T + (bottoms[rows, k, None] - threshold)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios = np.where(values > 0, values / norms, 0.0)
            chosen = ratios.argmax(axis=1)
            found = ratios[np.arange(len(chosen)), chosen]
            nearer = np.flatnonzero(found < best[rows])
            best[rows][nearer], through[rows][nearer] = found[nearer], k
            multipliers[rows][nearer] = points[chosen[nearer]]
    return best, through, multipliers


def _points(above: Array, below: Array) -> Array:
    """Points λ of the simplex at which J − 1 of the entries of λ and of λA + B are zero."""
    n_pieces = len(above)
    if n_pieces == 1:
        return np.ones((1, 1))
    # λ sums to one, so that λA + B is the product of λ with A + B.
    planes = np.vstack([(above + below).T, np.eye(n_pieces)])
    sizes = np.abs(planes).max(axis=1)
    planes = planes[sizes > 0] / sizes[sizes > 0, None]
    chosen = np.array(list(combinations(range(len(planes)), n_pieces - 1)))
    systems = np.concatenate([planes[chosen], np.ones((len(chosen), 1, n_pieces))], axis=1)
    regular = np.abs(np.linalg.det(systems)) > 1e-13
    right = np.zeros((int(regular.sum()), n_pieces, 1))
    right[:, -1] = 1.0
    points = np.linalg.solve(systems[regular], right)[:, :, 0]
    points = np.maximum(points[(points >= -_ROUNDING).all(axis=1)], 0.0)
    return points / points.sum(axis=1, keepdims=True)


def lowest_on_lines(
    above: Affine, below: Affine, X: Array, scale: Array, through: Indices, multipliers: Array,
    radii: Array,
) -> Array:  # fmt: skip
    """Sample of the lowest value within the radius, from the solution of the dual."""
    coef = above.coef[None] + below.coef[through][:, None]
    slopes = np.einsum("ij,ijk->ik", multipliers, coef) * scale
    size = np.abs(coef).max(axis=(1, 2)) * scale.max()
    undecided = np.abs(slopes) <= _ROUNDING * size[:, None]
    steps = np.where(undecided, 0.0, -np.sign(slopes)) * radii[:, None] * scale
    moved = X + steps
    tops = above.values(moved)
    for i in np.flatnonzero(undecided.any(axis=1)):
        # The functions that decide are equal: that determines the other steps.
        deciding = multipliers[i] > _ROUNDING
        free = np.flatnonzero(undecided[i])
        system = np.column_stack([coef[i][deciding][:, free], -np.ones(deciding.sum())])
        solved = np.linalg.lstsq(system, -tops[i, deciding], rcond=None)[0][:-1]
        width = radii[i] * scale[free]
        moved[i, free] = X[i, free] + np.clip(solved, -width, width)
    return moved
