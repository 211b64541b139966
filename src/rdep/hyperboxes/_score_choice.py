"""How many faces the boxes of a score may have, by cross-validation, and whether it is any use."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils._typing import Array, Indices, Mask
from ._score_path import score_path
from ._score_terms import Candidates

# One-sided 5 % quantile of the normal distribution.
_QUANTILE = 1.645


class NoSignal(Exception):  # noqa: N818 - an outcome rather than an error
    """No score is better than chance by cross-validation; holds the accuracies."""

    def __init__(self, best: float, error: float, scores: dict[int, float]):
        super().__init__(f"{best:.2f} ± {error:.2f} at the most")
        self.scores = scores


def chosen_faces(
    candidates: Candidates,
    y: Array,
    weights: Array,
    folds: list[tuple[Indices, Indices]],
    asked: list[int],
    max_samples: int,
    settings: dict[str, Any],
) -> tuple[int, dict[int, float]]:
    """The number of faces with the greatest balanced accuracy, and the accuracy of each.

    Cuts between values are those of all samples, which hold no classes.

    Raises
    ------
    NoSignal
        If the greatest accuracy is not above one half, by a one-sided test at 5 %.
    """
    folds = [(_some(train, y, max_samples), test) for train, test in folds]
    folds = [(train, test) for train, test in folds if 0 < y[train].mean() < 1]
    scores, errors = {}, {}
    for max_faces in asked:
        correct = [
            (test, _is_correct(candidates, y, weights, train, test, max_faces, settings))
            for train, test in folds
        ]
        if correct:
            scores[max_faces], errors[max_faces] = _balanced(y, correct)
    if not scores:
        return asked[-1], {}
    best = max(scores, key=lambda faces: (scores[faces], -faces))
    if scores[best] <= 0.5 + _QUANTILE * errors[best]:
        raise NoSignal(scores[best], errors[best], scores)
    return best, scores


def _some(train: Indices, y: Array, most: int) -> Indices:
    """At most so many training samples, the same share of each class at even steps."""
    if len(train) <= most:
        return train
    by_class = train[np.argsort(y[train], kind="stable")]
    return by_class[np.linspace(0, len(train) - 1, most).astype(int)]


def _is_correct(
    candidates: Candidates,
    y: Array,
    weights: Array,
    train: Indices,
    test: Indices,
    max_faces: int,
    settings: dict[str, Any],
) -> Mask:
    path = score_path(
        candidates.subset(train), y[train], weights[train], **settings, max_faces=max_faces
    )
    return (path[-1].values(candidates.subset(test)) >= 0) == (y[test] == 1)


def _balanced(y: Array, correct: list[tuple[Indices, Mask]]) -> tuple[float, float]:
    """The mean recall of both classes over all folds, and its standard error."""
    tested = np.concatenate([test for test, _ in correct])
    right = np.concatenate([found for _, found in correct])
    recalls, variances = [], []
    for label in (0, 1):
        of_class = right[y[tested] == label]
        if not len(of_class):  # as with folds of the user's own
            return 0.5, np.inf
        # As if one more sample were right and one wrong: no class is perfect by few samples.
        share = (of_class.sum() + 1) / (len(of_class) + 2)
        recalls.append(of_class.mean())
        variances.append(share * (1 - share) / len(of_class))
    return float(np.mean(recalls)), float(np.sqrt(sum(variances)) / 2)
