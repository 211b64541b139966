"""The morphological perceptron: the sign of one dilation or of one erosion."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from ._sklearn import Interval, StrOptions
from ._typing import Array
from .base import (
    SignClassifier,
    check_weights,
    class_costs,
    feature_names,
    warn_if_degenerate,
    warn_if_not_converged,
)
from .lattice import dilation, erosion
from .orientation import orientation, signs_by_name
from .summary import FittedOperators
from .training import (
    OPERATORS,
    REFERENCES,
    SOLVERS,
    WEIGHTINGS,
    OptimalityCertificate,
    TrainingResult,
    TrainingSet,
    certify_globally,
    dilation_problem,
    train,
)

__all__ = ["MorphologicalPerceptron"]

# Infinity as an open end excludes infinity itself.
NON_NEGATIVE = Interval(Real, 0, np.inf, closed="left")


class TrainedOperators(SignClassifier):
    """A classifier whose operators are trained by the convex-concave procedure."""

    orientation_: Array

    _parameter_constraints = {
        "C": [NON_NEGATIVE],
        "weighting": [StrOptions(set(WEIGHTINGS)), None],
        "reference": [StrOptions(set(REFERENCES)), "array-like"],
        "margin": [NON_NEGATIVE],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "monotonic_cst": [StrOptions({"auto"}), "array-like", dict, None],
        "escape": ["boolean"],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "solver": [StrOptions(set(SOLVERS))],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [NON_NEGATIVE],
        "random_state": ["random_state"],
    }

    def _signs(self, y: NDArray) -> Array:
        return np.where(y == self.classes_[1], 1.0, -1.0)

    def _samples(self, oriented: Array, signs: Array, sample_weight: Array | None) -> TrainingSet:
        return TrainingSet.from_samples(oriented, signs, sample_weight, self._class_costs())

    def _class_costs(self) -> tuple[float, float]:
        if not isinstance(self.class_weight, dict):
            return 1.0, 1.0
        costs = class_costs(self.class_weight, self.classes_)
        return costs[self.classes_[0]], costs[self.classes_[1]]

    def _orient(self, X: Array, signs: Array, sample_weight: Array | None) -> Array:
        names = getattr(self, "feature_names_in_", None)
        return orientation(self.monotonic_cst, X, signs, sample_weight, names)

    def _oriented(self, X: Array) -> Array:
        # Mostly nothing is turned, and a copy of all samples spared.
        return X if (self.orientation_ > 0).all() else X * self.orientation_

    def _seed(self, needed: bool) -> int:
        if not needed:
            return 0  # leave the user's generator alone
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _against_the_rest(self, label, y, sample_weight):
        estimator = super()._against_the_rest(label, y, sample_weight)
        if isinstance(self.monotonic_cst, Mapping):
            names = getattr(self, "feature_names_in_", None)
            estimator.set_params(monotonic_cst=signs_by_name(self.monotonic_cst, names))
        return estimator

    def _train(
        self,
        samples: TrainingSet,
        operator: str,
        reference,
        seed: int,
        start: Array | None = None,
    ) -> TrainingResult:
        result = train(
            samples,
            operator,
            **self._problem_options(reference, samples.negatives.shape[1]),
            escape=self.escape,
            n_init=self.n_init,
            solver=self.solver,
            max_iter=self.max_iter,
            tol=self.tol,
            seed=seed,
            start=start,
        )
        warn_if_not_converged(result, f"convex-concave procedure of the {operator}", self.max_iter)
        return result

    def _certify(
        self, X, y, sample_weight, result: TrainingResult, operator: str, reference, time_limit
    ) -> OptimalityCertificate:
        weights, objective = result.weights, result.objective
        X, y = self._validate_again(X, y)
        if sample_weight is not None:
            sample_weight = check_weights(sample_weight, X)
        samples = self._samples(self._oriented(X), self._signs(y), sample_weight)
        problem = dilation_problem(
            samples, operator, **self._problem_options(reference, X.shape[1])
        )
        certificate = certify_globally(problem, operator, weights, time_limit)
        if not np.isclose(certificate.objective, objective, rtol=1e-6):
            raise ValueError(
                "these are not the samples and weights of the fit: the objective on them is "
                f"{certificate.objective:.6g}, that of the fit was {objective:.6g}"
            )
        return certificate

    def _validate_again(self, X, y):
        X = self._validate(X)
        y = np.asarray(y)
        if len(y) != len(X) or not np.array_equal(np.unique(y), self.classes_):
            raise ValueError(
                "certify needs the samples and classes of the fit: y has another length than X, "
                f"or other classes than {self.classes_.tolist()}"
            )
        return X, y

    def _problem_options(self, reference, n_features: int) -> dict:
        if not isinstance(reference, str):
            reference = np.asarray(reference, dtype=float)
            if reference.shape != (n_features,) or not np.isfinite(reference).all():
                raise ValueError(
                    f"a reference vector must hold one finite number for each of the {n_features} "
                    f"features, got shape {reference.shape}"
                )
        return {
            "C": self.C,
            "weighting": self.weighting,
            "reference": reference,
            "margin": self.margin,
        }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # unless the features grow with the classes
        return tags


class MorphologicalPerceptron(TrainedOperators):
    r"""Classifier by the sign of one dilation or one erosion.

    With ``operator="dilation"`` the decision value is :math:`\delta_w(x) = \max_j (w_j + x_j)`, and
    the perceptron encloses the negative class in :math:`D(w) = \{x : x_j < -w_j\}`; with
    ``operator="erosion"`` it is :math:`\varepsilon_m(x) = \min_j (m_j + x_j)`, and it encloses the
    positive class in :math:`E(m) = \{x : x_j \ge -m_j\}`. The weights minimise, by the
    convex-concave procedure,

    .. math::

        \frac{1}{|N|} \sum_{i \in N} \nu_i [\psi_u(x_i) + \mu]_+
        + \frac{1}{|P|} \sum_{i \in P} \nu_i [\mu - \psi_u(x_i)]_+ + C \lVert u - r \rVert_1 .

    Parameters
    ----------
    operator : {"dilation", "erosion"}, default="dilation"

    C : float, default=0.01
        Strength of the pull towards the reference. It multiplies the *penalty*: greater is stiffer,
        the reverse of an SVC's C. With 0 there is none.

    weighting : "distance" or None, default="distance"
        :math:`\nu`: samples far from their class mean count less, or all count the same.

    reference : {"extreme", "mean", "opposite", "zero"} or array-like, default="extreme"
        r. ``"extreme"`` is the paper's: minus the supremum of the negatives for a dilation, minus
        the infimum of the positives for an erosion. ``"mean"`` takes the mean of the same class,
        ``"opposite"`` its other extreme. An array refers to the features as ``monotonic_cst``
        orients them.

    margin : float, default=1e-6
        :math:`\mu` as a multiple of the root mean square of the features' standard deviations. 0 is
        the paper to the letter: samples may then lie exactly at the boundary.

    monotonic_cst : "auto", array-like of +1 and −1, dict or None, default=None
        The decision value is increasing in features of +1 and decreasing in those of −1; None means
        increasing in all. ``"auto"`` takes the way each feature grows with the positive class. A
        dict maps feature names to signs.

    class_weight : dict, "balanced" or None, default=None
        A dict multiplies each class's loss, and its margin as far as it exceeds the lightest
        class's. The operators' losses are normalised by class in any
        case, so that ``"balanced"`` and None are the same to them.

    escape : bool, default=False
        Leave critical points of the procedure by global searches along each coordinate.

    n_init : int, default=1
        Number of starts: the reference, then random ones. The lowest objective wins.

    solver : {"descent", "highs"}, default="descent"
        Exact set descent, or SciPy's HiGHS on the same subproblems as linear programmes (slow).

    max_iter : int, default=500
        Steps of the convex-concave procedure for every start.

    tol : float, default=1e-12
        Stop when a step lowers the objective by no more than this share of it.

    random_state : int, RandomState instance or None, default=None
        For the random starts.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Of the features as oriented by ``orientation_``.
    orientation_ : ndarray of shape (n_features,)
        +1 or −1, by which each feature is multiplied first.
    result_ : TrainingResult
        What was reached, how, and what certifies it.
    classes_ : ndarray of shape (n_classes,)
    n_iter_ : int
    estimators_ : list of MorphologicalPerceptron
        For more than two classes, in place of the weights: one for each class against the rest.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Where X has feature names that are all strings.

    Examples
    --------
    >>> from rdep import MorphologicalPerceptron
    >>> X, y = [[0, 1], [1, 0], [2, 3], [3, 2]], [0, 0, 1, 1]
    >>> MorphologicalPerceptron().fit(X, y).predict([[0, 0], [4, 1]])
    array([0, 1])
    """

    _parameter_constraints = {
        **TrainedOperators._parameter_constraints,
        "operator": [StrOptions(set(OPERATORS))],
    }

    def __init__(
        self,
        operator="dilation",
        *,
        C=0.01,
        weighting="distance",
        reference="extreme",
        margin=1e-6,
        monotonic_cst=None,
        class_weight=None,
        escape=False,
        n_init=1,
        solver="descent",
        max_iter=500,
        tol=1e-12,
        random_state=None,
    ):
        self.operator = operator
        self.C = C
        self.weighting = weighting
        self.reference = reference
        self.margin = margin
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.escape = escape
        self.n_init = n_init
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _fit_binary(self, X, y, sample_weight):
        signs = self._signs(y)
        self.orientation_ = self._orient(X, signs, sample_weight)
        samples = self._samples(self._oriented(X), signs, sample_weight)
        self.result_ = self._train(
            samples, self.operator, self.reference, self._seed(needed=self.n_init > 1)
        )
        self.weights_ = self.result_.weights
        self.n_iter_ = self.result_.n_iter
        size = np.abs(X).max() + np.abs(self.weights_).max()
        warn_if_degenerate(self._decide(X), signs, self.classes_, sample_weight, size)

    def _decide(self, X):
        operate = dilation if self.operator == "dilation" else erosion
        return operate(self._oriented(X), self.weights_)

    def _fitted_operators(self):
        return FittedOperators(
            title=self._title(f"{self.n_features_in_} features"),
            names=feature_names(self),
            orientation=self.orientation_,
            results={self.operator: self.result_},
            weights={self.operator: self.weights_},
        )

    def certify(self, X, y, sample_weight=None, *, time_limit=60.0):
        """How far the fit is from the global optimum, by a mixed-integer programme.

        For small problems: some hundreds of samples in two or three dimensions.

        Parameters
        ----------
        X, y, sample_weight
            What the perceptron was fitted on.
        time_limit : float, default=60.0
            Seconds. After it the certificate has the best bound known by then.

        Returns
        -------
        OptimalityCertificate
        """
        self._check_binary("certify")
        return self._certify(
            X, y, sample_weight, self.result_, self.operator, self.reference, time_limit
        )
