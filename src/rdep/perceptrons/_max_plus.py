"""Max-plus regression: one dilation or erosion with the smallest largest error."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from .._base._fitting import unchanged_on_error
from .._base._orientation import regression_orientation
from .._base._validation import validate_regression, validate_samples
from .._utils._sklearn_estimators import Interval, StrOptions, _fit_context
from .._utils._typing import Array, Indices
from ..training import OPERATORS, TargetSet

AUTO = "auto"
# Slopes to try, in units of the target's deviation per spread of the features: eighths of octaves.
SLOPES = 2.0 ** np.arange(-6, 4.0625, 0.125)


class MaxPlusRegressor(RegressorMixin, BaseEstimator):
    r"""Max-plus regression: one dilation, fitted in closed form to the largest error.

    .. math::

        \hat{y}(x) = \max_j (w_j + s x_j), \qquad
        w_j = \min_i (y_i - s x_{ij}) + \mu ,

    where :math:`2 \mu` is the largest residual of the *principal solution* :math:`\mu = 0`, the
    largest weights with which no prediction is above its target. These weights minimise the largest
    absolute error :math:`\max_i \lvert y_i - \hat{y}(x_i) \rvert`, which is :math:`\mu`. An erosion
    replaces the maximum by a minimum. The prediction is increasing in every feature, with the slope
    s in the feature that decides.

    The largest error depends on few samples, so one outlier can change the whole fit. Use it for
    targets without noise, as an envelope, or for its speed; :class:`DEPRegressor` minimises the
    mean absolute error.

    Read more in the :doc:`User Guide </guide/regression>`.

    Parameters
    ----------
    operator : {"dilation", "erosion"}, default="dilation"
        Whether the prediction is a maximum or a minimum.

    slope : float or "auto", default="auto"
        Slope s of the target in the features. ``"auto"`` chooses the slope with the smallest error
        among eighths of octaves, from 1/64 to 16 standard deviations of the target per spread of
        the features (the root mean square of their standard deviations).

    max_features : int or None, default=None
        Maximum number of features with finite weights, for a sparse solution. Features are added
        greedily: in each step the one with which the largest error is smallest. None uses all
        features, which is never worse on the training samples.

    monotonic_cst : "auto", array-like of +1 and −1, dict or None, default=None
        Signs of the features: the prediction is increasing in features with +1 and decreasing in
        features with −1. None means increasing in all. ``"auto"`` uses the sign of the covariance
        with the target. A dict maps feature names to signs.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        The weights w; −∞ (erosion: +∞) for features that are not used.
    slope_ : float
        The slope s.
    error_ : float
        Largest absolute error of the training samples.
    orientation_ : ndarray of shape (n_features,)
        Sign of every feature.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    DEPRegressor : A dilation and an erosion, fitted to the mean absolute error.
    LinearDEPRegressor : Maxima and minima of affine functions.

    References
    ----------
    R. Cuninghame-Green, *Minimax Algebra*, Springer, 1979.

    P. Maragos and E. Theodosis, "Multivariate tropical regression and piecewise-linear surface
    fitting", ICASSP 2020.

    A. Tsiamis and P. Maragos, "Sparsity in max-plus algebra and systems", Discrete Event Dynamic
    Systems 29, 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep import MaxPlusRegressor
    >>> X = np.array([[0.0, 4.0], [1.0, 2.0], [3.0, 0.0], [5.0, 1.0]])
    >>> model = MaxPlusRegressor(slope=1.0).fit(X, [3.0, 1.0, 3.0, 5.5])
    >>> model.weights_, model.error_
    (array([ 0.25, -0.75]), 0.25)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        "operator": [StrOptions(set(OPERATORS))],
        "slope": [Interval(Real, 0, np.inf, closed="neither"), StrOptions({AUTO})],
        "max_features": [Interval(Integral, 1, None, closed="left"), None],
        "monotonic_cst": [StrOptions({AUTO}), "array-like", dict, None],
    }

    def __init__(self, operator="dilation", *, slope=AUTO, max_features=None, monotonic_cst=None):
        self.operator = operator
        self.slope = slope
        self.max_features = max_features
        self.monotonic_cst = monotonic_cst

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Compute the weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Target values, of which at least two differ.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. Samples with zero weight are ignored. The weights of the others change
            the choice of ``slope="auto"`` only through the deviations; the largest error has no
            weights.

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
            samples = TargetSet.from_samples(X * self.orientation_, y, sample_weight)
            sign = 1.0 if self.operator == "dilation" else -1.0
            rows, targets = sign * samples.rows, sign * (samples.targets * samples.unit)
            targets = targets + sign * samples.centre
            slopes = (
                SLOPES * samples.unit / (samples.spread or 1.0)
                if self.slope == AUTO
                else [float(self.slope)]
            )
            fits = [principal_solution(s * rows, targets, self.max_features) for s in slopes]
            best = int(np.argmin([error for _, error in fits]))
            weights, self.error_ = fits[best]
            self.weights_, self.slope_ = sign * weights, float(slopes[best])
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
        values = self.slope_ * self.orientation_ * validate_samples(self, X) + self.weights_
        return values.max(axis=1) if self.operator == "dilation" else values.min(axis=1)


def principal_solution(
    values: Array, targets: Array, max_features: int | None = None
) -> tuple[Array, float]:
    """Weights w with the smallest largest error of max_j (w_j + values), and this error.

    A sparse solution has the weight −∞ for all but ``max_features`` features.
    """
    lowest = (targets[:, None] - values).min(axis=0)
    chosen = np.arange(values.shape[1])
    if max_features is not None and max_features < values.shape[1]:
        chosen = _greedy(values + lowest, targets, max_features)
    reached = (values[:, chosen] + lowest[chosen]).max(axis=1)
    error = float((targets - reached).max()) / 2
    weights = np.full(values.shape[1], -np.inf)
    weights[chosen] = lowest[chosen] + error
    return weights, error


def _greedy(reached: Array, targets: Array, n_features: int) -> Indices:
    """Features by the largest residual that is left once each is added."""
    chosen: list[int] = []
    top = np.full(len(targets), -np.inf)
    for _ in range(n_features):
        left = (targets[:, None] - np.maximum(top[:, None], reached)).max(axis=0)
        left[chosen] = np.inf
        chosen.append(int(np.argmin(left)))
        top = np.maximum(top, reached[:, chosen[-1]])
    return np.sort(chosen)
