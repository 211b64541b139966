r"""Newton's method on F for the squared hinge: a fast descent between exact steps.

If no two pieces tie and no sample is exactly at its margin, F is quadratic near a point: each
sample has one piece of the dilation, one of the erosion, and a loss that is zero or a square. The
Newton direction of this quadratic function, with a line search on F, descends quickly. It stops at
kinks, which exact convex steps resolve. With one piece of each kind there are no kinks, and the
method ends at the minimum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, solve
from scipy.sparse.linalg import LinearOperator, cg

from ..._utils._typing import Array, Indices
from ._problem import AffineProblem

_SHORTEST = 1e-3
_RIDGE = 1e-12
# With more unknowns, directions are computed by conjugate gradients, without a matrix.
_LARGE = 700
_PRECISION = 0.05


@dataclass(frozen=True, eq=False)
class _Active:
    """Samples of one class that have a loss, and their two pieces."""

    samples: Array
    slopes: Array  # of the loss
    curvatures: Array
    dilation: Indices
    erosion: Indices


def descend(problem: AffineProblem, start: Array, *, tol: float, max_iter: int = 100) -> Array:
    """Descend from a point until the relative decrease of F is below ``tol``."""
    theta, value = start, problem.objective(start)
    for _ in range(max_iter):
        direction = _direction(problem, theta)
        if direction is None:
            break
        length, best, lowest = 1.0, None, value
        while length > _SHORTEST:
            trial = theta + length * direction
            reached = problem.objective(trial)
            if reached < lowest:
                best, lowest = trial, reached
            elif best is not None:
                break
            length *= 0.5
        if best is None:
            break
        descent, theta, value = value - lowest, best, lowest
        if descent <= tol * value:
            break
    return theta


def _active(problem: AffineProblem, theta: Array) -> list[_Active]:
    n_dilation = problem.n_pieces[0]
    found = []
    for sign, samples, costs, levels in (
        (1.0, problem.negatives, problem.negative_costs, problem.negative_levels),
        (-1.0, problem.positives, problem.positive_costs, problem.positive_levels),
    ):
        values = samples @ theta.T
        dilation = values[:, :n_dilation].argmax(axis=1)
        erosion = values[:, n_dilation:].argmin(axis=1) + n_dilation
        rows = np.arange(len(samples))
        violations = levels + sign * (values[rows, dilation] + values[rows, erosion])
        lossy = np.flatnonzero(violations > 0)
        twice = 2.0 * costs[lossy]
        found.append(
            _Active(
                samples[lossy],
                sign * twice * violations[lossy],
                twice,
                dilation[lossy],
                erosion[lossy],
            )
        )
    return found


def _direction(problem: AffineProblem, theta: Array) -> Array | None:
    active = _active(problem, theta)
    gradient = problem.penalties * theta
    for part in active:
        gradient += _at_pieces(part, part.slopes, len(theta)).T @ part.samples
    if theta.size > _LARGE:
        return _by_conjugate_gradients(problem, active, gradient)
    matrix = _matrix(problem, active, theta.shape)
    try:
        step = solve(matrix, -gradient.ravel(), assume_a="pos", check_finite=False)
    except LinAlgError:
        return None
    return step.reshape(theta.shape) if np.isfinite(step).all() else None


def _at_pieces(part: _Active, values: Array, n_pieces: int) -> Array:
    """Matrix with the values of samples in the columns of both their pieces."""
    placed = np.zeros((len(values), n_pieces))
    rows = np.arange(len(values))
    placed[rows, part.dilation] = values
    placed[rows, part.erosion] = values
    return placed


def _matrix(problem: AffineProblem, active: list[_Active], shape: tuple[int, int]) -> Array:
    n_dilation, n_erosion = problem.n_pieces
    matrix: Array = np.zeros((*shape, *shape))
    for part in active:
        cells = part.dilation * n_erosion + part.erosion - n_dilation
        for cell in range(n_dilation * n_erosion):
            inside = np.flatnonzero(cells == cell)
            if not len(inside):
                continue
            Z = part.samples[inside]
            block = (Z * part.curvatures[inside, None]).T @ Z
            pair = (cell // n_erosion, cell % n_erosion + n_dilation)
            for p in pair:
                for q in pair:
                    matrix[p, :, q, :] += block
    problem.fixed_drift(matrix)
    size = shape[0] * shape[1]
    matrix = matrix.reshape(size, size)
    diagonal = np.arange(size)
    matrix[diagonal, diagonal] += problem.penalties.ravel()
    matrix[diagonal, diagonal] += _RIDGE * max(matrix[diagonal, diagonal].max(), 1e-300)
    return matrix


def _by_conjugate_gradients(
    problem: AffineProblem, active: list[_Active], gradient: Array
) -> Array | None:
    shape = gradient.shape
    diagonal = problem.penalties.copy()
    for part in active:
        diagonal += _at_pieces(part, part.curvatures, shape[0]).T @ part.samples**2
    diagonal += _RIDGE * max(diagonal.max(), 1e-300)

    def product(vector: Array) -> Array:
        theta = vector.reshape(shape)
        result = problem.penalties * theta
        for part in active:
            values = part.samples @ theta.T
            rows = np.arange(len(values))
            along = part.curvatures * (values[rows, part.dilation] + values[rows, part.erosion])
            result += _at_pieces(part, along, shape[0]).T @ part.samples
        return result.ravel()

    size = gradient.size
    step, _ = cg(
        LinearOperator((size, size), matvec=product),
        -gradient.ravel(),
        rtol=_PRECISION,
        maxiter=200,
        M=LinearOperator((size, size), matvec=lambda vector: vector / diagonal.ravel()),
    )
    return step.reshape(shape) if np.isfinite(step).all() else None
