"""What classifiers trained by the convex-concave procedure share: parameters, fits, warnings."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from .._base._orientation import growth_signs, orientation
from .._base._validation import NON_NEGATIVE, check_weights, validate_samples
from .._utils._sklearn_estimators import Interval, StrOptions
from .._utils._typing import Array
from ..exceptions import DegenerateFitWarning, warn_caller
from ..inspection import OperatorClassifier
from ..training import (
    AUTO,
    ITERATION_LIMIT,
    REFERENCES,
    SOLVERS,
    WEIGHTINGS,
    AffineResult,
    ClassSamples,
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
    Strength of the regularisation towards the reference. It multiplies the *penalty*: greater is
    stiffer, the reverse of an SVC's C. With 0 there is none.

weighting : "distance" or None, default=None
    Weights :math:`\\nu` of the samples: None gives all the same; "distance", as in the paper, gives
    less weight to samples far from the mean of their class.

reference : {"extreme", "mean", "opposite", "zero"} or array-like, default="extreme"
    The vector r of the regularisation. ``"extreme"`` is the paper's: minus the supremum of the
    negatives for a dilation, minus the infimum of the positives for an erosion. ``"mean"`` takes
    the mean of the same class, ``"opposite"`` its other extreme, ``"zero"`` the origin. An array
    holds the vector itself (a pair of arrays, for w and for m, where both operators are trained)
    and refers to the features as ``monotonic_cst`` orients them.

margin : float, default=0.5
    Margin, in units of feature spread (the root mean square of the features' standard
    deviations). 0 is the paper to the letter: samples may then lie exactly on the decision
    boundary.

ignore_constant : bool, default=True
    Whether features that have the same value in all training samples take no part: their weights
    are −∞ in the dilation and +∞ in the erosion. With False, as in the paper, such a feature can
    bring every sample to the decision boundary at almost no loss.

monotonic_cst : "auto", array-like of +1 and −1, dict or None, default=None
    The decision value is increasing in features of +1 and decreasing in those of −1; None means
    increasing in all. ``"auto"`` takes for each feature the sign of the difference of the class
    means. A dict maps feature names to signs.
"""

PROCEDURE_PARAMETERS = """
escape : bool, default=True
    Whether to leave critical points of the procedure by global searches along each coordinate. The
    paper does not. With more than 20,000 distinct samples the searches take place on a subsample,
    at most 10,000 evenly spaced samples of each class; from its end training descends on all
    samples without further searches.

n_init : int or "auto", default=1
    Number of starts: the reference, then random ones. The lowest objective wins. With ``"auto"``,
    which depends on no chance, five descents with escapes on a subsample (every k-th sample of a
    class with more than 1000 distinct ones) find the point from which training on all samples
    starts.

solver : {"descent", "highs", "global"}, default="descent"
    How the objective is minimised: by the convex-concave procedure, whose steps are minimised by
    exact set descent or, with "highs", by SciPy's HiGHS as linear programmes (slow). Or with
    "global", for one or two features, by an exact search for the global minimum, whose time grows
    with the square of the number of samples.

max_iter : int, default=500
    Maximum number of steps of the convex-concave procedure for each start. With more than 20,000
    distinct samples and ``escape`` a step is a descent to its end in a cube around the point.

tol : float, default=0.0
    Relative decrease of a step below which training stops early, with the status "tolerance". With
    0 it stops only where no step descends.
"""


# More of the samples than this on the wrong side, next to the boundary, are worth a warning.
_LARGE_SHARE = 0.1
# Next to the boundary, relative to the features' ranges: far beyond the paper's margin.
_NEXT = 1e-4
# Parameters with which flags and other discrete features bring no samples to the boundary.
_RESISTANT: dict[str, Any] = {
    "margin": 0.5,
    "weighting": None,
    "beta_loss": "margin_hinge",
    "escape": True,
}

# The paper's, but for a margin that makes its inequalities strict.
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
    """A classifier whose operators are trained by the convex-concave procedure."""

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

    def _orient(self, X: Array, signs: Array, sample_weight: Array | None) -> Array:
        names = getattr(self, "feature_names_in_", None)
        return orientation(self.monotonic_cst, X, signs, sample_weight, names)

    def _oriented(self, X: Array) -> Array:
        # Mostly nothing is negated, and a copy of all samples spared.
        return X if (self.orientation_ > 0).all() else X * self.orientation_

    def _seed(self, needed: bool = False) -> int:
        """Of the random starts, or of what else needs one."""
        if not needed and self.n_init in (1, AUTO):
            return 0  # leave the user's generator alone
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _objective(self, reference, n_features: int) -> Objective:
        if not isinstance(reference, str):
            reference = np.asarray(reference, dtype=float)
            if reference.shape != (n_features,) or not np.isfinite(reference).all():
                raise ValueError(
                    f"a reference vector must hold one finite number for each of the {n_features} "
                    f"features, got shape {reference.shape}"
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
        warn_if_not_converged(result, f"convex-concave procedure of the {operator}", self.max_iter)
        return result

    def _certify(
        self, X, y, sample_weight, result: TrainingResult, operator: str, reference, time_limit
    ) -> OptimalityCertificate:
        X, y = self._validate_again(X, y)
        if sample_weight is not None:
            sample_weight = check_weights(sample_weight, X)
        samples = self._samples(self._oriented(X), self._signs(y), sample_weight)
        objective = self._objective(reference, X.shape[1])
        problem = DilationProblem.from_training_set(samples, operator, objective)
        certificate = certify_globally(problem, result.weights, time_limit)
        if not np.isclose(certificate.objective, result.objective, rtol=1e-6):
            raise ValueError(
                "these are not the samples and weights of the fit: the objective on them is "
                f"{certificate.objective:.6g}, that of the fit was {result.objective:.6g}"
            )
        return certificate

    def _validate_again(self, X, y):
        X = validate_samples(self, X)
        y = np.asarray(y)
        if len(y) != len(X) or not np.array_equal(np.unique(y), self.classes_):
            raise ValueError(
                "certify needs the samples and classes of the fit: y has another length than X, "
                f"or other classes than {self.classes_.tolist()}"
            )
        return X, y

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # unless the features grow with the classes
        return tags


def warn_if_not_converged(
    result: TrainingResult | JointResult | AffineResult, procedure: str, max_iter: int
) -> None:
    if result.status == ITERATION_LIMIT:
        warn_caller(
            f"the {procedure} met its limit of max_iter={max_iter} steps and is still descending; "
            "raise max_iter (or tol, to stop earlier on purpose)",
            ConvergenceWarning,
        )


def warn_if_degenerate(
    classifier: Any, samples: TrainingSet, negatives: Array, positives: Array
) -> None:
    """Warn if the decision values of the training samples say that the fit is of little use."""
    warning = degenerate_fit(classifier, samples, negatives, positives)
    if warning is not None:
        warn_caller(warning)


def degenerate_fit(
    classifier: Any, samples: TrainingSet, negatives: Array, positives: Array
) -> DegenerateFitWarning | None:
    """The warning, if the decision values of both classes give a reason for one."""
    classes = (samples.negatives, samples.positives)
    wrong = (negatives >= 0, positives < 0)
    least = np.minimum(*(part.least for part in classes))
    greatest = np.maximum(*(part.greatest for part in classes))
    # All features count here, also those without any range, which may take no part.
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
    """What can help and is not so already."""
    settings = {
        name: value for name, value in _RESISTANT.items() if not _is_so(classifier, name, value)
    }
    rows = np.vstack([part.rows for part in classes])
    weights = np.concatenate([part.weights for part in classes])
    signs = np.repeat([-1.0, 1.0], [len(part.rows) for part in classes])
    if (growth_signs(rows, signs, weights) < 0).any():
        settings["monotonic_cst"] = "auto"
    return settings


def _is_so(classifier: Any, name: str, value: Any) -> bool:
    given = getattr(classifier, name, value)
    return given >= value if name == "margin" else given == value
