"""Convex-concave procedure of a linear DEP; every step is minimised to a duality gap."""

from __future__ import annotations

from dataclasses import dataclass

from ..._utils._typing import Array, Indices
from .._results import CONVERGED, ITERATION_LIMIT, TOLERANCE
from ._interior import minimise_step
from ._newton import descend
from ._problem import AffineProblem


@dataclass(frozen=True, eq=False)
class AffineTrace:
    """A point of the procedure, with the history that led there."""

    theta: Array
    history: tuple[float, ...]  # the objective at the start and after every step
    gaps: tuple[float, ...]  # relative duality gap of every step
    status: str

    @property
    def objective(self) -> float:
        return self.history[-1]


def convex_concave(
    problem: AffineProblem,
    start: Array,
    deciding: tuple[Indices, Indices] | None = None,
    *,
    max_iter: int,
    tol: float,
    gap: float,
) -> AffineTrace:
    """Run the convex-concave procedure from ``start``; the first step fixes ``deciding``.

    ``deciding`` chooses among equal pieces. With the squared hinge, Newton's method on the
    objective follows each step and covers most of the way. A point that no further step lowers is
    still a critical point.
    """
    theta, history = start, [problem.objective(start)]
    gaps: list[float] = []
    status = ITERATION_LIMIT
    while len(gaps) < max_iter and status == ITERATION_LIMIT:
        fixed = problem.deciding(theta) if deciding is None else deciding
        minimum = minimise_step(problem.step(fixed), theta, gap)
        size = max(minimum.value, 1e-6 * problem.scale)
        gaps.append(minimum.gap / size)
        descent = history[-1] - problem.objective(minimum.theta)
        if descent > 0:
            theta = minimum.theta
        if descent <= gap * size and gaps[-1] <= 10 * gap and deciding is None:
            # This point minimises its own majoriser, up to the gap.
            lower = _past_ties(problem, theta, gap, 10 * gap * size)
            status = CONVERGED if lower is None else status
            theta = theta if lower is None else lower
        if status != CONVERGED and problem.is_squared:
            theta = descend(problem, theta, tol=max(tol, gap))
        reached = problem.objective(theta)
        settled = problem.without_drift(theta)
        if problem.objective(settled) <= reached:  # it may differ by rounding
            theta, reached = settled, problem.objective(settled)
        history.append(reached)
        if status != CONVERGED and deciding is None and history[-2] - history[-1] <= tol * size:
            status = TOLERANCE
        deciding = None
    return AffineTrace(theta, tuple(history), tuple(gaps), status)


def _past_ties(problem: AffineProblem, theta: Array, gap: float, enough: float) -> Array | None:
    """Find a lower point by fixing other tied pieces; None if there is none."""
    most = problem.objective(theta) - enough
    for fixed in problem.other_choices(theta):
        minimum = minimise_step(problem.step(fixed), theta, gap)
        if problem.objective(minimum.theta) < most:
            return minimum.theta
    return None
