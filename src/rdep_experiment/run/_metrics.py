"""Check before any work begins that all metrics can be computed."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier, DummyRegressor

from rdep._utils._sklearn_scoring import is_defined, needs_probabilities, scorer_of
from rdep._utils._typing import Array
from rdep.datasets import Dataset

from ._protocol import REGRESSION_METRICS


def check_metrics(
    metrics: tuple[str, ...], datasets: list[Dataset], classifiers: dict[str, BaseEstimator]
) -> None:
    """Refuse metrics that cannot be computed for a data set or a classifier.

    Parameters
    ----------
    metrics : tuple of str
        Metrics by scikit-learn's names.
    datasets : list of Dataset
        The data sets; they may have too many classes for a metric.
    classifiers : dict of str to classifier
        Unfitted classifiers; each must have a method that the metrics need.
    """
    for metric in metrics:
        for dataset in datasets:
            _check_target(metric, dataset)
        lacking = [name for name, made in classifiers.items() if not is_defined(metric, made)]
        if lacking:
            raise ValueError(
                f"the metric {metric} cannot be computed for {', '.join(lacking)}: "
                + (
                    "it needs probabilities (predict_proba). Calibrate the classifiers "
                    "(--calibrate sigmoid or isotonic), or omit the metric or the classifiers"
                    if needs_probabilities(metric)
                    else "it needs decision values or probabilities. Leave the metric or the "
                    "classifiers out"
                )
            )


def needs_only_predictions(metric: str) -> bool:
    """Whether the metric is computed from predictions only, which every classifier has."""
    return is_defined(metric, _Predicting())


class _Predicting(BaseEstimator):
    """Classifier with ``predict`` only."""

    def predict(self, X):
        raise NotImplementedError


def score(
    metric: str,
    model: BaseEstimator,
    X: Array,
    y,
    positive: int | None = None,
    quantile: float | None = None,
) -> float:
    """Compute the score of a fitted model; raise an error if it is not a number."""
    value = float(scorer_of(metric, positive, quantile)(model, X, y))
    if not np.isfinite(value):
        raise ValueError(f"the metric {metric} is {value} here")
    return value


def _check_target(metric: str, dataset: Dataset) -> None:
    """Try the metric on a model that always predicts the most frequent class, or the mean."""
    nothing = np.zeros((len(dataset.y), 1))
    dummy = DummyClassifier(strategy="prior") if dataset.labels else DummyRegressor()
    guess = dummy.fit(nothing, dataset.y)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            score(metric, guess, nothing, dataset.y)
    except (ValueError, TypeError) as error:
        n_classes = len(dataset.labels)
        if not n_classes:
            raise ValueError(
                f"the metric {metric} cannot be computed for the numbers of {dataset.name}: for a "
                f"regression there are {', '.join(REGRESSION_METRICS)} and others ({error})"
            ) from error
        hint = ""
        if n_classes > 2:
            hint = "; for more than two classes there are f1_macro, roc_auc_ovr and others"
        raise ValueError(
            f"the metric {metric} cannot be computed for the {n_classes} classes of "
            f"{dataset.name}{hint} ({error})"
        ) from error
