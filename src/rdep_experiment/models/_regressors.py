"""Regressors: ours beside those in the registry, and common alternatives.

Targets may have any unit. An SVR depends on it, so it receives standardised targets.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import (
    ExtraTreesRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.linear_model import QuantileRegressor, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from rdep.orderings import inner_folds
from rdep.perceptrons import DEPRegressor, MaxPlusRegressor, RDEPRegressor

from ._rivals import _PACKAGES, RATES
from ._sharing import Maker, Parts

_ERROR = "neg_mean_absolute_error"


def svr() -> BaseEstimator:
    """SVR with an RBF kernel, on standardised targets."""
    return TransformedTargetRegressor(SVR(), transformer=StandardScaler())


def tuned(model: BaseEstimator, grid: dict[str, Any]) -> GridSearchCV:
    """The best of a few settings by three folds of the training samples."""
    return GridSearchCV(model, grid, scoring=_ERROR, cv=inner_folds(3, is_regression=True))


def boosting(parts: Parts, name: str) -> BaseEstimator:
    """Gradient boosting of another package at its defaults."""
    package, kind, fixed, *_ = _PACKAGES[name]
    return getattr(import_module(package), kind.replace("Classifier", "Regressor"))(**fixed)


def tuned_boosting(parts: Parts, name: str) -> BaseEstimator:
    """The best of six settings of gradient boosting."""
    *_, (rate, size), sizes = _PACKAGES[name]
    return tuned(boosting(parts, name), {rate: list(RATES), size: list(sizes)})


def _level(parts: Parts) -> float:
    return 0.5 if parts.quantile is None else parts.quantile


MAKERS: dict[str, Maker] = {
    "positive_stack": lambda parts: RDEPRegressor(shrinkage=1.0, random_state=parts.seed),
    "dep_signed": lambda parts: DEPRegressor(monotonic_cst="auto"),
    "max_plus_signed": lambda parts: MaxPlusRegressor(monotonic_cst="auto"),
    "ridge": lambda parts: Ridge(),
    "svr": lambda parts: svr(),
    "svr_tuned": lambda parts: tuned(
        svr(), {"regressor__C": [1, 10, 100], "regressor__gamma": ["scale", 0.03, 0.3]}
    ),
    "random_forest": lambda parts: RandomForestRegressor(random_state=parts.seed),
    "extra_trees": lambda parts: ExtraTreesRegressor(random_state=parts.seed),
    "gradient_boosting": lambda parts: HistGradientBoostingRegressor(random_state=parts.seed),
    **{name: partial(boosting, name=name) for name in _PACKAGES},
    **{f"{name}_tuned": partial(tuned_boosting, name=name) for name in ("lightgbm", "xgboost")},
    "linear_quantiles": lambda parts: QuantileRegressor(quantile=_level(parts), alpha=0.0),
    "boosting_quantiles": lambda parts: HistGradientBoostingRegressor(
        loss="quantile", quantile=_level(parts), random_state=parts.seed
    ),
}
