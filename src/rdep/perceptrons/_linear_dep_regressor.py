"""The linear dilation-erosion regressor: a maximum plus a minimum of affine functions."""

from __future__ import annotations

from functools import partial
from numbers import Integral, Real

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .._base._fitting import unchanged_on_error
from .._base._groups import GroupsMixin, checked_groups
from .._base._members import folds_in_use
from .._base._validation import (
    NON_NEGATIVE,
    drop_weightless,
    feature_names,
    validate_regression,
    validate_samples,
)
from .._utils._sklearn_estimators import Interval, StrOptions, _fit_context
from .._utils._typing import Array
from ..inspection import FittedPieces, explain_pieces, summarise_pieces
from ..training import (
    REGRESSION_LOSSES,
    AffineProcedure,
    AffineRegression,
    TargetSet,
    rough_path,
    train_affine,
)
from ._pieces import AUTO, candidates, checked_pieces, choose_pieces, decide
from ._trained import warn_if_not_converged


class LinearDEPRegressor(RegressorMixin, GroupsMixin):
    r"""Linear dilation-erosion regressor (ℓ-DER).

    .. math::

        \hat{y}(x) = \max_j (A x + a)_j + \min_k (B x + b)_k .

    The prediction is a difference of two convex piecewise linear functions. With enough pieces it
    can be any continuous piecewise linear function. With one piece of each kind it is linear.
    Training minimises

    .. math::

        \sum_i \nu_i \, \ell\Big(\frac{y_i - \hat{y}(x_i)}{s}\Big)
        + \frac{C}{2 s^2} \Big( \frac{\lVert A \rVert^2}{J} + \frac{\lVert B \rVert^2}{K} \Big)

    by the convex-concave procedure, where s is the standard deviation of the targets and the
    weights :math:`\nu_i` add up to 1. It starts from the linear model, whose pieces are split by
    groups of samples. Each convex step is minimised to a duality gap, which ``result_`` reports. As
    for other linear models, features should have similar scales: put a ``StandardScaler`` before
    it. The unit of the target does not matter.

    Read more in the :doc:`User Guide </guide/regression>`.

    Parameters
    ----------
    n_pieces : int, pair of int or "auto", default="auto"
        Numbers J and K of affine pieces of the dilation and of the erosion. An int is used for
        both. ``"auto"`` chooses among (1, 1), (2, 1), (1, 2), (2, 2), (3, 3) and so on by
        cross-validation: the first candidate whose mean loss is within half a standard error of the
        best. Every candidate is trained from the linear model (1, 1). Three or more pieces are
        tried only if (2, 2) is at least as good as (1, 1).

    max_pieces : int, default=3
        Maximum number of pieces that ``"auto"`` tries. Candidates with more than 500 unknowns are
        skipped.

    C : float, default=0.01
        Regularization parameter. It multiplies the penalty: a larger C means stronger
        regularization. With one piece of each kind and the squared error, it is a ridge regression
        with ``alpha = C * n_samples / 4``. 0 means no penalty.

    loss : str, default="absolute_error"
        Loss ℓ of the residual r: its square (``"squared_error"``), its absolute value
        (``"absolute_error"``), the pinball loss of ``quantile`` (``"quantile"``), or the part of
        the absolute value above ``epsilon`` (``"epsilon_insensitive"``). The absolute error resists
        outliers. Training is fastest with the squared error.

    quantile : float, default=0.5
        Quantile to predict, between 0 and 1, if ``loss="quantile"``. Regressors of several
        quantiles are fitted independently, and their predictions may cross: sort them, for example
        by ``np.sort`` along the quantiles.

    epsilon : float, default=0.1
        Residuals up to this size have no loss if ``loss="epsilon_insensitive"``, in standard
        deviations of the target.

    penalize_intercept : bool, default=False
        Whether the penalty includes a and b.

    n_init : int, default=1
        Number of starts. The first splits groups of samples along principal directions, the
        others along random directions. Pieces fitted to the squared error are one more start of
        the other losses. The lowest objective wins.

    max_iter : int, default=100
        Maximum number of steps of the convex-concave procedure for each start.

    tol : float, default=1e-3
        Training stops with the status "tolerance" if the relative decrease of a step is below
        ``tol``. With 0 it stops only if no step descends.

    cv : int, cross-validation splitter or iterable, default=5
        Folds for ``"auto"``. An integer is the number of folds of shuffled samples. A splitter
        receives the ``groups`` that are passed to ``fit``.

    random_state : int, RandomState instance or None, default=None
        Determines the random starts.

    n_jobs : int or None, default=None
        Number of folds to evaluate in parallel.

    Attributes
    ----------
    dilation_coef_, erosion_coef_ : ndarray of shape (J, n_features) and (K, n_features)
        The matrices A and B.
    dilation_intercept_, erosion_intercept_ : ndarray of shape (J,) and (K,)
        The vectors a and b.
    n_pieces_ : tuple of two int
        The numbers J and K.
    candidates_ : list of tuples
        Numbers of pieces that were compared, or the given numbers.
    scores_ : ndarray of shape (n_folds, n_candidates) or None
        Negative mean losses of the candidates on each fold, with targets in standard deviations.
        None without cross-validation.
    result_ : AffineResult
        Status and objective of training, with the duality gap of every step.
    n_iter_ : int
        Steps of the convex-concave procedure.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    LinearDEPClassifier : The same function as a classifier.
    DEPRegressor : Increasing DEP of the features themselves.

    References
    ----------
    A. L. Oliveira and M. E. Valle, "Least-squares linear dilation-erosion regressor trained using a
    convex-concave procedure", arXiv 2107.05682, 2021.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep import LinearDEPRegressor
    >>> x = np.linspace(-3, 3, 200)
    >>> model = LinearDEPRegressor(2, C=1e-4).fit(x[:, None], np.abs(x) - np.abs(x - 1))
    >>> round(model.score(x[:, None], np.abs(x) - np.abs(x - 1)), 3)
    1.0
    """

    __module__ = "rdep"

    _parameter_constraints = {
        "n_pieces": [StrOptions({AUTO}), Integral, tuple, list],
        "max_pieces": [Interval(Integral, 1, None, closed="left")],
        "C": [NON_NEGATIVE],
        "loss": [StrOptions(set(REGRESSION_LOSSES))],
        "quantile": [Interval(Real, 0, 1, closed="neither")],
        "epsilon": [NON_NEGATIVE],
        "penalize_intercept": ["boolean"],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [NON_NEGATIVE],
        "cv": ["cv_object"],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_pieces=AUTO,
        *,
        max_pieces=3,
        C=0.01,
        loss="absolute_error",
        quantile=0.5,
        epsilon=0.1,
        penalize_intercept=False,
        n_init=1,
        max_iter=100,
        tol=1e-3,
        cv=5,
        random_state=None,
        n_jobs=None,
    ):
        self.n_pieces = n_pieces
        self.max_pieces = max_pieces
        self.C = C
        self.loss = loss
        self.quantile = quantile
        self.epsilon = epsilon
        self.penalize_intercept = penalize_intercept
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None, groups=None):
        """Train on samples and their target values.

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
            samples = TargetSet.from_samples(X, y, sample_weight, ignore_constant=True)
            if self.n_pieces == AUTO:
                self._choose(X, y, sample_weight, samples, groups)
            else:
                given = checked_pieces(self.n_pieces)
                if max(given) > len(samples.rows):
                    raise ValueError(
                        f"n_pieces={self.n_pieces!r} asks for {max(given)} pieces, but there are "
                        f"only {len(samples.rows)} distinct samples: use fewer pieces"
                    )
                self.candidates_, self.n_pieces_, self.scores_ = [given], given, None
            seed = 0
            if self.n_init > 1:
                seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
            procedure = AffineProcedure(
                max_iter=self.max_iter, tol=self.tol, n_init=self.n_init, seed=seed
            )
            result = train_affine(samples, self._objective(), self.n_pieces_, procedure)
            warn_if_not_converged(result, "convex-concave procedure", self.max_iter)
            self.result_, self.n_iter_ = result, result.n_iter
            self.dilation_coef_, self.erosion_coef_ = result.dilation_coef, result.erosion_coef
            self.dilation_intercept_ = result.dilation_intercept
            self.erosion_intercept_ = result.erosion_intercept
        return self

    def _choose(self, X, y, sample_weight, samples, groups):
        """Choose the numbers of pieces by cross-validation, and store the scores."""
        n_features = min(int(samples.used.sum()), len(samples.rows))
        # Folds have fewer samples: at least half of all.
        most = min(len(samples.rows) // 2, self.max_pieces)
        self.candidates_ = path = candidates(most, n_features)
        given = y, sample_weight, groups
        X, y, sample_weight = drop_weightless(sample_weight, X, y)
        if len(path) == 1 or len(y) < 4:
            self.n_pieces_, self.scores_ = path[0], None
            return
        on_fold = partial(
            _scores_on_fold, X, y, sample_weight, self._objective(), samples.centre, samples.unit
        )
        self.n_pieces_, self.scores_ = choose_pieces(
            on_fold, folds_in_use(self.cv, *given, is_regression=True), path, self.n_jobs
        )
        self.candidates_ = path[: self.scores_.shape[1]]

    def _objective(self):
        return AffineRegression(
            C=float(self.C),
            loss=self.loss,
            quantile=float(self.quantile),
            epsilon=float(self.epsilon),
            penalize_intercept=self.penalize_intercept,
        )

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
        return decide(validate_samples(self, X), self.result_)

    def explain(self, X):
        """Explain predictions by the affine pieces of the dilation and erosion that decided.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        PiecesExplanation
        """
        check_is_fitted(self)
        return explain_pieces(self._fitted_pieces(), validate_samples(self, X))

    def summary(self, *, max_features=20):
        """Summarise the fitted model as text: all pieces by feature name, and the training.

        Parameters
        ----------
        max_features : int, default=20
            Maximum number of features whose coefficients are shown.

        Returns
        -------
        str
        """
        check_is_fitted(self)
        return summarise_pieces(self._fitted_pieces(), max_features)

    def _fitted_pieces(self):
        norms = np.linalg.norm(self.dilation_coef_), np.linalg.norm(self.erosion_coef_)
        return FittedPieces(
            title=f"{type(self).__name__} on {self.n_features_in_} features",
            classes=None,
            names=feature_names(self),
            dilation=(self.dilation_coef_, self.dilation_intercept_),
            erosion=(self.erosion_coef_, self.erosion_intercept_),
            beta=float(norms[0] / sum(norms)) if sum(norms) > 0 else 0.5,
            result=self.result_,
        )


def _scores_on_fold(X, y, sample_weight, objective, centre, unit, train, test, path):
    """Negative mean losses of all candidates on a fold, in units of all targets."""
    weights = None if sample_weight is None else sample_weight[train]
    if not len(test):
        raise ValueError("a fold of cv has no test samples: use other folds, or fewer")
    if np.ptp(y[train]) == 0:
        raise ValueError(
            "a fold of cv has training samples with one target value only: use fewer folds, or "
            "set n_pieces"
        )
    samples = TargetSet.from_samples(X[train], y[train], weights, ignore_constant=True)
    of_test = np.ones(len(test)) if sample_weight is None else sample_weight[test]
    truth = (y[test] - centre) / unit
    return [
        -_mean_loss(objective, truth, (decide(X[test], result) - centre) / unit, of_test)
        for result in rough_path(samples, objective, path)
    ]


def _mean_loss(
    objective: AffineRegression, truth: Array, predicted: Array, weights: Array
) -> float:
    above, below = objective.levels(truth)
    costs = objective.costs(weights / weights.sum())
    losses = [np.maximum(above + predicted, 0.0), np.maximum(below - predicted, 0.0)]
    power = 2 if objective.loss == "squared_error" else 1
    return float(sum(c @ loss**power for c, loss in zip(costs, losses, strict=True)))
