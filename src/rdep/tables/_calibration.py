"""Calibration: probabilities from the decision values of held-out samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import StratifiedKFold, check_cv

from .._base._extremes import drawn_in, extreme_rows, reach_of, usual_size
from .._utils._sklearn_estimators import _safe_indexing
from .._utils._sklearn_fitted import MAPS, CalibratedPair
from .._utils._typing import Array
from ..exceptions import ExtremeValueWarning, warn_caller

CALIBRATIONS = tuple(MAPS)  # of the installed scikit-learn: "temperature" from 1.8 on
_N_FOLDS = 5


class HeldOutCalibration(CalibratedClassifierCV):
    """A :class:`~sklearn.calibration.CalibratedClassifierCV` with one classifier, for any data.

    Decision values of held-out samples determine the map to probabilities, and the classifier is
    fitted on all samples, as with scikit-learn's ``ensemble=False``. There are two differences.
    The copies that are fitted on the folds receive the original classes, so that class weights
    refer to them; scikit-learn replaces the classes by 0, 1, …. A single sample with an extreme
    decision value does not determine the sigmoid or the temperature: it is left out of the map,
    with a warning that names it.

    Parameters
    ----------
    estimator : classifier or Pipeline that ends in one
        Classifier with a ``decision_function`` or ``predict_proba``.
    method : {"sigmoid", "isotonic", "temperature"}, default="sigmoid"
        The map, as in ``CalibratedClassifierCV``; "temperature" needs scikit-learn 1.8.
    cv : int, cross-validation splitter, iterable or None, default=None
        The folds, as in ``CalibratedClassifierCV``; None means 5.

    Attributes
    ----------
    calibrated_classifiers_ : list of one pair
        The classifier and its maps.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if the classifier has them.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.tables import HeldOutCalibration
    >>> X, X_test, y, y_test = load_ripley()
    >>> labels = ["yes" if label else "no" for label in y]
    >>> costs = DEPClassifier(class_weight={"yes": 5})
    >>> calibrated = HeldOutCalibration(costs).fit(X, labels)
    >>> calibrated.predict_proba(X_test).shape
    (1000, 2)
    """

    __module__ = "rdep.tables"

    def __init__(self, estimator=None, *, method="sigmoid", cv=None):
        super().__init__(estimator, method=method, cv=cv, ensemble=False)

    def fit(self, X, y, sample_weight=None):
        """Fit the classifier, and the map from its decision values to probabilities.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Classes of the samples.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights, for the classifier and for the map.

        Returns
        -------
        self
        """
        if self.method not in CALIBRATIONS:
            raise ValueError(
                f"unknown calibration {self.method!r}; known: {', '.join(CALIBRATIONS)}"
            )
        y = np.asarray(y)
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        classes, codes = np.unique(y, return_inverse=True)
        values = self._held_out(X, y, weights, len(classes))
        fitted = clone(self.estimator).fit(X, y, **_of_fit(weights))
        maps = self._maps(values, codes, weights, len(classes))
        self.classes_ = classes
        self.calibrated_classifiers_ = [
            CalibratedPair(fitted, maps, method=self.method, classes=classes)
        ]
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        return self

    def _held_out(self, X, y: NDArray, weights: Array | None, n_classes: int) -> Array:
        """Values of each sample from a classifier that was fitted without it, in columns."""
        values = np.full((len(y), 1 if n_classes == 2 else n_classes), np.nan)
        for train, test in check_cv(self.cv, y, classifier=True).split(X, y):
            if len(np.unique(y[train])) < n_classes:
                raise ValueError(
                    "the training samples of a fold of the calibration lack a class: use fewer "
                    "folds, stratified by class"
                )
            own = _of_fit(None if weights is None else weights[train])
            model = clone(self.estimator).fit(_safe_indexing(X, train), y[train], **own)
            values[test] = _values(model, _safe_indexing(X, test), n_classes)
        if np.isnan(values).any():
            raise ValueError("cv of the calibration must put every sample into a test fold")
        return values

    def _maps(
        self, values: Array, codes: NDArray, weights: Array | None, n_classes: int
    ) -> list[Any]:
        if self.method == "isotonic":  # uses only the order of the values
            used = np.arange(len(values))
        else:
            values, used = _without_extremes(values, codes)
        weights = None if weights is None else weights[used]
        if self.method == "temperature":
            shown = values[used]
            if n_classes == 2 and not hasattr(self.estimator, "decision_function"):
                shown = np.hstack([1 - shown, shown])
            return [MAPS[self.method]().fit(shown, codes[used], weights)]
        positives = [1] if n_classes == 2 else range(n_classes)
        options = {"out_of_bounds": "clip"} if MAPS[self.method] is IsotonicRegression else {}
        return [
            MAPS[self.method](**options).fit(column[used], (codes[used] == k).astype(int), weights)
            for k, column in zip(positives, values.T, strict=True)
        ]


def _of_fit(weights: Array | None) -> dict[str, Array]:
    return {} if weights is None else {"sample_weight": weights}


def _values(model: BaseEstimator, X, n_classes: int) -> Array:
    """Values to calibrate, as in scikit-learn: decision values, or else probabilities."""
    if hasattr(model, "decision_function"):
        values = model.decision_function(X)
    else:
        values = model.predict_proba(X)
        values = values[:, 1] if n_classes == 2 else values
    return np.asarray(values).reshape(len(values), -1)


def _without_extremes(values: Array, codes: NDArray) -> tuple[Array, NDArray]:
    """Compress values beyond the reach, and find the samples without extreme values."""
    usual = [usual_size(column) for column in values.T]
    reaches = [reach_of(size) for size in usual]
    extreme = np.zeros(len(values), dtype=bool)
    for column, reach in zip(values.T, reaches, strict=True):
        extreme |= extreme_rows(column, reach)
    drawn = np.column_stack(
        [drawn_in(column, reach) for column, reach in zip(values.T, reaches, strict=True)]
    )
    used = np.flatnonzero(~extreme)
    if len(used) == len(values) or len(np.unique(codes[used])) < len(np.unique(codes)):
        return drawn, np.arange(len(values))
    first, others = int(np.argmax(extreme)), len(values) - len(used) - 1
    value = values[first, np.abs(values[first]).argmax()]
    warn_caller(
        ExtremeValueWarning(
            f"training sample {first} (the first is 0)"
            f"{f' and {others} more have' if others else ' has'} an extreme decision value if held "
            f"out, {value:.3g}, while nine in ten samples have at most {max(usual):.3g}: left out "
            "of the calibration. Check the sample for a feature value far outside the usual range"
        )
    )
    return drawn, used


def calibrated(estimator: BaseEstimator, method: str, y: Any) -> HeldOutCalibration:
    """Wrap a classifier in an unfitted calibration, which has ``predict_proba``.

    Decision values of held-out samples, in stratified folds, determine the map to probabilities.
    The classifier itself is fitted on all samples. So there is one classifier, the same as without
    calibration, and its rules and explanations hold.

    Parameters
    ----------
    estimator : classifier or Pipeline that ends in one
        Classifier with a ``decision_function`` or ``predict_proba``.
    method : {"sigmoid", "isotonic", "temperature"}
        The map, as in :class:`~sklearn.calibration.CalibratedClassifierCV`.
    y : array-like of shape (n_samples,)
        Classes of the training samples. They determine the number of folds: 5, or the number of
        samples of the smallest class if it is smaller.

    Returns
    -------
    HeldOutCalibration
    """
    if method not in CALIBRATIONS:
        raise ValueError(f"unknown calibration {method!r}; known: {', '.join(CALIBRATIONS)}")
    classes, counts = np.unique(np.asarray(y), return_counts=True)
    if counts.min() < 2:
        raise ValueError(
            f"calibration needs at least two samples of each class, but class "
            f"{classes[counts.argmin()]} has one: leave this class out, or omit the calibration"
        )
    folds = StratifiedKFold(min(_N_FOLDS, int(counts.min())), shuffle=True, random_state=0)
    return HeldOutCalibration(estimator, method=method, cv=folds)
