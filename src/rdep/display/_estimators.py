"""Checks of fitted estimators, and their operators, samples and boundaries for displays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.pipeline import Pipeline
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from .._base._classifier import BaseClassifier
from .._base._missing import has_missing
from .._base._one_vs_rest import SignClassifier
from .._base._record import FittedOperators
from .._base._validation import is_frame, validate_samples
from .._utils._typing import Array
from ..hyperboxes import BoxClassifier
from ..inspection import OperatorClassifier
from ..perceptrons import RDEPClassifier
from ._drawing import LabelledPoints
from ._geometry import PlaneDEP
from ._plane import Plane


@dataclass(frozen=True, eq=False)
class Shown:
    """Estimator of two classes to show: the given one, or that of one class against the rest."""

    estimator: Any  # fitted on two classes
    classes: NDArray  # all classes
    label: Any = None  # class against the rest, if there are more than two

    @property
    def fitted(self) -> FittedOperators:
        """The fitted operators."""
        return self.estimator._fitted_operators()

    def samples(self, points: Array, y) -> LabelledPoints:
        """Samples with their two classes."""
        samples = LabelledPoints.from_samples(points, y, self.classes)
        return samples if len(self.classes) == 2 else samples.against_the_rest(self.label)


def shown_of(
    estimator: Any,
    display: str,
    class_of_interest: Any,
    kind: type[Any] = OperatorClassifier,
    *,
    but_not: tuple[type, ...] = (),
) -> Shown:
    """Check that a display can draw an estimator, and select the class to show."""
    check_kind(estimator, display, kind, but_not)
    classes = estimator.classes_
    if len(classes) == 2:
        if class_of_interest is not None:
            raise ValueError(
                f"class_of_interest is for more than two classes, but they are {classes.tolist()}"
            )
        return Shown(estimator, classes)
    # A list of labels, because "None in classes" compares elementwise.
    if class_of_interest not in classes.tolist():
        problem = "" if class_of_interest is None else f", not {class_of_interest!r}"
        raise ValueError(
            f"{display} shows one class against the rest: pass class_of_interest, one of "
            f"{classes.tolist()}{problem}"
        )
    return Shown(estimator._by_class()[class_of_interest], classes, class_of_interest)


def check_kind(
    estimator: Any, display: str, kind: type[Any], but_not: tuple[type, ...] = ()
) -> None:
    """Raise an error if the estimator is not fitted, or if the display cannot draw its class."""
    if not isinstance(estimator, kind) or isinstance(estimator, but_not):
        if isinstance(estimator, Pipeline):
            hint = "pass its last step, and X as that step sees it: pipeline[:-1].transform(X)"
        elif isinstance(estimator, type):
            hint = "pass a fitted estimator, not its class"
        elif isinstance(estimator, BoxClassifier):
            hint = "BoxesDisplay draws its boxes"
        elif isinstance(estimator, SignClassifier):
            hint = "ReducedSpaceDisplay is for an r-DEP, RegionsDisplay for the others"
        else:
            hint = "BoundariesDisplay draws the decision boundary of any classifier"
        raise TypeError(f"{display} does not draw a {type(estimator).__name__}: {hint}")
    check_is_fitted(estimator)


def samples_of(estimator: BaseClassifier, X) -> Array:
    """Validate samples for an estimator."""
    if issparse(X):
        raise ValueError("displays need dense samples, X is sparse: pass X.toarray()")
    X = validate_samples(estimator, X)
    if not is_frame(X) and has_missing(X):
        raise ValueError("displays need samples without missing values, but X has some: drop them")
    return check_array(X, dtype=np.float64) if is_frame(X) else X


def as_given(X: Array, given: Any) -> Any:
    """Convert to a data frame like ``given`` if that is one; otherwise return ``X`` unchanged."""
    return type(given)(dict(zip(given.columns, X.T, strict=True))) if is_frame(given) else X


@singledispatch
def samples_of_operators(estimator: OperatorClassifier, X) -> Array:
    """Samples in the space of the operators."""
    return samples_of(estimator, X)


@samples_of_operators.register
def _(estimator: RDEPClassifier, X) -> Array:
    return estimator.reduced_space(X)


def on_plane(plane: Plane, fitted: FittedOperators) -> PlaneDEP:
    """Restrict the operators to a plane, with all features but two held fixed."""
    if len(fitted.features) != len(fitted.names):
        raise ValueError(
            "a box that bounds a feature on both sides cannot be drawn exactly: "
            "BoundariesDisplay draws its decision boundary"
        )
    pair, others = list(plane.pair), plane.others
    fixed = plane.at[others] * fitted.orientation[others]
    w, m = fitted.weights.get("dilation"), fitted.weights.get("erosion")
    return PlaneDEP(
        w=None if w is None else w[pair],
        m=None if m is None else m[pair],
        beta=fitted.beta,
        signs=fitted.orientation[pair],
        dilation_floor=-np.inf if w is None else (w[others] + fixed).max(initial=-np.inf),
        erosion_ceiling=np.inf if m is None else (m[others] + fixed).min(initial=np.inf),
    )


@singledispatch
def exact_boundary(estimator: Any, plane: Plane, limits: Array) -> list[Array] | None:
    """The decision boundary as lines, if it is known in closed form; None if it needs a grid."""
    return None


@exact_boundary.register
def _(estimator: OperatorClassifier, plane: Plane, limits: Array) -> list[Array] | None:
    if len(estimator.classes_) > 2:
        return None
    fitted = estimator._fitted_operators()
    if len(fitted.features) != len(fitted.names):
        return None
    line = on_plane(plane, fitted).boundary(limits)
    return [line] if len(line) else []


@exact_boundary.register
def _(estimator: RDEPClassifier, plane: Plane, limits: Array) -> list[Array] | None:
    return None
