"""The boxes ordering: the features and their negatives side by side."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import validate_data

from .._base._orientation import both_ways
from .._base._validation import check_weights
from .._utils._docstrings import documented
from ._base import REDUCED_ORDERINGS, validate_two_classes
from ._features import FeatureOrdering


@documented(sources=REDUCED_ORDERINGS)
class BoxesOrdering(FeatureOrdering):
    """The features and their negatives, for boxes that are bounded on both sides.

    The boxes D(w) and E(m) of a DEP are bounded on one side in each coordinate. On x and −x they
    are bounded on both sides: a class may lie between two values of a feature.

    A feature with two values needs one bound only. It is one coordinate, negated if it decreases
    with the positive class. With two coordinates, weights exist for which max(x + w, −x + v) is the
    same number for every sample, which a DEP must avoid.

    Read more in the :doc:`User Guide </guide/reading>`.

    Parameters
    ----------
    monotonic_cst : array-like of +1, −1 and 0, dict or None, default=None
        Signs of the features: the coordinate of a feature with +1 or −1 is the feature times this
        sign. A feature with 0 is bounded on both sides. A dict maps feature names to signs; the
        others are 0. None means 0 for all.

    Attributes
    ----------
    signs_ : ndarray of shape (n_coordinates,)
        Sign of each coordinate: first one for every feature, then −1 for every feature with more
        than two values.
    features_ : ndarray of shape (n_coordinates,)
        Index of the feature behind each coordinate.
    data_min_, data_max_ : ndarray of shape (n_features,)
        Minimum and maximum of each feature in the training samples.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    SignedOrdering : Each feature once, with bounds on one side.
    CompetitiveClassifier : Several boxes for every class.

    References
    ----------
    %(sources)s

    Examples
    --------
    >>> from rdep import BoxesOrdering
    >>> ordering = BoxesOrdering().fit([[1, 9], [2, 8], [5, 3]])
    >>> ordering.get_feature_names_out()
    array(['x0', 'x1', '-x0', '-x1'], dtype=object)
    >>> ordering.transform([[1, 9]])
    array([[ 1.,  9., -1., -9.]])
    """

    __module__ = "rdep"

    def __init__(self, *, monotonic_cst=None):
        self.monotonic_cst = monotonic_cst

    def fit(self, X, y=None, sample_weight=None):
        """Find the features with two values and learn their signs.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,) or None, default=None
            Two classes; the second in sorted order is the positive class. With None, no feature
            with two values is negated.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.

        Returns
        -------
        self
            The fitted ordering.
        """
        return self._fit(X, y, sample_weight)

    def _validate_training(self, X, y, sample_weight):
        if y is not None:
            return validate_two_classes(self, X, y, sample_weight)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        return X, None, None if sample_weight is None else check_weights(sample_weight, X)

    def _choose(self, X, y, sample_weight):
        of_samples = None if y is None else np.where(y == np.unique(y)[1], 1.0, -1.0)
        signs = self._given_signs(X)
        self.features_, self.signs_ = both_ways(signs, X, of_samples, sample_weight)
