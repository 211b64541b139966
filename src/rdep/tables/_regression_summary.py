"""Summary of a regression on a table: plain values, and lines of text."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.metrics import mean_absolute_error, mean_pinball_loss, r2_score
from sklearn.pipeline import Pipeline

from ..perceptrons import DEPRegressor, LinearDEPRegressor, RDEPRegressor
from ._estimators import predicted_quantile
from ._training_table import TrainingTable
from ._unwrapping import inner_classifiers


def regression_summary(pipeline: Pipeline, table: TrainingTable) -> dict[str, Any]:
    """Summarise the training set, the errors on it, and the fitted regressor."""
    regressor, predicted = inner_classifiers(pipeline)[0], pipeline.predict(table.frame)
    quantile = predicted_quantile(regressor)
    quantiles = np.quantile(table.y, [0, 0.5, 1]).tolist()
    return {
        "rows": len(table.y),
        "target": {
            **dict(zip(("low", "median", "high"), quantiles, strict=True)),
            "standard_deviation": float(table.y.std()),
        },
        "regressor": type(regressor).__name__,
        "quantile": quantile,
        "training_mean_absolute_error": mean_absolute_error(table.y, predicted),
        "training_r2": r2_score(table.y, predicted),
        "training_quantile_loss": None
        if quantile is None
        else mean_pinball_loss(table.y, predicted, alpha=quantile),
        "model": _model_lines(regressor),
    }


def _model_lines(regressor: BaseEstimator) -> list[str]:
    """The fitted function of a regressor in words."""
    if isinstance(regressor, RDEPRegressor):
        weights = zip(regressor.member_names_, regressor.stack_.coef_, strict=True)
        stack = ", ".join(f"{name} {weight:.3f}" for name, weight in weights)
        share = regressor.shrinkage
        return [f"stack {stack}", f"prediction {share:g} of the stack, {1 - share:g} of the DEP"]
    if isinstance(regressor, LinearDEPRegressor):
        return [
            "pieces {} of the dilation and {} of the erosion".format(*regressor.n_pieces_),
            f"training {regressor.result_.status} after {regressor.n_iter_} steps",
        ]
    if isinstance(regressor, DEPRegressor):
        return [f"dilation β = {regressor.beta_:.3f}, slope {regressor.slope_:.4g}"]
    return []


def regression_lines(description: dict[str, Any], held_out: list[str]) -> list[str]:
    """Lines on the training that ``rdep inspect`` prints."""
    summary, target = description["summary"], description["schema"]["target"]
    given = [f"{name}={value}" for name, value in summary["parameters"].items()]
    return [
        f"predicts    {target_text(summary, target)}",
        f"regressor   {summary['regressor']} ({', '.join([summary['estimator'], *given])})",
        f"trained on  {summary['rows']} rows; {training_text(summary)}",
        *(f"held out    {text}" for text in held_out),
        *("{:11} {}".format(*line.split(" ", 1)) for line in summary["model"]),
    ]


def target_text(summary: dict[str, Any], name: str) -> str:
    """What a regressor predicts, and the range of this number in training."""
    target, quantile = summary["target"], summary["quantile"]
    what = name if quantile is None else f"the {quantile:g} quantile of {name}"
    low, median, high = (_number(target[key], 6) for key in ("low", "median", "high"))
    return f"{what}, {low} to {high} in training (median {median})"


def training_text(summary: dict[str, Any]) -> str:
    """Errors of a regressor on its training rows."""
    if summary["quantile"] is not None:
        return f"quantile loss on them {_number(summary['training_quantile_loss'])}"
    error = _number(summary["training_mean_absolute_error"])
    return f"mean absolute error on them {error}, R² {summary['training_r2']:.3f}"


def held_out_errors(found: dict[str, Any], how: str) -> str:
    """Errors on held-out rows, beside those of the best constant."""
    quantile = found.get("quantile")
    if quantile is None:
        return (
            f"mean absolute error {_with_error(found['mean_absolute_error'], found)}, "
            f"R² {found['r2']:.3f} ({how}); always the median: {_number(found['constant'])}"
        )
    below = f"{quantile['share_below']:.1%} of the rows at most the prediction"
    return (
        f"quantile loss {_with_error(quantile['loss'], quantile)}, {below} ({how}); the best "
        f"constant: {_number(quantile['constant'])}"
    )


def _with_error(value: float, found: dict[str, Any]) -> str:
    return f"{_number(value)} ± {_number(found['standard_error'], 2)}"


def _number(value: float, digits: int = 4) -> str:
    """Some digits, and no exponent for a large number."""
    return f"{value:,.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"
