r"""The convex step of the boxes as a linear programme for HiGHS.

The formulation of the authors, row by row, since of several solutions HiGHS finds the one that the
order of rows and columns suggests:

.. math::

    \min c^\top \xi - \gamma 1^\top p \quad\text{s.t.}\quad
    -p_{k j^*(k, i)} - \xi_i \le z_{i j^*(k, i)} - \mu \;(i \in N), \qquad
    p_{k^*(i) j} - \xi_i \le -z_{ij} - \mu \;(i \in P), \qquad a \le b, \; \xi \ge 0 .
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from ..._utils._typing import Array, Indices
from ._problem import BoxStep, to_boxes


def solve_step(step: BoxStep) -> Array:
    """Boxes that minimise the majoriser."""
    problem = step.problem
    n_boxes, n_negatives = step.faces.shape
    n_positives, n = problem.positives.shape
    n_faces, size = 2 * n, 2 * n * n_boxes
    negatives = np.tile(size + np.arange(n_negatives), n_boxes)
    positives = np.tile(size + n_negatives + np.arange(n_positives), n_faces)
    frozen = (step.faces + n_faces * np.arange(n_boxes)[:, None]).ravel()
    owned = (n_faces * step.owners + np.arange(n_faces)[:, None]).ravel()
    lower = (n_faces * np.arange(n_boxes)[:, None] + np.arange(n)).ravel()
    pairs = [(frozen, negatives, -1.0, -1.0), (owned, positives, 1.0, -1.0)]
    z = np.hstack([-problem.positives, problem.positives])
    result = linprog(
        np.concatenate(
            [np.full(size, -problem.gamma), problem.negative_costs, problem.positive_costs]
        ),
        A_ub=_two_per_row([*pairs, (lower, lower + n, 1.0, 1.0)], size + n_negatives + n_positives),
        b_ub=np.concatenate(
            [
                step.frozen.ravel() - problem.margin,
                -z.T.ravel() - problem.margin,
                np.zeros(n * n_boxes),
            ]
        ),
        bounds=[(None, None)] * size + [(0.0, None)] * (n_negatives + n_positives),
        method="highs",
    )
    if result.x is None:
        raise RuntimeError(f"HiGHS could not solve the step of the boxes: {result.message}")
    return to_boxes(result.x[:size].reshape(n_boxes, n_faces))


def _two_per_row(blocks: list[tuple[Indices, Indices, float, float]], n_columns: int) -> coo_array:
    """Rows with two entries each: their columns, and their values."""
    first, second = (np.concatenate([block[side] for block in blocks]) for side in (0, 1))
    values = [
        np.concatenate([np.full(len(block[0]), block[side]) for block in blocks]) for side in (2, 3)
    ]
    rows = np.tile(np.arange(len(first)), 2)
    return coo_array(
        (np.concatenate(values), (rows, np.concatenate([first, second]))),
        shape=(len(first), n_columns),
    ).tocsr()
