"""What a fit tells beside its model: scores of copies on rows that they were not fitted on."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from .._base._members import inner_folds
from .._registry import REGRESSION
from ..tables import TrainingTable, inner_classifiers, predicted_quantile
from ._held_out import Part, Scored, fold_copies, scored_copies
from ._numbers import ScoredNumbers, constant_error

_FOLDS, _MOST_ROWS = 5, 1000


@dataclass(frozen=True)
class Answers:
    """Copies of a pipeline with the rows of its table that each was not fitted on.

    Attributes
    ----------
    copies : list of tuple
        Fitted copy, rows and classes; empty without folds.
    scored : Scored, ScoredNumbers or None
        The rows and what the copies say of them.
    why_not : str or None
        Why there are no copies, if they were asked for.
    """

    copies: list[Part]
    scored: Scored | ScoredNumbers | None = None
    why_not: str | None = None

    @property
    def summary(self) -> dict[str, Any]:
        """For the summary of a model: the key ``held_out`` with plain values, or None."""
        if self.scored is None:
            return {"held_out": None if self.why_not is None else {"why_not": self.why_not}}
        if isinstance(self.scored, ScoredNumbers):
            quantile = predicted_quantile(inner_classifiers(self.copies[0][0])[0])
            return {"held_out": {"fits": len(self.copies), **errors_of(self.scored, quantile)}}
        value, spread = self.scored.balanced_accuracy
        return {
            "held_out": {
                "rows": len(self.scored.y),
                "fits": len(self.copies),
                "balanced_accuracy": value,
                "standard_error": spread,
                "confusion": self.scored.confusion.tolist(),
            }
        }


def held_out_answers(pipeline: Pipeline, table: TrainingTable, n_folds: int | None) -> Answers:
    """Fit copies of a pipeline on folds of its table.

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
    Answers
    """
    if n_folds == 0:
        return Answers([])
    is_regression = table.task == REGRESSION
    classes, counts = np.unique(table.y, return_counts=True)
    if counts.min() < 2 and not is_regression:
        return Answers([], why_not=f"class {classes[counts.argmin()]} has one row")
    is_large = n_folds is None and len(table.y) > _MOST_ROWS
    try:
        splitter = inner_folds(n_folds or _FOLDS, table.y, is_regression)
        folds = list(splitter.split(table.y, table.y))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the fit on all rows has warned already
            copies = fold_copies(pipeline, table.frame, table.y, folds[:1] if is_large else folds)
            return Answers(copies, scored_copies(copies))
    except ValueError as error:
        return Answers([], why_not=str(error))


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
