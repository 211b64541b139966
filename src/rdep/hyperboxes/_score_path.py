"""Forward selection of the terms of a score, and choice of the number of faces of its boxes.

All coefficients are fitted again at each step. Cross-validation chooses the number of faces and
tests for signal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._utils._typing import Array, Indices
from ._score_terms import Candidates, Term, cost

# In units of χ² with one degree of freedom: a term with a smaller gain is not added.
_SMALLEST_GAIN = 1e-3
_MAX_STEPS = 30
# One-sided 5 % quantile of the normal distribution.
_QUANTILE = 1.645


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
    """Scores with an increasing number of conditions, beginning with none.

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
        Maximum number of faces of a box; with 0, only features are candidates.
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
    """Minimise the logistic loss with a ridge penalty by damped Newton steps."""
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
        # Without a penalty, the coefficients of linearly dependent terms are not unique.
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


class HeldOut(NamedTuple):
    """Decision values of samples by scores that were fitted without them."""

    tested: Indices
    values: Array


class NoSignal(Exception):  # noqa: N818 - an outcome rather than an error
    """No score is better than chance in cross-validation; holds the accuracies."""

    def __init__(self, best: float, error: float, scores: dict[int, float]):
        super().__init__(f"{best:.2f} ± {error:.2f} at most")
        self.scores = scores


def chosen_faces(
    candidates: Candidates,
    y: Array,
    weighted: tuple[Array, Array],
    folds: list[tuple[Indices, Indices]],
    asked: list[int],
    max_samples: int,
    settings: dict[str, Any],
) -> tuple[int, dict[int, float], HeldOut]:
    """Choose the number of faces with the highest balanced accuracy.

    Also return all accuracies, and the values of held-out samples for the chosen number.

    Cuts between values are those of all samples; they do not depend on the classes. ``weighted``
    holds the training weights, and the test weights, which leave class weights out.

    Raises
    ------
    NoSignal
        If the highest accuracy is not above one half, by a one-sided test at 5 %.
    """
    weights, counts = weighted
    folds = [(_some(train, y, max_samples), test) for train, test in folds]
    folds = [(train, test) for train, test in folds if 0 < y[train].mean() < 1]
    scores, errors, values = {}, {}, {}
    for max_faces in asked:
        found = [
            _held_out_values(candidates, y, weights, train, test, max_faces, settings)
            for train, test in folds
        ]
        if found:
            tested = np.concatenate([test for _, test in folds])
            values[max_faces] = HeldOut(tested, np.concatenate(found))
            scores[max_faces], errors[max_faces] = _balanced(y, counts, values[max_faces])
    if not scores:
        return asked[-1], {}, HeldOut(np.zeros(0, dtype=np.intp), np.zeros(0))
    best = max(scores, key=lambda faces: (scores[faces], -faces))
    if scores[best] <= 0.5 + _QUANTILE * errors[best]:
        raise NoSignal(scores[best], errors[best], scores)
    return best, scores, values[best]


def _some(train: Indices, y: Array, most: int) -> Indices:
    """At most ``most`` training samples: the same share of each class, at even steps."""
    if len(train) <= most:
        return train
    by_class = train[np.argsort(y[train], kind="stable")]
    return by_class[np.linspace(0, len(train) - 1, most).astype(int)]


def _held_out_values(
    candidates: Candidates,
    y: Array,
    weights: Array,
    train: Indices,
    test: Indices,
    max_faces: int,
    settings: dict[str, Any],
) -> Array:
    path = score_path(
        candidates.subset(train), y[train], weights[train], **settings, max_faces=max_faces
    )
    return path[-1].values(candidates.subset(test))


def _balanced(y: Array, counts: Array, held_out: HeldOut) -> tuple[float, float]:
    """Mean recall of both classes over all folds, and its standard error.

    ``counts`` holds the number of samples that each sample represents.
    """
    tested = held_out.tested
    right = (held_out.values >= 0) == (y[tested] == 1)
    recalls, variances = [], []
    for label in (0, 1):
        is_class = y[tested] == label
        if not is_class.any():  # possible with user-defined folds
            return 0.5, np.inf
        n_tested = counts[tested[is_class]].sum()
        n_right = counts[tested[is_class & right]].sum()
        # Add one correct and one wrong sample, so that no class is perfect by a few samples.
        share = (n_right + 1) / (n_tested + 2)
        recalls.append(n_right / n_tested)
        variances.append(share * (1 - share) / n_tested)
    return float(np.mean(recalls)), float(np.sqrt(sum(variances)) / 2)
