"""The global optimality gap of trained weights."""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array
from ._global_search import MOST_FEATURES, minimise_globally
from ._linear_program import RESOLUTION, solve_globally
from ._problem import DilationProblem, Evaluation
from ._results import OptimalityCertificate
from .majoriser._descent import minimise

# Of sums of penalties times values, relative to them.
_ROUNDING = 1e-13


def certify_globally(
    problem: DilationProblem, weights: Array, time_limit: float
) -> OptimalityCertificate:
    """Compare trained weights with the global optimum.

    With one or two features by an exact search, with more by a mixed-integer programme.

    Parameters
    ----------
    problem : DilationProblem
        The training problem.
    weights : ndarray of shape (n_features,)
        Weights of the operator.
    time_limit : float
        Seconds for the mixed-integer programme, after which the best bound known by then is given.

    Returns
    -------
    OptimalityCertificate
        The gap, and the best weights found.
    """
    at = problem.at(problem.point(weights))
    total = problem.negative_penalties.sum() + problem.positive_penalties.sum() + problem.C
    if problem.n_features <= MOST_FEATURES:
        best = _lower(at, minimise_globally(problem))
        bound, resolution = best.objective, _ROUNDING * total * problem.largest
    else:
        best, bound = _by_programme(at, time_limit)
        resolution = RESOLUTION * total * problem.largest
    objective = at.objective
    return OptimalityCertificate(
        objective=objective * problem.unit,
        lower_bound=bound * problem.unit,
        gap=(objective - bound) / objective if objective > 0 else 0.0,
        resolution=float(resolution * problem.unit),
        best_objective=best.objective * problem.unit,
        best_weights=problem.weights(best.u),
        proven=bool(best.objective - bound <= resolution),
    )


def _lower(at: Evaluation, u: Array) -> Evaluation:
    found = at.problem.at(u)
    return found if found.objective < at.objective else at


def _by_programme(at: Evaluation, time_limit: float) -> tuple[Evaluation, float]:
    """The best point known, and a bound."""
    optimum = solve_globally(at.problem, time_limit)
    best = at
    if optimum.deciding is not None:
        # The solver's own point is only feasible to its tolerance; minimise again from its choice.
        for start in (at.u, np.zeros_like(at.u)):
            best = _lower(best, minimise(at.problem.convex_step(optimum.deciding), start).point)
    return best, min(optimum.lower_bound, best.objective)
