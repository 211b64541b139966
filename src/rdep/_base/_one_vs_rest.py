"""Classifiers by the sign of one decision value; one against the rest for more classes."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from .._utils._typing import Array
from ..exceptions import DegenerateFitWarning, warn_caller
from ._classifier import BaseClassifier, without_zeros
from ._validation import class_costs


class SignClassifier(BaseClassifier):
    """Classifier by the sign of one decision value; one against the rest for more than two classes.

    Subclasses train on two classes and compute the decision value.
    """

    @abstractmethod
    def _fit_binary(self, X: Array, y: NDArray, sample_weight: Array | None) -> None:
        """Set the fitted attributes; ``classes_`` is already set, the positive class second."""

    @abstractmethod
    def _decide(self, X: Array) -> Array:
        """Compute the decision values of validated samples, before zeros are replaced."""

    def _rounding(self) -> float:
        """Tolerance: decision values closer to zero than this are zero."""
        return 0.0

    def _fit(self, X, y, sample_weight, **options):
        if len(self.classes_) == 2:
            self._fit_binary(X, y, sample_weight, **options)
            return
        names = getattr(self, "feature_names_in_", None)
        self.estimators_ = Parallel(n_jobs=getattr(self, "n_jobs", None))(
            delayed(_fit_part)(
                self._against_the_rest(label, y, sample_weight),
                X,
                y,
                label,
                sample_weight,
                names,
                options,
            )
            for label in self.classes_
        )
        steps = [part.n_iter_ for part in self.estimators_ if hasattr(part, "n_iter_")]
        if steps:
            self.n_iter_ = max(steps)

    def _fit_as_part(self, X, y, sample_weight, names=None, **options) -> None:
        """Fit on samples of two classes that the outer estimator has validated."""
        self.n_features_in_ = X.shape[1]
        if names is not None:
            self.feature_names_in_ = names
        self.classes_ = np.unique(y)
        self._fit_binary(X, y, sample_weight, **options)

    def _decision_values(self, X):
        if len(self.classes_) == 2:
            return self._decide_rounded(X)
        return np.column_stack([part._decide_rounded(X) for part in self.estimators_])

    def _rounding_of_values(self) -> float:
        return max(part._rounding() for part in self.estimators_)

    def _decide_rounded(self, X: Array) -> Array:
        return self._rounded(self._decide(X))

    def _rounded(self, values: Array) -> Array:
        zeros = np.where(np.abs(values) <= self._rounding(), 0.0, values)
        return without_zeros(zeros, self._zero_is_positive())

    def _against_the_rest(self, label, y: NDArray, sample_weight: Array | None):
        """Unfitted copy for one class against all others, whose class weights are averaged."""
        part = clone(self)
        if isinstance(getattr(self, "class_weight", None), dict):
            part.set_params(
                class_weight=weights_against_the_rest(self.class_weight, label, y, sample_weight)
            )
        return part

    def _class_costs(self) -> tuple[float, float]:
        """Weights of the negative and the positive class in a dict ``class_weight``."""
        class_weight = getattr(self, "class_weight", None)
        if not isinstance(class_weight, dict):
            return 1.0, 1.0
        costs = class_costs(class_weight, self.classes_)
        return costs[self.classes_[0]], costs[self.classes_[1]]

    def _by_class(self) -> dict[Any, Any]:
        """Estimator of each class against the rest, for more than two classes."""
        return dict(zip(self.classes_.tolist(), self.estimators_, strict=True))

    def _check_binary(self, what: str) -> None:
        check_is_fitted(self)
        if len(self.classes_) > 2:
            raise ValueError(
                f"{what} is for two classes, this model has {len(self.classes_)}; "
                "use one of `estimators_` instead, one for each class against the rest"
            )


def weights_against_the_rest(
    class_weight: dict, label, y: NDArray, sample_weight: Array | None
) -> dict[bool, float]:
    """Class weights for one class against all others, whose weights are averaged."""
    costs = class_costs(class_weight, np.unique(y))
    rest = y != label
    weights = None if sample_weight is None else sample_weight[rest]
    average = np.average([costs[other] for other in y[rest]], weights=weights)
    return {True: costs[label], False: float(average)}


def _fit_part(part: SignClassifier, X, y, label, sample_weight, names, options) -> SignClassifier:
    """Fit one class against the rest; warnings of degenerate fits name the class."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DegenerateFitWarning)
        part._fit_as_part(X, y == label, sample_weight, names, **options)
    for found in caught:
        if isinstance(found.message, DegenerateFitWarning):
            warn_caller(found.message.against_the_rest(getattr(label, "item", lambda: label)()))
        else:
            warnings.warn_explicit(found.message, found.category, found.filename, found.lineno)
    return part
