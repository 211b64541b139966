"""Train a linear DEP on samples, along a path that begins with the linear classifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from ..._utils._typing import Array, Indices
from .._results import ITERATION_LIMIT
from .._samples import TrainingSet
from .._targets import TargetSet
from ._ccp import AffineTrace, convex_concave
from ._interior import approach_minimum
from ._newton import descend
from ._problem import AffineProblem
from ._settings import AffineObjective, AffineProcedure, AffineRegression, AffineResult
from ._space import Space
from ._starts import groups

# Inexact steps suffice to compare candidates: nearly the same accuracy in a fraction of the time.
_ROUGH = AffineProcedure(max_iter=10, tol=1e-2, gap=1e-1)
_ROUGH_GAP = 0.3


def train_affine(
    samples: TrainingSet | TargetSet,
    objective: AffineObjective | AffineRegression,
    n_pieces: tuple[int, int],
    procedure: AffineProcedure | None = None,
) -> AffineResult:
    """Train a linear DEP: first the linear classifier, then the pieces that it is split into.

    Parameters
    ----------
    samples : TrainingSet or TargetSet
        The samples of both classes, or of a regression.
    objective : AffineObjective or AffineRegression
        The objective to minimise.
    n_pieces : pair of int
        Number of pieces of the dilation and of the erosion.
    procedure : AffineProcedure or None, default=None
        The parameters of the procedure; None means the defaults.

    Returns
    -------
    AffineResult
        The pieces, with objective, status and history.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.training import AffineObjective, TrainingSet, train_affine
    >>> X = np.array([[-2.0], [-1.0], [0.0], [1.0], [2.0]])
    >>> samples = TrainingSet.from_samples(X, np.array([1.0, 1.0, -1.0, 1.0, 1.0]))
    >>> result = train_affine(samples, AffineObjective(C=1e-3), (2, 1))
    >>> result.dilation_coef.round(1).tolist()
    [[-2.0], [2.0]]
    """
    *_, result = train_path(samples, objective, [n_pieces], procedure or AffineProcedure())
    return result


def train_path(
    samples: TrainingSet | TargetSet,
    objective: AffineObjective | AffineRegression,
    path: Iterable[tuple[int, int]],
    procedure: AffineProcedure,
) -> Iterator[AffineResult]:
    """Train linear DEPs with several numbers of pieces, all from the same linear classifier."""
    space = Space.of(samples, objective.penalize_intercept)
    problem = space.problem(samples, objective, (1, 1))
    linear = _linear(problem, procedure)
    squares = None
    if isinstance(objective, AffineRegression) and objective.loss != "squared_error":
        squares = _rough_pieces(space, samples, replace(objective, loss="squared_error"))
    for n_pieces in path:
        if n_pieces == (1, 1):
            yield _result(space, linear, n_pieces, 0)
            continue
        problem = space.problem(samples, objective, n_pieces)
        start = _equal_pieces(linear.theta, n_pieces)
        rng = np.random.default_rng(procedure.seed)
        traces = [
            _from(problem, start, _groups_of_both(problem, rng if index else None), procedure)
            for index in range(procedure.n_init)
        ]
        if squares is not None:
            # Pieces of the squared error: those of the linear model may end in a poor point.
            traces.append(_from(problem, squares(n_pieces), None, procedure))
        best = int(np.argmin([trace.objective for trace in traces]))
        yield _result(space, traces[best], n_pieces, best)


def rough_path(
    samples: TrainingSet | TargetSet,
    objective: AffineObjective | AffineRegression,
    path: Iterable[tuple[int, int]],
) -> Iterator[AffineResult]:
    """Train less exactly than :func:`train_path`, to compare numbers of pieces: 1/8 of the time.

    With a squared loss, one step that is not minimised exactly splits the pieces; then Newton's
    method descends.
    """
    if not objective.loss.startswith("squared"):
        yield from train_path(samples, objective, path, _ROUGH)
        return
    space = Space.of(samples, objective.penalize_intercept)
    pieces = _rough_pieces(space, samples, objective)
    for n_pieces in path:
        problem, theta = space.problem(samples, objective, n_pieces), pieces(n_pieces)
        trace = AffineTrace(theta, (problem.objective(theta),), (), ITERATION_LIMIT)
        yield _result(space, trace, n_pieces, 0)


def _rough_pieces(
    space: Space,
    samples: TrainingSet | TargetSet,
    objective: AffineObjective | AffineRegression,
) -> Callable[[tuple[int, int]], Array]:
    """Train with a squared loss by Newton's method, for any numbers of pieces."""
    problem = space.problem(samples, objective, (1, 1))
    linear = descend(problem, np.zeros(problem.penalties.shape), tol=1e-3)

    def pieces(n_pieces: tuple[int, int]) -> Array:
        if n_pieces == (1, 1):
            return linear
        problem = space.problem(samples, objective, n_pieces)
        step = problem.step(_groups_of_both(problem, None))
        start = approach_minimum(step, _equal_pieces(linear, n_pieces), _ROUGH_GAP)
        return descend(problem, start, tol=_ROUGH.tol)

    return pieces


def _equal_pieces(linear: Array, n_pieces: tuple[int, int]) -> Array:
    """Equal pieces with the decision values of the linear classifier."""
    return np.tile(linear.sum(axis=0) / 2, (sum(n_pieces), 1))


def _linear(problem: AffineProblem, procedure: AffineProcedure) -> AffineTrace:
    start = np.zeros(problem.penalties.shape)
    if problem.is_squared:
        start = descend(problem, start, tol=1e-2 * procedure.gap)
    return _from(problem, start, None, procedure)


def _from(
    problem: AffineProblem,
    start: Array,
    deciding: tuple[Indices, Indices] | None,
    procedure: AffineProcedure,
) -> AffineTrace:
    return convex_concave(
        problem,
        start,
        deciding,
        max_iter=procedure.max_iter,
        tol=procedure.tol,
        gap=procedure.gap,
    )


def _groups_of_both(
    problem: AffineProblem, rng: np.random.Generator | None
) -> tuple[Indices, Indices]:
    """A piece of the erosion for each negative, and one of the dilation for each positive."""
    n_dilation, n_erosion = problem.n_pieces
    return (
        groups(problem.negatives[:, :-1], problem.negative_costs, n_erosion, rng),
        groups(problem.positives[:, :-1], problem.positive_costs, n_dilation, rng),
    )


def _result(
    space: Space, trace: AffineTrace, n_pieces: tuple[int, int], start: int
) -> AffineResult:
    coefficients, intercepts = space.pieces(trace.theta)
    n_dilation = n_pieces[0]
    return AffineResult(
        coefficients[:n_dilation],
        intercepts[:n_dilation],
        coefficients[n_dilation:],
        intercepts[n_dilation:],
        trace.objective,
        trace.status,
        np.array(trace.history),
        np.array(trace.gaps),
        start,
    )
