"""From a start to a critical point of one operator: CCP, and the escape from where it ends."""

from __future__ import annotations

from dataclasses import replace

from .._utils._typing import Array
from ._ccp import Trace, convex_concave
from ._escape import search_coordinates
from ._problem import DilationProblem
from ._results import CONVERGED
from ._settings import Procedure


def descend(problem: DilationProblem, u: Array, procedure: Procedure) -> Trace:
    """CCP from ``u``; with ``escape``, again from each point that a coordinate search finds."""
    trace = Trace.start(problem.at(u))
    while True:
        trace = convex_concave(problem, trace, procedure)
        if not procedure.escape or trace.status != CONVERGED:
            return trace
        found = problem.at(search_coordinates(problem, trace.at.u))
        if found.objective >= trace.objective:
            return trace
        trace = replace(
            trace,
            at=found,
            history=(*trace.history, found.objective),
            escapes=(*trace.escapes, len(trace.history)),
        )
