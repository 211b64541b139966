r"""Global minimum of F for one and two features, and the gap of trained weights to it.

F is piecewise linear on the arrangement of the lines :math:`u_1 = c`, :math:`u_2 = c'` and
:math:`u_1 - u_2 = d` of its kinks, so that a vertex of the arrangement minimises it. Lines of the
third kind are parallel, so every vertex lies on a line of the first two kinds. The search fixes
each coordinate in turn at each of its kinks and minimises along the other one (:mod:`._escape`).
It finds all vertices, in :math:`O(m^2 \log m)`.
"""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array
from ._escape import coordinate_minimum
from ._linear_program import RESOLUTION, solve_globally
from ._problem import DilationProblem, Evaluation
from ._results import OptimalityCertificate
from .majoriser._descent import minimise

MOST_FEATURES = 2
# Relative rounding error of a penalised sum.
_ROUNDING = 1e-13


def minimise_globally(problem: DilationProblem) -> Array:
    """A global minimiser of F."""
    n = problem.n_features
    if n > MOST_FEATURES:
        raise ValueError(
            f"solver='global' is for at most {MOST_FEATURES} features, X has {n}: use "
            "solver='descent', with n_init and escape to come closer to the global minimum"
        )
    if n == 1:
        return _along(problem, np.zeros(1), 0)
    best, lowest = np.zeros(n), np.inf
    for fixed in range(n):
        values = np.concatenate([problem.negatives[fixed], problem.positives[fixed], [0.0]])
        kinks = np.unique(-values)
        least = _least(problem, fixed, kinks)
        for place in np.argsort(least, kind="stable"):
            if least[place] >= lowest:
                break
            u = np.zeros(n)
            u[fixed] = kinks[place]
            u = _along(problem, u, 1 - fixed)
            objective = problem.at(u).objective
            if objective < lowest:
                best, lowest = u, objective
    return best


def _least(problem: DilationProblem, fixed: int, kinks: Array) -> Array:
    """Lower bound of F with a coordinate fixed at each kink, whatever the other coordinate is.

    The bound is the penalty of the coordinate plus the loss of the negatives that it alone lifts
    above zero.
    """
    order = np.argsort(-problem.negatives[fixed], kind="stable")
    values, penalties = problem.negatives[fixed][order], problem.negative_penalties[order]
    lifted = np.searchsorted(-values, kinks)  # number of negatives with v + kink > 0
    weight = np.concatenate([[0.0], np.cumsum(penalties)])[lifted]
    loss = np.concatenate([[0.0], np.cumsum(penalties * values)])[lifted] + weight * kinks
    # Rounding of the sums must not exclude a minimiser.
    return (loss + problem.C * np.abs(kinks)) * (1 - 1e-9) - problem.slope_tolerance


def _along(problem: DilationProblem, u: Array, free: int) -> Array:
    """Move the free coordinate of ``u`` to its minimum; the others stay."""
    others = [j for j in range(problem.n_features) if j != free]
    negatives, positives = (
        (values[others] + u[others, None]).max(axis=0, initial=-np.inf)
        for values in (problem.negatives, problem.positives)
    )
    u = u.copy()
    u[free] += coordinate_minimum(problem, u, free, negatives, positives)[0]
    return u


def certify_globally(
    problem: DilationProblem, weights: Array, time_limit: float
) -> OptimalityCertificate:
    """Compare trained weights with the global optimum.

    An exact search finds the optimum of one or two features, a mixed-integer programme that of
    more.

    Parameters
    ----------
    problem : DilationProblem
        The training problem.
    weights : ndarray of shape (n_features,)
        Weights of the operator.
    time_limit : float
        Seconds for the mixed-integer programme. At the limit, the best bound so far is returned.

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
    """Best point found by the mixed-integer programme, and its lower bound."""
    optimum = solve_globally(at.problem, time_limit)
    best = at
    if optimum.deciding is not None:
        # The point of the solver is feasible only up to its tolerance: minimise again from there.
        for start in (at.u, np.zeros_like(at.u)):
            best = _lower(best, minimise(at.problem.convex_step(optimum.deciding), start).point)
    return best, min(optimum.lower_bound, best.objective)
