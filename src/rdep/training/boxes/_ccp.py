"""Convex-concave procedure for boxes: from a start to boxes that minimise their own majoriser."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..._utils._typing import Array
from .._results import CONVERGED, ITERATION_LIMIT, TOLERANCE
from ._descent import minimise_step
from ._linear_program import solve_step
from ._problem import BoxProblem, BoxStep, BoxUnits

BOX_SOLVERS = ("auto", "descent", "highs")

# The descent is faster for steps whose size |P|·2n + |N|·K is at least the first number, if each of
# the 2nK faces has at least the second number of samples: see ``benchmarks/competitive.py``.
_DESCENT_FROM = 40_000
_SAMPLES_PER_FACE = 10


# A smaller relative decrease of F is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class TrainedBoxes:
    """Boxes of one class, with status and history of training.

    "converged": no step lowers F, up to rounding. "tolerance": the minimum of the last step was
    lower than that of the step before by no more than ``tol``.
    """

    boxes: Array  # (K, 2, n)
    history: tuple[float, ...]  # F at the start and after each step
    n_iter: int  # steps, the last of which may not have lowered F
    status: str

    @property
    def objective(self) -> float:
        return self.history[-1]

    def back(self, units: BoxUnits) -> TrainedBoxes:
        """The same result in the units of the data."""
        history = tuple(units.unit * objective for objective in self.history)
        return replace(self, boxes=units.back(self.boxes), history=history)


def train_boxes(
    problem: BoxProblem, starts: Iterable[Array], solver: str, max_iter: int, tol: float
) -> TrainedBoxes:
    """Train boxes from several starts and return the best; ties go to the first start.

    ``tol`` is in units of the features' spread times the mean cost of a sample.
    """
    tol *= problem.unit_of_loss
    ends = (_convex_concave(problem, start, solver, max_iter, tol) for start in starts)
    return min(ends, key=lambda end: end.objective)


def _convex_concave(
    problem: BoxProblem, boxes: Array, solver: str, max_iter: int, tol: float
) -> TrainedBoxes:
    history = [problem.objective(boxes)]
    majorised = history[0]
    for n_iter in range(1, max_iter + 1):
        step = problem.step(boxes)
        found = _minimise(step, boxes, solver)
        before, majorised = majorised, step.value(found)
        objective = problem.objective(found)
        if objective > history[-1]:
            # These boxes minimise their own majoriser, up to the rounding of HiGHS.
            return TrainedBoxes(boxes, tuple(history), n_iter, CONVERGED)
        boxes = found
        history.append(objective)
        if before - majorised <= tol:
            fell = history[-2] - objective > _ROUNDING * history[-2]
            status = TOLERANCE if fell else CONVERGED
            return TrainedBoxes(boxes, tuple(history), n_iter, status)
    return TrainedBoxes(boxes, tuple(history), max_iter, ITERATION_LIMIT)


def _minimise(step: BoxStep, boxes: Array, solver: str) -> Array:
    if solver == "auto":
        size = 2 * step.problem.positives.size + step.faces.size
        n_samples = len(step.owners) + step.faces.shape[1]
        is_long = n_samples >= _SAMPLES_PER_FACE * boxes.size
        solver = "descent" if size >= _DESCENT_FROM and is_long else "highs"
    if solver == "descent":
        minimum, exact = minimise_step(step, boxes)
        if exact:
            return minimum
    return solve_step(step)
