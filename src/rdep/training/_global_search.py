r"""The global minimum of F for one and two features, and the gap of trained weights to it.

F is piecewise linear on the arrangement of the lines :math:`u_1 = c`, :math:`u_2 = c'` and
:math:`u_1 - u_2 = d` of its kinks, so that a vertex of the arrangement minimises it. No two lines
of the third kind meet: every vertex lies on one of the first two. With each coordinate in turn
fixed at each of its kinks, the search along the other one (:mod:`._escape`) finds them all, in
:math:`O(m^2 \log m)`.
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
            "solver='descent', with n_init and escape to come nearer to the global minimum"
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
    """What F is at least with a coordinate at each of these places, wherever the others are.

    The coordinate's own penalty, and the loss of the negatives that it alone lifts above zero.
    """
    order = np.argsort(-problem.negatives[fixed], kind="stable")
    values, penalties = problem.negatives[fixed][order], problem.negative_penalties[order]
    lifted = np.searchsorted(-values, kinks)  # as many negatives have v + kink > 0
    weight = np.concatenate([[0.0], np.cumsum(penalties)])[lifted]
    loss = np.concatenate([[0.0], np.cumsum(penalties * values)])[lifted] + weight * kinks
    # Rounding of the sums must not exclude a minimiser.
    return (loss + problem.C * np.abs(kinks)) * (1 - 1e-9) - problem.slope_tolerance


def _along(problem: DilationProblem, u: Array, free: int) -> Array:
    """``u`` with its free coordinate at the best place, the others as they are."""
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
