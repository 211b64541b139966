"""The classifiers inside an ordering, fitted: their values, and members of a bagging."""

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
    features: list[Indices] | None = None  # those that each member sees; None means all
    drawn: list[Indices] | None = None  # the samples drawn for each member of a bagging

    def values(self, X) -> Array:
        """Values of all members, shape (n_samples, n_members)."""
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
    """The features that a member sees: mostly all, and a copy is spared."""
    return X if len(seen) == X.shape[1] else _safe_indexing(X, seen, axis=1)


def decision_values(names: Sequence[str], members: Sequence[BaseEstimator], X) -> Array:
    """Values of members that see the same features, shape (n_samples, n_members)."""
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
    """Whether a member is a forest of scikit-learn whose trees take turns."""
    return type(member) in (RandomForestClassifier, ExtraTreesClassifier) and (
        member.n_jobs in (None, 1)
    )


def forest_shares(forest: RandomForestClassifier | ExtraTreesClassifier, X) -> Array:
    """``forest.predict_proba(X)``, without a validation and a task of joblib for every tree.

    For one sample, these take fifteen times as long as the trees themselves.
    """
    if not are_numbers(X) or hasattr(forest, "feature_names_in_"):
        return forest.predict_proba(X)
    with np.errstate(over="ignore"):
        singles = X.astype(np.float32)
    if not np.isfinite(singles).all():
        return forest.predict_proba(X)  # which says what is wrong
    total = np.zeros((len(X), len(forest.classes_)))
    for tree in forest.estimators_:
        total += tree.tree_.predict(singles)
    return total / len(forest.estimators_)


def out_of_bag_values(member: BaseEstimator) -> Array | None:
    """Values of the training samples from the parts of a member that were fitted without them.

    A forest with ``oob_score=True`` keeps them; a sample that all of its trees have seen counts as
    undecided. From scikit-learn 1.9 on, a forest draws samples by their weights, if there are any:
    those with large ones are out of few bags, and their values too noisy to be of use.
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
    """A member in messages."""
    return f"member {name!r} of the ordering"


def weights_by_code(class_weight, classes: NDArray):
    """Class weights by the codes 0 and 1, which members of a bagging see as classes."""
    if isinstance(class_weight, dict):
        return {code: class_weight.get(label, 1.0) for code, label in enumerate(classes)}
    return class_weight


class DrawnMember(ClassifierMixin, BaseEstimator):
    """A member of a bagging, given the number of times that each sample was drawn for it.

    It differs from scikit-learn's bagging in two ways. A draw without any sample of one class, as
    happens with few samples, takes all samples of that class once. And on a precomputed kernel the
    member is fitted on the rows and columns drawn: ``SVC(kernel="precomputed")`` misplaces its
    support vectors if there are other samples with zero weight.

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
                        f"{type(member).__name__} takes no sample weights, and scikit-learn before "
                        "1.8 does not draw by them: update it, or leave sample_weight out"
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
    """How often scikit-learn's bagging drew each sample for a member, and the member's seed.

    It stands in for the member there, so that the member itself is fitted on X as it is: a bagging
    makes arrays of data frames.
    """

    def fit(self, X, y, sample_weight):
        self.counts_ = sample_weight
        return self
