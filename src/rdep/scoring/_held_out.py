"""Scores of rows by a model that was fitted without them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone, is_regressor
from sklearn.metrics import confusion_matrix

from .._base._members import inner_folds
from .._utils._sklearn_estimators import _safe_indexing
from .._utils._typing import Array, Indices
from ..tables import TableModel
from ._numbers import ScoredNumbers

# A fitted classifier, rows that it was not fitted on, and their classes.
Part = tuple[Any, Any, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Scored:
    """Rows, their classes, and what a model says of them.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The class labels.
    y : ndarray of shape (n_rows,)
        Class of each row, as an index of ``classes``.
    predicted : ndarray of shape (n_rows,)
        Predicted class, as an index of ``classes``.
    score : ndarray of shape (n_rows,) or None
        For two classes, the probability of the positive class, or the decision value if the model
        has no probabilities. None for more classes, or without either.
    positive : int
        Index of the positive class of two.
    of_probabilities : bool
        Whether the score is a probability.
    probabilities : ndarray of shape (n_rows, n_classes) or None
        Probabilities of all classes, if the model has them.
    """

    classes: NDArray[Any]
    y: Indices
    predicted: Indices
    score: Array | None
    positive: int
    of_probabilities: bool
    probabilities: Array | None

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        """Whether each row is of the positive class."""
        return self.y == self.positive

    @property
    def confusion(self) -> NDArray[np.int64]:
        """Number of rows by class (line) and predicted class (column)."""
        return confusion_matrix(self.y, self.predicted, labels=np.arange(len(self.classes)))

    @property
    def balanced_accuracy(self) -> tuple[float, float]:
        """Balanced accuracy, and its standard error if the rows are independent."""
        return balanced_accuracy(self.confusion)


def balanced_accuracy(confusion: ArrayLike) -> tuple[float, float]:
    """Compute the balanced accuracy of a confusion matrix, and its standard error.

    The recall of each class is a share of independent rows, so its variance is that of a binomial
    share. Classes without rows do not count.

    Parameters
    ----------
    confusion : array-like of shape (n_classes, n_classes)
        Number of rows by class and predicted class.

    Returns
    -------
    mean, standard error : float
    """
    counts = np.asarray(confusion, dtype=float)
    rows = counts.sum(axis=1)
    recall = np.diag(counts)[rows > 0] / rows[rows > 0]
    variance = (recall * (1 - recall) / rows[rows > 0]).sum() / len(recall) ** 2
    return float(recall.mean()), float(np.sqrt(variance))


def scored(model: TableModel | BaseEstimator, X: Any, y: ArrayLike, *, positive: Any = None) -> Any:
    """Score rows by a fitted model. The rows should not be those that it was fitted on.

    Read more in the :doc:`User Guide </guide/scoring>`.

    Parameters
    ----------
    model : TableModel or fitted classifier or regressor
        The model.
    X : data frame or array-like of shape (n_rows, n_columns)
        Rows.
    y : array-like of shape (n_rows,)
        Their classes, or numbers.
    positive : label or None, default=None
        The positive class of two; None means the second.

    Returns
    -------
    Scored, or ScoredNumbers for a regressor

    Examples
    --------
    >>> from rdep import BoxScoreClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.scoring import scored
    >>> X, X_test, y, y_test = load_ripley()
    >>> scored(BoxScoreClassifier(4).fit(X, y), X_test, y_test).confusion.sum()
    np.int64(1000)
    """
    estimator, rows = with_rows(model, X)
    return _scored(estimator, rows, np.asarray(y), positive)


def held_out(
    estimator: BaseEstimator, X: Any, y: ArrayLike, *, cv: Any = 5, positive: Any = None
) -> Any:
    """Score every row by a copy of a model that is fitted on the other folds.

    Decision values of different folds come from different copies, so their scales may differ.

    Parameters
    ----------
    estimator : classifier, regressor, or Pipeline that ends in one
        The model; it is not fitted itself.
    X : data frame or array-like of shape (n_rows, n_columns)
        Rows.
    y : array-like of shape (n_rows,)
        Their classes, or numbers.
    cv : int, cross-validation splitter or iterable, default=5
        The folds. An integer is the number of folds of shuffled rows, stratified by class. Rows
        that are in no test fold are left out, so one pair of training and test rows holds out a
        part.
    positive : label or None, default=None
        The positive class of two; None means the second.

    Returns
    -------
    Scored, or ScoredNumbers for a regressor
        The rows of all test folds, one fold after the other.
    """
    return scored_copies(fold_copies(estimator, X, y, cv), positive)


def fold_copies(estimator: BaseEstimator, X: Any, y: ArrayLike, cv: Any) -> list[Part]:
    """Copies of a classifier fitted on the training rows of folds, each with its test rows."""
    labels = np.asarray(y)
    return [
        (
            clone(estimator).fit(_safe_indexing(X, train), labels[train]),
            *(_safe_indexing(part, test) for part in (X, labels)),
        )
        for train, test in inner_folds(cv, labels, is_regressor(estimator)).split(X, labels)
    ]


def scored_copies(copies: list[Part], positive: Any = None) -> Scored | ScoredNumbers:
    """Score the test rows of all folds, one fold after the other."""
    parts: list[Any] = [_scored(*copy, positive) for copy in copies]
    first = parts[0]
    if isinstance(first, ScoredNumbers):
        return ScoredNumbers(
            np.concatenate([part.y for part in parts]),
            np.concatenate([part.predicted for part in parts]),
        )
    if any(not np.array_equal(part.classes, first.classes) for part in parts):
        raise ValueError("the training rows of a fold lack a class: use fewer, stratified folds")

    def joined(name: str) -> Any:
        found = [getattr(part, name) for part in parts]
        return None if found[0] is None else np.concatenate(found)

    names = ("y", "predicted", "score", "probabilities")
    return replace(first, **{name: joined(name) for name in names})


def with_rows(model: TableModel | BaseEstimator, X: Any) -> tuple[BaseEstimator, Any]:
    """Estimator of a model, and rows as its input."""
    if isinstance(model, TableModel):
        return model.estimator, model.rows(X)
    return model, X if hasattr(X, "iloc") else np.asarray(X)


def _scored(
    estimator: BaseEstimator, X: Any, y: NDArray[Any], positive: Any
) -> Scored | ScoredNumbers:
    if is_regressor(estimator):
        if positive is not None:
            raise ValueError("a regressor has no positive class: leave it out")
        return ScoredNumbers(np.asarray(y, dtype=float), estimator.predict(X))
    classes = estimator.classes_
    unknown = sorted(set(y.tolist()) - set(classes.tolist()), key=str)
    if unknown:
        raise ValueError(
            f"y has the class {unknown[0]!r}, which the model does not know; it knows "
            f"{classes.tolist()}"
        )
    place = positive_place(classes, positive)
    probabilities = score = None
    if hasattr(estimator, "predict_proba"):
        probabilities = estimator.predict_proba(X)
    if len(classes) == 2 and probabilities is not None:
        score = probabilities[:, place]
    elif len(classes) == 2 and hasattr(estimator, "decision_function"):
        score = estimator.decision_function(X) * (1 if place else -1)
    return Scored(
        classes,
        np.searchsorted(classes, y),
        np.searchsorted(classes, estimator.predict(X)),
        score,
        place,
        probabilities is not None,
        probabilities,
    )


def positive_place(classes: NDArray[Any], positive: Any) -> int:
    """Index of the positive class, the second one if it is None."""
    known = classes.tolist()
    if positive is None:
        return 1
    if len(known) > 2:
        raise ValueError(
            f"a positive class is for two classes, the model has {len(known)}: leave it out"
        )
    if positive not in known:
        raise ValueError(f"unknown positive class {positive!r}; the classes are {known}")
    return known.index(positive)
