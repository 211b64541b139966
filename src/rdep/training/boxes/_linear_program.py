r"""The convex step of the boxes as a linear programme for HiGHS.

It is the formulation of the authors, row by row, because the order of rows and columns determines
which of several solutions HiGHS finds:

.. math::

    \min c^\top \xi - \gamma 1^\top p \quad\text{s.t.}\quad
    -p_{k j^*(k, i)} - \xi_i \le z_{i j^*(k, i)} - \mu \;(i \in N), \qquad
    p_{k^*(i) j} - \xi_i \le -z_{ij} - \mu \;(i \in P), \qquad a \le b, \; \xi \ge 0 .
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from ..._utils._typing import Array, Indices, Mask
from ._problem import BoxStep, to_boxes, to_faces

# With more rows of positives, a step is first solved with the rows that are likely to matter, by an
# interior point method; and the number of positives of each face in this first solution.
_MANY_ROWS = 100_000
_NEAREST = 2
# Rows violated by more than this, the tolerance of HiGHS, are added.
_FEASIBLE = 1e-7


def solve_step(step: BoxStep) -> Array:
    """Boxes that minimise the majoriser."""
    if 2 * step.problem.positives.size < _MANY_ROWS:
        return _solve(step, np.ones(_z(step).shape, dtype=bool), "highs")[0]
    # With many features, most rows never bind: those of positives far inside of a face.
    z = _z(step)
    rows = _nearest(step, z)
    while True:
        boxes, losses = _solve(step, rows, "highs-ipm")
        excess = to_faces(boxes)[step.owners] + z + step.problem.margin - losses[:, None]
        violated = (excess > _FEASIBLE) & ~rows
        if not violated.any():
            return boxes
        rows |= violated


def _z(step: BoxStep) -> Array:
    return np.hstack([-step.problem.positives, step.problem.positives])


def _nearest(step: BoxStep, z: Array) -> Mask:
    """Mask of the positives of each box that are nearest to a face, or farthest outside of it."""
    rows = np.zeros(z.shape, dtype=bool)
    for box in range(len(step.faces)):
        own = np.flatnonzero(step.owners == box)
        if len(own):
            nearest = np.argsort(-z[own], axis=0, kind="stable")[:_NEAREST]
            rows[own[nearest], np.arange(z.shape[1])] = True
    return rows


def _solve(step: BoxStep, rows: Mask, method: str) -> tuple[Array, Array]:
    """Boxes, and losses of the positives, if only some rows of positives are used."""
    problem = step.problem
    n_boxes, n_negatives = step.faces.shape
    n_positives, n = problem.positives.shape
    n_faces, size = 2 * n, 2 * n * n_boxes
    negatives = np.tile(size + np.arange(n_negatives), n_boxes)
    frozen = (step.faces + n_faces * np.arange(n_boxes)[:, None]).ravel()
    face, positive = np.nonzero(rows.T)
    owned = n_faces * step.owners[positive] + face
    lower = (n_faces * np.arange(n_boxes)[:, None] + np.arange(n)).ravel()
    pairs = [
        (frozen, negatives, -1.0, -1.0),
        (owned, size + n_negatives + positive, 1.0, -1.0),
        (lower, lower + n, 1.0, 1.0),
    ]
    result = linprog(
        np.concatenate(
            [np.full(size, -problem.gamma), problem.negative_costs, problem.positive_costs]
        ),
        A_ub=_two_per_row(pairs, size + n_negatives + n_positives),
        b_ub=np.concatenate(
            [
                step.frozen.ravel() - problem.margin,
                -_z(step)[positive, face] - problem.margin,
                np.zeros(n * n_boxes),
            ]
        ),
        bounds=[(None, None)] * size + [(0.0, None)] * (n_negatives + n_positives),
        method=method,
    )
    if result.x is None:
        raise RuntimeError(f"HiGHS could not solve the step of the boxes: {result.message}")
    boxes = to_boxes(result.x[:size].reshape(n_boxes, n_faces))
    return boxes, result.x[size + n_negatives :]


def _two_per_row(blocks: list[tuple[Indices, Indices, float, float]], n_columns: int) -> coo_array:
    """Sparse matrix with two entries in each row, from their columns and values."""
    first, second = (np.concatenate([block[side] for block in blocks]) for side in (0, 1))
    values = [
        np.concatenate([np.full(len(block[0]), block[side]) for block in blocks]) for side in (2, 3)
    ]
    rows = np.tile(np.arange(len(first)), 2)
    return coo_array(
        (np.concatenate(values), (rows, np.concatenate([first, second]))),
        shape=(len(first), n_columns),
    ).tocsr()
