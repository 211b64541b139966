"""A score of few terms by forward selection, all coefficients being fitted again at each step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._utils._typing import Array
from ._score_terms import Candidates, Term, cost

# Gains in units of χ² with one degree of freedom: below, a term is not worth a condition.
_SMALLEST_GAIN = 1e-3
_MAX_STEPS = 30


class Score(NamedTuple):
    """Terms and their coefficients, the intercept first."""

    terms: tuple[Term, ...]
    coefficients: Array

    @property
    def n_conditions(self) -> int:
        return sum(map(cost, self.terms))

    def values(self, candidates: Candidates) -> Array:
        """Decision values of the samples."""
        columns = [candidates.values(term) for term in self.terms]
        return self.coefficients[0] + sum(
            (c * u for c, u in zip(self.coefficients[1:], columns, strict=True)),
            np.zeros(len(candidates.X)),
        )


def score_path(
    candidates: Candidates,
    y: Array,
    weights: Array,
    *,
    max_conditions: int,
    max_faces: int,
    C: float,
) -> list[Score]:
    """Scores of more and more conditions, beginning with none.

    Parameters
    ----------
    candidates : Candidates
        The training samples.
    y : array of shape (n_samples,)
        1 for positive samples and 0 for negative ones.
    weights : array of shape (n_samples,)
        Weights of the samples.
    max_conditions : int
        Maximum number of conditions.
    max_faces : int
        Maximum number of faces of a box; with 0 features alone are candidates.
    C : float
        Strength of the penalty on squared coefficients.
    """
    columns = np.ones((len(y), 1))
    score = Score((), _fitted(columns, y, weights, C, np.zeros(1)))
    path = [score]
    while (room := max_conditions - score.n_conditions) > 0:
        probability = _logistic(columns @ score.coefficients)
        gain, term = candidates.best(
            weights * (y - probability),
            weights * np.maximum(probability * (1 - probability), 1e-4),
            list(score.terms),
            max_faces,
            room,
        )
        if term is None or gain < _SMALLEST_GAIN:
            break
        columns = np.column_stack([columns, candidates.values(term)])
        start = np.append(score.coefficients, 0.0)
        score = Score((*score.terms, term), _fitted(columns, y, weights, C, start))
        path.append(score)
    return path


def _fitted(columns: Array, y: Array, weights: Array, C: float, start: Array) -> Array:
    """Coefficients with the least logistic loss and ridge penalty, by damped Newton steps."""
    penalty = np.full(columns.shape[1], C)
    penalty[0] = 0.0

    def objective(point: Array) -> float:
        values = columns @ point
        losses = np.logaddexp(0, values) - y * values
        return float(weights @ losses + penalty @ point**2 / 2)

    point, least = start, objective(start)
    for _ in range(_MAX_STEPS):
        probability = _logistic(columns @ point)
        gradient = columns.T @ (weights * (probability - y)) + penalty * point
        curvature = weights * np.maximum(probability * (1 - probability), 1e-8)
        hessian = (columns * curvature[:, None]).T @ columns + np.diag(penalty)
        # A term that others add up to has no coefficient of its own where there is no penalty.
        step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        length = 1.0
        while objective(point - length * step) > least and length > 1e-6:
            length /= 2
        point = point - length * step
        before, least = least, objective(point)
        if before - least <= 1e-7 * (1 + abs(least)):
            break
    return point


def _logistic(values: Array) -> Array:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))
