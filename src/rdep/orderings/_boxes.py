"""The boxes ordering: the features and their negatives side by side."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import validate_data

from .._base._validation import check_weights
from ._base import validate_two_classes
from ._features import FeatureOrdering


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

    __module__ = "rdep"

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
            return validate_two_classes(self, X, y, sample_weight)
        X = validate_data(self, X, dtype=np.float64)
        return X, None, None if sample_weight is None else check_weights(sample_weight, X)

    def _choose(self, X, y, sample_weight):
        n_features = X.shape[1]
        self.features_ = np.tile(np.arange(n_features), 2)
        self.signs_ = np.repeat([1.0, -1.0], n_features)
