"""Private names and attributes behind fitted estimators of scikit-learn (1.7 to 1.9)."""

from __future__ import annotations

from typing import Any

import numpy as np
import sklearn.calibration
from sklearn.calibration import _CalibratedClassifier as CalibratedPair
from sklearn.calibration import _SigmoidCalibration as SigmoidCalibration
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model._base import LinearClassifierMixin, LinearModel
from sklearn.model_selection._search import BaseSearchCV

from ._typing import Array

__all__ = [
    "BOOSTED_TREES",
    "MAPS",
    "BaseSearchCV",
    "CalibratedPair",
    "LinearClassifierMixin",
    "LinearModel",
    "SigmoidCalibration",
    "boosted_trees",
    "boosting_baseline",
    "drew_by_weights",
    "encodes_categories",
    "is_amid_fit",
    "knows_all_classes",
    "positive_label",
    "svc_gamma",
]

# Maps from decision values to probabilities, by the name of the method.
MAPS: dict[str, type] = {"sigmoid": SigmoidCalibration, "isotonic": IsotonicRegression}
if hasattr(sklearn.calibration, "_TemperatureScaling"):  # from 1.8 on
    MAPS["temperature"] = sklearn.calibration._TemperatureScaling


def knows_all_classes(pair: CalibratedPair) -> bool:
    """Whether the classifier of a pair knows all classes; temperature scaling uses their codes."""
    known = pair.estimator.classes_
    return np.array_equal(known, pair.classes) or (
        pair.method == "temperature" and np.array_equal(known, np.arange(len(pair.classes)))
    )


# The attribute of a HistGradientBoosting that holds its trees.
BOOSTED_TREES = "_predictors"


def boosted_trees(boosting: Any) -> list[list[Any]]:
    """Trees of a HistGradientBoosting: one list for each iteration."""
    return getattr(boosting, BOOSTED_TREES)


def boosting_baseline(boosting: Any) -> Array:
    """Baseline to which the trees are added, of shape (1, n_trees_per_iteration)."""
    return boosting._baseline_prediction


def encodes_categories(boosting: Any) -> bool:
    """Whether a HistGradientBoosting has an encoder of categorical features."""
    return boosting._preprocessor is not None


def is_amid_fit(boosting: Any) -> bool:
    """Whether a HistGradientBoosting is in its fit, during which it expects binned samples."""
    return "_in_fit" in vars(boosting)


def positive_label(tuned: Any) -> Any:
    """Positive class of a TunedThresholdClassifierCV; None means the second class."""
    label = tuned._curve_scorer._get_pos_label()
    return label.item() if isinstance(label, np.generic) else label


def svc_gamma(svc: Any) -> float:
    """Value of ``gamma`` of a fitted support vector classifier, as a number."""
    return float(svc._gamma)


def drew_by_weights(forest: Any) -> bool:
    """Whether a fitted forest drew its samples by weights, as from scikit-learn 1.9 on."""
    return getattr(forest, "_sample_weight", None) is not None
