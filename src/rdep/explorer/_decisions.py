"""Decisions by probabilities, written as decisions by the values that a page computes."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.utils.metaestimators import available_if

from .._base._probabilities import probabilities
from ..tables import calibrations, inner_classifiers, inside

_LARGEST = float(np.finfo(float).max)


class _Given(ClassifierMixin, BaseEstimator):
    """A classifier of two classes whose samples are its decision values."""

    def __init__(self, classes, calibration=None):
        self.classes_ = self.classes = classes
        self.calibration_ = self.calibration = calibration

    def fit(self, values, y):
        return self

    def decision_function(self, values):
        return np.asarray(values)[:, 0]

    @available_if(lambda given: given.calibration is not None)
    def predict_proba(self, values):
        return probabilities(self, values)


def threshold_of_values(estimator: BaseEstimator) -> float:
    """Smallest decision value from which on the second of two classes is predicted.

    Calibration and threshold of the estimator decide, exactly as its ``predict`` has it. They are
    taken as increasing in the decision value: the caller compares decisions.
    """
    classifier = inner_classifiers(estimator)[0]
    given = _Given(classifier.classes_, getattr(classifier, "calibration_", None))
    decide = _around(estimator, given)
    second = estimator.classes_[1]
    low, high = _LARGEST_PLACE * -1, _LARGEST_PLACE
    while low < high:
        middle = (low + high) // 2
        if decide.predict([[_number(middle)]])[0] == second:
            high = middle
        else:
            low = middle + 1
    return _number(low) or -5e-324  # zero would mean the classifier's own rule


def _place(number: float) -> int:
    """Place of a positive number in the order of all numbers."""
    return int(np.float64(number).view(np.int64))


_LARGEST_PLACE = _place(_LARGEST)


def _number(place: int) -> float:
    return float(np.sign(place) * np.int64(abs(place)).view(np.float64))


def _around(estimator: Any, given: _Given) -> Any:
    """Calibration and threshold of an estimator around given decision values."""
    if isinstance(estimator, FixedThresholdClassifier):
        changed = copy(estimator)
        changed.estimator_ = _around(estimator.estimator_, given)
        return changed
    if isinstance(estimator, CalibratedClassifierCV):
        changed, (pair,) = copy(estimator), map(copy, estimator.calibrated_classifiers_)
        pair.estimator = _around(pair.estimator, given)
        changed.calibrated_classifiers_ = [pair]
        return changed
    return _around(inside(estimator)[0], given) if inside(estimator) else given


def probability_form(estimator: BaseEstimator) -> dict[str, Any] | None:
    """Probability of the second of two classes as a function of the decision value.

    A logistic function has ``slope`` and ``intercept``, an isotonic one ``values`` and
    ``probabilities``, with lines between them.
    """
    found = calibrations(estimator)
    if not found:
        own = getattr(inner_classifiers(estimator)[0], "calibration_", None)
        return None if own is None else _logistic(*own)
    ((pair,), *others) = [each.calibrated_classifiers_ for each in found]
    if others:
        return None
    (calibrator,) = pair.calibrators
    if isinstance(calibrator, IsotonicRegression):
        knots = calibrator.X_thresholds_, calibrator.y_thresholds_
        return dict(zip(("values", "probabilities"), (k.tolist() for k in knots), strict=True))
    if pair.method == "temperature":
        return _logistic(2 * calibrator.beta_, 0.0)
    return _logistic(-calibrator.a_, -calibrator.b_)


def _logistic(slope: float, intercept: float) -> dict[str, float]:
    return {"slope": float(slope), "intercept": float(intercept)}


def class_lines(estimator: BaseEstimator) -> list[list[float]] | None:
    """Slope and intercept for each of several classes, the largest of which decides; or None.

    Sigmoids of these lines are the probabilities before they are normalised.
    """
    ((pair,), *others) = [each.calibrated_classifiers_ for each in calibrations(estimator)]
    if others or pair.method == "isotonic":
        return None
    if pair.method == "temperature":
        return [[1.0, 0.0] for _ in pair.classes]
    lines = [[-float(each.a_), -float(each.b_)] for each in pair.calibrators]
    return lines if min(slope for slope, _ in lines) > 0 else None
