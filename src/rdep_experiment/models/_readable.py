"""Readable classifiers, each at several sizes, for the suite ``readable``.

A size is a number of conditions, as :func:`rdep.inspection.n_conditions` counts them. Classifiers
of other packages are wrapped, so that all have balanced classes and report their size.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression, lars_path
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.class_weight import compute_sample_weight

from rdep._base._orientation import growth_signs
from rdep.hyperboxes import BoxScoreClassifier, CompetitiveClassifier, DendriteClassifier
from rdep.perceptrons import LinearDEPClassifier, RDEPClassifier

from ._names import DENDRITES, EBM, READABLE, model_and_size
from ._rivals import BalancedWeights, PriorThreshold
from ._sharing import Maker

# Maximum number of features, chosen by F tests, for models that search all features for each
# condition in Python: without this limit some would take hours.
MOST_FEATURES = 200


class Sized(ClassifierMixin, BaseEstimator):
    """Classifier of another package with balanced classes and a number of conditions.

    Parameters
    ----------
    estimator : BalancedWeights or PriorThreshold
        The classifier.
    size : function of the fitted classifier of the package
        Returns the number of its conditions.
    terms : function of the fitted classifier of the package, or None, default=None
        Returns the number of its trees, each of which has one leaf more than conditions.
    """

    def __init__(self, estimator, size, terms=None):
        self.estimator = estimator
        self.size = size
        self.terms = terms

    def fit(self, X, y):
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.classes_ = self.estimator_.classes_
        self.n_conditions_ = int(self.size(self.estimator_.estimator_))
        if self.terms is not None:
            self.n_terms_ = int(self.terms(self.estimator_.estimator_))
        return self

    def predict(self, X):
        return self.estimator_.predict(X)


class SparseLogisticRegression(ClassifierMixin, BaseEstimator):
    """Logistic regression on at most k features, the first ones of the lasso path.

    The path is that of least squares, computed by LARS without iterations. The path of the logistic
    loss would take minutes on features with outliers.

    Parameters
    ----------
    max_conditions : int
        Maximum number k of non-zero coefficients.
    """

    def __init__(self, max_conditions):
        self.max_conditions = max_conditions

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        weights = compute_sample_weight("balanced", codes)
        roots = np.sqrt(weights / weights.sum())
        centred = (X - np.average(X, axis=0, weights=weights)) * roots[:, None]
        target = (codes - np.average(codes, weights=weights)) * roots
        _, _, path = lars_path(centred, target, method="lasso", max_iter=2 * self.max_conditions)
        small = np.count_nonzero(path, axis=0) <= self.max_conditions
        self.features_ = np.flatnonzero(path[:, np.flatnonzero(small)[-1]])
        refit = LogisticRegression(class_weight="balanced", max_iter=1000)
        self.model_ = refit.fit(X[:, self.features_], y)
        self.n_conditions_ = len(self.features_)
        return self

    def predict(self, X):
        return self.model_.predict(X[:, self.features_])


class MonotoneBoosting(ClassifierMixin, BaseEstimator):
    """Boosting of k stumps, monotone in each feature in the direction of its class means.

    Parameters
    ----------
    max_conditions : int
        Number of stumps, with one condition each.
    """

    def __init__(self, max_conditions):
        self.max_conditions = max_conditions

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        signs = growth_signs(X, np.where(y == self.classes_[1], 1.0, -1.0), None)
        self.model_ = HistGradientBoostingClassifier(
            learning_rate=0.5,
            max_iter=self.max_conditions,
            max_leaf_nodes=2,
            max_bins=32,  # as for the score; the default takes eight times as long with weights
            early_stopping=False,
            class_weight="balanced",
            monotonic_cst=signs.astype(int),
            random_state=0,
        ).fit(X, y)
        self.n_conditions_ = sum(
            int((~predictor.nodes["is_leaf"].astype(bool)).sum())
            for step in self.model_._predictors
            for predictor in step
        )
        return self

    def predict(self, X):
        return self.model_.predict(X)


def on_few(classifier: BaseEstimator, n_features: int) -> Pipeline:
    """Classifier on the features with the largest F statistics."""
    return make_pipeline(AtMost(n_features), classifier)


class AtMost(SelectKBest):
    """Select the features with the largest F statistics, or all if there are fewer."""

    def __init__(self, most=10):
        super().__init__()
        self.most = most

    def fit(self, X, y):
        # F is not defined for constant features, which are not informative.
        self.k = min(self.most, X.shape[1])
        with np.errstate(divide="ignore", invalid="ignore"):
            super().fit(X, y)
        return self


def _tree(k: int, **parameters) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(
        **{"max_leaf_nodes": k + 1, "class_weight": "balanced", "random_state": 0, **parameters}
    )


def _competitive(k: int) -> Pipeline:
    """Boxes on few features, such that both classes together have at most k faces."""
    n_boxes = {4: 1, 8: 1, 16: 2, 32: 2}[k]
    return on_few(CompetitiveClassifier(max_boxes=n_boxes), k // (4 * n_boxes))


def _figs(k: int) -> Pipeline:
    from imodels import FIGSClassifier

    figs = BalancedWeights(FIGSClassifier(max_rules=k, random_state=0))
    return on_few(Sized(figs, _splits, _trees), MOST_FEATURES)


def _rule_list(k: int) -> Pipeline:
    from imodels import GreedyRuleListClassifier

    # The classifier does not accept weights.
    lists = PriorThreshold(GreedyRuleListClassifier(max_depth=k - 1))
    return on_few(Sized(lists, _complexity), MOST_FEATURES)


def _boosted_rules(k: int) -> Pipeline:
    from imodels import BoostedRulesClassifier

    rules = BalancedWeights(BoostedRulesClassifier(n_estimators=k, random_state=0))
    return on_few(Sized(rules, lambda boosted: len(boosted.estimators_)), MOST_FEATURES)


def _splits(figs) -> int:
    """Number of split nodes of a sum of trees."""

    def below(node) -> int:
        inner = node is not None and node.left is not None
        return 1 + below(node.left) + below(node.right) if inner else 0

    return sum(map(below, figs.trees_))


def _trees(figs) -> int:
    return len(figs.trees_)


def _complexity(model) -> int:
    return int(model.complexity_)


def _dendrites() -> Pipeline:
    return on_few(DendriteClassifier("divide"), 4)


# Makers of models, given the number of conditions.
_BY_SIZE: dict[str, Callable[[int], BaseEstimator]] = {
    "score": lambda k: BoxScoreClassifier(max_conditions=k),
    "signed_dep": lambda k: on_few(RDEPClassifier("signed", random_state=0), k // 2),
    "boxes_dep": lambda k: on_few(RDEPClassifier("boxes", random_state=0), k // 4),
    "mpc": _competitive,
    "sparse_linear_dep": lambda k: on_few(LinearDEPClassifier(n_pieces=(2, 1)), k // 3),
    "tree": lambda k: _tree(k),
    "tree_large_leaves": lambda k: _tree(k, min_samples_leaf=10),
    "tree_depth": lambda k: _tree(k, max_leaf_nodes=None, max_depth=k.bit_length() - 1),
    "sparse_logistic": lambda k: on_few(SparseLogisticRegression(k), MOST_FEATURES),
    "monotone_boosting": lambda k: on_few(MonotoneBoosting(k), MOST_FEATURES),
    "figs": _figs,
    "rule_list": _rule_list,
    "boosted_rules": _boosted_rules,
}


def explainable_boosting() -> BaseEstimator:
    """Explainable boosting; its size is the number of steps of all shape functions."""
    boosting = import_module("interpret.glassbox").ExplainableBoostingClassifier
    # The defaults, 14 bags and pairs of features, take about forty times as long.
    boosting = boosting(outer_bags=2, interactions=0, random_state=0, n_jobs=1)
    return on_few(Sized(BalancedWeights(boosting), _steps), MOST_FEATURES)


def _steps(boosting) -> int:
    """Number of places where a shape function changes its value."""
    scores = [np.asarray(score, dtype=float) for score in boosting.term_scores_]
    return sum(int(np.count_nonzero(np.diff(score.ravel()))) for score in scores)


def _maker(name: str) -> Maker:
    model, size = model_and_size(name)
    if size is not None:
        return lambda parts: _BY_SIZE[model](size)
    own_size = {DENDRITES: _dendrites, EBM: explainable_boosting}[name]
    return lambda parts: own_size()


MAKERS: dict[str, Maker] = {name: _maker(name) for name in READABLE}
