"""Lags: the latest values of a time series as features of a regressor."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from .._base._fitting import unchanged_on_error
from .._base._validation import validate_samples
from .._utils._sklearn_estimators import Interval, _check_feature_names_in, _fit_context
from .._utils._typing import Array, Indices


class LagFeatures(TransformerMixin, BaseEstimator):
    r"""Latest values of a time series as features, to forecast it with any regressor.

    .. math::

        x_t = (s_{t - l_1}, \ldots, s_{t - l_k}) .

    Row t of the features holds values that are known at time t. The target of a forecast with the
    horizon h is :math:`s_{t + h}`: :meth:`pairs` returns the features and targets of a series.

    Read more in the :doc:`User Guide </guide/forecasting>`.

    Parameters
    ----------
    lags : int or array-like of int, default=5
        Number k of latest values: the lags 0 to k − 1. An array holds the lags themselves. Lag 0 is
        the value at time t.

    Attributes
    ----------
    lags_ : ndarray of shape (n_lags,)
        The lags.
    n_features_in_ : int
        Number of series seen during fit.
    feature_names_in_ : ndarray of shape (n_series,)
        Names of the series, if X has feature names that are all strings.

    See Also
    --------
    DEPRegressor : With the slope 1, a number added to all lags is added to the forecast.
    LinearDEPRegressor : Piecewise linear autoregression.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep import DEPRegressor, LagFeatures
    >>> series = np.array([1.0, 3.0, 2.0, 4.0, 3.0, 5.0, 4.0, 6.0])
    >>> lags = LagFeatures(2)
    >>> X, y = lags.pairs(series)
    >>> X[:2], y[:2]
    (array([[3., 1.],
           [2., 3.]]), array([2., 4.]))
    >>> model = DEPRegressor(slope=1.0).fit(X, y)
    >>> model.predict(lags.transform(series)[-1:])
    array([5.])
    """

    __module__ = "rdep"

    _parameter_constraints = {"lags": [Interval(Integral, 1, None, closed="left"), "array-like"]}

    def __init__(self, lags=5):
        self.lags = lags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Check the lags and the series; nothing is learned.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, n_series)
            One or several series, in the order of time.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        with unchanged_on_error(self):
            lags = _checked(self.lags)
            X = validate_data(self, _as_columns(X), dtype=np.float64)
            _require(X, lags)
            self.lags_ = lags
        return self

    def transform(self, X):
        """Compute the features of every time.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, n_series)
            One or several series, in the order of time.

        Returns
        -------
        ndarray of shape (n_samples, n_series * n_lags)
            All lags of the first series, then those of the second. Values from before the beginning
            are NaN; the last row is that of the latest forecast.
        """
        check_is_fitted(self)
        X = validate_samples(self, _as_columns(X))
        _require(X, self.lags_)
        lagged = np.full((len(X), X.shape[1], len(self.lags_)), np.nan)
        for position, lag in enumerate(self.lags_):
            lagged[lag:, :, position] = X[: len(X) - lag]
        return lagged.reshape(len(X), -1)

    def pairs(self, X, y=None, *, horizon=1):
        """Fit, and compute the features of all times whose lags and target are known.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, n_series)
            One or several series, in the order of time.
        y : array-like of shape (n_samples,), default=None
            The series to forecast. None means X, which then is one series.
        horizon : int, default=1
            Number of steps from a row to its target.

        Returns
        -------
        features : ndarray of shape (n_pairs, n_series * n_lags)
            Rows with all lags.
        targets : ndarray of shape (n_pairs,)
            The values ``horizon`` steps later.
        """
        if not isinstance(horizon, Integral) or int(horizon) < 1:
            raise ValueError(f"horizon must be an integer of at least 1, got {horizon!r}")
        horizon = int(horizon)
        features = self.fit(X).transform(X)
        if y is None and self.n_features_in_ > 1:
            raise ValueError(f"X has {self.n_features_in_} series: pass the one to forecast as y")
        targets = column_or_1d(X if y is None else y, dtype=np.float64)
        assert_all_finite(targets, input_name="y")
        check_consistent_length(features, targets)
        first = int(self.lags_.max())
        if len(targets) <= first + horizon:
            raise ValueError(
                f"the series has n_samples={len(targets)} values, but the largest lag, {first}, "
                f"and horizon={horizon} need at least {first + horizon + 1}: use smaller lags, a "
                "shorter horizon or a longer series"
            )
        return features[first:-horizon], targets[first + horizon :]

    def get_feature_names_out(self, input_features=None):
        """Names of the features: the series and the lag, such as ``x0_lag1``.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the series. None means those seen during fit, or x0, x1, …

        Returns
        -------
        ndarray of str
        """
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.array([f"{name}_lag{lag}" for name in names for lag in self.lags_], dtype=object)


def _checked(lags) -> Indices:
    """The lags as an array."""
    if isinstance(lags, Integral):
        return np.arange(int(lags))
    chosen = np.asarray(lags)
    is_list = chosen.ndim == 1 and chosen.size and chosen.dtype.kind in "iu"
    if not is_list or chosen.min() < 0 or len(np.unique(chosen)) < chosen.size:
        raise ValueError(
            f"lags must be a number of lags or a list of different integers from 0 on, got {lags!r}"
        )
    return chosen.astype(np.intp)


def _as_columns(X):
    """A single series as a column."""
    values = np.asarray(X)
    return values.reshape(-1, 1) if values.ndim == 1 else X


def _require(X: Array, lags: Indices) -> None:
    """Raise an error if no row has all lags."""
    if len(X) <= lags.max():
        raise ValueError(
            f"the series has n_samples={len(X)} values, but the largest lag is {lags.max()}: use "
            f"smaller lags, or a series of at least {lags.max() + 1} values"
        )
