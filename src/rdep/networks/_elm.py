"""Extreme learning machines: a ridge model on random morphological features."""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Ridge, RidgeClassifier, RidgeClassifierCV, RidgeCV
from sklearn.utils.validation import check_is_fitted, validate_data

from .._base._classifier import BaseClassifier
from .._base._fitting import unchanged_on_error
from .._base._validation import check_weights, drop_weightless, validate_samples
from .._utils._docstrings import documented
from .._utils._sklearn_estimators import Interval, _fit_context
from .._utils._typing import Array
from ._features import MorphologicalFeatures

# From nearly least squares to nearly zero weights.
ALPHAS = (1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)

PARAMETERS = """
n_boxes : int, default=100
    Number of box units.
n_linear : int, default=100
    Number of linear units.
draw : {"unit", "range"}, default="unit"
    How units are drawn, as in :class:`MorphologicalFeatures`.
alphas : float or array-like of shape (n_alphas,), default=(0.001, 0.01, 0.1, 1, 10, 100, 1000)
    Penalties on the squared output weights. Generalised cross-validation chooses one of them; a
    single number is used without a choice.
fit_intercept : bool, default=True
    Whether the linear model on the features has an intercept, which is not penalised.
"""

ATTRIBUTES = """
features_ : MorphologicalFeatures
    The units.
ridge_ : estimator
    Fitted ridge model of scikit-learn on the units.
alpha_ : float
    The penalty, given or chosen.
n_features_in_ : int
    Number of features seen during fit.
feature_names_in_ : ndarray of shape (n_features,)
    Names of features seen during fit, if X has feature names that are all strings.
"""

REFERENCES = """
P. Sussner and I. Campiotti, "Extreme learning machine for a new hybrid morphological/linear
perceptron", Neural Networks 123, 2020.
"""

shared = documented(parameters=PARAMETERS, attributes=ATTRIBUTES, references=REFERENCES)


class RidgeOnFeatures(BaseEstimator):
    """Mixin of both estimators: the units, the penalties, and named settings."""

    _parameter_constraints: dict = {
        **MorphologicalFeatures._parameter_constraints,
        "alphas": ["array-like", Interval(Real, 0, None, closed="neither")],
        "fit_intercept": ["boolean"],
    }

    @classmethod
    def hmlp(cls, **parameters):
        """Create the estimator with the settings of Sussner and Campiotti's program hmlp.

        Units are drawn from [−1, 1], there is no intercept, and the penalty is one of 0.001, 0.01,
        0.1 and 1. There are 100 units of each kind; the authors search from 100 to 500.

        Parameters
        ----------
        **parameters
            Parameters that replace these settings.

        Returns
        -------
        estimator
            Unfitted estimator.
        """
        own = {"draw": "unit", "alphas": (1e-3, 1e-2, 1e-1, 1.0), "fit_intercept": False}
        return cls(**{"n_boxes": 100, "n_linear": 100, **own, **parameters})

    @classmethod
    def hlm_elm(cls, **parameters):
        """Create the estimator with the settings of Valle's group, HLM_ELM in their results.

        There are ten boxes drawn from the range of the training samples, ten linear units with
        normal weights, an intercept, and least squares. A penalty of 1e-10, instead of none, allows
        for units that are equal.

        Parameters
        ----------
        **parameters
            Parameters that replace these settings.

        Returns
        -------
        estimator
            Unfitted estimator.
        """
        own = {"draw": "range", "alphas": 1e-10, "fit_intercept": True}
        return cls(**{"n_boxes": 10, "n_linear": 10, **own, **parameters})

    def _fit_ridge(
        self, X: Array, y: NDArray, sample_weight: Array | None, kinds: tuple[type, type], **others
    ) -> None:
        """Draw the units and fit the ridge model with one penalty or several."""
        X, y, sample_weight = drop_weightless(sample_weight, X, y)
        names = MorphologicalFeatures._parameter_constraints
        self.features_ = MorphologicalFeatures(**{name: getattr(self, name) for name in names})
        units = self.features_.fit(X)._units(X)
        with_one, with_several = kinds
        others |= {"fit_intercept": self.fit_intercept}
        if isinstance(self.alphas, Real):
            # Singular values, because products of units would square the condition number.
            self.ridge_ = with_one(self.alphas, solver="svd", **others)
            self.alpha_ = float(self.alphas)
            self.ridge_.fit(units, y, sample_weight)
        else:
            self.ridge_ = with_several(np.asarray(self.alphas), **others)
            self.alpha_ = float(self.ridge_.fit(units, y, sample_weight).alpha_)


@shared
class MorphologicalELMClassifier(RidgeOnFeatures, BaseClassifier):
    r"""Extreme learning machine: a ridge classifier on random boxes and linear units.

    .. math::

        \beta = \arg\min_\beta \|H \beta - t\|^2 + \alpha \|\beta\|^2 ,

    where H holds the values of the units of :class:`MorphologicalFeatures` at the training samples,
    and the target t is 1 for the samples of a class and −1 for the others. One β is fitted for each
    class, or for the second of two classes. The class with the largest value is predicted.

    Read more in the :doc:`User Guide </guide/elm>`.

    Parameters
    ----------
    %(parameters)s
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, by which the sample weights are multiplied.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws.

    Attributes
    ----------
    %(attributes)s
    classes_ : ndarray of shape (n_classes,)
        The class labels.

    See Also
    --------
    MorphologicalFeatures : The units alone, as a transformer.
    MorphologicalELMRegressor : Ridge regression on the same units.
    sklearn.linear_model.RidgeClassifierCV : The model on the units.

    References
    ----------
    %(references)s

    Examples
    --------
    >>> from rdep import MorphologicalELMClassifier
    >>> from rdep.datasets import load_ripley
    >>> X, X_test, y, y_test = load_ripley()
    >>> elm = MorphologicalELMClassifier(random_state=0).fit(X, y)
    >>> round(elm.score(X_test, y_test), 3)
    0.902
    """

    __module__ = "rdep"

    _parameter_constraints = {
        **RidgeOnFeatures._parameter_constraints,
        "class_weight": RidgeClassifierCV._parameter_constraints["class_weight"],
    }

    def __init__(
        self,
        n_boxes=100,
        n_linear=100,
        *,
        draw="unit",
        alphas=ALPHAS,
        fit_intercept=True,
        class_weight=None,
        random_state=None,
    ):
        self.n_boxes = n_boxes
        self.n_linear = n_linear
        self.draw = draw
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.random_state = random_state

    def _fit(self, X, y, sample_weight):
        kinds = RidgeClassifier, RidgeClassifierCV
        self._fit_ridge(X, y, sample_weight, kinds, class_weight=self.class_weight)

    def _decision_values(self, X):
        return self.ridge_.decision_function(self.features_._units(X))


@shared
class MorphologicalELMRegressor(RegressorMixin, RidgeOnFeatures):
    r"""Extreme learning machine: a ridge regression on random boxes and linear units.

    .. math::

        \beta = \arg\min_\beta \|H \beta - y\|^2 + \alpha \|\beta\|^2 ,

    where H holds the values of the units of :class:`MorphologicalFeatures` at the training samples.

    Read more in the :doc:`User Guide </guide/elm>`.

    Parameters
    ----------
    %(parameters)s
    random_state : int, RandomState instance or None, default=None
        Seed of the draws.

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    MorphologicalFeatures : The units alone, as a transformer.
    MorphologicalELMClassifier : Ridge classifier on the same units.
    sklearn.linear_model.RidgeCV : The model on the units.

    References
    ----------
    %(references)s

    Examples
    --------
    >>> import numpy as np
    >>> from rdep import MorphologicalELMRegressor
    >>> x = np.linspace(-3, 3, 200)
    >>> elm = MorphologicalELMRegressor(random_state=0).fit(x[:, None], np.sinc(x))
    >>> round(elm.score(x[:, None], np.sinc(x)), 3)
    0.875
    """

    __module__ = "rdep"

    def __init__(
        self,
        n_boxes=100,
        n_linear=100,
        *,
        draw="unit",
        alphas=ALPHAS,
        fit_intercept=True,
        random_state=None,
    ):
        self.n_boxes = n_boxes
        self.n_linear = n_linear
        self.draw = draw
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Draw the units and fit the ridge regression on them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Target values.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.

        Returns
        -------
        self
            The fitted regressor.
        """
        with unchanged_on_error(self):
            X, y = validate_data(self, X, y, dtype=np.float64, multi_output=True, y_numeric=True)
            if sample_weight is not None:
                sample_weight = check_weights(sample_weight, X)
            self._fit_ridge(X, y, sample_weight, (Ridge, RidgeCV))
        return self

    def predict(self, X):
        """Predict the value of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            Predicted values.
        """
        check_is_fitted(self)
        return self.ridge_.predict(self.features_._units(validate_samples(self, X)))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
