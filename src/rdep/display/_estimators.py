"""What displays need to know of a fitted estimator."""

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
    """What a display shows of an estimator: its two classes, or one of more against the rest."""

    estimator: Any  # fitted on two classes
    classes: NDArray  # all that there are
    label: Any = None  # the one of more than two

    @property
    def fitted(self) -> FittedOperators:
        """What was learned."""
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
    """What a display shows, if the estimator is fitted and of a kind to be drawn."""
    check_kind(estimator, display, kind, but_not)
    classes = estimator.classes_
    if len(classes) == 2:
        if class_of_interest is not None:
            raise ValueError(
                f"class_of_interest is for more than two classes, there are {classes.tolist()}"
            )
        return Shown(estimator, classes)
    # A list of labels, as "None in classes" is an elementwise comparison.
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
    """An error where the estimator is not fitted, or not of a kind that a display draws."""
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
    """Samples as the estimator sees them."""
    if issparse(X):
        raise ValueError("displays need dense samples, X is sparse: pass X.toarray()")
    X = validate_samples(estimator, X)
    return check_array(X, dtype=np.float64) if is_frame(X) else X


def as_given(X: Array, given: Any) -> Any:
    """As a frame of the same library and columns where the user gave one, otherwise as it is."""
    return type(given)(dict(zip(given.columns, X.T, strict=True))) if is_frame(given) else X


@singledispatch
def samples_of_operators(estimator: OperatorClassifier, X) -> Array:
    """Samples in the space in which the operators are."""
    return samples_of(estimator, X)


@samples_of_operators.register
def _(estimator: RDEPClassifier, X) -> Array:
    return estimator.reduced_space(X)


def on_plane(plane: Plane, fitted: FittedOperators) -> PlaneDEP:
    """The operators where all features but two are those of the plane."""
    if len(fitted.features) != len(fitted.names):
        raise ValueError(
            "a box bounded on both sides of a feature cannot be drawn exactly: "
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
    """The decision boundary as lines, where it can be computed; None asks for a grid."""
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
