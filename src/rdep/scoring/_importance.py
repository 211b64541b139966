"""Permutation importance of the columns of a table, on rows that were held out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, is_regressor
from sklearn.metrics import check_scoring
from sklearn.utils import check_random_state

from .._base._validation import feature_names
from .._utils._sklearn_estimators import _safe_indexing
from .._utils._typing import Array
from ..tables import TableModel
from ._held_out import Part, fold_copies, with_rows


@dataclass(frozen=True, eq=False)
class Importance:
    """Loss of score if a column is shuffled, several times for every column.

    ``print`` shows the columns in decreasing order of the mean loss.

    Attributes
    ----------
    columns : tuple of str
        Names of the columns.
    losses : ndarray of shape (n_columns, n_repeats)
        Score before minus score after the shuffle.
    scoring : str
        Name of the score.
    score : float
        Score before the shuffles; the mean over folds.
    """

    columns: tuple[str, ...]
    losses: Array
    scoring: str
    score: float

    @property
    def mean(self) -> Array:
        """Mean loss by column."""
        return self.losses.mean(axis=1)

    @property
    def std(self) -> Array:
        """Standard deviation of the losses by column."""
        return self.losses.std(axis=1)

    @property
    def order(self) -> list[int]:
        """Indices of the columns in decreasing order of the mean loss."""
        return np.argsort(-self.mean, kind="stable").tolist()

    def __str__(self) -> str:
        width = max(map(len, self.columns))
        lines = [f"Loss of {self.scoring} (from {self.score:.3f}) if a column is shuffled"]
        lines += [
            f"{self.columns[k]:{width}}  {self.mean[k]:7.4f} ± {self.std[k]:.4f}"
            for k in self.order
        ]
        return "\n".join(lines)


def importance(
    model: TableModel | BaseEstimator,
    X: Any,
    y: ArrayLike,
    *,
    scoring: Any = None,
    cv: Any = None,
    columns: Mapping[str, Sequence[int]] | None = None,
    n_repeats: int = 5,
    max_rows: int = 5000,
    random_state: Any = 0,
) -> Importance:
    """Compute how much score a model loses if a column of the table is shuffled.

    The columns are those of the table. A category is one column, whatever features encode it. The
    loss of a column is small if other columns tell the same. Without ``cv`` the numbers are those
    of scikit-learn's :func:`~sklearn.inspection.permutation_importance`.

    Read more in the :doc:`User Guide </guide/scoring>`.

    Parameters
    ----------
    model : TableModel, classifier or regressor
        The model. Without ``cv`` it is fitted, and X are rows that it was not fitted on: on
        its training rows, columns of noise look important.
    X : data frame or array-like of shape (n_rows, n_columns)
        Rows.
    y : array-like of shape (n_rows,)
        Their classes, or numbers.
    scoring : str, callable or None, default=None
        Score as in scikit-learn. None means ``"balanced_accuracy"``, or for a regressor
        ``"neg_mean_absolute_error"``.
    cv : int, cross-validation splitter, iterable or None, default=None
        Folds. In each, a copy of the model is fitted on the training rows, and the test rows are
        shuffled. An integer is the number of folds of shuffled rows, stratified by class.
    columns : dict of str to sequence of int, or None, default=None
        Positions of the features of each column, if X holds encoded features: they are shuffled
        together. None means that every feature is a column.
    n_repeats : int, default=5
        Number of shuffles of each column, in each fold.
    max_rows : int, default=5000
        Maximum number of rows to shuffle; of more rows, a random sample.
    random_state : int, RandomState instance or None, default=0
        Seed of the shuffles.

    Returns
    -------
    Importance

    Examples
    --------
    >>> from rdep import BoxScoreClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.scoring import importance
    >>> X, X_test, y, y_test = load_ripley()
    >>> importance(BoxScoreClassifier(4).fit(X, y), X_test, y_test).mean.round(2)
    array([0.03, 0.36])
    """
    fitted, rows = with_rows(model, X)
    if cv is None:
        parts = [(fitted, rows, np.asarray(y))]
    else:
        parts = fold_copies(fitted, rows, y, cv)
    return importance_of_parts(
        parts,
        scoring=scoring,
        columns=columns,
        n_repeats=n_repeats,
        max_rows=max_rows,
        random_state=random_state,
    )


def importance_of_parts(
    parts: list[Part],
    *,
    scoring: Any = None,
    columns: Mapping[str, Sequence[int]] | None = None,
    n_repeats: int = 5,
    max_rows: int = 5000,
    random_state: Any = 0,
) -> Importance:
    """Importance by fitted classifiers, each with rows of its own; as :func:`importance`."""
    random = check_random_state(random_state)
    if n_repeats < 1 or max_rows < 1:
        raise ValueError("importance needs n_repeats and max_rows of at least 1")
    fitted = parts[0][0]
    if scoring is None:
        scoring = "neg_mean_absolute_error" if is_regressor(fitted) else "balanced_accuracy"
    name = scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")
    groups = columns or _own_columns(*parts[0][:2])
    scores, losses = [], []
    for estimator, part, of_part in parts:
        seed = int(random.randint(np.iinfo(np.int32).max + 1))
        if len(of_part) > max_rows:
            chosen = np.random.RandomState(seed).permutation(len(of_part))[:max_rows]
            part, of_part = _safe_indexing(part, chosen), of_part[chosen]
        scorer = check_scoring(estimator, scoring=scoring)
        before = float(scorer(estimator, part, of_part))
        scores.append(before)
        losses.append(
            [
                _losses(before, scorer, estimator, part, of_part, places, n_repeats, seed)
                for places in groups.values()
            ]
        )
    return Importance(tuple(groups), np.hstack(losses), name, float(np.mean(scores)))


def _losses(
    before: float,
    scorer: Callable[..., float],
    estimator: BaseEstimator,
    X: Any,
    y: NDArray[Any],
    places: Sequence[int],
    n_repeats: int,
    seed: int,
) -> list[float]:
    """Losses of score over the shuffles of one column; all columns have the same shuffles."""
    random, shuffle = np.random.RandomState(seed), np.arange(len(y))
    changed, found = X.copy(), []
    for _ in range(n_repeats):
        random.shuffle(shuffle)
        if hasattr(X, "iloc"):
            for place in places:
                moved = changed.iloc[shuffle, place]
                moved.index = X.index
                changed[X.columns[place]] = moved
        else:
            changed[:, places] = changed[np.ix_(shuffle, np.asarray(places))]
        found.append(before - float(scorer(estimator, changed, y)))
    return found


def _own_columns(estimator: BaseEstimator, X: Any) -> dict[str, list[int]]:
    names = X.columns if hasattr(X, "columns") else feature_names(estimator)
    return {str(name): [place] for place, name in enumerate(names)}
