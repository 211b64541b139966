"""Score of a model on held-out rows, for the summary in its file."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from .._base._members import inner_folds
from ..tables import REGRESSION, TrainingTable, inner_classifiers, predicted_quantile
from ._held_out import held_out
from ._numbers import ScoredNumbers, constant_error

_FOLDS, _MOST_ROWS = 5, 1000


def held_out_summary(
    pipeline: Pipeline, table: TrainingTable, n_folds: int | None
) -> dict[str, Any]:
    """Score copies of a pipeline on rows of its table that they are not fitted on.

    Parameters
    ----------
    pipeline : Pipeline
        Preprocessing and model, as fitted on the whole table.
    table : TrainingTable
        The table.
    n_folds : int or None
        Number of folds, 0 for none. None means 5, or one held-out fifth of more than 1,000 rows.

    Returns
    -------
    dict
        The key ``held_out`` with ``rows``, ``fits``, and ``balanced_accuracy``, ``standard_error``
        and ``confusion``, or the errors of a regression; with ``why_not`` if a class has too few
        rows; None without folds.
    """
    if n_folds == 0:
        return {"held_out": None}
    is_regression = table.task == REGRESSION
    classes, counts = np.unique(table.y, return_counts=True)
    if counts.min() < 2 and not is_regression:
        return {"held_out": {"why_not": f"class {classes[counts.argmin()]} has one row"}}
    try:
        once = n_folds is None and len(table.y) > _MOST_ROWS
        splitter = inner_folds(n_folds or _FOLDS, table.y, is_regression)
        folds = list(splitter.split(table.y, table.y))[: 1 if once else None]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the fit on all rows has warned already
            found = held_out(pipeline, table.frame, table.y, cv=folds)
    except ValueError as error:
        return {"held_out": {"why_not": str(error)}}
    if isinstance(found, ScoredNumbers):
        quantile = predicted_quantile(inner_classifiers(pipeline)[0])
        return {"held_out": {"fits": len(folds), **errors_of(found, quantile)}}
    value, spread = found.balanced_accuracy
    return {
        "held_out": {
            "rows": len(found.y),
            "fits": len(folds),
            "balanced_accuracy": value,
            "standard_error": spread,
            "confusion": found.confusion.tolist(),
        }
    }


def errors_of(found: ScoredNumbers, quantile: float | None) -> dict[str, Any]:
    """Errors of predicted numbers in plain values, beside those of the best constant."""
    value, spread = found.mean_absolute_error
    errors: dict[str, Any] = {
        "rows": len(found.y),
        "mean_absolute_error": value,
        "standard_error": spread,
        "root_mean_squared_error": found.root_mean_squared_error,
        "r2": found.r2,
        "constant": constant_error(found.y),
    }
    if quantile is not None:
        loss, of_loss = found.quantile_loss(quantile)
        errors["quantile"] = {
            "quantile": quantile,
            "loss": loss,
            "standard_error": of_loss,
            "share_below": found.share_below,
            "constant": constant_error(found.y, quantile),
        }
    return errors
