"""One fold of one data set: fit and score the classifiers asked for, each giving a row."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.impute import SimpleImputer
from sklearn.metrics import get_scorer
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from ..._utils._typing import Array
from ..._utils._versions import versions
from ...datasets import Dataset
from ._protocol import Protocol
from ._sharing import FitCache

OK, FAILED = "ok", "failed"


def run_fold(
    dataset: Dataset, protocol: Protocol, repeat: int, fold: int, classifiers: list[str]
) -> Iterator[tuple[str, object]]:
    """Yield ("start", name) before each classifier and ("row", row) after it."""
    identity = {"dataset": dataset.name, "repeat": repeat, "fold": fold}
    context = {
        "seed": protocol.seed + repeat,
        "data_sha256": dataset.sha256,
        "versions": versions(),
    }
    with threadpool_limits(1):
        train, test = list(protocol.folds(repeat).split(dataset.X, dataset.y))[fold]
        X_train, X_test = _prepare(dataset.X, train, test, protocol.impute)
        y_train, y_test = dataset.y[train], dataset.y[test]
        cache = FitCache()
        for name in classifiers:
            yield "start", name
            outcome = _run_one(protocol, name, repeat, cache, (X_train, y_train), (X_test, y_test))
            yield "row", {**identity, "classifier": name, **outcome, **context}


def failed_row(
    dataset: str, repeat: int, fold: int, classifier: str, seed: int, error: str
) -> dict:
    """The row of a cell that could not report its own failure."""
    return {
        "dataset": dataset,
        "repeat": repeat,
        "fold": fold,
        "classifier": classifier,
        **_failure(error),
        "seed": seed,
        "data_sha256": None,
        "versions": versions(),
    }


def _prepare(X: Array, train, test, impute: str) -> tuple[Array, Array]:
    """Mean imputation and standardisation; features without any value are dropped."""
    if np.isnan(X).any():
        imputer = SimpleImputer()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Skipping features without any observed")
            imputer.fit(X if impute == "dataset" else X[train])
            X_train, X_test = imputer.transform(X[train]), imputer.transform(X[test])
    else:
        X_train, X_test = X[train], X[test]
    scaler = StandardScaler().fit(X_train)
    return scaler.transform(X_train), scaler.transform(X_test)


def _run_one(protocol, name, repeat, cache, training, testing) -> dict:
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = protocol.classifier(name, repeat, cache)
            fit_seconds = _timed(cache, lambda: model.fit(*training))
            predict_seconds = _timed(cache, lambda: model.predict(testing[0]))
            scores = {metric: _score(metric, model, *testing) for metric in protocol.metrics}
    except Exception as error:  # a row, whatever a classifier does
        return _failure(f"{type(error).__name__}: {error}")
    return {
        "status": OK,
        "scores": scores,
        "fit_seconds": round(fit_seconds, 6),
        "predict_seconds": round(predict_seconds, 6),
        "error": None,
        "warnings": sorted({str(warning.message)[:200] for warning in caught}),
    }


def _failure(error: str) -> dict:
    return {
        "status": FAILED,
        "scores": {},
        "fit_seconds": None,
        "predict_seconds": None,
        "error": error[:1000],
        "warnings": [],
    }


def _timed(cache: FitCache, work) -> float:
    """Seconds of the work, including the first computation of parts taken from the cache."""
    saved, start = cache.saved_seconds, time.perf_counter()
    work()
    return time.perf_counter() - start + cache.saved_seconds - saved


def _score(metric: str, model: BaseEstimator, X: Array, y) -> float | None:
    """The score; None if the classifier has no method that the metric needs."""
    try:
        return float(get_scorer(metric)(model, X, y))
    except AttributeError:
        return None
