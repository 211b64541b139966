"""The convex-concave procedure (CCP; Yuille and Rangarajan 2003): from a point to a critical point.

CCP fixes the coordinate that attains the maximum of each positive, minimises the convex majoriser
that results, and repeats.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .._utils._typing import Array
from ._linear_program import solve_majoriser
from ._problem import DilationProblem, Evaluation
from ._results import CONVERGED, ITERATION_LIMIT, TOLERANCE
from ._settings import Procedure
from .majoriser._descent import minimise

# A guard: HiGHS finishes a step that takes the descent longer than this. No data tried came near.
STEP_LIMIT = 2000


@dataclass(frozen=True, eq=False)
class Trace:
    """A point of the procedure with the history that led there."""

    at: Evaluation
    history: tuple[float, ...]
    escapes: tuple[int, ...] = ()
    n_iter: int = 0
    status: str = CONVERGED
    certified_by: str = "set directions"
    certificate: float = 0.0
    fallbacks: int = 0

    @classmethod
    def start(cls, at: Evaluation) -> Trace:
        return cls(at, (at.objective,))

    @property
    def objective(self) -> float:
        return self.history[-1]

    def escaped_to(self, found: Evaluation) -> Trace:
        """Append a point that a coordinate search found."""
        return replace(
            self,
            at=found,
            history=(*self.history, found.objective),
            escapes=(*self.escapes, len(self.history)),
        )


def convex_concave(problem: DilationProblem, trace: Trace, procedure: Procedure) -> Trace:
    """Run CCP until no step descends, or for ``max_iter`` steps in total."""
    at, history = trace.at, list(trace.history)
    status, n_iter, fallbacks = ITERATION_LIMIT, trace.n_iter, trace.fallbacks
    while n_iter < procedure.max_iter and status == ITERATION_LIMIT:
        n_iter += 1
        minimiser, certified_by, certificate = _minimise(at, procedure.solver)
        fallbacks += procedure.solver == "descent" and certified_by != "set directions"
        next_at = problem.at(minimiser)
        if next_at.objective >= history[-1]:
            # This point minimises its own majoriser; the search that found no descent proves it.
            status = CONVERGED
            break
        # A small decrease proves nothing: the next step may have other deciding features.
        if history[-1] - next_at.objective < procedure.tol * next_at.objective:
            status = TOLERANCE
        at = next_at
        history.append(at.objective)
    else:
        certified_by, certificate = _distance_to_fixed_point(at, procedure.solver)
    return replace(
        trace,
        at=at,
        history=tuple(history),
        n_iter=n_iter,
        status=status,
        certified_by=certified_by,
        certificate=certificate,
        fallbacks=fallbacks,
    )


def _minimise(at: Evaluation, solver: str) -> tuple[Array, str, float]:
    problem, deciding = at.problem, at.deciding_features()
    if solver == "descent":
        minimum = minimise(problem.convex_step(deciding), at.u, STEP_LIMIT)
        if minimum.exact:
            return minimum.point, "set directions", minimum.slope
    point, optimum = solve_majoriser(problem, deciding)
    return point, "linear programme", problem.at(point).majoriser(deciding) - optimum


def _distance_to_fixed_point(at: Evaluation, solver: str) -> tuple[str, float]:
    """Measure how far a point is from minimising its own majoriser, without moving it."""
    deciding = at.deciding_features()
    if solver == "descent":
        step = at.problem.convex_step(deciding)
        return "set directions", minimise(step, at.u, max_steps=0).slope
    return "linear programme", at.objective - solve_majoriser(at.problem, deciding)[1]
