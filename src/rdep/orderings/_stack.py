"""The stack of an ordering: a logistic regression on the values of its members."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from .._base._logistic import as_logistic, logistics_by_passes, polish
from .._base._members import linear_values, standardised
from .._base._moments import Moments, add_by_class, moments, moments_by_class, scaler_of
from .._base._passes import Block, Changed, Passes, weighted_by_class
from .._base._validation import class_factors
from .._utils._typing import Array

POSITIVE = "positive"
# Smallest change of the log-odds by one standard deviation of a member that counts as signal.
_NO_SIGNAL = 1e-6
# With more samples, logistic regressions end with Newton steps, so that they are those that passes
# over blocks find. scikit-learn's solver stops at four digits.
PRECISE_FROM = 20_000
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
    is_bound = positive and bool((logistic.coef_ < 0).any())
    if is_bound or len(y) > PRECISE_FROM:
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        weights = weights * _factors(class_weight, y, weights)
        scaled, is_positive = scaler.transform(values), y == logistic.classes_[1]
        if is_bound:
            _bound(logistic, scaled, is_positive, weights)
        if len(y) > PRECISE_FROM:
            polish(logistic, scaled, is_positive, weights, nonnegative=positive)
    _silence(logistic)
    return stack


def _silence(logistic: LogisticRegression) -> None:
    """Set a stack without signal to exactly zero.

    Divided by its standard deviation, rounding could become any number.
    """
    if np.abs(logistic.coef_).max() < _NO_SIGNAL:
        logistic.coef_ = np.zeros_like(logistic.coef_)
        logistic.intercept_ = np.zeros_like(logistic.intercept_)


def stack_by_passes(
    passes: Passes,
    classes: NDArray,
    *,
    positive: bool,
    class_weight: Mapping | str = "balanced",
) -> tuple[Pipeline, float]:
    """Fit the stack to rows that are never in memory together: their X are the members' values.

    The standard deviation of its values is returned as well.
    """
    by_class = passes.reduce(moments_by_class, add_by_class)
    scaler = scaler_of(by_class[0] + by_class[1])
    totals = np.array([part.weight for part in by_class])
    factors = class_factors(class_weight, np.asarray(classes), totals, totals.sum())
    scaled = Changed(weighted_by_class(passes, tuple(factors)), partial(_scaled, scaler))
    (point,) = logistics_by_passes(scaled, len(scaler.mean_), nonnegative=positive)
    logistic = as_logistic(point, classes, class_weight=class_weight)
    _silence(logistic)
    stack = make_pipeline(scaler, logistic)
    values = Changed(passes, partial(_stacked, scaler, logistic)).reduce(moments, Moments.__add__)
    return stack, float(np.sqrt(values.variances[0])) or 1.0


def _scaled(scaler: StandardScaler, block: Block) -> Block:
    return block._replace(X=standardised(scaler, block.X))


def _stacked(scaler: StandardScaler, logistic: LogisticRegression, block: Block) -> Block:
    return block._replace(X=linear_values(logistic, standardised(scaler, block.X))[:, None])


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
