"""The number of pieces of a linear DEP by inner cross-validation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from joblib import Parallel, delayed
from sklearn.metrics import balanced_accuracy_score

from .._utils._typing import Array, Indices
from ..training import AffineObjective, AffineProcedure, AffineResult, TrainingSet, train_path

# Candidates are compared by steps solved less exactly: a tenth of the time, nearly their accuracy.
_COARSE = AffineProcedure(max_iter=10, tol=1e-2, gap=1e-1)
# More would prefer few pieces at the cost of accuracy: measured on one half of the paper's data.
_STANDARD_ERRORS = 0.5


def choose_pieces(
    X: Array,
    signs: Array,
    sample_weight: Array | None,
    folds: Iterable[tuple[Indices, Indices]],
    path: list[tuple[int, int]],
    objective: AffineObjective,
    class_costs: tuple[float, float],
    n_jobs: int | None,
) -> tuple[tuple[int, int], Array]:
    """The first candidate that is as good as the best, and all scores."""
    scores = Parallel(n_jobs=n_jobs)(
        delayed(_scores_on_fold)(X, signs, sample_weight, train, test, path, objective, class_costs)
        for train, test in folds
    )
    scores = np.array(scores)
    return path[first_as_good(scores)], scores


def first_as_good(scores: Array) -> int:
    """The first column within half a standard error of the best, by differences on each fold."""
    differences = scores[:, [scores.mean(axis=0).argmax()]] - scores
    error = differences.std(axis=0, ddof=1) / np.sqrt(len(scores))
    return int(np.argmax(differences.mean(axis=0) <= _STANDARD_ERRORS * error + 1e-12))


def _scores_on_fold(X, signs, sample_weight, train, test, path, objective, class_costs):
    weights = None if sample_weight is None else sample_weight[train]
    samples = TrainingSet.from_samples(
        X[train], signs[train], weights, class_costs, ignore_constant=True
    )
    of_test = None if sample_weight is None else sample_weight[test]
    return [
        balanced_accuracy_score(
            signs[test] > 0, decide(X[test], result) >= 0, sample_weight=of_test
        )
        for result in train_path(samples, objective, path, _COARSE)
    ]


def decide(X: Array, pieces: AffineResult) -> Array:
    """τ of samples, from a result of training."""
    dilated = (X @ pieces.dilation_coef.T + pieces.dilation_intercept).max(axis=1)
    return dilated + (X @ pieces.erosion_coef.T + pieces.erosion_intercept).min(axis=1)
