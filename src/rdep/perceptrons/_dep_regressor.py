"""The dilation-erosion regressor: a mixture of a dilation and an erosion of the features."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from .._base._fitting import unchanged_on_error
from .._base._orientation import regression_orientation
from .._base._validation import feature_names, validate_regression, validate_samples
from .._utils._sklearn_estimators import Interval, StrOptions, _fit_context
from ..inspection import Explanation
from ..training import TargetSet, train_dep_regression
from ._trained import warn_if_not_converged

AUTO = "auto"


class DEPRegressor(RegressorMixin, BaseEstimator):
    r"""Dilation-erosion regressor (DEP).

    .. math::

        \hat{y}(x) = s \big( \beta \max_j (w_j + x_j) + (1 - \beta) \min_j (m_j + x_j) \big) .

    The prediction is increasing in every feature, or decreasing in those with the sign −1 in
    ``monotonic_cst``. Araújo's dilation-erosion perceptron was a forecaster of this form. Training
    minimises the mean absolute error, or the mean pinball loss of a quantile. For fixed β and s, it
    is a convex-concave procedure whose steps are minimised exactly, by set descent. Searches along
    each weight then leave its critical points. β and s are found by a search with steps that become
    finer, on at most 500 evenly spaced samples: β to 1/32, s to an eighth of an octave. With more
    than 4000 distinct samples, the procedure uses 4000 of them, evenly spaced; searches along each
    weight on all samples follow.

    The weights absorb units and offset of the target. The features should have comparable units:
    put a ``StandardScaler`` before it.

    Read more in the :doc:`User Guide </guide/regression>`.

    Parameters
    ----------
    loss : {"absolute_error", "quantile"}, default="absolute_error"
        Loss of the residuals: their absolute value, or the pinball loss of ``quantile``.

    quantile : float, default=0.5
        Quantile to predict, between 0 and 1, if ``loss="quantile"``.

    beta : float in [0, 1] or "auto", default="auto"
        Weight β of the dilation. ``"auto"`` searches it.

    slope : float or "auto", default="auto"
        Slope s of the target in the features. ``"auto"`` searches it.

    monotonic_cst : "auto", array-like of +1 and −1, dict or None, default=None
        Signs of the features: the prediction is increasing in features with +1 and decreasing in
        features with −1. None means increasing in all. ``"auto"`` uses the sign of the covariance
        with the target. A dict maps feature names to signs.

    max_iter : int, default=100
        Maximum number of convex-concave steps after the search of β and s.

    Attributes
    ----------
    dilation_weights_, erosion_weights_ : ndarray of shape (n_features,)
        The weights w and m. An operator without a share has the weights 0.
    beta_ : float
        The weight β of the dilation.
    slope_ : float
        The slope s.
    orientation_ : ndarray of shape (n_features,)
        Sign of every feature.
    objective_ : float
        Mean loss of the training samples.
    history_ : ndarray
        The objective before and after every convex-concave step after the search of β and s, or,
        with more than 4000 distinct samples, every search along all weights. It never rises.
    certificate_ : float
        Slope of the last convex step along its steepest direction: zero up to rounding if its end
        is a critical point.
    n_iter_ : int
        Length of ``history_``: the number of steps, including the one that proves the end.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    DEPClassifier : The same function as a classifier.
    LinearDEPRegressor : Affine functions in place of the features; not monotone.
    MaxPlusRegressor : One dilation, fitted to the largest error.

    References
    ----------
    R. de A. Araújo, "A class of hybrid morphological perceptrons with application in time series
    forecasting", Knowledge-Based Systems 24(4), 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep import DEPRegressor
    >>> X = np.random.default_rng(0).uniform(size=(200, 2))
    >>> y = 100 + 4 * X.max(axis=1) + 4 * X.min(axis=1)
    >>> model = DEPRegressor().fit(X, y)
    >>> model.beta_, round(model.score(X, y), 2)
    (0.5, 1.0)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        "loss": [StrOptions({"absolute_error", "quantile"})],
        "quantile": [Interval(Real, 0, 1, closed="neither")],
        "beta": [Interval(Real, 0, 1, closed="both"), StrOptions({AUTO})],
        "slope": [Interval(Real, 0, np.inf, closed="neither"), StrOptions({AUTO})],
        "monotonic_cst": [StrOptions({AUTO}), "array-like", dict, None],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        loss="absolute_error",
        *,
        quantile=0.5,
        beta=AUTO,
        slope=AUTO,
        monotonic_cst=None,
        max_iter=100,
    ):
        self.loss = loss
        self.quantile = quantile
        self.beta = beta
        self.slope = slope
        self.monotonic_cst = monotonic_cst
        self.max_iter = max_iter

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Train on samples and their target values.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Target values, of which at least two differ.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.

        Returns
        -------
        self
        """
        with unchanged_on_error(self):
            X, y, sample_weight = validate_regression(self, X, y, sample_weight)
            names = getattr(self, "feature_names_in_", None)
            self.orientation_ = regression_orientation(
                self.monotonic_cst, X, y, sample_weight, names
            )
            is_absolute = self.loss == "absolute_error"
            result = train_dep_regression(
                TargetSet.from_samples(X * self.orientation_, y, sample_weight),
                quantile=0.5 if is_absolute else float(self.quantile),
                beta=None if self.beta == AUTO else float(self.beta),
                slope=None if self.slope == AUTO else float(self.slope),
                max_iter=self.max_iter,
            )
            warn_if_not_converged(result, "convex-concave procedure", self.max_iter)
            losses = 2.0 if is_absolute else 1.0  # of the median, the pinball loss is half of it
            self.dilation_weights_ = result.dilation_weights
            self.erosion_weights_ = result.erosion_weights
            self.beta_, self.slope_ = result.beta, result.slope
            self.history_ = losses * result.history
            self.objective_ = float(self.history_[-1])
            self.certificate_ = result.certificate
            self.n_iter_ = len(result.history)
        return self

    def predict(self, X):
        """Predict the value of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        oriented = validate_samples(self, X) * self.orientation_
        dilated = (oriented + self.dilation_weights_).max(axis=1)
        eroded = (oriented + self.erosion_weights_).min(axis=1)
        return self.slope_ * (self.beta_ * dilated + (1 - self.beta_) * eroded)

    def explain(self, X):
        """Explain predictions by the features that decide in the dilation and in the erosion.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        Explanation
            The shares of both operators add up to the prediction, which it calls decision.
        """
        check_is_fitted(self)
        oriented = validate_samples(self, X) * self.orientation_
        dilated = oriented + self.dilation_weights_
        eroded = oriented + self.erosion_weights_
        return Explanation(
            names=feature_names(self),
            dilation_index=dilated.argmax(axis=1),
            erosion_index=eroded.argmin(axis=1),
            dilation_share=self.slope_ * self.beta_ * dilated.max(axis=1),
            erosion_share=self.slope_ * (1 - self.beta_) * eroded.min(axis=1),
        )
