"""Random morphological features: boxes and linear units that are not trained."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from .._base._fitting import unchanged_on_error
from .._base._validation import validate_samples
from .._utils._sklearn_estimators import Interval, StrOptions, _fit_context
from .._utils._typing import Array
from ..lattice import min_plus

DRAWS = ("unit", "range")


class MorphologicalFeatures(TransformerMixin, BaseEstimator):
    r"""Random boxes and linear units as features.

    A box unit is the depth of a sample in a random box, negative outside; a linear unit is the
    logistic function of a random affine function:

    .. math::

        h(x) = \min_j \{x_j - a_j,\; b_j - x_j\}, \qquad
        g(x) = \frac{1}{1 + \exp(-(u \cdot x + c))} .

    The units are drawn at random and not trained. A linear model on them is the extreme learning
    machine of :class:`MorphologicalELMClassifier`.

    Read more in the :doc:`User Guide </guide/elm>`.

    Parameters
    ----------
    n_boxes : int, default=100
        Number of box units.
    n_linear : int, default=100
        Number of linear units.
    draw : {"unit", "range"}, default="unit"
        How units are drawn.

        - ``"unit"``, as Sussner and Campiotti: every feature is scaled to [−1, 1] by its range in
          the training samples. Two numbers V ≤ W are drawn from [−1, 1] for each feature; the faces
          of a box are a = −V and b = W, so that a box may be empty. Linear weights are drawn from
          [−1, 1], intercepts from [0, 0.1].
        - ``"range"``, as Valle's group: features are not scaled. The two corners of a box are drawn
          from the range of the training samples, weights and intercepts from the standard normal
          distribution. Standardise the features before it.
    random_state : int, RandomState instance or None, default=None
        Determines the random units.

    Attributes
    ----------
    boxes_ : ndarray of shape (n_boxes, 2, n_features)
        Faces a and b of the boxes, for scaled features.
    weights_ : ndarray of shape (n_linear, n_features)
        Weights u of the linear units, for scaled features.
    intercepts_ : ndarray of shape (n_linear,)
        Intercepts c of the linear units.
    offset_ : ndarray of shape (n_features,)
        Number subtracted from each feature.
    scale_ : ndarray of shape (n_features,)
        Number by which each feature is then divided.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    MorphologicalELMClassifier : Ridge classifier on these features.
    MorphologicalELMRegressor : Ridge regression on these features.

    References
    ----------
    P. Sussner and I. Campiotti, "Extreme learning machine for a new hybrid morphological/linear
    perceptron", Neural Networks 123, 2020; the draws are those of the authors' program hmlp.

    Examples
    --------
    >>> from rdep import MorphologicalFeatures
    >>> from rdep.datasets import load_ripley
    >>> X, *_ = load_ripley()
    >>> features = MorphologicalFeatures(n_boxes=3, n_linear=1, random_state=0).fit(X)
    >>> features.transform(X).shape
    (250, 4)
    >>> features.get_feature_names_out()
    array(['box0', 'box1', 'box2', 'linear0'], dtype=object)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        "n_boxes": [Interval(Integral, 0, None, closed="left")],
        "n_linear": [Interval(Integral, 0, None, closed="left")],
        "draw": [StrOptions(set(DRAWS))],
        "random_state": ["random_state"],
    }

    def __init__(self, n_boxes=100, n_linear=100, *, draw="unit", random_state=None):
        self.n_boxes = n_boxes
        self.n_linear = n_linear
        self.draw = draw
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Draw the units.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples; only the ranges of the features matter.
        y : None
            Ignored.

        Returns
        -------
        self
            The fitted transformer.
        """
        with unchanged_on_error(self):
            X = validate_data(self, X, dtype=np.float64)
            if self.n_boxes + self.n_linear == 0:
                raise ValueError("n_boxes and n_linear are both 0: there is no unit to draw")
            random = check_random_state(self.random_state)
            lowest, highest = X.min(axis=0), X.max(axis=0)
            if self.draw == "unit":
                self._draw_unit(lowest, highest, random)
            else:
                self._draw_range(lowest, highest, random)
        return self

    def _draw_unit(self, lowest: Array, highest: Array, random: np.random.RandomState) -> None:
        n_features = len(lowest)
        # Halved before the sum, because the sum of two large numbers may be infinite.
        self.offset_ = lowest / 2 + highest / 2
        width = highest / 2 - lowest / 2
        self.scale_ = np.where(width > 0, width, 1.0)
        drawn = np.sort(random.uniform(-1, 1, (self.n_boxes, 2, n_features)), axis=1)
        self.boxes_ = drawn * np.array([[-1.0], [1.0]])
        self.weights_ = random.uniform(-1, 1, (self.n_linear, n_features))
        self.intercepts_ = 0.1 * random.uniform(0, 1, self.n_linear)

    def _draw_range(self, lowest: Array, highest: Array, random: np.random.RandomState) -> None:
        n_features = len(lowest)
        self.offset_, self.scale_ = np.zeros(n_features), np.ones(n_features)
        share = random.uniform(0, 1, (self.n_boxes, 2, n_features))
        self.boxes_ = np.sort(lowest * (1 - share) + highest * share, axis=1)
        self.weights_ = random.standard_normal((self.n_linear, n_features))
        self.intercepts_ = random.standard_normal(self.n_linear)

    def transform(self, X):
        """Compute the values of the units: first the boxes, then the linear units.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_boxes + n_linear)
            Values of the units.
        """
        check_is_fitted(self)
        return self._units(validate_samples(self, X))

    def _units(self, X: Array) -> Array:
        scaled = (X - self.offset_) / self.scale_
        lower, upper = self.boxes_[:, 0].T, self.boxes_[:, 1].T
        depths = np.minimum(min_plus(scaled, -lower), min_plus(-scaled, upper))
        return np.hstack([depths, expit(scaled @ self.weights_.T + self.intercepts_)])

    def get_feature_names_out(self, input_features=None):
        """Get the names of the units.

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            Ignored; every unit depends on all features.

        Returns
        -------
        ndarray of str
            box0, box1, … and linear0, linear1, ….
        """
        check_is_fitted(self)
        boxes = [f"box{k}" for k in range(len(self.boxes_))]
        linear = [f"linear{k}" for k in range(len(self.weights_))]
        return np.array([*boxes, *linear], dtype=object)
