"""The classifiers inside an ordering: fitting one, and its value for each sample."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC, NuSVC
from sklearn.utils import check_array, compute_sample_weight, get_tags
from sklearn.utils.validation import has_fit_parameter

from .._base._classifier import BaseClassifier
from .._base._validation import is_frame
from .._utils._sklearn_frames import _safe_indexing
from .._utils._threads import one_thread_if_small
from .._utils._typing import Array
from ..kernels import can_evaluate, scale_gamma
from ..kernels import decision_values as svc_decision_values


def decision_values(names: Sequence[str], members: Sequence[BaseEstimator], X) -> Array:
    """Values of members that see the same features, shape (n_samples, n_members)."""
    svcs = [] if issparse(X) else [k for k, member in enumerate(members) if can_evaluate(member)]
    values = np.empty((X.shape[0], len(members)))
    if svcs:
        numbers = check_array(X, dtype=np.float64) if is_frame(X) else X
        values[:, svcs] = svc_decision_values([members[k] for k in svcs], numbers)
    with one_thread_if_small(X):
        for k in set(range(len(members))) - set(svcs):
            values[:, k] = value_of(member_called(names[k]), members[k], X)
    return values


def value_of(what: str, member: BaseEstimator, X) -> Array:
    """One value for each sample, greater for samples of the positive class."""
    _check_has_values(what, member)
    if hasattr(member, "decision_function"):
        return member.decision_function(X)
    return member.predict_proba(X)[:, 1] - 0.5


def out_of_bag_values(member: BaseEstimator) -> Array | None:
    """Values of the training samples from the parts of a member that were fitted without them.

    A forest with ``oob_score=True`` keeps them; a sample that all of its trees have seen counts as
    undecided. From scikit-learn 1.9 on, a forest draws samples by their weights, if there are any:
    those with large ones are out of few bags, and their values too noisy to be of use.
    """
    if hasattr(member, "decision_function") or not hasattr(member, "oob_decision_function_"):
        return None
    if getattr(member, "_sample_weight", None) is not None:
        return None
    shares = np.nan_to_num(member.oob_decision_function_)
    seen_by_all = ~shares.any(axis=1)  # without a vote for either class
    return np.where(seen_by_all, 0.0, shares[:, 1] - 0.5)


def _check_has_values(what: str, member: BaseEstimator) -> None:
    if not hasattr(member, "decision_function") and not hasattr(member, "predict_proba"):
        raise ValueError(
            f"{what} ({type(member).__name__}) has neither decision_function nor predict_proba: "
            "choose a classifier that has one of them"
        )


def member_called(name: str) -> str:
    """A member in messages."""
    return f"member {name!r} of the ordering"


def fit_member(what: str, member, X, y, sample_weight, class_weight):
    """Fit a copy; class weights become its parameter, or sample weights where it has none."""
    member = clone(member)
    if class_weight == "auto":
        class_weight = balanced_if_possible(member)
    if class_weight == "balanced" and sample_weight is not None:
        class_weight = _balanced(member, y, sample_weight)
    if sample_weight is not None and np.ptp(sample_weight) > 0 and _scales_gamma(member):
        member.set_params(gamma=scale_gamma(X, sample_weight))
    if class_weight is not None:
        if "class_weight" in member.get_params(deep=False):
            # Balanced within each bag, classes are drawn alike, and out of as many bags.
            by_bag = class_weight == "balanced" and getattr(member, "oob_score", False)
            member.set_params(class_weight="balanced_subsample" if by_bag else class_weight)
        else:
            weights = compute_sample_weight(class_weight, y)
            sample_weight = weights if sample_weight is None else sample_weight * weights
    weights = {} if sample_weight is None else _weights_for(member, sample_weight)
    if sample_weight is not None and not weights:
        raise ValueError(
            f"{what} ({type(member).__name__}) takes no sample weights: omit sample_weight and "
            "class_weight, or choose another classifier"
        )
    if weights and getattr(member, "oob_score", False):
        member.set_params(oob_score=False)  # not used with weights, see out_of_bag_values
    with config_context(enable_metadata_routing=False), one_thread_if_small(X):
        member.fit(X, y, **weights)
    _check_has_values(what, member)
    return member


def balanced_if_possible(member: BaseEstimator) -> str | None:
    """What ``class_weight="auto"`` is for a member: none if it takes no weights, or has its own."""
    last = member.steps[-1][1] if isinstance(member, Pipeline) else member
    own = last.get_params(deep=False)
    if own.get("class_weight") is not None:
        return None
    takes_weights = "class_weight" in own or has_fit_parameter(last, "sample_weight")
    return "balanced" if takes_weights else None


def _balanced(member: BaseEstimator, y: NDArray, sample_weight: Array):
    """Weights with which each class weighs the same; members of scikit-learn count samples."""
    if isinstance(member, BaseClassifier):
        return "balanced"  # which weighs them
    classes, codes = np.unique(y, return_inverse=True)
    totals = np.bincount(codes, sample_weight)
    return dict(zip(classes.tolist(), totals.sum() / (len(classes) * totals), strict=True))


def _scales_gamma(member: BaseEstimator) -> bool:
    """Whether γ of an SVC follows from the samples, whose weights the SVC leaves out of it."""
    return (
        isinstance(member, SVC | NuSVC)
        and isinstance(member.gamma, str)
        and member.gamma == "scale"
        and member.kernel in ("rbf", "poly", "sigmoid")
    )


def _weights_for(member, sample_weight) -> dict[str, Array]:
    """The weights under the name that the member's ``fit`` knows them by; nothing if by none."""
    if isinstance(member, Pipeline):
        name, last = member.steps[-1]
        known = has_fit_parameter(last, "sample_weight")
        return {f"{name}__sample_weight": sample_weight} if known else {}
    return {"sample_weight": sample_weight} if has_fit_parameter(member, "sample_weight") else {}


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


class Draw(DrawnMember):
    """How often scikit-learn's bagging drew each sample for a member, and the member's seed.

    It stands in for the member there, so that the member itself is fitted on X as it is: a bagging
    makes arrays of data frames.
    """

    def fit(self, X, y, sample_weight):
        self.counts_ = sample_weight
        return self
