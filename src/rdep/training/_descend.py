"""Descent of one operator from a start to a critical point: CCP, and escapes from its end.

With at most ten features, ``solver="global"`` finds the global minimum instead. CCP and escape have
two forms with the same steps: the NumPy form, and the compiled form, which is used if it was built.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import numpy as np

from .._utils._compiled import compiled_core
from .._utils._typing import Array
from ._ccp import STEP_LIMIT, Trace, convex_concave
from ._escape import WORTHWHILE, search_coordinates
from ._global_search import MOST_FEATURES, search_globally
from ._problem import DilationProblem, Evaluation
from ._results import CONVERGED, GAP, INTERRUPTED, ITERATION_LIMIT, OPTIMAL, TOLERANCE
from ._settings import Procedure

# The only place that chooses a form; None is the NumPy form.
_core = compiled_core()


def descend(problem: DilationProblem, u: Array, procedure: Procedure) -> Trace:
    """Run CCP from ``u``; with ``escape``, again from each point that a coordinate search finds."""
    if procedure.solver == "descent" and _core is not None:
        trace = _compiled(_core, problem, u, procedure)
        if trace is not None:
            return trace
    trace = Trace.start(problem.at(u))
    if procedure.solver == "global":
        return _global_minimum(trace, procedure)
    return with_escapes(trace, procedure, lambda at: convex_concave(problem, at, procedure))


def with_escapes(
    trace: Trace, procedure: Procedure, to_critical: Callable[[Trace], Trace]
) -> Trace:
    """Descend to a critical point; with ``escape``, again from each point that a search finds."""
    while True:
        trace = to_critical(trace)
        if not procedure.escape or trace.status == ITERATION_LIMIT:
            return trace
        found = search_coordinates(trace.at)
        if found is None:
            return trace
        trace = trace.escaped_to(found)


def _compiled(
    core: ModuleType, problem: DilationProblem, u: Array, procedure: Procedure
) -> Trace | None:
    """Run the compiled form; None if a step needs HiGHS, for which the NumPy form starts again."""
    found = core.descend(
        problem.negatives,
        problem.positives,
        np.ascontiguousarray(problem.negative_penalties),
        np.ascontiguousarray(problem.positive_penalties),
        problem.negative_tops,
        u,
        lambda *at: Evaluation(problem, *at).deciding_features(),
        problem.C,
        problem.tie_tolerance,
        problem.slope_tolerance,
        problem.largest,
        procedure.max_iter,
        procedure.tol,
        STEP_LIMIT,
        procedure.escape,
        WORTHWHILE,
        problem.rounding,
    )
    if found is None:
        return None
    point, of_negatives, of_positives, history, escapes, n_iter, number, slope = found
    return Trace(
        at=Evaluation(problem, point, of_negatives, of_positives),
        history=tuple(history),
        escapes=tuple(escapes),
        n_iter=n_iter,
        status=(CONVERGED, TOLERANCE, ITERATION_LIMIT)[number],
        certificate=slope,
    )


def _global_minimum(start: Trace, procedure: Procedure) -> Trace:
    """From where a descent with escapes ends, which mostly is not far above the minimum."""
    problem = start.at.problem
    if problem.n_features > MOST_FEATURES:
        raise ValueError(
            f"solver='global' is for at most {MOST_FEATURES} features, X has "
            f"{problem.n_features}: use solver='descent', with n_init and escape to come nearer to "
            "the global minimum, and certify for a bound"
        )
    down = descend(problem, start.at.u, replace(procedure, solver="descent", escape=True))
    found = search_globally(problem, down.at.u, max_steps=procedure.max_iter, gap=procedure.tol)
    objective = found.best.objective
    improved = objective < start.objective
    ends = {OPTIMAL: CONVERGED, GAP: TOLERANCE, INTERRUPTED: INTERRUPTED}
    return replace(
        start,
        at=found.best if improved else start.at,
        history=(*start.history, objective) if improved else start.history,
        n_iter=max(1, found.n_steps),
        status=ends.get(found.status, ITERATION_LIMIT),
        certified_by="global search",
        certificate=(objective - found.lower_bound) * problem.unit,
    )
