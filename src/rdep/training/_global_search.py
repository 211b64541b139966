r"""Global minimum of F, and the gap of trained weights to it.

For three features and more, see :mod:`._branch_and_bound`. With two features, F is piecewise linear
on the arrangement of the lines :math:`u_1 = c`, :math:`u_2 = c'` and :math:`u_1 - u_2 = d` of its
kinks, so that a vertex of the arrangement minimises it. Lines of the third kind are parallel, so
every vertex lies on a line of the first two kinds. The search fixes each coordinate in turn at each
of its kinks and minimises along the other one (:mod:`._escape`). It finds all vertices, in
:math:`O(m^2 \log m)`.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from .._utils._typing import Array
from ._branch_and_bound import Search, search
from ._escape import coordinate_minimum
from ._problem import DilationProblem
from ._results import OPTIMAL, STEP_LIMIT, TOO_MANY, OptimalityCertificate

# Features for which the search on the plane is exact, and for which branch and bound goes on.
PLANE = 2
MOST_FEATURES = 10
# With more features a bound is given after as many steps of branch and bound.
_STEPS_BEYOND = 50
# Relative rounding error of a penalised sum.
_ROUNDING = 1e-13


def search_globally(
    problem: DilationProblem,
    start: Array,
    *,
    time_limit: float = np.inf,
    max_steps: float = np.inf,
    gap: float = 0.0,
) -> Search:
    """The best point that can be found from a known one, and a lower bound of F."""
    if problem.n_features > PLANE:
        return search(problem, start, time_limit=time_limit, max_steps=max_steps, gap=gap)
    began = perf_counter()
    best = min(
        problem.at(start), problem.at(minimise_on_plane(problem)), key=lambda at: at.objective
    )
    total = problem.negative_penalties.sum() + problem.positive_penalties.sum() + problem.C
    return Search(
        best=best,
        lower_bound=best.objective,
        resolution=float(_ROUNDING * total * problem.largest),
        status=OPTIMAL,
        n_boxes=0,
        n_steps=1,
        seconds=perf_counter() - began,
    )


def minimise_on_plane(problem: DilationProblem) -> Array:
    """A global minimiser of F for one or two features."""
    n = problem.n_features
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
    problem: DilationProblem, weights: Array, time_limit: float, gap: float = 0.0
) -> OptimalityCertificate:
    """Compare trained weights with the global optimum.

    An exact search finds the optimum of one or two features, branch and bound that of more. An
    interrupt (Ctrl-C) ends branch and bound, which then returns what it has proven.

    Parameters
    ----------
    problem : DilationProblem
        The training problem.
    weights : ndarray of shape (n_features,)
        Weights of the operator.
    time_limit : float
        Seconds for branch and bound. At the limit, the best bound so far is returned.
    gap : float
        Branch and bound ends once the best objective is within this share of the lower bound.

    Returns
    -------
    OptimalityCertificate
        The gap, and the best weights found.
    """
    beyond = problem.n_features > MOST_FEATURES
    start = problem.point(weights)
    found = search_globally(
        problem,
        start,
        time_limit=time_limit,
        max_steps=_STEPS_BEYOND if beyond else np.inf,
        gap=gap,
    )
    objective, bound = problem.at(start).objective, found.lower_bound
    return OptimalityCertificate(
        objective=objective * problem.unit,
        lower_bound=bound * problem.unit,
        gap=(objective - bound) / objective if objective > 0 else 0.0,
        resolution=found.resolution * problem.unit,
        best_objective=found.best.objective * problem.unit,
        best_weights=problem.weights(found.best.u),
        status=TOO_MANY if found.status == STEP_LIMIT else found.status,
        n_boxes=found.n_boxes,
        seconds=found.seconds,
    )
