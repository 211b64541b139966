r"""The CCP subproblem as a linear programme for HiGHS, and F itself as a mixed-integer one.

The linear programme is an alternative to the steepest descent and shares only the definition of the
problem with it. It is the fallback of the loop, and the independent solution of the tests. With
:math:`u = u^+ - u^-`, it has n·|N| + |P| rows:

.. math::

    \min \; a^\top \xi + b^\top \eta + C \, 1^\top (u^+ + u^-)
    \quad\text{s.t.}\quad u_j + v_{ij} \le \xi_i \;(i \in N), \qquad
    u_{j^*(i)} + v_{i j^*(i)} \ge -\eta_i \;(i \in P).

If binary variables choose the deciding coordinate of each positive, the solution is the global
optimum of F. The cost grows exponentially: it is feasible for some hundreds of samples in two or
three dimensions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import coo_array, csr_array, eye_array, hstack, vstack

from .._utils._typing import Array, Indices
from ._problem import DilationProblem

# HiGHS satisfies rows, integrality and the gap up to 1e-6 of the values, which are of size 1.
RESOLUTION = 1e-6


@dataclass(frozen=True)
class GlobalOptimum:
    """Result of the mixed-integer programme, in the units of the problem."""

    deciding: Indices | None  # of each positive; None if the time limit was reached first
    lower_bound: float
    proven: bool


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


def solve_globally(problem: DilationProblem, time_limit: float) -> GlobalOptimum:
    """Find the optimum of F by a mixed-integer programme."""
    n, n_positives = problem.positives.shape
    n_negatives = problem.negatives.shape[1]
    n_choices = n * n_positives
    # An optimum lies between the smallest and the largest kink of each coordinate.
    both = np.hstack([problem.negatives, problem.positives])
    lowest, highest = np.minimum(-both.max(axis=1), 0.0), np.maximum(-both.min(axis=1), 0.0)
    coordinate = np.tile(np.arange(n), n_positives)
    values = problem.positives.T.ravel()
    # u_j + v_ij >= -eta_i - slack (1 - z_ij), where slack is the largest possible violation.
    slack = np.maximum(-(values + lowest[coordinate]), 0.0)
    pick = _one_per_row(coordinate, n)
    sample = _one_per_row(np.repeat(np.arange(n_positives), n), n_positives)
    choice_rows = hstack(
        [-pick, pick, csr_array((n_choices, n_negatives)), -sample, _diagonal(slack)]
    )
    one_choice = hstack([csr_array((n_positives, 2 * n + n_negatives + n_positives)), sample.T])
    negative_rows = hstack([_negative_rows(problem), csr_array((n * n_negatives, n_choices))])
    result = milp(
        np.concatenate([_costs(problem), np.zeros(n_choices)]),
        constraints=[
            LinearConstraint(negative_rows.tocsr(), ub=-problem.negatives.T.ravel()),
            LinearConstraint(choice_rows.tocsr(), ub=values + slack),
            LinearConstraint(one_choice.tocsr(), lb=1, ub=1),
        ],
        integrality=np.concatenate(
            [np.zeros(2 * n + n_negatives + n_positives), np.ones(n_choices)]
        ),
        bounds=Bounds(
            0,
            np.concatenate(
                [highest, -lowest, np.full(n_negatives + n_positives, np.inf), np.ones(n_choices)]
            ),
        ),
        options={"time_limit": time_limit, "mip_rel_gap": 0.0},
    )
    deciding = None
    if result.x is not None:
        deciding = result.x[-n_choices:].reshape(n_positives, n).argmax(axis=1)
    bound = 0.0 if result.mip_dual_bound is None else float(result.mip_dual_bound)
    return GlobalOptimum(deciding, max(bound, 0.0), result.status == 0)


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


def _diagonal(values: Array) -> coo_array:
    index = np.arange(len(values))
    return coo_array((values, (index, index)))
