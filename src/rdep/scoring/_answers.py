"""Score of a model on held-out rows, for the summary in its file."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from .._base._members import inner_folds
from ..tables import TrainingTable
from ._held_out import held_out

_FOLDS, _MOST_ROWS = 5, 1000


def held_out_summary(
    pipeline: Pipeline, table: TrainingTable, n_folds: int | None
) -> dict[str, Any]:
    """Score copies of a pipeline on rows of its table that they are not fitted on.

    Parameters
    ----------
    pipeline : Pipeline
        Preprocessing and classifier, as fitted on the whole table.
    table : TrainingTable
        The table.
    n_folds : int or None
        Number of folds, 0 for none. None means 5, or one held-out fifth of more than 1,000 rows.

    Returns
    -------
    dict
        The key ``held_out`` with ``rows``, ``fits``, ``balanced_accuracy``, ``standard_error`` and
        ``confusion``; with ``why_not`` if a class has too few rows; None without folds.
    """
    if n_folds == 0:
        return {"held_out": None}
    classes, counts = np.unique(table.y, return_counts=True)
    if counts.min() < 2:
        return {"held_out": {"why_not": f"class {classes[counts.argmin()]} has one row"}}
    try:
        if n_folds is None and len(table.y) > _MOST_ROWS:
            folds = list(inner_folds(_FOLDS, table.y).split(table.y, table.y))[:1]
        else:
            folds = list(inner_folds(n_folds or _FOLDS, table.y).split(table.y, table.y))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the fit on all rows has warned already
            found = held_out(pipeline, table.frame, table.y, cv=folds)
    except ValueError as error:
        return {"held_out": {"why_not": str(error)}}
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
