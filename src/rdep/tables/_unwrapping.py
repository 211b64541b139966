"""Classifier inside a fitted estimator: in pipelines, calibration, thresholds and searches."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from .._utils._sklearn_fitted import BaseSearchCV, positive_label


def without_searches(estimator: BaseEstimator) -> BaseEstimator:
    """Replace each parameter search inside a fitted estimator by the estimator that it found."""
    check_is_fitted(estimator)
    if isinstance(estimator, BaseSearchCV):
        if not hasattr(estimator, "best_estimator_"):
            raise ValueError(
                f"{type(estimator).__name__} with refit=False has no fitted classifier: search "
                "with refit=True"
            )
        return without_searches(estimator.best_estimator_)
    if isinstance(estimator, TunedThresholdClassifierCV):
        return _fixed(estimator)
    if not _has_search(estimator):
        return estimator
    changed = copy(estimator)
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        changed.steps = [*estimator.steps[:-1], (name, without_searches(last))]
    elif isinstance(estimator, FrozenEstimator):
        changed.estimator = without_searches(estimator.estimator)
    elif isinstance(estimator, FixedThresholdClassifier):
        changed.estimator_ = without_searches(estimator.estimator_)
        changed.estimator = clone(changed.estimator_)
    else:
        changed.calibrated_classifiers_ = [copy(pair) for pair in estimator.calibrated_classifiers_]
        for pair in changed.calibrated_classifiers_:
            pair.estimator = without_searches(pair.estimator)
        changed.estimator = clone(changed.calibrated_classifiers_[0].estimator)
    return changed


def _fixed(tuned: TunedThresholdClassifierCV) -> FixedThresholdClassifier:
    """Classifier with the threshold that a search found."""
    found = without_searches(tuned.estimator_)
    fixed = FixedThresholdClassifier(
        clone(found),
        threshold=float(tuned.best_threshold_),
        pos_label=positive_label(tuned),
        response_method=tuned.response_method,
    )
    fixed.estimator_ = found
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(tuned, name):
            setattr(fixed, name, getattr(tuned, name))
    return fixed


def _has_search(estimator: BaseEstimator) -> bool:
    return isinstance(estimator, BaseSearchCV | TunedThresholdClassifierCV) or any(
        map(_has_search, inside(estimator))
    )


def inside(estimator: BaseEstimator) -> list[BaseEstimator]:
    """Inner classifiers of a fitted estimator: several copies, one, or none."""
    if isinstance(estimator, Pipeline):
        return [estimator[-1]]
    if isinstance(estimator, FrozenEstimator):
        return [estimator.estimator]
    if isinstance(estimator, CalibratedClassifierCV):
        return [pair.estimator for pair in estimator.calibrated_classifiers_]
    if isinstance(estimator, FixedThresholdClassifier):
        return [estimator.estimator_]
    return []


def inner_classifiers(estimator: BaseEstimator) -> list[BaseEstimator]:
    """Classifiers inside all pipelines and calibrations: one, or the copies of an ensemble."""
    found = inside(estimator)
    if not found:
        return [estimator]
    return [classifier for part in found for classifier in inner_classifiers(part)]


def output(estimator: BaseEstimator, X: Any) -> NDArray:
    """Output of an estimator that is not a classifier: predictions or features."""
    return estimator.predict(X) if hasattr(estimator, "predict") else estimator.transform(X)


def first_step(estimator: BaseEstimator) -> BaseEstimator:
    """First step that receives the samples: a transformer, or the classifier itself."""
    if isinstance(estimator, Pipeline):
        return first_step(estimator[0])
    found = inside(estimator)
    return first_step(found[0]) if found else estimator


def inner_input(estimator: BaseEstimator, X: Any) -> Any:
    """Input of the inner classifier; there must be only one."""
    if isinstance(estimator, Pipeline) and len(estimator) > 1:
        X = estimator[:-1].transform(X)
    return inner_input(inside(estimator)[0], X) if inside(estimator) else X


def calibrations(estimator: BaseEstimator) -> list[CalibratedClassifierCV]:
    """Calibrations around the classifier, if there are any."""
    own = [estimator] if isinstance(estimator, CalibratedClassifierCV) else []
    return own + [found for part in inside(estimator)[:1] for found in calibrations(part)]


class Threshold(NamedTuple):
    """Score from which on a class is predicted, instead of the sign or the largest score."""

    value: float
    positive: int  # index of this class, 0 or 1
    of_probabilities: bool  # otherwise of decision values, which are those of the second class


def threshold_of(estimator: BaseEstimator) -> Threshold | None:
    """Decision threshold of an estimator, if one was chosen; calibration needs none."""
    if isinstance(estimator, Pipeline | FrozenEstimator):
        return threshold_of(inside(estimator)[0])
    if not isinstance(estimator, FixedThresholdClassifier):
        return None
    method, value, label = estimator.response_method, estimator.threshold, estimator.pos_label
    if method == "auto":
        has_both = hasattr(estimator.estimator_, "predict_proba")
        method = "predict_proba" if has_both else "decision_function"
    if isinstance(value, str) and value == "auto":
        value = 0.5 if method == "predict_proba" else 0.0
    if not isinstance(value, int | float) or not np.isfinite(value):
        raise ValueError(f"a threshold must be a finite number or 'auto', got {value!r}")
    classes = estimator.classes_.tolist()
    return Threshold(
        float(value), 1 if label is None else classes.index(label), method == "predict_proba"
    )


def inner_names(estimator: BaseEstimator, names: list[str]) -> list[str] | None:
    """Names of the features of the inner classifier, from the names of the columns, if known."""
    if isinstance(estimator, Pipeline) and len(estimator) > 1:
        try:
            names = list(map(str, estimator[:-1].get_feature_names_out(names)))
        except (AttributeError, ValueError):  # a transformer that does not name its features
            return None
    return inner_names(inside(estimator)[0], names) if inside(estimator) else names


def with_names(classifier: BaseEstimator, names: Iterable[str]) -> BaseEstimator:
    """Copy of a classifier with names of features, which may hold the categories they encode."""
    named = copy(classifier)
    named.feature_names_in_ = np.array(list(names), dtype=object)
    if hasattr(classifier, "estimators_"):  # one against the rest
        named.estimators_ = [with_names(part, names) for part in classifier.estimators_]
    return named


def with_classes(classifier: BaseEstimator, classes: NDArray | None) -> BaseEstimator:
    """Classifier with these class labels, because some calibrations replace them by codes."""
    if classes is None or np.array_equal(classifier.classes_, classes):
        return classifier
    named = copy(classifier)
    named.classes_ = classes
    return named
