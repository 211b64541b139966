r"""Escape from CCP's critical points: the global minimum along one coordinate at a time.

F is not convex, but along one coordinate it is piecewise linear with at most three kinks for every
sample. Sorting the kinks and adding up the slopes gives F at all kinks, and thereby its *global*
minimum along that line:

* a negative starts to cost at :math:`t = \max(o_i, 0) - v_{ij}`, where :math:`o_i` is its maximum
  over the other coordinates;
* a positive with :math:`o_i < 0` starts to gain where :math:`v_{ij} + t` exceeds :math:`o_i`, and
  stops where it reaches zero;
* the slope of the regularisation changes sign at :math:`t = -u_j`.
"""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array
from ._problem import DilationProblem, Evaluation

# A search is successful if it lowers the objective by more than this share and by more than
# rounding.
WORTHWHILE = 1e-12


def search_coordinates(at: Evaluation) -> Evaluation | None:
    """Move to the lowest of all minima along a coordinate; None if that is no improvement."""
    enough = max(WORTHWHILE * at.objective, at.problem.rounding)
    if at.objective <= enough:
        return None
    moved = at.u.copy()
    best, distance = best_coordinate(at.problem, at.u)
    moved[best] += distance
    found = at.problem.at(moved)
    return found if at.objective - found.objective > enough else None


def best_coordinate(problem: DilationProblem, u: Array) -> tuple[int, float]:
    """Find the coordinate with the lowest global minimum, and the distance to it.

    All coordinates are compared, so that the result does not depend on the order of the features.
    """
    negatives, positives = _Runners(problem.negatives, u), _Runners(problem.positives, u)
    minima = [
        coordinate_minimum(problem, u, j, negatives.without(j), positives.without(j))
        for j in range(problem.n_features)
    ]
    gains = np.array([gain for _, gain in minima])
    best = int(np.argmax(gains >= gains.max() - problem.rounding))  # the first of equals
    return best, minima[best][0]


class _Runners:
    """Maximum of each sample, and its maximum without one of the coordinates."""

    def __init__(self, values: Array, u: Array) -> None:
        values = values + u[:, None]
        self.winner = values.argmax(axis=0)
        samples = np.arange(values.shape[1])
        self.first = values[self.winner, samples]
        values[self.winner, samples] = -np.inf
        self.second = values.max(axis=0)

    def without(self, j: int) -> Array:
        return np.where(self.winner == j, self.second, self.first)


def coordinate_minimum(
    problem: DilationProblem, u: Array, j: int, negative_others: Array, positive_others: Array
) -> tuple[float, float]:
    """Find the t that minimises F(u + t e_j), and the decrease of F."""
    negatives = problem.negatives[j] + u[j]
    open_positives = positive_others < 0
    positives = problem.positives[j, open_positives] + u[j]
    others = positive_others[open_positives]
    b = problem.positive_penalties[open_positives]
    overtake = np.where(np.isneginf(others), np.nan, others) - positives
    gains = ~np.isnan(overtake)  # with a single feature a positive gains from the start
    kinks = np.concatenate(
        [np.maximum(negative_others, 0.0) - negatives, overtake[gains], -positives, [-u[j], 0.0]]
    )
    rises = np.concatenate([problem.negative_penalties, -b[gains], b, [2 * problem.C, 0.0]])
    order = np.argsort(kinks)
    kinks = kinks[order]
    slopes = -problem.C - b[~gains].sum() + np.cumsum(rises[order])
    values = np.concatenate([[0.0], np.cumsum(slopes[:-1] * np.diff(kinks))])
    least = int(np.argmax(values <= values.min() + problem.rounding))  # the first of equals
    here = values[np.searchsorted(kinks, 0.0)]
    return float(kinks[least]), float(here - values[least])
