"""The signed ordering: each feature, negated if it decreases with the positive class."""

from __future__ import annotations

import numpy as np

from .._base._orientation import growth_signs
from .._utils._docstrings import documented
from ._base import REDUCED_ORDERINGS, validate_two_classes
from ._features import FeatureOrdering


@documented(sources=REDUCED_ORDERINGS)
class SignedOrdering(FeatureOrdering):
    """The features, each negated if it decreases with the positive class.

    A feature is multiplied by −1 if its mean is smaller in the positive class than in the negative
    one. A DEP on this ordering equals a DEP with ``monotonic_cst="auto"`` on the features.

    Read more in the :doc:`User Guide </guide/reading>`.

    Parameters
    ----------
    monotonic_cst : array-like of +1, −1 and 0, dict or None, default=None
        Signs of the features: the coordinate of a feature with +1 or −1 is the feature times this
        sign. The sign of a feature with 0 is learned. A dict maps feature names to signs; the
        others are 0. None means 0 for all.

    Attributes
    ----------
    signs_ : ndarray of shape (n_features,)
        Sign of each coordinate, +1 or −1.
    features_ : ndarray of shape (n_features,)
        Index of the feature behind each coordinate.
    data_min_, data_max_ : ndarray of shape (n_features,)
        Minimum and maximum of each feature in the training samples.
    classes_ : ndarray of shape (2,)
        The negative and the positive class.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    BoxesOrdering : Features and their negatives, with bounds on both sides.
    DEPClassifier : DEP with the parameter ``monotonic_cst``.

    References
    ----------
    %(sources)s

    Examples
    --------
    >>> from rdep import SignedOrdering
    >>> ordering = SignedOrdering().fit([[1, 9], [2, 8], [5, 3]], [0, 0, 1])
    >>> ordering.get_feature_names_out()
    array(['x0', '-x1'], dtype=object)
    >>> ordering.transform([[1, 9]])
    array([[ 1., -9.]])
    """

    __module__ = "rdep"

    def __init__(self, *, monotonic_cst=None):
        self.monotonic_cst = monotonic_cst

    def fit(self, X, y, sample_weight=None):
        """Learn the sign of every feature.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Two classes; the second in sorted order is the positive class.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.

        Returns
        -------
        self
            The fitted ordering.
        """
        return self._fit(X, y, sample_weight)

    def _validate_training(self, X, y, sample_weight):
        return validate_two_classes(self, X, y, sample_weight)

    def _choose(self, X, y, sample_weight):
        self.classes_ = np.unique(y)
        self.features_ = np.arange(X.shape[1])
        of_samples = np.where(y == self.classes_[1], 1.0, -1.0)
        signs = self._given_signs(X)
        self.signs_ = np.where(signs == 0, growth_signs(X, of_samples, sample_weight), signs)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
