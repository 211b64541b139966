"""The stack of an ordering: a logistic regression on the values of its members."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from .._utils._typing import Array

POSITIVE = "positive"
# Smallest change of the log-odds by one standard deviation of a member that counts as signal.
_NO_SIGNAL = 1e-6
_PRECISE = {"ftol": 1e-14, "gtol": 1e-9, "maxiter": 1000}


def fitted_stack(
    values: Array,
    y: NDArray,
    sample_weight: Array | None,
    *,
    positive: bool,
    class_weight: Mapping | str = "balanced",
) -> Pipeline:
    """Fit a scaler and a logistic regression; with ``positive``, no coefficient is negative.

    Leaving a sample out of a fit reduces the share of its class. Cross-fitted values of an
    uninformative member therefore tend to fall with the class. A negative coefficient would then
    turn the member around, and contradict it on the samples it was fitted on, where it is right.
    """
    # Arrays between scaler and regression, whatever the output of sklearn.set_config.
    scaler = StandardScaler().set_output(transform="default")
    stack = make_pipeline(scaler, LogisticRegression(class_weight=class_weight))
    stack.fit(
        values,
        y,
        standardscaler__sample_weight=sample_weight,
        logisticregression__sample_weight=sample_weight,
    )
    logistic = stack[-1]
    if positive and (logistic.coef_ < 0).any():
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        weights = weights * _factors(class_weight, y, weights)
        _bound(logistic, scaler.transform(values), y == logistic.classes_[1], weights)
    if np.abs(logistic.coef_).max() < _NO_SIGNAL:
        # Set to exactly zero: divided by its standard deviation, rounding could become any number.
        logistic.coef_ = np.zeros_like(logistic.coef_)
        logistic.intercept_ = np.zeros_like(logistic.intercept_)
    return stack


def _factors(class_weight: Mapping | str, y: NDArray, weights: Array) -> Array:
    """Class weight of each sample."""
    classes, codes = np.unique(y, return_inverse=True)
    if isinstance(class_weight, str):
        return (weights.sum() / (2 * np.bincount(codes, weights)))[codes]
    return np.array([class_weight.get(label, 1.0) for label in classes.tolist()])[codes]


def _bound(logistic: LogisticRegression, values: Array, positive: NDArray, weights: Array) -> None:
    """Refit the logistic regression with non-negative coefficients."""
    signs = np.where(positive, 1.0, -1.0)

    def loss(point: Array) -> tuple[float, Array]:
        coefficients, intercept = point[:-1], point[-1]
        margins = signs * (values @ coefficients + intercept)
        pulls = -logistic.C * weights * signs * expit(-margins)
        total = logistic.C * (weights @ np.logaddexp(0, -margins)) + coefficients @ coefficients / 2
        return float(total), np.append(values.T @ pulls + coefficients, pulls.sum())

    start = np.append(np.maximum(logistic.coef_[0], 0), logistic.intercept_)
    bounds = [(0, None)] * values.shape[1] + [(None, None)]
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=_PRECISE)
    logistic.coef_, logistic.intercept_ = found.x[None, :-1], found.x[-1:]
