"""Classifiers that one would install instead: LightGBM, XGBoost, CatBoost, EBM.

Each at its defaults with balanced weights, and tuned by the same small budget: six settings of the
learning rate and of the size of a tree, compared by three folds of the training samples. One
thread each, seeds fixed.
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
    """A classifier of another package, fitted with the same total weight of each class.

    Parameters
    ----------
    estimator : classifier
        The classifier, whose ``fit`` takes sample weights. It sees classes as numbers from 0 on.
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
    "explainable_boosting": (
        *("interpret.glassbox", "ExplainableBoostingClassifier"),
        {"n_jobs": 1, "random_state": 0},
        *(("learning_rate", "max_leaves"), (2, 3)),
    ),
}


def rival(parts: Parts, name: str) -> BaseEstimator:
    """A classifier at its defaults, with balanced weights."""
    package, kind, fixed, _, _ = _PACKAGES[name]
    return BalancedWeights(getattr(import_module(package), kind)(**fixed))


def tuned_rival(parts: Parts, name: str) -> BaseEstimator:
    """The same, the best of six settings by three folds of the training samples."""
    *_, (rate, size), sizes = _PACKAGES[name]
    return GridSearchCV(
        rival(parts, name),
        {f"estimator__{rate}": list(RATES), f"estimator__{size}": list(sizes)},
        scoring="balanced_accuracy",
        cv=inner_folds(3),
    )


MAKERS: dict[str, Maker] = {
    **{name: partial(rival, name=name) for name in _PACKAGES},
    **{f"{name}_tuned": partial(tuned_rival, name=name) for name in _PACKAGES},
}
