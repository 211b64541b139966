"""Gradient boosting of other packages: LightGBM, XGBoost, CatBoost.

Each has four variants. The plain one has balanced weights and its defaults. ``*_tuned`` has a small
budget: six settings of the learning rate and of the size of a tree, compared by three folds of the
training samples. ``*_small`` is for tables of a few hundred rows: fewer and smaller trees, fixed in
advance for all data sets. ``*_prior`` has the default size, no weights, and its threshold at the
share of the positive class. Each uses one thread and a fixed seed.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import GridSearchCV
from sklearn.utils.class_weight import compute_sample_weight

from rdep.orderings import inner_folds

from ._sharing import Maker, Parts

RATES = (0.03, 0.1, 0.3)


class BalancedWeights(ClassifierMixin, BaseEstimator):
    """Classifier of another package, fitted with equal total weights of the classes.

    Parameters
    ----------
    estimator : classifier
        The classifier, whose ``fit`` accepts sample weights. It receives classes as integers from
        0 on.
    """

    def __init__(self, estimator):
        self.estimator = estimator

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        weights = compute_sample_weight("balanced", codes)
        self.estimator_ = clone(self.estimator).fit(X, codes, sample_weight=weights)
        return self

    def predict_proba(self, X):
        return self.estimator_.predict_proba(X)

    def predict(self, X):
        return self.classes_[np.ravel(self.estimator_.predict(X)).astype(int)]


class PriorThreshold(ClassifierMixin, BaseEstimator):
    """Classifier of two classes without weights, with its threshold at the class prior.

    The positive class is predicted if its probability is at least its share of the training
    samples, instead of one half.

    Parameters
    ----------
    estimator : classifier
        The classifier, with ``predict_proba``. It receives classes as the integers 0 and 1.
    """

    def __init__(self, estimator):
        self.estimator = estimator

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.share_ = codes.mean()
        self.estimator_ = clone(self.estimator).fit(X, codes)
        return self

    def predict_proba(self, X):
        return self.estimator_.predict_proba(X)

    def predict(self, X):
        positive = self.predict_proba(X)[:, 1] >= self.share_
        return self.classes_[positive.astype(int)]


# Package, class, its fixed parameters, the names of learning rate and tree size, and two sizes.
_PACKAGES: dict[str, tuple[str, str, dict[str, Any], tuple[str, str], tuple[int, int]]] = {
    "lightgbm": (
        *("lightgbm", "LGBMClassifier"),
        {"n_jobs": 1, "random_state": 0, "verbose": -1, "deterministic": True},
        *(("learning_rate", "num_leaves"), (7, 31)),
    ),
    "xgboost": (
        *("xgboost", "XGBClassifier"),
        {"n_jobs": 1, "random_state": 0, "verbosity": 0},
        *(("learning_rate", "max_depth"), (3, 6)),
    ),
    "catboost": (
        *("catboost", "CatBoostClassifier"),
        {"thread_count": 1, "random_seed": 0, "verbose": False, "allow_writing_files": False},
        *(("learning_rate", "depth"), (3, 6)),
    ),
}


# Fewer and smaller trees than by default, all with the same learning rate.
SMALL: dict[str, dict[str, Any]] = {
    "lightgbm": {"n_estimators": 50, "num_leaves": 8, "learning_rate": 0.1},
    "xgboost": {"n_estimators": 50, "max_depth": 3, "learning_rate": 0.1},
    "catboost": {"iterations": 200, "depth": 4, "learning_rate": 0.1},
}


def plain(name: str, **size: Any) -> BaseEstimator:
    """Classifier at its defaults, except for the given size."""
    package, kind, fixed, _, _ = _PACKAGES[name]
    return getattr(import_module(package), kind)(**fixed, **size)


def rival(parts: Parts, name: str) -> BaseEstimator:
    """Classifier at its defaults, with balanced weights."""
    return BalancedWeights(plain(name))


def tuned_rival(parts: Parts, name: str) -> BaseEstimator:
    """Classifier with balanced weights, the best of six settings by three training folds."""
    *_, (rate, size), sizes = _PACKAGES[name]
    return GridSearchCV(
        rival(parts, name),
        {f"estimator__{rate}": list(RATES), f"estimator__{size}": list(sizes)},
        scoring="balanced_accuracy",
        cv=inner_folds(3),
    )


def small_rival(parts: Parts, name: str) -> BaseEstimator:
    """Classifier with fewer and smaller trees, and balanced weights."""
    return BalancedWeights(plain(name, **SMALL[name]))


def prior_rival(parts: Parts, name: str) -> BaseEstimator:
    """Classifier of default size without weights, with its threshold at the class prior."""
    return PriorThreshold(plain(name))


_WAYS = {"": rival, "_tuned": tuned_rival, "_small": small_rival, "_prior": prior_rival}
MAKERS: dict[str, Maker] = {
    f"{name}{way}": partial(maker, name=name) for name in _PACKAGES for way, maker in _WAYS.items()
}
