"""Orderings without members: the features themselves, with signs.

Only signs are learned. A dilation-erosion perceptron on such an ordering learns bounds of features,
which can be read as rules.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from .._base._fitting import unchanged_on_error
from .._base._missing import ranges
from .._base._orientation import given_signs
from .._base._record import in_words, negated
from .._base._validation import drop_weightless, validate_samples
from .._utils._sklearn_estimators import _check_feature_names_in
from .._utils._typing import Array, Indices
from ..inspection import OrderedFeatures


class FeatureOrdering(TransformerMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of orderings whose coordinates are features, multiplied by +1 or −1.

    Subclasses choose the features and their signs.
    """

    _takes_sparse = False

    monotonic_cst: Any
    features_: Indices
    signs_: Array

    @abstractmethod
    def _choose(self, X: Array, y: NDArray | None, sample_weight: Array | None) -> None:
        """Set ``features_`` and ``signs_``; all weights are positive."""

    @abstractmethod
    def _validate_training(self, X, y, sample_weight):
        """Validate samples, classes and weights, and return them as arrays."""

    def _given_signs(self, X: Array) -> Array:
        """Signs of the features that ``monotonic_cst`` determines, 0 for the others."""
        if self.monotonic_cst is None:
            return np.zeros(X.shape[1])
        names = getattr(self, "feature_names_in_", None)
        return given_signs(self.monotonic_cst, X.shape[1], names, others=0)

    def _fit(self, X, y, sample_weight):
        with unchanged_on_error(self):
            X, y, sample_weight = self._validate_training(X, y, sample_weight)
            if y is None:
                X, sample_weight = drop_weightless(sample_weight, X)
            else:
                X, y, sample_weight = drop_weightless(sample_weight, X, y)
            self._choose(X, y, sample_weight)
            self.data_min_, self.data_max_ = ranges(X)
        return self

    def transform(self, X):
        """Compute ρ: the features multiplied by their signs.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_coordinates)
            ρ of the samples, one column for each coordinate.
        """
        check_is_fitted(self)
        X = validate_samples(self, X)
        signed = X[:, self.features_]
        signed *= self.signs_
        return signed

    def as_features(self) -> OrderedFeatures:
        """Return the fitted ordering as arrays, for rules."""
        return OrderedFeatures(self.features_, self.signs_, self.data_min_, self.data_max_)

    def get_feature_names_out(self, input_features=None):
        """Get the names of the coordinates, with a minus sign if a feature is negated.

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            Names of the features. None means the names seen during fit, or x0, x1, … if X had no
            names.

        Returns
        -------
        ndarray of str objects
            Names of the coordinates.
        """
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        signed = [
            negated(names[feature]) if sign < 0 else in_words(names[feature])
            for feature, sign in zip(self.features_, self.signs_, strict=True)
        ]
        return np.array(signed, dtype=object)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags(multi_class=False)
        tags.input_tags.allow_nan = True
        return tags
