"""Probabilities of classes from decision values, by a logistic map that ``fit`` has found."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit

from .._utils._sklearn_fitted import SigmoidCalibration
from .._utils._typing import Array, Mask


def logistic_map(values: Array, is_positive: Mask, sample_weight: Array | None = None) -> Array:
    """Slope and intercept of Platt's map from held-out decision values to probabilities.

    The slope is not negative. Without samples of both classes it is 0.
    """
    weights = np.ones(len(values)) if sample_weight is None else sample_weight
    used = weights > 0
    values, positive, weights = values[used], is_positive[used], weights[used]
    if positive.any() and not positive.all():
        found = SigmoidCalibration().fit(values, positive.astype(int), weights)
        if found.a_ < 0:
            return np.array([-found.a_, -found.b_])
    counts = [weights[positive == label].sum() for label in (True, False)]
    return np.array([0.0, np.log((counts[0] + 1) / (counts[1] + 1))])


def probabilities(classifier: Any, X: Any) -> Array:
    """Probabilities of all classes; with more than two, those against the rest, normalised."""
    values = classifier.decision_function(X)
    if values.ndim == 1:
        slope, intercept = classifier.calibration_
        positive = expit(slope * values + intercept)
        return np.column_stack([1 - positive, positive])
    slopes, intercepts = np.array([part.calibration_ for part in classifier.estimators_]).T
    each = expit(slopes * values + intercepts)
    total = each.sum(axis=1, keepdims=True)
    n_classes = values.shape[1]
    return np.divide(each, total, out=np.full_like(each, 1 / n_classes), where=total > 0)
