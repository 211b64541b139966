"""The reduced dilation-erosion regressor: a DEP on cross-fitted predictions of members."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real

import numpy as np
from joblib import Parallel, delayed
from scipy.optimize import nnls
from sklearn.base import RegressorMixin, clone, is_regressor
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.svm import SVR
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .._base._fitting import timed, unchanged_on_error
from .._base._groups import GroupsMixin, checked_groups
from .._base._members import fit_member, folds_in_use, standardised, value_of
from .._base._orientation import given_signs
from .._base._validation import (
    drop_weightless,
    feature_names,
    validate_regression,
    validate_samples,
)
from .._utils._sklearn_estimators import Interval, StrOptions, _fit_context
from .._utils._typing import Array
from ..training import TargetSet
from ._dep_regressor import DEPRegressor
from ._reduced import _fitted_scaler

MIXED = "mixed"
# With more samples, the kernel machine is left out: its time grows with the square of their number.
MOST_FOR_KERNELS = 5000


class RDEPRegressor(RegressorMixin, GroupsMixin):
    r"""Reduced dilation-erosion regressor: a DEP regressor on predictions of other regressors.

    .. math::

        \hat{y}(x) = (1 - \lambda) \, f(\rho(x)) + \lambda \, \sigma(\rho(x)),

    where :math:`\rho(x)` holds the predictions of members that have little in common, f is a
    :class:`DEPRegressor` and σ is a stack: the mean of the predictions with the weights, none
    negative and with the sum 1, of the smallest squared error. Both are trained on *cross-fitted*
    predictions, which come from members fitted on other folds. Both are increasing in the
    prediction of every member, and the stack is never outside the range of these predictions.

    Read more in the :doc:`User Guide </guide/regression>`.

    Parameters
    ----------
    ordering : "mixed" or list of (str, regressor) tuples, default="mixed"
        The members. ``"mixed"`` are an RBF SVR, randomised trees, gradient boosting and a ridge
        regression. With more than 5000 samples, the SVR is left out. Members are fitted to targets
        in standard deviations from their mean.

    dep : regressor or None, default=None
        The regressor on the members' predictions. None means :class:`DEPRegressor`. Its predictions
        and its training targets are in the units of y.

    shrinkage : float in [0, 1], default=0.75
        Weight λ of the stack in the prediction. 0 means the DEP alone, 1 the stack alone.

    cv : int, cross-validation splitter or iterable, default=3
        Folds of the cross-fitted predictions. An integer is the number of folds of shuffled
        samples; the out-of-bag predictions of a forest then replace those of folds. A splitter
        receives the ``groups`` that are passed to ``fit``.

    monotonic_cst : array-like of +1, −1 and 0, dict or None, default=None
        Signs of features: the prediction is increasing in features with +1 and decreasing in
        features with −1, by construction. 0 is a free feature, and so is one that a dict does not
        name. The members of ``"mixed"`` then are randomised trees and gradient boosting with these
        constraints, and a ridge regression with signed coefficients if no feature is free.

    random_state : int, RandomState instance or None, default=None
        Passed to members whose own ``random_state`` is None.

    n_jobs : int or None, default=None
        Number of members to fit in parallel.

    verbose : int, default=0
        1 prints each part of the fit with its time.

    Attributes
    ----------
    members_ : list of regressors
        The fitted members.
    member_names_ : list of str
        Their names.
    dep_ : regressor
        The fitted regressor on the members' predictions.
    stack_ : LinearRegression
        The stack: its coefficients are not negative and have the sum 1, its intercept is 0.
    input_scaler_ : StandardScaler
        Scaler of the features.
    orientation_ : ndarray of shape (n_features,)
        Factors of the scaled features before the members: −1 for decreasing features, 1 for others.
    target_mean_, target_scale_ : float
        Mean and standard deviation of the targets.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    RDEPClassifier : The same idea as a classifier.
    DEPRegressor : DEP of the features themselves.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.

    L. Breiman, "Stacked regressions", Machine Learning 24(1), 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rdep import RDEPRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = RDEPRegressor(random_state=0).fit(X[::2], y[::2])
    >>> model.member_names_
    ['svr', 'forest', 'boosting', 'ridge']
    >>> round(model.score(X[1::2], y[1::2]), 1)
    0.4
    """

    __module__ = "rdep"

    _parameter_constraints = {
        "ordering": [StrOptions({MIXED}), list, tuple],
        "dep": "no_validation",
        "shrinkage": [Interval(Real, 0, 1, closed="both")],
        "cv": ["cv_object"],
        "monotonic_cst": ["array-like", dict, None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        ordering=MIXED,
        dep=None,
        *,
        shrinkage=0.75,
        cv=3,
        monotonic_cst=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.ordering = ordering
        self.dep = dep
        self.shrinkage = shrinkage
        self.cv = cv
        self.monotonic_cst = monotonic_cst
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None, groups=None):
        """Fit the members, the stack and the DEP regressor.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Target values, of which at least two differ.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.
        groups : array-like of shape (n_samples,), default=None
            Groups of samples that belong together, for a ``cv`` that splits by them, such as a
            :class:`~sklearn.model_selection.GroupKFold`.

        Returns
        -------
        self
        """
        with unchanged_on_error(self):
            X, y, sample_weight = validate_regression(self, X, y, sample_weight)
            groups = checked_groups(self, groups, y)
            samples = TargetSet.from_samples(X, y, sample_weight)
            folds = list(folds_in_use(self.cv, y, sample_weight, groups, is_regression=True))
            signs = self._signs()
            self.orientation_ = np.where(signs == -1, -1.0, 1.0)
            self.input_scaler_ = _fitted_scaler(X, sample_weight, "feature", feature_names(self))
            X, y, sample_weight = drop_weightless(sample_weight, X, y)
            self.target_mean_, self.target_scale_ = samples.centre, samples.unit
            named = self._named(len(y), signs)
            self.member_names_ = [name for name, _ in named]
            scaled = self._scaled(X)
            targets = (y - self.target_mean_) / self.target_scale_
            with timed(self.verbose, type(self).__name__, "members"):
                self.members_ = self._fitted(named, scaled, targets, sample_weight)
            with timed(self.verbose, type(self).__name__, "folds"):
                values = self._cross_fitted(named, scaled, targets, sample_weight, folds)
            values = self._in_units(values)
            self.stack_ = _weighted_mean(values, y, samples.unit, sample_weight)
            with timed(self.verbose, type(self).__name__, "dep"):
                dep = DEPRegressor() if self.dep is None else self.dep
                self.dep_ = fit_member("dep", dep, values, y, sample_weight, None)
        return self

    def _signs(self):
        """Sign of every feature, 0 if it is free; raise an error if parts cannot keep them."""
        if self.monotonic_cst is None:
            return np.zeros(self.n_features_in_)
        if not isinstance(self.ordering, str):
            raise ValueError(
                "monotonic_cst constrains the members of ordering='mixed' only: constrain members "
                "of your own yourself"
            )
        dep = DEPRegressor() if self.dep is None else self.dep
        if not isinstance(dep, DEPRegressor) or dep.monotonic_cst is not None:
            raise ValueError(
                "monotonic_cst needs a dep that is increasing in every member, such as "
                f"DEPRegressor() without a monotonic_cst of its own; got {self.dep!r}"
            )
        names = getattr(self, "feature_names_in_", None)
        return given_signs(self.monotonic_cst, self.n_features_in_, names, others=0)

    def _scaled(self, X):
        return standardised(self.input_scaler_, X) * self.orientation_

    def _named(self, n_samples, signs):
        if self.dep is not None and not is_regressor(self.dep):
            raise TypeError(
                f"dep must be a regressor, such as DEPRegressor(), or None; got {self.dep!r}"
            )
        if isinstance(self.ordering, str):
            named = _constrained(signs) if signs.any() else _mixed(n_samples)
        else:
            named = list(self.ordering)
        if not named or not all(
            isinstance(item, tuple) and len(item) == 2 and is_regressor(item[1]) for item in named
        ):
            raise ValueError(
                f"ordering must be 'mixed' or a list of (name, regressor) pairs, got {named!r}"
            )
        named = [(name, clone(member)) for name, member in named]
        random = check_random_state(self.random_state)
        for _, member in named:
            if member.get_params().get("random_state", 0) is None:
                member.set_params(random_state=int(random.randint(np.iinfo(np.int32).max)))
        return named

    def _fitted(self, named, X, y, sample_weight):
        return Parallel(n_jobs=self.n_jobs)(
            delayed(fit_member)(f"member {name!r}", member, X, y, sample_weight, None)
            for name, member in named
        )

    def _cross_fitted(self, named, X, y, sample_weight, folds):
        """Predictions for the training samples by members that were fitted on other folds."""
        values = np.full((len(y), len(named)), np.nan)
        others = []
        for k, member in enumerate(self.members_):
            left_out = getattr(member, "oob_prediction_", None)
            if left_out is not None and isinstance(self.cv, Integral):
                values[:, k] = left_out
            else:
                others.append(k)
        for train, test in folds:
            weights = None if sample_weight is None else sample_weight[train]
            members = self._fitted([named[k] for k in others], X[train], y[train], weights)
            for k, member in zip(others, members, strict=True):
                values[test, k] = value_of(named[k][0], member, X[test])
        if np.isnan(values).any():
            raise ValueError("cv must put every sample into exactly one test fold")
        return values

    def _in_units(self, values: Array) -> Array:
        return values * self.target_scale_ + self.target_mean_

    def reduced_space(self, X):
        """Predictions of the members, in units of the target: the features of ``dep_``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_members)
        """
        check_is_fitted(self)
        scaled = self._scaled(validate_samples(self, X))
        named = zip(self.member_names_, self.members_, strict=True)
        return self._in_units(np.column_stack([value_of(*item, scaled) for item in named]))

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
        values = self.reduced_space(X)
        stacked = self.stack_.predict(values)
        return (1 - self.shrinkage) * self.dep_.predict(values) + self.shrinkage * stacked

    def explain(self, X):
        """Explain the share of the DEP by the members that decide in it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        Explanation
            Its decision is the prediction of ``dep_``, without the stack.
        """
        values = self.reduced_space(X)
        if not isinstance(self.dep_, DEPRegressor):
            raise ValueError(f"explain needs a DEPRegressor as dep, not {type(self.dep_).__name__}")
        return replace(self.dep_.explain(values), names=np.array(self.member_names_, dtype=object))


def _weighted_mean(
    values: Array, y: Array, unit: float, sample_weight: Array | None
) -> LinearRegression:
    """Weights with the sum 1, none negative, of the smallest squared error, as a linear model.

    Without a bound on the sum, a member whose cross-fitted predictions hardly vary, because the
    folds are too small for it, can have any weight, and its predictions do vary once it is fitted
    on all samples.
    """
    weights = np.ones(len(y)) if sample_weight is None else sample_weight
    roots = np.sqrt(weights / weights.sum())[:, None]
    # For c = s u with sum(u) = 1, the sum of squares is s² |D u|² + (1 − s)²: the best u is that
    # with the smallest error, whatever s is.
    rows = np.vstack([roots * (values - y[:, None]) / unit, np.ones(values.shape[1])])
    found, _ = nnls(rows, np.r_[np.zeros(len(y)), 1.0])
    stack = LinearRegression(positive=True)
    stack.coef_, stack.intercept_ = found / found.sum(), 0.0
    stack.n_features_in_ = values.shape[1]
    return stack


def _mixed(n_samples: int):
    """Members that have little in common."""
    kernels = [("svr", SVR(C=3.0))] if n_samples <= MOST_FOR_KERNELS else []
    trees = ExtraTreesRegressor(100, bootstrap=True, oob_score=True)
    boosting = HistGradientBoostingRegressor(loss="absolute_error", early_stopping=False)
    return [*kernels, ("forest", trees), ("boosting", boosting), ("ridge", Ridge())]


def _constrained(signs: Array):
    """Members that are increasing in all features with a sign, decreasing ones being turned."""
    increasing = np.abs(signs)
    trees = ExtraTreesRegressor(100, bootstrap=True, oob_score=True, monotonic_cst=increasing)
    # With the absolute error, scikit-learn's boosting breaks its constraints: it sets the values of
    # leaves once more after it has grown a tree.
    boosting = HistGradientBoostingRegressor(early_stopping=False, monotonic_cst=increasing)
    linear = [] if 0 in signs else [("ridge", Ridge(positive=True))]
    return [("forest", trees), ("boosting", boosting), *linear]
