"""Descent of one operator from a start to a critical point: CCP, and escapes from its end.

With one or two features, ``solver="global"`` finds the global minimum instead. CCP and escape have
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
from ._global_search import minimise_globally
from ._problem import DilationProblem, Evaluation
from ._results import CONVERGED, ITERATION_LIMIT, TOLERANCE
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
        return _global_minimum(problem, trace)
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


def _global_minimum(problem: DilationProblem, start: Trace) -> Trace:
    found = problem.at(minimise_globally(problem))
    trace = replace(start, certified_by="global search")
    if found.objective >= start.objective:
        return trace
    return replace(trace, at=found, history=(*start.history, found.objective), n_iter=1)
