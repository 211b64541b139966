"""Fitted members of an ordering: decision values, out-of-bag values, members of a bagging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.utils import check_array, get_tags
from sklearn.utils.validation import has_fit_parameter

from .._base._members import are_numbers, value_of
from .._base._validation import is_frame
from .._utils._sklearn_estimators import _safe_indexing
from .._utils._sklearn_fitted import drew_by_weights
from .._utils._threads import one_thread_if_small
from .._utils._typing import Array, Indices
from ..kernels import can_evaluate
from ..kernels import decision_values as svc_decision_values


class FittedMembers(NamedTuple):
    """Members that were fitted on the same samples."""

    names: list[str]
    estimators: list[BaseEstimator]
    features: list[Indices] | None = None  # features of each member; None means all
    drawn: list[Indices] | None = None  # samples drawn for each member of a bagging

    def values(self, X) -> Array:
        """Compute the values of all members, shape (n_samples, n_members)."""
        if self.features is None or all(len(seen) == X.shape[1] for seen in self.features):
            return decision_values(self.names, self.estimators, X)
        return np.hstack(
            [
                decision_values([name], [member], seen_features(X, seen))
                for name, member, seen in zip(
                    self.names, self.estimators, self.features, strict=True
                )
            ]
        )


def seen_features(X, seen: Indices):
    """Select the features of a member, without a copy if it uses all."""
    return X if len(seen) == X.shape[1] else _safe_indexing(X, seen, axis=1)


def decision_values(names: Sequence[str], members: Sequence[BaseEstimator], X) -> Array:
    """Compute the values of members that use the same features, one column each."""
    svcs = [] if issparse(X) else [k for k, member in enumerate(members) if can_evaluate(member)]
    values = np.empty((X.shape[0], len(members)))
    if svcs:
        numbers = check_array(X, dtype=np.float64) if is_frame(X) else X
        values[:, svcs] = svc_decision_values([members[k] for k in svcs], numbers)
    with one_thread_if_small(X):
        for k in set(range(len(members))) - set(svcs):
            if is_serial_forest(members[k]):
                values[:, k] = forest_shares(members[k], X)[:, 1] - 0.5
            else:
                values[:, k] = value_of(member_called(names[k]), members[k], X)
    return values


def is_serial_forest(member: BaseEstimator) -> bool:
    """Whether a member is a scikit-learn forest that does not run in parallel."""
    return type(member) in (RandomForestClassifier, ExtraTreesClassifier) and (
        member.n_jobs in (None, 1)
    )


def forest_shares(forest: RandomForestClassifier | ExtraTreesClassifier, X) -> Array:
    """Compute ``forest.predict_proba(X)`` without a validation and a joblib task for every tree.

    For one sample, these take fifteen times as long as the trees.
    """
    if not are_numbers(X) or hasattr(forest, "feature_names_in_"):
        return forest.predict_proba(X)
    with np.errstate(over="ignore"):
        singles = X.astype(np.float32)
    if not np.isfinite(singles).all():
        return forest.predict_proba(X)  # raises scikit-learn's error
    total = np.zeros((len(X), len(forest.classes_)))
    for tree in forest.estimators_:
        total += tree.tree_.predict(singles)
    return total / len(forest.estimators_)


def out_of_bag_values(member: BaseEstimator) -> Array | None:
    """Out-of-bag values of the training samples, or None if a member has none to use.

    A forest with ``oob_score=True`` stores them. The value is 0 if all trees were fitted on the
    sample. From scikit-learn 1.9 on, a forest draws samples by their weights. Samples with large
    weights are then out of few bags, and their values are too noisy to use.
    """
    if hasattr(member, "left_out_values_"):
        return member.left_out_values_
    if hasattr(member, "decision_function") or not hasattr(member, "oob_decision_function_"):
        return None
    if drew_by_weights(member):
        return None
    shares = np.nan_to_num(member.oob_decision_function_)
    seen_by_all = ~shares.any(axis=1)  # without a vote for either class
    return np.where(seen_by_all, 0.0, shares[:, 1] - 0.5)


def member_called(name: str) -> str:
    """Name of a member in messages."""
    return f"member {name!r} of the ordering"


def weights_by_code(class_weight, classes: NDArray):
    """Class weights by the codes 0 and 1, the classes of the members of a bagging."""
    if isinstance(class_weight, dict):
        return {code: class_weight.get(label, 1.0) for code, label in enumerate(classes)}
    return class_weight


class DrawnMember(ClassifierMixin, BaseEstimator):
    """Member of a bagging, fitted with the number of times that each sample was drawn.

    It differs from scikit-learn's bagging in two ways. If a draw has no sample of one class, as
    may happen with few samples, all samples of that class are used once. With a precomputed kernel,
    the member is fitted on the drawn rows and columns only, because ``SVC(kernel="precomputed")``
    misplaces its support vectors if there are samples with zero weight.

    Parameters
    ----------
    estimator : classifier
        The member.
    """

    __module__ = "rdep.orderings"

    def __init__(self, estimator):
        self.estimator = estimator

    def fit(self, X, y, sample_weight):
        counts = sample_weight.copy()
        for label in np.unique(y):
            if not counts[y == label].any():
                counts[y == label] = 1
        member = clone(self.estimator)
        if get_tags(member).input_tags.pairwise:
            self.drawn_ = np.flatnonzero(counts)
            X, y, counts = X[np.ix_(self.drawn_, self.drawn_)], y[self.drawn_], counts[self.drawn_]
        with one_thread_if_small(X):
            if has_fit_parameter(member, "sample_weight"):
                self.estimator_ = member.fit(X, y, sample_weight=counts)
            else:
                # Before scikit-learn 1.8 these are floats, multiplied by weights if there are any.
                times = counts.astype(np.intp)
                if not np.array_equal(times, counts):
                    raise ValueError(
                        f"{type(member).__name__} does not accept sample weights, and scikit-learn "
                        "before 1.8 does not draw by them: update it, or omit sample_weight"
                    )
                rows = np.repeat(np.arange(len(y)), times)
                self.estimator_ = member.fit(_safe_indexing(X, rows), y[rows])
        self.classes_ = self.estimator_.classes_
        return self

    def decision_function(self, X):
        return value_of("a drawn member", self.estimator_, X[:, self.drawn_])

    def predict(self, X):
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]


class BootstrapDraw(DrawnMember):
    """Record of how often scikit-learn's bagging drew each sample, and of the member's seed.

    It replaces the member inside the bagging, which would convert data frames to arrays. The
    member itself is then fitted on X unchanged.
    """

    def fit(self, X, y, sample_weight):
        self.counts_ = sample_weight
        return self
