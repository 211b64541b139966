"""The global optimality gap of trained weights."""

from __future__ import annotations

from .._utils._typing import Array
from ._linear_program import solve_globally
from ._problem import DilationProblem
from ._results import OptimalityCertificate
from .majoriser._descent import minimise_majoriser


def certify_globally(
    problem: DilationProblem, weights: Array, time_limit: float
) -> OptimalityCertificate:
    """Bound the optimality gap of trained weights by a mixed-integer programme.

    Parameters
    ----------
    problem : DilationProblem
        The training problem.
    weights : ndarray of shape (n_features,)
        Weights of the operator.
    time_limit : float
        Time limit in seconds, after which the best bound found so far is returned.

    Returns
    -------
    OptimalityCertificate
        The gap, and the best weights found.
    """
    at = problem.at(problem.point(weights))
    objective = at.objective
    optimum = solve_globally(problem, time_limit)
    best = at
    if optimum.deciding is not None:
        # The solver's own point is only feasible to its tolerance; minimise again from its choice.
        found = problem.at(minimise_majoriser(problem, at.u, optimum.deciding).point)
        if found.objective < objective:
            best = found
    bound = min(optimum.lower_bound, best.objective)
    return OptimalityCertificate(
        objective=objective * problem.unit,
        lower_bound=bound * problem.unit,
        gap=(objective - bound) / objective if objective > 0 else 0.0,
        best_objective=best.objective * problem.unit,
        best_weights=problem.weights(best.u),
        proven=optimum.proven,
    )
