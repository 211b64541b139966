"""Members of the mixed ordering, fitted by passes, and the values that they give to every row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from .._base._logistic import as_logistic, logistics_by_passes
from .._base._passes import Block
from .._base._validation import class_factors
from .._utils._typing import Array
from ..kernels import fit_landmarks_by_passes, left_out_values
from ..orderings import MixedOrdering, decision_values
from ._rows import Rows, View
from ._trees import draw, fit_trees, folds_of

N_FOLDS = 2


@dataclass(frozen=True, eq=False)
class Members:
    """Members fitted on all rows, and what gives a row values of members that have not seen it."""

    names: list[str]
    estimators: list[BaseEstimator]
    left_out: Callable[[Block], Array]  # values of the landmarks
    folded: list[list[BaseEstimator]]  # of the other members, by fold
    n_drawn: int

    def cross_fitted(self, block: Block) -> Array:
        """Values of the rows of a block, from members that were fitted without them."""
        values = np.empty((len(block.y), len(self.names)))
        values[:, 0] = self.left_out(block)
        folds = folds_of(block)
        for fold, members in enumerate(self.folded):
            rows = np.flatnonzero(folds == fold)
            if len(rows):
                values[rows, 1:] = decision_values(self.names[1:], members, block.X[rows])
        return values


def fit_members(
    ordering: MixedOrdering, rows: Rows, counts: Array, classes: NDArray, n_features: int, most: int
) -> Members:
    """Fit the members of an ordering for many rows.

    ``counts`` holds the number of rows of each fold and class. Forest and boosting see at most
    ``most`` rows.
    """
    if ordering.max_svc_samples is None:
        raise ValueError(
            "max_svc_samples=None keeps the SVC, which needs all rows in memory: set a number"
        )
    named = dict(ordering._named_for(rows.n_rows, max(rows.n_rows, ordering.max_svc_samples + 1)))
    class_weight = ordering.class_weight if ordering.class_weight != "auto" else "balanced"
    progress = rows.progress
    progress.what = "landmarks"
    weights = partial(weighted, class_weights(class_weight, counts.sum(axis=0), classes), None)
    landmarks, ridge = fit_landmarks_by_passes(named["landmarks"], View(rows, weights), classes)
    progress.what = "logistic regression"
    logistic, *logistics = _fit_logistics(
        named["logistic"], rows, class_weight, counts, classes, n_features
    )
    progress.what = "drawing rows"
    drawn = draw(rows, n_features, most)
    progress.working("forest and boosting")
    forest, forests = fit_trees("forest", named["forest"], drawn, classes)
    boosting, boostings = fit_trees("boosting", named["boosting"], drawn, classes)
    return Members(
        ["landmarks", "forest", "boosting", "logistic"],
        [landmarks, forest, boosting, logistic],
        partial(_left_out, ridge, weights),
        [list(of_fold) for of_fold in zip(forests, boostings, logistics, strict=True)],
        len(drawn.y),
    )


def fold_counts(block: Block) -> NDArray:
    """Number of rows of a block by fold and class."""
    places = 2 * folds_of(block) + (block.y > 0)
    return np.bincount(places, minlength=2 * N_FOLDS).reshape(N_FOLDS, 2)


def _left_out(ridge: Any, weights: Callable[[Block], Block], block: Block) -> Array:
    return left_out_values(ridge, weights(block))


def _fit_logistics(
    model: LogisticRegression,
    rows: Rows,
    class_weight: Any,
    counts: Array,
    classes: NDArray,
    n_features: int,
) -> list[LogisticRegression]:
    """Regression on all rows, and on those outside of each fold."""
    changes = []
    for fold in (None, *range(N_FOLDS)):
        seen = counts.sum(axis=0) - (0 if fold is None else counts[fold])
        changes.append(partial(weighted, class_weights(class_weight, seen, classes), fold))
    points = logistics_by_passes(rows, n_features, changes, C=model.C)
    return [as_logistic(point, classes, **model.get_params()) for point in points]


def class_weights(given: Any, counts: Array, classes: NDArray) -> tuple[float, float]:
    factors = class_factors(given, classes, counts, counts.sum())
    return float(factors[0]), float(factors[1])


def weighted(factors: tuple[float, float], without: int | None, block: Block) -> Block:
    """Give the rows of each class a weight, and those of one fold none."""
    weight = np.where(block.y > 0, factors[1], factors[0])
    if without is not None:
        weight *= folds_of(block) != without
    return block._replace(weight=weight)
