"""Common alternatives from scikit-learn, and the r-DEP of another package.

Classes are balanced by weights, unless stated otherwise. ``random_forest_plain_bags`` weighs the
classes within each bag, whose samples are drawn without weights, like a forest inside an ordering.
``random_forest``, with equal total weights of both classes, draws its bags by the weights from
scikit-learn 1.9 on. ``*_prior`` have no weights, and their threshold is at the class prior.
"""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV
from sklearn.svm import SVC

from rdep.orderings import inner_folds

from ._rivals import PriorThreshold
from ._sharing import Maker, Parts

BALANCED = "balanced"
TREES = {"n_estimators": 200, "min_samples_leaf": 2}


def forest(parts: Parts) -> RandomForestClassifier:
    """Random forest of two hundred trees with leaves of two samples or more."""
    return RandomForestClassifier(**TREES, random_state=parts.seed)


def extra_trees(parts: Parts) -> ExtraTreesClassifier:
    """Two hundred extremely randomised trees with leaves of two samples or more."""
    return ExtraTreesClassifier(**TREES, random_state=parts.seed)


def boosting(parts: Parts, **size: Any) -> HistGradientBoostingClassifier:
    """Histogram boosting of scikit-learn's default size, or of a given size."""
    return HistGradientBoostingClassifier(**size, random_state=parts.seed)


def logistic() -> LogisticRegression:
    """Logistic regression."""
    return LogisticRegression(max_iter=2000)


def _morpho_rdep(parts: Parts) -> BaseEstimator:
    """Reduced DEP of the package sklearn-morpho, with the paper's three SVCs."""
    from numpy.random import RandomState
    from sklearn_morpho.classifiers import RDEP

    return RDEP([svc for _, svc in parts.svcs()], random_state=RandomState(parts.seed))


MAKERS: dict[str, Maker] = {
    "linear_svc_balanced": lambda parts: parts.svc("linear", BALANCED),
    "rbf_svc_balanced": lambda parts: parts.svc("rbf", BALANCED),
    "rbf_svc_tuned": lambda parts: GridSearchCV(
        SVC(class_weight=BALANCED),
        {"C": [1, 10, 100], "gamma": ["scale", 0.02, 0.2]},
        scoring="balanced_accuracy",
        cv=inner_folds(3),
    ),
    "rbf_svc_threshold": lambda parts: TunedThresholdClassifierCV(
        parts.svc("rbf"), scoring="balanced_accuracy", cv=inner_folds(5)
    ),
    "logistic_regression": lambda parts: parts.shared(logistic(), BALANCED),
    "logistic_prior": lambda parts: PriorThreshold(logistic()),
    "random_forest": lambda parts: parts.shared(forest(parts), BALANCED),
    "random_forest_plain_bags": lambda parts: parts.shared(forest(parts), "balanced_subsample"),
    "random_forest_prior": lambda parts: PriorThreshold(forest(parts)),
    "extra_trees": lambda parts: parts.shared(extra_trees(parts), BALANCED),
    "extra_trees_prior": lambda parts: PriorThreshold(extra_trees(parts)),
    "gradient_boosting": lambda parts: parts.shared(boosting(parts), BALANCED),
    "gradient_boosting_small": lambda parts: parts.shared(
        boosting(parts, max_iter=50, max_leaf_nodes=8, learning_rate=0.1), BALANCED
    ),
    "morpho_rdep": _morpho_rdep,
}
