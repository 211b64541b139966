"""Probabilities: a classifier within scikit-learn's calibration, in folds that fit its classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold

from .._utils._sklearn_calibration import MAPS

CALIBRATIONS = tuple(MAPS)  # what the scikit-learn at hand knows: "temperature" from 1.8 on
_N_FOLDS = 5


def calibrated(estimator: BaseEstimator, method: str, y: Any) -> CalibratedClassifierCV:
    """A classifier with ``predict_proba``, not fitted yet.

    Decision values of held-out samples, in stratified folds, determine the map to probabilities;
    the classifier itself is fitted on all samples (``ensemble=False``). There is thus one
    classifier, the same as without calibration, whose rules and explanations hold.

    Parameters
    ----------
    estimator : classifier or Pipeline that ends in one
        With a ``decision_function``.
    method : {"sigmoid", "isotonic", "temperature"}
        As in :class:`~sklearn.calibration.CalibratedClassifierCV`.
    y : array-like of shape (n_samples,)
        Classes of the samples that it will be fitted on: there are 5 folds, or as many as the
        smallest class has samples.

    Returns
    -------
    CalibratedClassifierCV
    """
    if method not in CALIBRATIONS:
        raise ValueError(f"unknown calibration {method!r}; known: {', '.join(CALIBRATIONS)}")
    classes, counts = np.unique(np.asarray(y), return_counts=True)
    if counts.min() < 2:
        raise ValueError(
            f"calibration needs two samples of each class, and there is one of class "
            f"{classes[counts.argmin()]}: leave this class out, or do without probabilities"
        )
    folds = StratifiedKFold(min(_N_FOLDS, int(counts.min())), shuffle=True, random_state=0)
    return CalibratedClassifierCV(estimator, method=method, cv=folds, ensemble=False)
