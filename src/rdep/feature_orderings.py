"""Orderings without members: the features themselves, each turned one way or both.

There is nothing to train but signs, and what a dilation-erosion perceptron learns on such an
ordering are bounds of features: a rule that can be read (:mod:`.rules`).
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted, validate_data

from ._sklearn import _check_feature_names_in
from ._typing import Array, Indices
from .base import check_weights, unchanged_on_error
from .ordering import validate_training
from .orientation import growth_signs

__all__ = ["BoxesOrdering", "SignedOrdering"]

_MINUS = "−"


class FeatureOrdering(TransformerMixin, BaseEstimator, metaclass=ABCMeta):
    """What both share: each coordinate is a feature, multiplied by +1 or −1.

    Subclasses say which features, and how they are turned.
    """

    features_: Indices
    signs_: Array

    @abstractmethod
    def _choose(self, X: Array, y: NDArray | None, sample_weight: Array | None) -> None:
        """Set ``features_`` and ``signs_``; every weight is positive."""

    @abstractmethod
    def _validate_training(self, X, y, sample_weight):
        """Samples, classes and weights as arrays."""

    def _fit(self, X, y, sample_weight):
        with unchanged_on_error(self):
            X, y, sample_weight = self._validate_training(X, y, sample_weight)
            if sample_weight is not None and not sample_weight.all():
                used = sample_weight > 0
                X, y, sample_weight = X[used], None if y is None else y[used], sample_weight[used]
            self._choose(X, y, sample_weight)
            self.data_min_, self.data_max_ = X.min(axis=0), X.max(axis=0)
        return self

    def transform(self, X):
        """The features, turned.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_coordinates)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        # In whole copies of X, not column by column: with thousands of features that counts.
        n_features = X.shape[1]
        signs = self.signs_.reshape(-1, n_features)
        turned = np.empty((len(X), signs.size))
        for k, part in enumerate(signs):
            np.multiply(X, part, out=turned[:, k * n_features : (k + 1) * n_features])
        return turned

    def get_feature_names_out(self, input_features=None):
        """Names of the features, with a minus sign before those that are turned.

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            None takes the names seen in the fit; x0, x1, … where there are none.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        turned = [
            f"{_MINUS}{names[feature]}" if sign < 0 else names[feature]
            for feature, sign in zip(self.features_, self.signs_, strict=True)
        ]
        return np.array(turned, dtype=object)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags


class SignedOrdering(FeatureOrdering):
    """Each feature the way it grows with the positive class.

    Features whose mean is the smaller one in the positive class are multiplied by −1. A DEP on
    these is the same as one with ``monotonic_cst="auto"`` on the features.

    Attributes
    ----------
    signs_ : ndarray of shape (n_features,)
        +1 or −1, by which each feature is multiplied.
    features_ : ndarray of shape (n_features,)
        The feature that each coordinate is made of.
    data_min_, data_max_ : ndarray of shape (n_features,)
        Of the training samples.
    classes_ : ndarray of shape (2,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Where X has feature names that are all strings.

    Examples
    --------
    >>> from rdep import SignedOrdering
    >>> ordering = SignedOrdering().fit([[1, 9], [2, 8], [5, 3]], [0, 0, 1])
    >>> ordering.get_feature_names_out()
    array(['x0', '−x1'], dtype=object)
    >>> ordering.transform([[1, 9]])
    array([[ 1., -9.]])
    """

    def fit(self, X, y, sample_weight=None):
        """Learn the sign of every feature.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Two classes; the greater is the positive one.
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)

    def _validate_training(self, X, y, sample_weight):
        return validate_training(self, X, y, sample_weight)

    def _choose(self, X, y, sample_weight):
        self.classes_ = np.unique(y)
        self.features_ = np.arange(X.shape[1])
        self.signs_ = growth_signs(X, np.where(y == self.classes_[1], 1.0, -1.0), sample_weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class BoxesOrdering(FeatureOrdering):
    """The features, and the features turned around, side by side.

    The boxes D(w) and E(m) of a DEP are bounded on one side in each coordinate. On x and −x they
    are bounded on both sides: a class may lie in the middle of a feature.

    Attributes
    ----------
    signs_ : ndarray of shape (2 * n_features,)
        +1 for the first half, −1 for the second.
    features_ : ndarray of shape (2 * n_features,)
        The feature that each coordinate is made of.
    data_min_, data_max_ : ndarray of shape (n_features,)
        Of the training samples.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Where X has feature names that are all strings.

    Examples
    --------
    >>> from rdep import BoxesOrdering
    >>> ordering = BoxesOrdering().fit([[1, 9], [2, 8], [5, 3]])
    >>> ordering.get_feature_names_out()
    array(['x0', 'x1', '−x0', '−x1'], dtype=object)
    >>> ordering.transform([[1, 9]])
    array([[ 1.,  9., -1., -9.]])
    """

    def fit(self, X, y=None, sample_weight=None):
        """Note the features and their ranges.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or None, default=None
            Two classes, as for other orderings; nothing is learned from them.
        sample_weight : array-like of shape (n_samples,), default=None
            Samples of weight zero are as if not there.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)

    def _validate_training(self, X, y, sample_weight):
        if y is not None:
            return validate_training(self, X, y, sample_weight)
        X = validate_data(self, X, dtype=np.float64)
        return X, None, None if sample_weight is None else check_weights(sample_weight, X)

    def _choose(self, X, y, sample_weight):
        n_features = X.shape[1]
        self.features_ = np.tile(np.arange(n_features), 2)
        self.signs_ = np.repeat([1.0, -1.0], n_features)
