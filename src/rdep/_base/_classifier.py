"""Base of all classifiers: a fit that validates once, decision values, predictions."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from .._utils._sklearn_estimators import _fit_context
from .._utils._typing import Array
from ._fitting import unchanged_on_error
from ._validation import class_costs, validate_samples, validate_training

# Values of classes are equal if their relative difference to the largest one is below this.
RELATIVE_ROUNDING = 1e-12


class BaseClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of classifiers that predict by decision values.

    Subclasses fit validated samples and compute decision values: one for each sample, positive for
    the second of two classes, or one for each sample and class.
    """

    classes_: NDArray

    @abstractmethod
    def _fit(self, X: Array, y: NDArray, sample_weight: Array | None) -> None:
        """Set the fitted attributes; ``classes_`` is already set."""

    @abstractmethod
    def _decision_values(self, X: Array) -> Array:
        """Compute the decision values of validated samples."""

    def _zero_is_positive(self) -> bool:
        """Whether a decision value of zero belongs to the second of two classes."""
        return True

    def _rounding_of_values(self) -> float | None:
        """Tolerance: values of several classes that differ by less are equal."""
        return 0.0

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Train on samples and their classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Two or more classes; the second of two in sorted order is the positive class.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.

        Returns
        -------
        self
        """
        with unchanged_on_error(self):
            self._fit(*self._validated(X, y, sample_weight))
        return self

    def _validated(self, X, y, sample_weight) -> tuple[Array, NDArray, Array | None]:
        """Validate samples, classes and weights, and set ``classes_``."""
        X, y, sample_weight, self.classes_ = validate_training(self, X, y, sample_weight)
        class_weight = getattr(self, "class_weight", None)
        if isinstance(class_weight, dict):
            class_costs(class_weight, self.classes_)
        return X, y, sample_weight

    def decision_function(self, X):
        """Compute the decision value of each sample.

        With two classes, the second is predicted if the value is 0 or more. Zero is returned as the
        smallest positive number, so that both thresholds of scikit-learn, "more than 0" and "at
        least 0", agree with ``predict``. With more classes, the class with the largest value is
        predicted. Values that are equal up to rounding are returned as equal, and the first of
        their classes is predicted.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_classes) for more than two classes
        """
        check_is_fitted(self)
        values = self._decision_values(validate_samples(self, X))
        if values.ndim == 1:
            return without_zeros(values, self._zero_is_positive())
        rounding = self._rounding_of_values()
        return values if rounding is None else equal_if_rounded(values, rounding)

    def predict(self, X):
        """Predict the class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        values = self.decision_function(X)
        if values.ndim == 1:
            return self.classes_[(values > 0).astype(int)]
        return self.classes_[np.argmax(values, axis=1)]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")


def without_zeros(values: Array, is_positive: bool) -> Array:
    """Replace zeros by the smallest positive number, or by minus that number."""
    tiny = np.finfo(float).tiny
    return np.where(values == 0, tiny if is_positive else -tiny, values)


def equal_if_rounded(values: Array, rounding: float) -> Array:
    """Set the values of classes that equal the largest one up to rounding to the largest one."""
    largest = values.max(axis=1, keepdims=True)
    near = np.maximum(rounding, RELATIVE_ROUNDING * np.abs(largest))
    return np.where(values >= largest - near, largest, values)
