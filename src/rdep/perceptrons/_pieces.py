"""Numbers of pieces of linear DEPs: candidates, their choice, and values of pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Integral
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from .._utils._typing import Array, Indices
from ..training import AffineResult

AUTO = "auto"
# "auto" tries no more unknowns than this: the matrix of a step has their square as its size.
_MOST_UNKNOWNS = 500
# A larger number prefers few pieces at the cost of accuracy (one half of the paper's data sets).
_STANDARD_ERRORS = 0.5


def checked_pieces(given: Any) -> tuple[int, int]:
    """Return the numbers of pieces as a pair, or raise an error."""
    if isinstance(given, Integral):
        given = (given, given)
    is_pair = len(given) == 2 and all(isinstance(number, Integral) for number in given)
    if not is_pair or min(given) < 1:
        raise ValueError(
            'n_pieces must be "auto", a positive integer or a pair of positive integers, the '
            f"pieces of the dilation and of the erosion; got {given!r}"
        )
    return int(given[0]), int(given[1])


def candidates(max_pieces: int, n_features: int) -> list[tuple[int, int]]:
    """Candidates from the linear model on, up to a number of pieces and of unknowns."""
    pairs = [(2, 1), (1, 2)] + [(n, n) for n in range(2, max_pieces + 1)]
    return [(1, 1)] + [
        pieces
        for pieces in pairs
        if max(pieces) <= max_pieces and sum(pieces) * (n_features + 1) <= _MOST_UNKNOWNS
    ]


def choose_pieces(
    scores_on_fold: Callable[[Indices, Indices, list[tuple[int, int]]], list[float]],
    folds: Iterable[tuple[Indices, Indices]],
    path: list[tuple[int, int]],
    n_jobs: int | None,
) -> tuple[tuple[int, int], Array]:
    """Choose the first candidate that is as good as the best; return it with all scores.

    Candidates with more than two pieces are skipped if (2, 2) is worse than (1, 1).
    """
    folds = list(folds)

    def scores_of(candidates: list[tuple[int, int]]) -> Array:
        rows = Parallel(n_jobs=n_jobs)(
            delayed(scores_on_fold)(train, test, candidates) for train, test in folds
        )
        return np.array(rows)

    n_small = sum(max(pieces) <= 2 for pieces in path)
    scores = scores_of(path[:n_small])
    means = scores.mean(axis=0)
    if n_small < len(path) and means[-1] >= means[0]:
        scores = np.hstack([scores, scores_of(path[n_small:])])
    return path[first_as_good(scores)], scores


def first_as_good(scores: Array) -> int:
    """Index of the first column within half a standard error of the best, paired by fold."""
    differences = scores[:, [scores.mean(axis=0).argmax()]] - scores
    error = differences.std(axis=0, ddof=1) / np.sqrt(len(scores))
    return int(np.argmax(differences.mean(axis=0) <= _STANDARD_ERRORS * error + 1e-12))


def decide(X: Array, pieces: AffineResult) -> Array:
    """Values τ of samples, for a result of training."""
    dilated = (X @ pieces.dilation_coef.T + pieces.dilation_intercept).max(axis=1)
    return dilated + (X @ pieces.erosion_coef.T + pieces.erosion_intercept).min(axis=1)
