r"""Kernel classifier whose training time is linear in the number of samples.

An SVC may have one coefficient for every sample. This classifier has one for each of a fixed number
of *landmarks*, drawn from the samples (Nyström approximation of the kernel; Williams and Seeger
2001). Least squares needs one pass over the samples, in blocks. Only sums of products are kept,
whose size does not depend on the number of samples.
"""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .._base._members import scale_gamma
from .._base._validation import check_classes, check_weights
from .._utils._sklearn_estimators import Interval, StrOptions, _fit_context
from .._utils._typing import Array
from ._evaluation import Kernel, kernel_blocks
from ._ridge import KernelSums, Ridge

__all__ = ["LandmarkClassifier"]

_AUTO = "auto"
# Candidates of alpha="auto", smoothest first: ties go to the smoothest decision function.
_ALPHAS = 10.0 ** np.arange(2, -7, -1)


class LandmarkClassifier(ClassifierMixin, BaseEstimator):
    r"""Regularised least squares on kernel values with landmarks, for two classes.

    The decision value is :math:`f(x) = \sum_k \alpha_k \kappa(x, z_k) + b` with landmarks
    :math:`z_k`. With :math:`d_i = \pm 1` the class of a sample, :math:`s_i` its weight and
    :math:`K_{zz}` the kernel matrix of the landmarks, training minimises

    .. math::

        \sum_i s_i (f(x_i) - d_i)^2 + \lambda \, \alpha^T K_{zz} \alpha,

    which is ridge regression on Nyström features.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        The kernel κ, as in :class:`sklearn.svm.SVC`.

    n_landmarks : int, default=500
        Maximum number of landmarks; with fewer samples, all samples are landmarks.

    gamma : "scale", "auto" or float, default="scale"
        Coefficient γ of the RBF and polynomial kernels. "scale" is 1 / (n_features × variance of
        X), "auto" is 1 / n_features.

    degree : int, default=3
        Degree of the polynomial kernel.

    coef0 : float, default=0.0
        Constant term of the polynomial kernel.

    alpha : float or "auto", default=1.0
        Regularisation parameter λ; larger values give smoother decision functions. "auto" selects
        the power of ten, from 1e-6 to 100, with the smallest squared error of the left-out values.

    keep_left_out : bool, default=False
        Whether to compute ``left_out_values_``.

    random_state : int, RandomState instance or None, default=None
        Seed for drawing the landmarks.

    Attributes
    ----------
    landmarks_ : ndarray of shape (n_landmarks, n_features)
        The landmarks z.
    coefficients_ : ndarray of shape (n_landmarks,)
        The coefficients α.
    intercept_ : float
        The intercept b.
    alpha_ : float
        The regularisation parameter in use.
    left_out_values_ : ndarray of shape (n_samples,)
        Decision value of each training sample from a fit without it, with the same landmarks and
        the same kernel. Defined if ``keep_left_out`` is set. No fit is repeated: the residual of
        least squares, divided by one minus the leverage of the sample, is the residual of the fit
        without it (Allen 1974).
    kernel_ : Kernel
        The kernel with ``gamma`` as a number.
    classes_ : ndarray of shape (2,)
        The negative and the positive class.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    References
    ----------
    C. K. I. Williams and M. Seeger, "Using the Nyström method to speed up kernel machines",
    Advances in Neural Information Processing Systems 13, 2001.

    D. M. Allen, "The relationship between variable selection and data augmentation and a method for
    prediction", Technometrics 16(1), 1974.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from rdep.kernels import LandmarkClassifier
    >>> X, y = make_moons(1000, noise=0.2, random_state=0)
    >>> LandmarkClassifier(n_landmarks=50, random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """

    __module__ = "rdep.kernels"

    _parameter_constraints = {
        "kernel": [StrOptions({"rbf", "linear", "poly"})],
        "n_landmarks": [Interval(Integral, 1, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "alpha": [StrOptions({_AUTO}), Interval(Real, 0, None, closed="neither")],
        "keep_left_out": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        n_landmarks=500,
        gamma="scale",
        degree=3,
        coef0=0.0,
        alpha=1.0,
        keep_left_out=False,
        random_state=None,
    ):
        self.kernel = kernel
        self.n_landmarks = n_landmarks
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.alpha = alpha
        self.keep_left_out = keep_left_out
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Draw the landmarks and solve for their coefficients.

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
            The fitted classifier.
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weights = None if sample_weight is None else check_weights(sample_weight, X)
        weights = np.ones(len(y)) if weights is None else weights
        classes = check_classes(y, weights)
        if len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: "
                "wrap the classifier in sklearn.multiclass.OneVsRestClassifier"
            )
        used = np.flatnonzero(weights)
        chosen = check_random_state(self.random_state).permutation(used)[: self.n_landmarks]
        self.classes_ = classes
        self.landmarks_ = X[np.sort(chosen)]
        self.kernel_ = Kernel(self.kernel, self._gamma(X, weights), self.degree, self.coef0)
        self._solve(X, np.where(y == classes[1], 1.0, -1.0), weights)
        return self

    def _gamma(self, X: Array, weights: Array) -> float:
        if self.gamma == "auto":
            return 1.0 / X.shape[1]
        if self.gamma == "scale":
            return scale_gamma(X, weights)
        return float(self.gamma)

    def _solve(self, X: Array, signs: Array, weights: Array) -> None:
        """Solve the ridge regression from sums over the samples, in uncorrelated coordinates."""
        sums = KernelSums.of(X, signs, weights, self.landmarks_, self.kernel_)
        ridge = Ridge.of(sums, self.landmarks_, self.kernel_, self._alphas())
        best = 0
        if self.keep_left_out or len(ridge.alphas) > 1:
            left_out = ridge.left_out(X, signs, weights)
            best = int((weights @ (left_out - signs[:, None]) ** 2).argmin())
            if self.keep_left_out:
                self.left_out_values_ = left_out[:, best].copy()
        self._take(ridge, best)

    def _alphas(self) -> Array:
        return np.array(_ALPHAS if self.alpha == _AUTO else [float(self.alpha)])

    def _take(self, ridge: Ridge, best: int) -> None:
        """Set the coefficients of one of the regularisation parameters."""
        self.alpha_ = float(ridge.alphas[best])
        self.coefficients_, self.intercept_ = ridge.coefficients(best)

    def decision_function(self, X):
        """Compute the decision values f(x), positive for the positive class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The decision values.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        values = np.empty(len(X))
        for rows, block in kernel_blocks(X, self.landmarks_, self.kernel_):
            values[rows] = block @ self.coefficients_
        return values + self.intercept_

    def predict(self, X):
        """Predict the class of each sample: the positive class if f(x) ≥ 0.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted classes.
        """
        positive = self.decision_function(X) >= 0
        return self.classes_[positive.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
