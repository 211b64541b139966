"""The convex-concave procedure: from samples to a trained perceptron.

CCP freezes the coordinate that decides each positive, minimises the convex function this leaves,
and repeats until nothing descends. Around that loop stand the optional escape from its critical
points and the several starts; after it stands the record of what was reached.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from .._typing import Array
from .descent import MAX_STEPS, minimise_majoriser
from .escape import search_coordinates
from .linear_program import solve_globally, solve_majoriser
from .problem import DilationProblem
from .samples import TrainingSet

OPERATORS = ("dilation", "erosion")
SOLVERS = ("descent", "highs")

# Rows of a linear programme that HiGHS solves in seconds, and steps that take as long.
_SMALL_PROGRAMME = 200_000
_FEW_STEPS = 1000

CONVERGED = "converged"
ITERATION_LIMIT = "iteration limit"


@dataclass(frozen=True, eq=False)
class TrainingResult:
    """What training one perceptron reached.

    Attributes
    ----------
    weights : ndarray of shape (n_features,)
    objective : float
        The paper's J at ``weights``, in the units of the data.
    status : "converged" or "iteration limit"
        Converged: no step of the convex-concave procedure lowers the objective any more.
    n_iter : int
        Steps of the convex-concave procedure, over all escapes of the best start.
    history : ndarray
        The objective at the start and after every step.
    escapes : tuple of int
        Positions in ``history`` that a coordinate search reached, not a step of the procedure.
    boundary_share : float
        Share of the training weight whose decision value is zero up to rounding.
    certified_by : "set directions" or "linear programme"
        What shows that ``weights`` minimise their own convex majoriser.
    certificate : float
        For set directions the slope along the steepest of them, for a linear programme the
        distance to its optimum. Zero up to rounding where no step descends.
    start : int
        Which start was the best: 0 is the reference, the others are random.
    fallbacks : int
        Steps in which the descent met its own limit and HiGHS finished; none on ordinary data.
    """

    weights: Array
    objective: float
    status: str
    n_iter: int
    history: Array
    escapes: tuple[int, ...]
    boundary_share: float
    certified_by: str
    certificate: float
    start: int
    fallbacks: int

    @property
    def converged(self) -> bool:
        return self.status == CONVERGED


@dataclass(frozen=True, eq=False)
class OptimalityCertificate:
    """How far a trained perceptron is from the global optimum of its training problem.

    Attributes
    ----------
    objective : float
        Of the weights in question.
    lower_bound : float
        No weights have an objective below this.
    gap : float
        ``(objective − lower_bound) / objective``, 0 where the weights are optimal.
    best_objective : float
        The lowest objective known.
    best_weights : ndarray
        Weights that attain it.
    proven : bool
        Whether the search ended before its time limit.
    """

    objective: float
    lower_bound: float
    gap: float
    best_objective: float
    best_weights: Array
    proven: bool


@dataclass(frozen=True)
class _Point:
    """A point of the loop with what is known of it."""

    u: Array
    history: tuple[float, ...]
    escapes: tuple[int, ...] = ()
    n_iter: int = 0
    status: str = CONVERGED
    certified_by: str = "set directions"
    certificate: float = 0.0
    fallbacks: int = 0

    @property
    def objective(self) -> float:
        return self.history[-1]


def dilation_problem(
    samples: TrainingSet,
    operator: str,
    *,
    C: float,
    weighting: str | None,
    reference: str | ArrayLike,
    margin: float,
) -> DilationProblem:
    """The problem of either operator as that of a dilation: an erosion's through the dual."""
    if operator == "erosion":
        samples = samples.dual()
        if not isinstance(reference, str):
            reference = -np.asarray(reference, dtype=float)
    return DilationProblem.from_training_set(
        samples, C=C, weighting=weighting, reference=reference, margin=margin
    )


def train(
    samples: TrainingSet,
    operator: str,
    *,
    C: float,
    weighting: str | None,
    reference: str | ArrayLike,
    margin: float,
    escape: bool,
    n_init: int,
    solver: str,
    max_iter: int,
    tol: float,
    seed: int,
    start: Array | None = None,
) -> TrainingResult:
    """Train one perceptron. The parameters are those of the estimators.

    ``start`` are weights to begin with in place of the reference.
    """
    problem = dilation_problem(
        samples, operator, C=C, weighting=weighting, reference=reference, margin=margin
    )
    starts = _starts(problem, n_init, seed)
    if start is not None:
        sign = -1.0 if operator == "erosion" else 1.0
        starts[0] = (sign * start - problem.reference) / problem.unit
    points = [_descend(problem, u, solver, max_iter, tol, escape) for u in starts]
    best = int(np.argmin([point.objective for point in points]))
    return _record(samples, operator, problem, points[best], best)


def procedure_from(
    problem: DilationProblem, u: Array, solver: str, max_iter: int, tol: float
) -> Array:
    """Where the convex-concave procedure leads from ``u``."""
    return _convex_concave(problem, _Point(u, (problem.objective(u),)), solver, max_iter, tol).u


def certify_globally(
    problem: DilationProblem, operator: str, weights: Array, time_limit: float
) -> OptimalityCertificate:
    """Compare trained weights with the global optimum by a mixed-integer programme."""
    sign = -1.0 if operator == "erosion" else 1.0
    u = (sign * weights - problem.reference) / problem.unit
    objective = problem.objective(u)
    optimum = solve_globally(problem, time_limit)
    best, best_objective = u, objective
    if optimum.deciding is not None:
        # The solver's own point is only feasible to its tolerance; minimise again from its choice.
        found = minimise_majoriser(problem, u, optimum.deciding).point
        if problem.objective(found) < objective:
            best, best_objective = found, problem.objective(found)
    bound = min(optimum.lower_bound, best_objective)
    return OptimalityCertificate(
        objective=objective * problem.unit,
        lower_bound=bound * problem.unit,
        gap=(objective - bound) / objective if objective > 0 else 0.0,
        best_objective=best_objective * problem.unit,
        best_weights=sign * problem.weights(best),
        proven=optimum.proven,
    )


def _starts(problem: DilationProblem, n_init: int, seed: int) -> list[Array]:
    """The reference first; then points at which every coordinate brings some sample to zero."""
    if n_init == 1:
        return [np.zeros(problem.n_features)]
    values = np.hstack([problem.negatives, problem.positives])
    random = np.random.RandomState(seed)
    coordinates = np.arange(problem.n_features)
    return [np.zeros(problem.n_features)] + [
        -values[coordinates, random.randint(values.shape[1], size=problem.n_features)]
        for _ in range(n_init - 1)
    ]


def _descend(
    problem: DilationProblem, u: Array, solver: str, max_iter: int, tol: float, escape: bool
) -> _Point:
    """CCP from ``u``, and from wherever a coordinate search leads next."""
    point = _Point(u, (problem.objective(u),))
    while True:
        point = _convex_concave(problem, point, solver, max_iter, tol)
        if not escape or point.status != CONVERGED:
            return point
        u = search_coordinates(problem, point.u)
        if problem.objective(u) >= point.objective:
            return point
        point = replace(
            point,
            u=u,
            history=(*point.history, problem.objective(u)),
            escapes=(*point.escapes, len(point.history)),
        )


def _convex_concave(
    problem: DilationProblem, point: _Point, solver: str, max_iter: int, tol: float
) -> _Point:
    """CCP until no step descends, or ``max_iter`` steps in all."""
    u, history = point.u, list(point.history)
    status, n_iter, fallbacks = ITERATION_LIMIT, point.n_iter, point.fallbacks
    while n_iter < max_iter and status != CONVERGED:
        n_iter += 1
        minimiser, certified_by, certificate = _minimise(problem, u, solver)
        fallbacks += solver == "descent" and certified_by != "set directions"
        objective = problem.objective(minimiser)
        if objective >= history[-1]:
            # This point minimises its own majoriser, and the search just made is the proof.
            return _Point(
                u,
                tuple(history),
                point.escapes,
                n_iter,
                CONVERGED,
                certified_by,
                certificate,
                fallbacks,
            )
        if history[-1] - objective <= tol * objective:
            status = CONVERGED
        u = minimiser
        history.append(objective)
    certified_by, certificate = _distance_to_fixed_point(problem, u, solver)
    return _Point(
        u, tuple(history), point.escapes, n_iter, status, certified_by, certificate, fallbacks
    )


def _distance_to_fixed_point(problem: DilationProblem, u: Array, solver: str) -> tuple[str, float]:
    """How far a point is from minimising its own majoriser, without leaving it."""
    deciding = problem.deciding_features(u)
    if solver == "descent":
        return "set directions", minimise_majoriser(problem, u, deciding, max_steps=0).slope
    return "linear programme", problem.objective(u) - solve_majoriser(problem, deciding)[1]


def _minimise(problem: DilationProblem, u: Array, solver: str) -> tuple[Array, str, float]:
    deciding = problem.deciding_features(u)
    if solver == "descent":
        minimum = minimise_majoriser(problem, u, deciding, _step_limit(problem))
        if minimum.exact:
            return minimum.point, "set directions", minimum.slope
    point, optimum = solve_majoriser(problem, deciding)
    return point, "linear programme", problem.majoriser(point, deciding) - optimum


def _step_limit(problem: DilationProblem) -> int:
    """Steps after which a linear programme is the faster way.

    Some valleys are so flat and so crooked that the descent crawls: one hundred features that all
    but repeat each other took it ten thousand steps, and HiGHS two seconds.
    """
    return MAX_STEPS if problem.negatives.size > _SMALL_PROGRAMME else _FEW_STEPS


def _record(
    samples: TrainingSet, operator: str, problem: DilationProblem, point: _Point, start: int
) -> TrainingResult:
    weights = problem.weights(point.u)
    class_weights = (samples.negative_weights, samples.positive_weights)
    if operator == "erosion":
        # As in the dual, whose problem it is.
        class_weights = (class_weights[1][::-1], class_weights[0][::-1])
    at_zero = [
        of_class @ (np.abs(values) <= problem.tie_tolerance)
        for of_class, values in zip(class_weights, problem.decisions(point.u), strict=True)
    ]
    total = samples.negative_weights.sum() + samples.positive_weights.sum()
    return TrainingResult(
        weights=-weights if operator == "erosion" else weights,
        objective=point.objective * problem.unit,
        status=point.status,
        n_iter=point.n_iter,
        history=np.array(point.history) * problem.unit,
        escapes=point.escapes,
        boundary_share=float(sum(at_zero) / total),
        certified_by=point.certified_by,
        certificate=point.certificate,
        start=start,
        fallbacks=point.fallbacks,
    )
