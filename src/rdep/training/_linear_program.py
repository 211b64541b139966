r"""The CCP subproblem as a linear programme for HiGHS.

The linear programme is an alternative to the steepest descent and shares only the definition of the
problem with it. It is the fallback of the loop, and the independent solution of the tests. With
:math:`u = u^+ - u^-`, it has n·|N| + |P| rows:

.. math::

    \min \; a^\top \xi + b^\top \eta + C \, 1^\top (u^+ + u^-)
    \quad\text{s.t.}\quad u_j + v_{ij} \le \xi_i \;(i \in N), \qquad
    u_{j^*(i)} + v_{i j^*(i)} \ge -\eta_i \;(i \in P).
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, eye_array, hstack, vstack

from .._utils._typing import Array, Indices
from ._problem import DilationProblem


def solve_majoriser(problem: DilationProblem, deciding: Indices) -> tuple[Array, float]:
    """Minimise the CCP majoriser with HiGHS: the point and its value."""
    n, n_positives = problem.n_features, len(deciding)
    negative_rows = _negative_rows(problem)
    chosen = _one_per_row(deciding, n)
    positive_rows = hstack(
        [
            -chosen,
            chosen,
            csr_array((n_positives, problem.negatives.shape[1])),
            -eye_array(n_positives),
        ]
    )
    result = linprog(
        _costs(problem),
        A_ub=vstack([negative_rows, positive_rows]).tocsr(),
        b_ub=np.concatenate(
            [-problem.negatives.T.ravel(), problem.positives[deciding, np.arange(n_positives)]]
        ),
        bounds=(0, None),
        method="highs",
        # The tightest tolerance that HiGHS accepts: columns of unequal scales need it.
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.x is None:
        raise RuntimeError(f"HiGHS could not solve the CCP subproblem: {result.message}")
    return result.x[:n] - result.x[n : 2 * n], float(result.fun)


def _costs(problem: DilationProblem) -> Array:
    return np.concatenate(
        [
            np.full(2 * problem.n_features, problem.C),
            problem.negative_penalties,
            problem.positive_penalties,
        ]
    )


def _negative_rows(problem: DilationProblem) -> csr_array:
    """u_j − ξ_i of every negative and coordinate."""
    n, n_negatives = problem.negatives.shape
    coordinates = _one_per_row(np.tile(np.arange(n), n_negatives), n)
    slacks = _one_per_row(np.repeat(np.arange(n_negatives), n), n_negatives)
    rows = [coordinates, -coordinates, -slacks]
    return hstack([*rows, csr_array((n * n_negatives, problem.positives.shape[1]))]).tocsr()


def _one_per_row(columns: Indices, n_columns: int) -> coo_array:
    rows = np.arange(len(columns))
    return coo_array((np.ones(len(columns)), (rows, columns)), shape=(len(columns), n_columns))
