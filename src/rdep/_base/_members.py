"""Fits inside a fit: the folds, the fit of one member, and its value for each sample."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn import config_context
from sklearn.base import BaseEstimator, clone, is_regressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, StratifiedKFold, check_cv
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, NuSVC
from sklearn.utils.validation import has_fit_parameter

from .._utils._threads import one_thread_if_small
from .._utils._typing import Array, Indices
from ._classifier import BaseClassifier
from ._groups import splits_by_groups
from ._validation import class_factors


def inner_folds(cv, y: NDArray | None = None, is_regression: bool = False):
    """Splitter for ``cv``; an integer is the number of stratified folds of *shuffled* samples.

    The folds of a regression are not stratified.

    None means five folds. If the smallest class has fewer samples than that, there are as many
    folds as it has samples.

    The shuffle is always the same. It is needed because samples are often sorted, by time or by
    place. Without it, a fold of neighbours differs from the other folds, and the values that
    members fitted on the others give it differ from the values of new samples. On OpenML's
    eeg-eye-state, a recording, an r-DEP trained on such values had an accuracy below one half. To
    predict later samples from earlier ones, pass a splitter that keeps the order.
    """
    if cv is None or isinstance(cv, Integral):
        n_folds = 5 if cv is None else int(cv)
        if is_regression:
            return KFold(
                n_folds if y is None else min(n_folds, len(y)), shuffle=True, random_state=0
            )
        if y is not None:
            classes, counts = np.unique(y, return_counts=True)
            if counts.min() < 2:
                raise ValueError(
                    f"cv={n_folds} needs at least two samples of every class, but class "
                    f"{classes.tolist()[counts.argmin()]!r} has one: add samples of this class, or "
                    "set cv=None"
                )
            n_folds = min(n_folds, int(counts.min()))
        return StratifiedKFold(n_folds, shuffle=True, random_state=0)
    return check_cv(cv, y, classifier=not is_regression)


def folds_in_use(
    cv,
    y: NDArray,
    sample_weight: Array | None,
    groups: NDArray | None = None,
    is_regression: bool = False,
) -> Iterator[tuple[Indices, Indices]]:
    """Training and test samples of each fold, as positions among samples with positive weight.

    Samples with zero weight are in no fold. The indices of an iterable count all samples passed to
    the fit. A number of folds or a splitter receives only the samples with positive weight, and
    their groups.
    """
    used = np.arange(len(y)) if sample_weight is None else np.flatnonzero(sample_weight)
    if cv is None or isinstance(cv, Integral) or hasattr(cv, "split"):
        of_used = None if groups is None else groups[used]
        yield from inner_folds(cv, y[used], is_regression).split(used, y[used], of_used)
    else:
        for fold in inner_folds(cv, None, is_regression).split():
            train, test = (rows[np.isin(rows, used)] for rows in map(np.asarray, fold))
            yield np.searchsorted(used, train), np.searchsorted(used, test)


def fit_member(what: str, member, X, y, sample_weight, class_weight, groups=None):
    """Fit a copy of a member; class weights become its parameter, or sample weights if it has none.

    Groups are passed to a member with inner folds that are split by them.
    """
    member = clone(member)
    if class_weight == "auto":
        class_weight = balanced_if_possible(member)
    if class_weight == "balanced" and sample_weight is not None:
        class_weight = _balanced(member, y, sample_weight)
    if sample_weight is not None and np.ptp(sample_weight) > 0 and _scales_gamma(member):
        member.set_params(gamma=scale_gamma(X, sample_weight))
    if class_weight is not None:
        if "class_weight" in member.get_params(deep=False):
            # Balanced within each bag: classes are drawn alike, and are out of bag equally often.
            by_bag = class_weight == "balanced" and getattr(member, "oob_score", False)
            member.set_params(class_weight="balanced_subsample" if by_bag else class_weight)
        else:
            factors = class_weights_of_samples(class_weight, y)
            sample_weight = factors if sample_weight is None else sample_weight * factors
    weights = {} if sample_weight is None else _weights_for(member, sample_weight)
    if sample_weight is not None and not weights:
        raise ValueError(
            f"{what} ({type(member).__name__}) takes no sample weights: omit sample_weight and "
            "class_weight, or choose another classifier"
        )
    if weights and getattr(member, "oob_score", False):
        member.set_params(oob_score=False)  # not used with weights, see out_of_bag_values
    if groups is not None and splits_by_groups(member):
        weights["groups"] = groups
    with config_context(enable_metadata_routing=False), one_thread_if_small(X):
        member.fit(X, y, **weights)
    _check_has_values(what, member)
    return member


def balanced_if_possible(member: BaseEstimator) -> str | None:
    """Resolve ``class_weight="auto"``: None if a member takes no weights, or has its own."""
    last = member.steps[-1][1] if isinstance(member, Pipeline) else member
    own = last.get_params(deep=False)
    inner = own.get("dep")
    if own.get("class_weight") is not None or getattr(inner, "class_weight", None) is not None:
        return None
    if not getattr(last, "_uses_class_weight", lambda: True)():
        return None
    takes_weights = "class_weight" in own or has_fit_parameter(last, "sample_weight")
    return "balanced" if takes_weights else None


def _balanced(member: BaseEstimator, y: NDArray, sample_weight: Array):
    """Balanced class weights that include sample weights; scikit-learn only counts samples."""
    if isinstance(member, BaseClassifier):
        return "balanced"  # includes sample weights
    classes, codes = np.unique(y, return_inverse=True)
    totals = np.bincount(codes, sample_weight)
    factors = class_factors("balanced", classes, totals, totals.sum())
    return dict(zip(classes.tolist(), factors, strict=True))


def class_weights_of_samples(class_weight, y: NDArray) -> Array:
    """Class weight of each sample, for members without the parameter ``class_weight``."""
    classes, codes = np.unique(y, return_inverse=True)
    return class_factors(class_weight, classes, np.bincount(codes), len(y))[codes]


def _scales_gamma(member: BaseEstimator) -> bool:
    """Whether an SVC computes γ from the samples, in which case it ignores their weights."""
    return (
        isinstance(member, SVC | NuSVC)
        and isinstance(member.gamma, str)
        and member.gamma == "scale"
        and member.kernel in ("rbf", "poly", "sigmoid")
    )


def _weights_for(member, sample_weight) -> dict[str, Array]:
    """Weights by the parameter name of the member's ``fit``; empty if it takes none."""
    if isinstance(member, Pipeline):
        name, last = member.steps[-1]
        known = has_fit_parameter(last, "sample_weight")
        return {f"{name}__sample_weight": sample_weight} if known else {}
    return {"sample_weight": sample_weight} if has_fit_parameter(member, "sample_weight") else {}


def value_of(what: str, member: BaseEstimator, X) -> Array:
    """Compute one value for each sample: larger for the positive class, or a prediction."""
    _check_has_values(what, member)
    if is_regressor(member):
        return member.predict(X)
    if type(member) is LogisticRegression:
        return linear_values(member, X)
    if hasattr(member, "decision_function"):
        return member.decision_function(X)
    return member.predict_proba(X)[:, 1] - 0.5


def linear_values(classifier: LogisticRegression, X) -> Array:
    """``classifier.decision_function(X)`` for two classes, without validation of X."""
    if not are_numbers(X) or hasattr(classifier, "feature_names_in_"):
        return classifier.decision_function(X)
    return (X @ classifier.coef_.T + classifier.intercept_).ravel()


def standardised(scaler: StandardScaler, X) -> Array:
    """``scaler.transform(X)`` without validation of X."""
    return (X - scaler.mean_) / scaler.scale_ if are_numbers(X) else scaler.transform(X)


def are_numbers(X) -> bool:
    """Whether X is an array of finite numbers, so that members need not validate it again."""
    return isinstance(X, np.ndarray) and X.dtype == np.float64 and bool(np.isfinite(X).all())


def _check_has_values(what: str, member: BaseEstimator) -> None:
    has_values = hasattr(member, "decision_function") or hasattr(member, "predict_proba")
    if not has_values and not is_regressor(member):
        raise ValueError(
            f"{what} ({type(member).__name__}) has neither decision_function nor predict_proba: "
            "choose a classifier that has one of them"
        )


def scale_gamma(X, weights: Array) -> float:
    """Compute γ of ``gamma="scale"`` of an SVC, with weights that mean repetition.

    It is 1 / (number of features × variance of all values), or 1 if all values are equal.

    The SVC of scikit-learn computes the variance without weights, so a sample of weight 2 is not
    equivalent to two samples.
    """
    if issparse(X):
        shares = weights / weights.sum()
        mean = (shares @ X).mean()
        variance = (shares @ X.multiply(X)).mean() - mean**2
    else:
        X = np.asarray(X, dtype=float)
        mean = np.average(X, weights=weights, axis=0).mean()
        variance = np.average((X - mean) ** 2, weights=weights, axis=0).mean()
    return float(1.0 / (X.shape[1] * variance)) if variance > 0 else 1.0
