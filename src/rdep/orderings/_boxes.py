"""The boxes ordering: the features and their negatives side by side."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import validate_data

from .._base._validation import check_weights
from .._utils._docstrings import documented
from ._base import validate_two_classes
from ._docstrings import REDUCED_ORDERINGS
from ._features import FeatureOrdering


@documented(sources=REDUCED_ORDERINGS)
class BoxesOrdering(FeatureOrdering):
    """The features and the negated features, side by side.

    The boxes D(w) and E(m) of a DEP are bounded on one side in each coordinate. On x and −x they
    are bounded on both sides: a class may lie between two values of a feature.

    Attributes
    ----------
    signs_ : ndarray of shape (2 * n_features,)
        Sign of each coordinate: +1 in the first half, −1 in the second.
    features_ : ndarray of shape (2 * n_features,)
        Index of the feature behind each coordinate.
    data_min_, data_max_ : ndarray of shape (n_features,)
        Least and greatest value of each feature in the training samples.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features seen in ``fit``, if all of them are strings.

    References
    ----------
    %(sources)s

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
        """Store the ranges of the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,) or None, default=None
            Classes, two of them as for other orderings; they have no effect.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights; only samples with zero weight matter, which are ignored.

        Returns
        -------
        self
            The fitted ordering.
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
