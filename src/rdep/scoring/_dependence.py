"""Partial dependence: the mean answer of a model if all rows had one value in a column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from .._base._validation import feature_names
from .._utils._sklearn_estimators import _safe_indexing
from .._utils._typing import Array
from ..tables import TableModel
from ._held_out import with_rows


@dataclass(frozen=True, eq=False)
class Dependence:
    """Mean answer of a model at some values of one column.

    Attributes
    ----------
    column : str
        Name of the column.
    values : ndarray of shape (n_values,)
        Values of the column: quantiles of its numbers, or its categories.
    mean : ndarray of shape (n_values, n_classes)
        Mean probability of each class at each value, or the share of the rows that are predicted
        so if the model has no probabilities.
    of_probabilities : bool
        Whether the means are those of probabilities.
    """

    column: str
    values: NDArray[Any]
    mean: Array
    of_probabilities: bool


def dependence(
    model: TableModel | BaseEstimator,
    X: Any,
    columns: Iterable[str] | None = None,
    *,
    n_values: int = 20,
    max_rows: int = 500,
) -> list[Dependence]:
    """Compute what a model answers on average if all rows have one value in a column.

    The other columns keep their values, so that rows may arise that never occur. With
    probabilities, the numbers are those of scikit-learn's
    :func:`~sklearn.inspection.partial_dependence`.

    Read more in the :doc:`User Guide </guide/scoring>`.

    Parameters
    ----------
    model : TableModel or fitted classifier
        The model.
    X : data frame or array-like of shape (n_rows, n_columns)
        Rows.
    columns : iterable of str or None, default=None
        Names of the columns; None means the first four.
    n_values : int, default=20
        Maximum number of values of a column of numbers. Categories are taken all.
    max_rows : int, default=500
        Maximum number of rows; of more rows, a random sample.

    Returns
    -------
    list of Dependence

    Examples
    --------
    >>> from rdep import BoxScoreClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.scoring import dependence
    >>> X, _, y, _ = load_ripley()
    >>> (found,) = dependence(BoxScoreClassifier(4).fit(X, y), X, ["x1"], n_values=3)
    >>> found.values.round(1), found.mean[:, 1].round(1)
    (array([-0.2,  0.5,  1.1]), array([0. , 0.4, 1. ]))
    """
    estimator, rows = with_rows(model, X)
    names = [str(name) for name in getattr(rows, "columns", feature_names(estimator))]
    chosen = names[:4] if columns is None else list(columns)
    unknown = [name for name in chosen if name not in names]
    if unknown:
        raise ValueError(f"the rows have no column {unknown[0]!r}; they have {', '.join(names)}")
    if len(rows) > max_rows:
        rows = _safe_indexing(rows, np.random.RandomState(0).permutation(len(rows))[:max_rows])
    return [_of_column(estimator, rows, name, names.index(name), n_values) for name in chosen]


def _of_column(estimator: Any, rows: Any, name: str, place: int, n_values: int) -> Dependence:
    values = _grid(rows.iloc[:, place] if hasattr(rows, "iloc") else rows[:, place], n_values)
    changed, means = rows.copy(), []
    for value in values:
        if hasattr(rows, "iloc"):
            changed[rows.columns[place]] = value
        else:
            changed[:, place] = value
        means.append(_answer(estimator, changed))
    return Dependence(name, values, np.array(means), hasattr(estimator, "predict_proba"))


def _grid(column: Any, n_values: int) -> NDArray[Any]:
    known = np.unique([value for value in column if value == value and value is not None])
    if len(known) <= n_values or known.dtype.kind not in "iuf":
        return known
    numbers = np.asarray(column, dtype=float)
    return np.unique(np.quantile(numbers[~np.isnan(numbers)], np.linspace(0, 1, n_values)))


def _answer(estimator: Any, rows: Any) -> Array:
    if hasattr(estimator, "predict_proba"):
        return estimator.predict_proba(rows).mean(axis=0)
    return (estimator.predict(rows)[:, None] == estimator.classes_).mean(axis=0)
