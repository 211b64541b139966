r"""Values ρ of pixels, each the same bits whatever other pixels are evaluated with it.

The last bits of a matrix product depend on the number and the order of its rows. An opening would
then compare other values of ρ than the image it is applied to, and would not be idempotent. Here,
kernels and linear combinations are summed pixel by pixel. Estimators that evaluate every sample on
its own, such as trees, are called on all pixels. Any other estimator is called once for each pixel.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, is_regressor
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.frozen import FrozenEstimator
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from .._utils._sklearn_fitted import LinearClassifierMixin, LinearModel, svc_gamma
from .._utils._typing import Array
from ..kernels import can_evaluate
from ..orderings import Ordering, decision_values

# Estimators that evaluate every sample on its own; libsvm does so, too.
_INDEPENDENT = (
    *(DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreesClassifier, ExtraTreesRegressor),
    *(RandomForestClassifier, RandomForestRegressor, GaussianNB, OneClassSVM, SVR, NuSVR),
    *(GradientBoostingClassifier, GradientBoostingRegressor),
    *(HistGradientBoostingClassifier, HistGradientBoostingRegressor),
    *(StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler),
)

# Kernel values of one block, which then stays in the cache.
_BLOCK_VALUES = 1 << 16


@singledispatch
def pixel_values(ordering, X: Array) -> Array:
    """Values of an ordering, shape (n_pixels, n_columns); each row depends on its pixel alone."""
    if isinstance(ordering, LinearClassifierMixin | LinearModel):
        coefficients = np.atleast_2d(ordering.coef_)
        if len(coefficients) == 1:
            intercept = np.ravel(ordering.intercept_)[0]
            return (weighted_sum(X, coefficients[0]) + intercept)[:, np.newaxis]
    if isinstance(ordering, _INDEPENDENT) and not callable(getattr(ordering, "kernel", None)):
        return _columns(ordering)(X)
    return _one_by_one(_columns(ordering), X)


class RowByRow:
    """A function of pixels that evaluates each on its own."""

    def __init__(self, function: Callable[[Array], Array]):
        self.function = function

    def __call__(self, X: Array) -> Array:
        return self.function(X)


@pixel_values.register(RowByRow)
def _of_function(ordering: RowByRow, X: Array) -> Array:
    return ordering(X).reshape(len(X), -1)


@pixel_values.register(Pipeline)
def _of_pipeline(ordering: Pipeline, X: Array) -> Array:
    for _, step in ordering.steps[:-1]:
        if step not in (None, "passthrough"):
            X = pixel_values(step, X)
    last = ordering.steps[-1][1]
    return X if last in (None, "passthrough") else pixel_values(last, X)


@pixel_values.register(FrozenEstimator)
def _of_frozen(ordering: FrozenEstimator, X: Array) -> Array:
    return pixel_values(ordering.estimator, X)


@pixel_values.register(PCA)
def _of_components(ordering: PCA, X: Array) -> Array:
    if ordering.whiten:
        return _one_by_one(_columns(ordering), X)
    return projections(X - ordering.mean_, ordering.components_)


@pixel_values.register(SVC)
@pixel_values.register(NuSVC)
def _of_svc(ordering: SVC | NuSVC, X: Array) -> Array:
    if not can_evaluate(ordering):
        return _one_by_one(_columns(ordering), X)
    intercept, vectors = ordering.intercept_[0], ordering.support_vectors_
    coefficients = ordering.dual_coef_[0]
    if ordering.kernel == "linear":
        return (weighted_sum(X, coefficients @ vectors) + intercept)[:, np.newaxis]
    gamma = svc_gamma(ordering)
    values = np.empty((len(X), 1))
    n_rows = max(1, _BLOCK_VALUES // len(vectors))
    for start in range(0, len(X), n_rows):
        rows = slice(start, start + n_rows)
        if ordering.kernel == "rbf":
            kernel = np.exp(-gamma * cdist(X[rows], vectors, "sqeuclidean"))
        else:
            kernel = gamma * projections(X[rows], vectors) + ordering.coef0
            kernel = np.tanh(kernel) if ordering.kernel == "sigmoid" else kernel**ordering.degree
        values[rows, 0] = weighted_sum(kernel, coefficients)
    return values + intercept


def check_kind(ordering) -> bool:
    """Refuse what is no ordering; tell estimators, which need a fit, from functions."""
    names = ("transform", "decision_function", "predict_proba")
    is_estimator = any(hasattr(ordering, name) for name in names) or is_regression(ordering)
    if isinstance(ordering, type):
        raise ValueError(
            f"the class {ordering.__name__} is no ordering: pass {ordering.__name__}(…), fitted"
        )
    if not (is_estimator or callable(ordering)):
        raise ValueError(
            f"an object of type {type(ordering).__name__} defines no total ordering: pass a "
            "fitted transformer, classifier or regressor, a function, or a NumPy array of values "
            "for all pixels"
        )
    return is_estimator


def is_regression(ordering) -> bool:
    return isinstance(ordering, BaseEstimator) and is_regressor(ordering)


def weighted_sum(X: Array, weights: Array) -> Array:
    """Compute ``X @ weights``; the order of the sum does not depend on the number of rows."""
    return np.add.reduce(np.multiply(X, weights, order="C"), axis=1)


def projections(X: Array, directions: Array) -> Array:
    """Compute ``X @ directions.T``, with one sum over the channels for each value."""
    total = np.multiply.outer(X[:, 0], directions[:, 0])
    for channel in range(1, X.shape[1]):
        total += np.multiply.outer(X[:, channel], directions[:, channel])
    return total


def _columns(ordering) -> Callable[[Array], Array]:
    """Return the function that computes the values of an estimator, by what it can do."""
    if isinstance(ordering, Ordering):
        return lambda X: np.asarray(ordering.transform(X)).mean(axis=1, keepdims=True)
    if hasattr(ordering, "decision_function") or hasattr(ordering, "predict_proba"):
        return lambda X: decision_values([type(ordering).__name__], [ordering], X)
    if hasattr(ordering, "transform"):
        return lambda X: np.asarray(ordering.transform(X)).reshape(len(X), -1)
    function = ordering.predict if is_regression(ordering) else ordering
    return lambda X: np.asarray(function(X)).reshape(len(X), -1)


def _one_by_one(function: Callable[[Array], Array], X: Array) -> Array:
    pixel = np.empty((1, X.shape[1]))
    rows = []
    for values in X:
        pixel[0] = values
        rows.append(np.array(function(pixel)[0]))
    return np.array(rows)
