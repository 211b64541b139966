"""The signed ordering: each feature, negated where it decreases with the positive class."""

from __future__ import annotations

import numpy as np

from .._base._orientation import growth_signs
from ._base import validate_two_classes
from ._features import FeatureOrdering


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

    __module__ = "rdep"

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
        return validate_two_classes(self, X, y, sample_weight)

    def _choose(self, X, y, sample_weight):
        self.classes_ = np.unique(y)
        self.features_ = np.arange(X.shape[1])
        self.signs_ = growth_signs(X, np.where(y == self.classes_[1], 1.0, -1.0), sample_weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
