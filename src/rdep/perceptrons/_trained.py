"""Shared base of classifiers trained by the convex-concave procedure."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from .._base._missing import has_missing, in_place_of_missing
from .._base._orientation import both_ways, growth_signs, orientation
from .._base._record import oriented
from .._base._validation import NON_NEGATIVE, check_weights, validate_samples
from .._utils._sklearn_estimators import Interval, StrOptions
from .._utils._typing import Array, Indices
from ..exceptions import DegenerateFitWarning, warn_caller
from ..inspection import OperatorClassifier
from ..lattice import dilation, erosion
from ..training import (
    AUTO,
    INTERRUPTED,
    ITERATION_LIMIT,
    REFERENCES,
    SOLVERS,
    WEIGHTINGS,
    AffineResult,
    ClassSamples,
    DEPRegressionResult,
    DilationProblem,
    JointResult,
    Objective,
    OptimalityCertificate,
    Procedure,
    TrainingResult,
    TrainingSet,
    certify_globally,
    train,
)

OBJECTIVE_PARAMETERS = """
C : float, default=0.001
    Regularization parameter. It multiplies the penalty, which draws the weights towards the
    reference: a larger C means stronger regularization, the reverse of an SVC's C. 0 means no
    penalty.

weighting : "distance" or None, default=None
    Weights :math:`\\nu` of the samples. None gives all samples the same weight; "distance", as in
    the paper, gives less weight to samples far from the mean of their class.

reference : {"extreme", "mean", "opposite", "zero"} or array-like, default="extreme"
    The vector r of the penalty. ``"extreme"`` is the paper's: minus the supremum of the
    negatives for a dilation, minus the infimum of the positives for an erosion. ``"mean"`` uses
    the mean of the same class, ``"opposite"`` its other extreme, ``"zero"`` the origin. An array
    is the vector itself; if both operators are trained, give a pair of arrays, for w and for m.
    It refers to the coordinates, which are features oriented by ``monotonic_cst``.

margin : float, default=0.5
    Margin, in units of feature spread (the root mean square of the features' standard
    deviations). With 0, as in the paper, samples may lie exactly on the decision boundary.

ignore_constant : bool, default=True
    Whether to ignore features that have the same value in all training samples. Their weights
    are −∞ in the dilation and +∞ in the erosion. With False, as in the paper, a constant feature
    can bring every sample to the decision boundary at almost no loss.

monotonic_cst : "auto", array-like of +1, −1 and 0, dict or None, default=None
    Signs of the features: the decision value is increasing in features with +1 and decreasing in
    features with −1. Features with 0 are free: each becomes two coordinates, x and −x, or one with
    a learned sign if it has two values. None means increasing in all. ``"auto"`` uses the sign of
    the difference of the class means. A dict maps feature names to signs; the others are
    increasing.
"""

PROCEDURE_PARAMETERS = """
escape : bool, default=True
    Whether to leave critical points of the procedure by global searches along each coordinate. The
    paper does not. With more than 20,000 distinct samples, the searches use a subsample of at most
    10,000 evenly spaced samples of each class. Training then descends on all samples, without
    further searches.

n_init : int or "auto", default=1
    Number of starts: the reference, then random points. The lowest objective wins. ``"auto"``
    finds one start by five descents with escapes on a subsample (every k-th sample of each class
    with more than 1000 distinct samples). It is deterministic.

solver : {"descent", "highs", "global"}, default="descent"
    Solver of the training problem. "descent" and "highs" use the convex-concave procedure; its
    steps are solved by exact set descent, or as linear programmes by SciPy's HiGHS (slow).
    "global", for at most ten features, searches for the global minimum and proves it, or bounds
    the distance to it. One or two features are searched exactly, in a time that grows with the
    square of the number of samples. More features are searched by branch and bound: three to five
    take seconds for some hundreds of samples, ten may reach ``max_iter`` first.

max_iter : int, default=500
    Maximum number of steps of the convex-concave procedure for each start. With ``escape`` and
    more than 20,000 distinct samples, a step is a complete descent in a cube around the point. With
    ``solver="global"``, a step of branch and bound halves up to 256 boxes.

tol : float, default=0.0
    Training stops early, with the status "tolerance", if the relative decrease of a step is below
    ``tol``. With 0 it stops only if no step descends. With ``solver="global"`` it stops if the
    objective is at most the fraction ``tol`` above the optimum.
"""

COORDINATES = """
features_ : ndarray of shape (n_coordinates,)
    Index of the feature behind each coordinate. The first n_features coordinates are the
    features; more are the negatives of free features, see ``monotonic_cst``.
orientation_ : ndarray of shape (n_coordinates,)
    Sign by which the feature of each coordinate is multiplied: +1 or −1.
prior_ : float
    Decision value of a sample without any value: the logarithm of the ratio of the classes'
    weights, positive to negative, in units of feature spread. The weights are those of such
    training samples, plus a hundredth of all.
missing_ : bool
    Whether training samples had missing values.
"""

# Warn if more than this share of the samples is next to the boundary, on the wrong side.
_LARGE_SHARE = 0.1
# Share of all training samples that is added to those without any value for their prior.
_ALL = 0.01
# Classes are balanced if the logarithm of the ratio of their weights is rounding.
_EVEN = 1e-9
# Distance that counts as next to the boundary, relative to the features' ranges: far beyond the
# paper's margin.
_NEXT = 1e-4
# Parameters that keep flags and other discrete features from bringing samples to the boundary.
_RESISTANT: dict[str, Any] = {
    "margin": 0.5,
    "weighting": None,
    "beta_loss": "margin_hinge",
    "escape": True,
}

# The paper's parameters, except for a margin that makes its inequalities strict.
PAPER_TRAINING = {
    "C": 0.01,
    "weighting": "distance",
    "reference": "extreme",
    "margin": 1e-6,
    "ignore_constant": False,
    "monotonic_cst": None,
    "class_weight": None,
    "escape": False,
    "n_init": 1,
    "solver": "descent",
    "max_iter": 500,
    "tol": 0.0,
    "random_state": None,
}


class BaseTrainedClassifier(OperatorClassifier):
    """Base of classifiers whose operators are trained by the convex-concave procedure."""

    features_: Indices
    orientation_: Array

    _parameter_constraints = {
        "C": [NON_NEGATIVE],
        "weighting": [StrOptions(set(WEIGHTINGS)), None],
        "reference": [StrOptions(set(REFERENCES)), "array-like"],
        "margin": [NON_NEGATIVE],
        "ignore_constant": ["boolean"],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "monotonic_cst": [StrOptions({"auto"}), "array-like", dict, None],
        "escape": ["boolean"],
        "n_init": [Interval(Integral, 1, None, closed="left"), StrOptions({AUTO})],
        "solver": [StrOptions(set(SOLVERS))],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [NON_NEGATIVE],
        "random_state": ["random_state"],
    }

    def _signs(self, y: NDArray) -> Array:
        return np.where(y == self.classes_[1], 1.0, -1.0)

    def _samples(self, oriented: Array, signs: Array, sample_weight: Array | None) -> TrainingSet:
        return TrainingSet.from_samples(
            oriented, signs, sample_weight, self._class_costs(), self.ignore_constant
        )

    def _orient(self, X: Array, signs: Array, sample_weight: Array | None) -> None:
        """Set the coordinates: the feature and the sign of each."""
        names = getattr(self, "feature_names_in_", None)
        of_features = orientation(self.monotonic_cst, X, signs, sample_weight, names)
        self.features_, self.orientation_ = both_ways(of_features, X, signs, sample_weight)

    def _oriented(self, X: Array) -> Array:
        return oriented(X, self.features_, self.orientation_)

    def _set_prior(self, X: Array, signs: Array, sample_weight: Array | None, spread: float):
        """Set the decision value of samples without any value, from the weights of the classes."""
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        by_class = np.array([weights * (signs < 0), weights * (signs > 0)])
        self.missing_ = has_missing(X)
        without = by_class @ np.isnan(X).all(axis=1) if self.missing_ else 0.0
        self._set_prior_from(by_class.sum(axis=1), without, spread)

    def _set_prior_from(self, by_class: Array, without: Array | float, spread: float) -> None:
        """Set it from the weight of each class, and from that of its samples without a value."""
        balanced = self.class_weight == "balanced"
        costs = 1 / by_class if balanced else np.array(self._class_costs())
        totals = costs * (without + _ALL * by_class)
        ratio = float(np.log(totals[1] / totals[0]))
        self.prior_ = spread * ratio if abs(ratio) > _EVEN else 0.0

    def _seed(self, needed: bool = False) -> int:
        """Draw a seed for random starts, or if another part needs one."""
        if not needed and self.n_init in (1, AUTO):
            return 0  # leave the user's generator alone
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _objective(self, reference, n_features: int) -> Objective:
        if not isinstance(reference, str):
            reference = np.asarray(reference, dtype=float)
            if reference.shape != (n_features,) or not np.isfinite(reference).all():
                raise ValueError(
                    f"a reference vector must have one finite number for each of the {n_features} "
                    f"coordinates, got shape {reference.shape}"
                )
        return Objective(self.C, self.weighting, reference, self.margin)

    def _procedure(self, seed: int = 0, start: Array | None = None) -> Procedure:
        return Procedure(
            solver=self.solver,
            max_iter=self.max_iter,
            tol=self.tol,
            escape=self.escape,
            start=start,
            n_init=self.n_init,
            seed=seed,
        )

    def _train(
        self, samples: TrainingSet, operator: str, reference, procedure: Procedure
    ) -> TrainingResult:
        objective = self._objective(reference, len(samples.used))
        result = train(samples, operator, objective, procedure)
        if result.certified_by == "global search":
            warn_if_not_proven(result, operator)
        else:
            procedure_of = f"convex-concave procedure of the {operator}"
            warn_if_not_converged(result, procedure_of, self.max_iter)
        return result

    def _certify(
        self, X, y, sample_weight, result: TrainingResult, operator: str, reference, *limits: float
    ) -> OptimalityCertificate:
        X, y = self._validate_again(X, y)
        if sample_weight is not None:
            sample_weight = check_weights(sample_weight, X)
        samples = self._samples(self._oriented(X), self._signs(y), sample_weight)
        objective = self._objective(reference, len(samples.used))
        problem = DilationProblem.from_training_set(samples, operator, objective)
        given = problem.at(problem.point(result.weights)).objective * problem.unit
        if not np.isclose(given, result.objective, rtol=1e-6):
            raise ValueError(
                "certify needs the samples and weights that were given to fit: on these the "
                f"objective is {given:.6g}, in the fit it was {result.objective:.6g}"
            )
        return certify_globally(problem, result.weights, *limits)

    def _validate_again(self, X, y):
        X = validate_samples(self, X)
        y = np.asarray(y)
        if len(y) != len(X) or not np.array_equal(np.unique(y), self.classes_):
            raise ValueError(
                "certify needs the samples and classes that were given to fit: y has another "
                f"length than X, or other classes than {self.classes_.tolist()}"
            )
        return X, y

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # unless the features grow with the classes
        tags.input_tags.allow_nan = True
        return tags


def dilated(X: Array, w: Array) -> Array:
    """Dilation, in which missing values take no part: −∞ for a sample without any value."""
    return dilation(in_place_of_missing(X, -np.inf), w)


def eroded(X: Array, m: Array) -> Array:
    """Erosion, in which missing values take no part: +∞ for a sample without any value."""
    return erosion(in_place_of_missing(X, np.inf), m)


def warn_if_not_converged(
    result: TrainingResult | JointResult | AffineResult | DEPRegressionResult,
    procedure: str,
    max_iter: int,
) -> None:
    if result.status == ITERATION_LIMIT:
        warn_caller(
            f"the {procedure} reached max_iter={max_iter} steps and is still descending; "
            "increase max_iter, or increase tol to stop earlier",
            ConvergenceWarning,
        )


def warn_if_not_proven(result: TrainingResult, operator: str) -> None:
    if result.status in (ITERATION_LIMIT, INTERRUPTED):
        warn_caller(
            f"the global search of the {operator} ended after {result.n_iter} steps ("
            f"{result.status}): the optimum is at most {result.certificate / result.objective:.2%} "
            "below the objective; increase max_iter, or set tol to the gap that is enough",
            ConvergenceWarning,
        )


def warn_if_degenerate(
    classifier: Any, samples: TrainingSet, negatives: Array, positives: Array
) -> None:
    """Warn if the decision values of the training samples show a degenerate fit."""
    warning = degenerate_fit(classifier, samples, negatives, positives)
    if warning is not None:
        warn_caller(warning)


def degenerate_fit(
    classifier: Any, samples: TrainingSet, negatives: Array, positives: Array
) -> DegenerateFitWarning | None:
    """Return a warning if the decision values of both classes show a degenerate fit."""
    classes = (samples.negatives, samples.positives)
    wrong = (negatives >= 0, positives < 0)
    least = np.minimum(*(part.least for part in classes))
    greatest = np.maximum(*(part.greatest for part in classes))
    # All features count here, including ignored features without any range.
    next_to = _NEXT * float((greatest / 2 - least / 2).sum() / len(samples.used))
    at_boundary = sum(
        part.weights @ (is_wrong & (np.abs(values) <= next_to))
        for part, is_wrong, values in zip(classes, wrong, (negatives, positives), strict=True)
    ) / sum(part.weights.sum() for part in classes)
    trouble = []
    for label, alone in zip(
        classifier.classes_.tolist(),
        (not wrong[0].any() and wrong[1].all(), wrong[0].all() and not wrong[1].any()),
        strict=True,
    ):
        if alone:
            trouble.append(f"every training sample is predicted as class {label!r}")
    if at_boundary > _LARGE_SHARE:
        # With fractional weights this is a share of the total weight, not of the samples.
        counted = " (by weight)" if any((part.weights % 1).any() for part in classes) else ""
        trouble.append(
            f"{at_boundary:.0%} of the training samples{counted} lie next to the decision "
            "boundary, on its wrong side"
        )
    if not trouble:
        return None
    return DegenerateFitWarning(" and ".join(trouble), _advice(classifier, classes))


def _advice(classifier: Any, classes: tuple[ClassSamples, ClassSamples]) -> dict[str, Any]:
    """Parameters that can help and are not set yet."""
    settings = {
        name: value for name, value in _RESISTANT.items() if not _is_so(classifier, name, value)
    }
    rows = np.vstack([part.rows for part in classes])
    weights = np.concatenate([part.weights for part in classes])
    signs = np.repeat([-1.0, 1.0], [len(part.rows) for part in classes])
    has_free = len(classifier.features_) > classifier.n_features_in_
    if not has_free and (growth_signs(rows, signs, weights) < 0).any():
        settings["monotonic_cst"] = "auto"
    return settings


def _is_so(classifier: Any, name: str, value: Any) -> bool:
    given = getattr(classifier, name, value)
    return given >= value if name == "margin" else given == value
