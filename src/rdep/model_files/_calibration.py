"""Validation of calibrations in model files: probabilities must increase with decision values."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression

from .._utils._sklearn_fitted import (
    MAPS,
    CalibratedPair,
    SigmoidCalibration,
    knows_all_classes,
)
from ._trees import check_methods

__all__ = ["CALIBRATION_TYPES", "calibration_parts"]

# IsotonicRegression is public and known to skops.
CALIBRATION_TYPES = (
    CalibratedPair,
    *(kind for kind in MAPS.values() if kind is not IsotonicRegression),
)


def calibration_parts(value: Any) -> list[Any] | None:
    """Check a fitted calibration and return its other parts; None if it is not a calibration."""
    if isinstance(value, CalibratedClassifierCV) and hasattr(value, "calibrated_classifiers_"):
        _check_calibration(value)
        pairs = value.calibrated_classifiers_
        others = [part for name, part in vars(value).items() if name != "calibrated_classifiers_"]
        return others + [pair.estimator for pair in pairs]
    if isinstance(value, (*CALIBRATION_TYPES, IsotonicRegression)) or any(
        value is kind for kind in CALIBRATION_TYPES
    ):
        raise ValueError("it holds a calibration outside of a calibrated classifier")
    return None


def _check_calibration(owner: CalibratedClassifierCV) -> None:
    check_methods(owner)
    pairs, classes = owner.calibrated_classifiers_, owner.classes_
    if (
        type(pairs) is not list
        or not pairs
        or any(type(pair) is not CalibratedPair for pair in pairs)
    ):
        raise ValueError("a calibration holds objects other than calibrated classifiers")
    for pair in pairs:
        check_methods(pair)
        if (
            pair.method != owner.method
            or pair.method not in MAPS
            or not np.array_equal(pair.classes, classes)
            or not knows_all_classes(pair)
        ):
            raise ValueError("a calibration is for another method or other classes")
        n_maps = 1 if len(classes) == 2 or pair.method == "temperature" else len(classes)
        if type(pair.calibrators) is not list or len(pair.calibrators) != n_maps:
            raise ValueError(f"a calibration of {len(classes)} classes needs {n_maps} maps")
        for calibrator in pair.calibrators:
            _check_map(calibrator, MAPS[pair.method])


def _check_map(calibrator: Any, kind: Any) -> None:
    if type(calibrator) is not kind:
        raise ValueError(f"a calibration holds an object that is not a {kind.__name__}")
    check_methods(calibrator)
    if isinstance(calibrator, SigmoidCalibration):
        _check_numbers(calibrator.a_, calibrator.b_)
    elif isinstance(calibrator, IsotonicRegression):
        _check_isotonic(calibrator)
    else:
        _check_numbers(calibrator.beta_)
        if not calibrator.beta_ > 0:
            raise ValueError("a temperature is not positive")


def _check_numbers(*values: Any) -> None:
    if not all(isinstance(value, float) and np.isfinite(value) for value in values):
        raise ValueError("a calibration has parameters that are not finite numbers")


def _check_isotonic(calibrator: IsotonicRegression) -> None:
    x, y = calibrator.X_thresholds_, calibrator.y_thresholds_
    if not all(
        type(values) is np.ndarray and values.dtype == np.float64 and values.ndim == 1
        for values in (x, y)
    ):
        raise ValueError("thresholds of an isotonic calibration are not arrays of numbers")
    if (
        len(x) != len(y)
        or len(x) < 1
        or not np.isfinite(x).all()
        or not ((y >= 0) & (y <= 1)).all()
        or (np.diff(x) <= 0).any()
        or (np.diff(y) < 0).any()
        or calibrator.increasing_ is not True
        or calibrator.out_of_bounds != "clip"
        or (calibrator.X_min_, calibrator.X_max_) != (x[0], x[-1])
    ):
        raise ValueError("thresholds of an isotonic calibration do not increase from 0 to 1")
