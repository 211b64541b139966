"""The morphological perceptron: the sign of one dilation or of one erosion."""

from __future__ import annotations

import numpy as np

from .._base._record import FittedOperators
from .._base._validation import feature_names
from .._utils._docstrings import documented
from .._utils._sklearn_estimators import StrOptions
from ..training import OPERATORS
from ._trained import (
    COORDINATES,
    OBJECTIVE_PARAMETERS,
    PAPER_TRAINING,
    PROCEDURE_PARAMETERS,
    BaseTrainedClassifier,
    dilated,
    eroded,
    warn_if_degenerate,
)


@documented(objective=OBJECTIVE_PARAMETERS, procedure=PROCEDURE_PARAMETERS, coordinates=COORDINATES)
class MorphologicalPerceptron(BaseTrainedClassifier):
    r"""Morphological perceptron: the sign of one dilation or one erosion.

    With ``operator="dilation"`` the decision value is :math:`\delta_w(x) = \max_j (w_j + x_j)`, and
    the perceptron encloses the negative class in :math:`D(w) = \{x : x_j < -w_j\}`. With
    ``operator="erosion"`` it is :math:`\varepsilon_m(x) = \min_j (m_j + x_j)`, and the perceptron
    encloses the positive class in :math:`E(m) = \{x : x_j \ge -m_j\}`. The convex-concave procedure
    finds weights u that minimise

    .. math::

        \frac{1}{|N|} \sum_{i \in N} \nu_i [\psi_u(x_i) + \mu]_+
        + \frac{1}{|P|} \sum_{i \in P} \nu_i [\mu - \psi_u(x_i)]_+ + C \lVert u - r \rVert_1 ,

    where :math:`\psi_u` is the operator. Missing values (NaN) take no part in it. A sample without
    any value has the decision value ``prior_``. Read more in the
    :doc:`User Guide </guide/estimators>`.

    Parameters
    ----------
    operator : {"dilation", "erosion"}, default="dilation"
        The operator whose sign decides.

    %(objective)s

    class_weight : dict, "balanced" or None, default=None
        Weights of the classes. A dict multiplies the loss of each class, and widens the margin of
        the costlier class by the logarithm of the ratio. The losses are always normalised by
        class, so ``"balanced"`` and None are the same.

    %(procedure)s

    random_state : int, RandomState instance or None, default=None
        Determines the random starts.

    Attributes
    ----------
    weights_ : ndarray of shape (n_coordinates,)
        Weights of the coordinates.
    %(coordinates)s
    result_ : TrainingResult
        Status, objective and certificate of training.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_iter_ : int
        Steps of the convex-concave procedure.
    estimators_ : list of MorphologicalPerceptron
        One perceptron for each class against the rest. Defined for more than two classes, in
        place of the weights.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    DEPClassifier : Convex combination of a dilation and an erosion.
    RitterSussnerClassifier : Perceptron that encloses one class in a box.

    References
    ----------
    G. X. Ritter and P. Sussner, "An introduction to morphological neural networks", ICPR 1996.

    V. Charisopoulos and P. Maragos, "Morphological perceptrons: geometry and training algorithms",
    ISMM 2017.

    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.

    Examples
    --------
    >>> from rdep import MorphologicalPerceptron
    >>> X, y = [[0, 1], [1, 0], [2, 3], [3, 2]], [0, 0, 1, 1]
    >>> MorphologicalPerceptron().fit(X, y).predict([[0, 0], [4, 1]])
    array([0, 1])
    """

    __module__ = "rdep"

    _parameter_constraints = {
        **BaseTrainedClassifier._parameter_constraints,
        "operator": [StrOptions(set(OPERATORS))],
    }

    def __init__(
        self,
        operator="dilation",
        *,
        C=0.001,
        weighting=None,
        reference="extreme",
        margin=0.5,
        ignore_constant=True,
        monotonic_cst=None,
        class_weight=None,
        escape=True,
        n_init=1,
        solver="descent",
        max_iter=500,
        tol=0.0,
        random_state=None,
    ):
        self.operator = operator
        self.C = C
        self.weighting = weighting
        self.reference = reference
        self.margin = margin
        self.ignore_constant = ignore_constant
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.escape = escape
        self.n_init = n_init
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @classmethod
    def paper(cls, operator="dilation", **parameters):
        """Create the perceptron with the paper's parameters, independent of the defaults.

        Parameters
        ----------
        operator : {"dilation", "erosion"}, default="dilation"
            The operator whose sign decides.
        **parameters
            Parameters that replace those of the paper. ``margin=0`` is exactly the paper's problem.

        Returns
        -------
        MorphologicalPerceptron
        """
        return cls(operator, **{**PAPER_TRAINING, **parameters})

    def _fit_binary(self, X, y, sample_weight):
        signs = self._signs(y)
        self._orient(X, signs, sample_weight)
        samples = self._samples(self._oriented(X), signs, sample_weight)
        self._set_prior(X, signs, sample_weight, samples.spread)
        procedure = self._procedure(self._seed())
        self.result_ = self._train(samples, self.operator, self.reference, procedure)
        self.weights_ = self.result_.weights
        self.n_iter_ = self.result_.n_iter
        weights = self.weights_[samples.used]
        classes = (samples.negatives, samples.positives)
        warn_if_degenerate(self, samples, *(self._operate(part.rows, weights) for part in classes))

    def _operate(self, rows, weights):
        return (dilated if self.operator == "dilation" else eroded)(rows, weights)

    def _decide(self, X):
        values = self._operate(self._oriented(X), self.weights_)
        return np.where(np.isfinite(values), values, self.prior_)

    def _fitted_operators(self):
        return FittedOperators(
            title=self._title(f"{self.n_features_in_} features"),
            classes=tuple(self.classes_.tolist()),
            names=feature_names(self),
            features=self.features_,
            orientation=self.orientation_,
            weights={self.operator: self.weights_},
            beta=1.0 if self.operator == "dilation" else 0.0,
            results={self.operator: self.result_},
            margin=self.margin,
            weighting=self.weighting,
            prior=self.prior_,
            missing=self.missing_,
        )

    def certify(self, X, y, sample_weight=None, *, time_limit=60.0, gap=0.0):
        """Bound the distance of the fit from the global optimum.

        One and two features are searched exactly. Three to ten features are searched by branch and
        bound, which starts from the fit. With more features a few steps give a bound. Press Ctrl-C
        to end the search: the certificate holds what is proven by then, and its ``status`` says so.

        Parameters
        ----------
        X, y, sample_weight
            Samples, classes and weights that were given to ``fit``.
        time_limit : float, default=60.0
            Maximum time in seconds. After it, the certificate holds the best bound found.
        gap : float, default=0.0
            The search ends once the best objective found is proven to be at most this fraction
            above the optimum.

        Returns
        -------
        OptimalityCertificate
        """
        self._check_binary("certify")
        return self._certify(
            X, y, sample_weight, self.result_, self.operator, self.reference, time_limit, gap
        )
