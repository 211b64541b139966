"""Fit each distinct classifier once, even if several models use it.

On one fold, the paper's eight classifiers fit 29 support vector classifiers, of which 13 are
distinct. An r-DEP and its stack alone have the same members. A :class:`SharedFit` looks up its fit
in a cache by parameters, samples, classes and weights. As a member of a voting, a bagging or an
ordering, it returns the same numbers as the classifier that it wraps.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import joblib
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.svm import SVC
from sklearn.utils.metaestimators import available_if

KERNELS = ("rbf", "linear", "poly")


class FitCache:
    """Fitted classifiers and their decision values, and the time saved by reuse."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, float]] = {}
        self.saved_seconds = 0.0

    def get(self, key: str, compute: Callable[[], object]):
        if key in self._known:
            value, seconds = self._known[key]
            self.saved_seconds += seconds
            return value
        start = time.perf_counter()
        value = compute()
        self._known[key] = value, time.perf_counter() - start
        return value

    def __deepcopy__(self, memo) -> FitCache:
        """Return the cache itself, so that copies of a model share it."""
        return self


class SharedFit(ClassifierMixin, BaseEstimator):
    """Classifier whose fits and decision values are looked up in a cache first.

    Parameters
    ----------
    estimator : classifier
        The classifier to fit.
    cache : FitCache
        The cache of all models that share fits.
    class_weight : "balanced", dict or None, default=None
        Class weights of the classifier; None leaves them unchanged.
    """

    def __init__(self, estimator, cache, class_weight=None):
        self.estimator = estimator
        self.cache = cache
        self.class_weight = class_weight

    def fit(self, X, y, sample_weight=None):
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        estimator = clone(self.estimator)
        if self.class_weight is not None:
            estimator.set_params(class_weight=self.class_weight)
        parameters = sorted(estimator.get_params().items())
        self._key = joblib.hash((type(estimator).__name__, repr(parameters), X, y, weights))
        arguments = {} if weights is None else {"sample_weight": weights}
        self.estimator_ = self.cache.get(self._key, lambda: estimator.fit(X, y, **arguments))
        self.classes_ = self.estimator_.classes_
        return self

    def decision_function(self, X):
        if len(self.classes_) > 2:  # not used by orderings, so not shared
            if hasattr(self.estimator_, "decision_function"):
                return self.estimator_.decision_function(X)
            return self.predict_proba(X)
        from rdep.orderings import decision_values

        return self.cache.get(
            joblib.hash((self._key, X)),
            lambda: decision_values(["shared"], [self.estimator_], X)[:, 0],
        )

    @available_if(lambda shared: hasattr(shared.estimator, "predict_proba"))
    def predict_proba(self, X):
        return self.cache.get(
            joblib.hash((self._key, X, "probabilities")), lambda: self.estimator_.predict_proba(X)
        )

    def predict(self, X):
        if len(self.classes_) > 2:
            return self.estimator_.predict(X)
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


Members = list[tuple[str, BaseEstimator]]


@dataclass(frozen=True)
class Parts:
    """Margin, seed and cache of a classifier of one cell."""

    margin: float  # margin of the paper's DEPs
    seed: int
    cache: FitCache | None  # None shares nothing
    quantile: float | None = None  # that regressors predict

    def shared(self, estimator: BaseEstimator, class_weight: str | None = None) -> BaseEstimator:
        if self.cache is not None:
            return SharedFit(estimator, self.cache, class_weight)
        if class_weight is not None:
            estimator.set_params(class_weight=class_weight)
        return estimator

    def svc(self, kernel: str, class_weight: str | None = None, C: float = 1.0) -> BaseEstimator:
        return self.shared(SVC(C=C, kernel=kernel), class_weight)

    def svcs(self, class_weight: str | None = None) -> Members:
        return [(kernel, self.svc(kernel, class_weight)) for kernel in KERNELS]


Maker = Callable[[Parts], BaseEstimator]
