"""Probabilities from decision values of held-out samples."""

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

CALIBRATIONS = tuple(MAPS)  # what the scikit-learn at hand knows: "temperature" from 1.8 on
_N_FOLDS = 5


class HeldOutCalibration(CalibratedClassifierCV):
    """A :class:`~sklearn.calibration.CalibratedClassifierCV` with one classifier, for any data.

    Decision values of held-out samples determine the map to probabilities, and the classifier is
    fitted on all samples, as with scikit-learn's ``ensemble=False``. Two things differ. The copies
    that are fitted on the folds see the classes as they are, where scikit-learn numbers them 0, 1,
    …, so that class weights are those of the classes named. And a single sample with an extreme
    decision value does not decide what a sigmoid or a temperature looks like: it is left out of the
    map, with a warning that names it.

    Parameters
    ----------
    estimator : classifier or Pipeline that ends in one
        With a ``decision_function`` or ``predict_proba``.
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
        Their names, if the classifier knows them.

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
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples, for the classifier and for the map.

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
        """Values of each sample from a classifier that was fitted without it, a column each."""
        values = np.full((len(y), 1 if n_classes == 2 else n_classes), np.nan)
        for train, test in check_cv(self.cv, y, classifier=True).split(X, y):
            if len(np.unique(y[train])) < n_classes:
                raise ValueError(
                    "a fold of the calibration has training samples of some classes only: choose "
                    "fewer folds, stratified by class"
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
        if self.method == "isotonic":  # which sees the order of the values only
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
    """What scikit-learn calibrates: decision values, or else probabilities."""
    if hasattr(model, "decision_function"):
        values = model.decision_function(X)
    else:
        values = model.predict_proba(X)
        values = values[:, 1] if n_classes == 2 else values
    return np.asarray(values).reshape(len(values), -1)


def _without_extremes(values: Array, codes: NDArray) -> tuple[Array, NDArray]:
    """Values of which far ones are drawn in, and the samples without those that are extreme."""
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
            f"out, {value:.3g}, where nine in ten samples have up to {max(usual):.3g}: left out of "
            "the calibration. Check the sample for a value far outside of its feature"
        )
    )
    return drawn, used


def calibrated(estimator: BaseEstimator, method: str, y: Any) -> HeldOutCalibration:
    """A classifier with ``predict_proba``, not fitted yet.

    Decision values of held-out samples, in stratified folds, determine the map to probabilities;
    the classifier itself is fitted on all samples. There is thus one classifier, the same as
    without calibration, whose rules and explanations hold.

    Parameters
    ----------
    estimator : classifier or Pipeline that ends in one
        With a ``decision_function`` or ``predict_proba``.
    method : {"sigmoid", "isotonic", "temperature"}
        As in :class:`~sklearn.calibration.CalibratedClassifierCV`.
    y : array-like of shape (n_samples,)
        Classes of the samples that it will be fitted on: there are 5 folds, or as many as the
        smallest class has samples.

    Returns
    -------
    HeldOutCalibration
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
    return HeldOutCalibration(estimator, method=method, cv=folds)
