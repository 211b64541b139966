"""The classifier inside a fitted estimator: behind pipelines, calibration and searches."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from .._utils._sklearn_fitted import BaseSearchCV


def without_searches(estimator: BaseEstimator) -> BaseEstimator:
    """A fitted estimator with what each search over parameters has found in place of the search."""
    check_is_fitted(estimator)
    if isinstance(estimator, BaseSearchCV):
        if not hasattr(estimator, "best_estimator_"):
            raise ValueError(
                f"{type(estimator).__name__} with refit=False has no fitted classifier: search "
                "with refit=True"
            )
        return without_searches(estimator.best_estimator_)
    if not _has_search(estimator):
        return estimator
    changed = copy(estimator)
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        changed.steps = [*estimator.steps[:-1], (name, without_searches(last))]
    elif isinstance(estimator, FrozenEstimator):
        changed.estimator = without_searches(estimator.estimator)
    else:
        changed.calibrated_classifiers_ = [copy(pair) for pair in estimator.calibrated_classifiers_]
        for pair in changed.calibrated_classifiers_:
            pair.estimator = without_searches(pair.estimator)
        changed.estimator = clone(changed.calibrated_classifiers_[0].estimator)
    return changed


def _has_search(estimator: BaseEstimator) -> bool:
    return isinstance(estimator, BaseSearchCV) or any(map(_has_search, inside(estimator)))


def inside(estimator: BaseEstimator) -> list[BaseEstimator]:
    """What a fitted estimator leaves the classification to: several copies, one, or none."""
    if isinstance(estimator, Pipeline):
        return [estimator[-1]]
    if isinstance(estimator, FrozenEstimator):
        return [estimator.estimator]
    if isinstance(estimator, CalibratedClassifierCV):
        return [pair.estimator for pair in estimator.calibrated_classifiers_]
    return []


def inner_classifiers(estimator: BaseEstimator) -> list[BaseEstimator]:
    """The classifiers behind all pipelines and calibrations: one, or the copies of an ensemble."""
    found = inside(estimator)
    if not found:
        return [estimator]
    return [classifier for part in found for classifier in inner_classifiers(part)]


def output(estimator: BaseEstimator, X: Any) -> NDArray:
    """What an estimator makes of samples that are not classified: predictions, or features."""
    return estimator.predict(X) if hasattr(estimator, "predict") else estimator.transform(X)


def first_step(estimator: BaseEstimator) -> BaseEstimator:
    """What samples meet first: a transformer, or the classifier itself."""
    if isinstance(estimator, Pipeline):
        return first_step(estimator[0])
    found = inside(estimator)
    return first_step(found[0]) if found else estimator


def inner_input(estimator: BaseEstimator, X: Any) -> Any:
    """Samples as they reach the classifier, of which there is one."""
    if isinstance(estimator, Pipeline) and len(estimator) > 1:
        X = estimator[:-1].transform(X)
    return inner_input(inside(estimator)[0], X) if inside(estimator) else X


def calibrations(estimator: BaseEstimator) -> list[CalibratedClassifierCV]:
    """The calibration in front of the classifier, if there is one."""
    own = [estimator] if isinstance(estimator, CalibratedClassifierCV) else []
    return own + [found for part in inside(estimator)[:1] for found in calibrations(part)]


def inner_names(estimator: BaseEstimator, names: list[str]) -> list[str] | None:
    """Names of the features that reach the classifier, from those of the columns, if known."""
    if isinstance(estimator, Pipeline) and len(estimator) > 1:
        try:
            names = list(map(str, estimator[:-1].get_feature_names_out(names)))
        except (AttributeError, ValueError):  # a transformer that does not name its features
            return None
    return inner_names(inside(estimator)[0], names) if inside(estimator) else names


def with_names(classifier: BaseEstimator, names: list[str]) -> BaseEstimator:
    """A copy of a classifier that was fitted without names of features, with names."""
    named = copy(classifier)
    named.feature_names_in_ = np.array(names, dtype=object)
    if hasattr(classifier, "estimators_"):  # one against the rest
        named.estimators_ = [with_names(part, names) for part in classifier.estimators_]
    return named
