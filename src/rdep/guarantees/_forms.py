"""Fitted classifiers as expressions, by kind of classifier."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

from .._base._record import FittedOperators
from .._utils._typing import Array, Indices
from ..hyperboxes import BoxClassifier, BoxScoreClassifier, CompetitiveClassifier
from ..inspection import OperatorClassifier
from ..orderings import FeatureOrdering
from ..perceptrons import LinearDEPClassifier, RDEPClassifier
from ._expressions import Affine, Decision, Expression, Extreme, Score, Separable, Sum

_KNOWN = (
    "DEPClassifier, DEPClassifierCV, MorphologicalPerceptron, LinearDEPClassifier, "
    "RitterSussnerClassifier, BoxScoreClassifier, CompetitiveClassifier, DendriteClassifier (a "
    "bound), RDEPClassifier, and a Pipeline of scalers that ends in one of them"
)


class NoCertificateError(TypeError, ValueError):
    """No certificate is known for a model: a TypeError, and a ValueError in its words."""

    __module__ = "rdep.guarantees"


def no_certificate(what: str) -> NoCertificateError:
    """Error that names what has no certificate, and what has one."""
    return NoCertificateError(f"no certificate for {what}; there is one for {_KNOWN}")


@singledispatch
def decision_of(model: Any) -> Decision | None:
    """Return the decision of a fitted classifier; None if only a bound of its radii is known."""
    what = f"the class {model.__name__}: pass a fitted model" if isinstance(model, type) else None
    raise no_certificate(what or f"a {type(model).__name__}")


def _of_classes(
    model: Any, binary: Callable[[Any], tuple[Expression, float] | None]
) -> Decision | None:
    """The decision between two classes, or of one against the rest for each of several."""
    parts = [model] if len(model.classes_) == 2 else model.estimators_
    found = []
    for part in parts:
        value = binary(part)
        if value is None:
            return None
        found.append(value)
    if len(model.classes_) == 2:
        return Decision((found[0][0],), found[0][1])
    return Decision(tuple(value for value, _ in found))


@decision_of.register
def _(model: OperatorClassifier) -> Decision | None:
    def binary(part: Any) -> tuple[Expression, float]:
        fitted = part._fitted_operators()
        return of_operators(fitted, fitted.features, fitted.orientation), 0.0

    return _of_classes(model, binary)


@decision_of.register
def _(model: RDEPClassifier) -> Decision | None:
    def binary(part: Any) -> tuple[Expression, float] | None:
        if not isinstance(part.dep_, OperatorClassifier):
            raise no_certificate(f"an RDEPClassifier whose dep is a {type(part.dep_).__name__}")
        if not isinstance(part.ordering_, FeatureOrdering):
            return None
        fitted = part._fitted_operators()
        ordering = part.ordering_.as_features()
        slopes = ordering.signs[fitted.features] * fitted.orientation
        features = ordering.features[fitted.features]
        shifts = np.zeros(len(slopes))
        if part.input_scaler_ is not None:
            shifts = -slopes * (part.input_scaler_.mean_ / part.input_scaler_.scale_)[features]
            slopes = slopes / part.input_scaler_.scale_[features]
        if part.ordering_scaler_ is not None:
            mean, scale = (
                getattr(part.ordering_scaler_, name)[fitted.features]
                for name in ("mean_", "scale_")
            )
            shifts = (shifts - fitted.orientation * mean) / scale
            slopes = slopes / scale
        form = of_operators(fitted, features, slopes, shifts, part.n_features_in_)
        # Values this close to zero count as zero.
        return form, -part.rounding_ if part._zero_is_positive() else part.rounding_

    return _of_classes(model, binary)


@decision_of.register
def _(model: LinearDEPClassifier) -> Decision | None:
    def binary(part: Any) -> tuple[Expression, float]:
        above = Affine(part.dilation_coef_, part.dilation_intercept_)
        below = Affine(part.erosion_coef_, part.erosion_intercept_)
        return Sum((Extreme(True, above), Extreme(False, below))), 0.0

    return _of_classes(model, binary)


@decision_of.register
def _(model: BoxScoreClassifier) -> Decision | None:
    def binary(part: Any) -> tuple[Expression, float]:
        return Score(part.coef_, part.intercept_, part.boxes_, part.box_coef_), 0.0

    return _of_classes(model, binary)


@decision_of.register
def _(model: CompetitiveClassifier) -> Decision | None:
    if any(len(boxes) == 0 for boxes in model.boxes_):
        return None
    return Decision(tuple(_depth(boxes) for boxes in model.boxes_))


@decision_of.register
def _(model: BoxClassifier) -> Decision | None:
    return None


def _depth(boxes: Array) -> Extreme:
    """Depth in a union of boxes: a maximum over boxes of the smallest distance to a face."""
    parts = []
    unit = np.eye(boxes.shape[2])
    for lower, upper in boxes:
        low, high = np.isfinite(lower), np.isfinite(upper)
        faces = Affine(
            np.vstack([unit[low], -unit[high]]), np.concatenate([-lower[low], upper[high]])
        )
        parts.append(Extreme(False, faces))
    return Extreme(True, parts)


def of_operators(
    fitted: FittedOperators,
    features: Indices,
    slopes: Array,
    shifts: Array | None = None,
    n_features: int | None = None,
) -> Expression:
    """β δ + (1 − β) ε as functions of one feature each; coordinates that take no part are left out.

    A coordinate is the slope times the feature, plus the shift.
    """
    shifts = np.zeros(len(slopes)) if shifts is None else shifts
    found: list[tuple[Indices, Array, Array]] = []
    for operator, share in (("dilation", fitted.beta), ("erosion", 1 - fitted.beta)):
        weights = fitted.weights.get(operator)
        if weights is None or share == 0:
            used = np.zeros(len(slopes), dtype=bool)
            weights = np.zeros(len(slopes))
        else:
            used = np.isfinite(weights)
        found.append((features[used], share * slopes[used], share * (weights + shifts)[used]))
    above, below = found
    form = Separable(
        (above[0], below[0]),
        (above[1], below[1]),
        (above[2], below[2]),
        len(fitted.names) if n_features is None else n_features,
    )
    # A feature twice in the same direction: a DEP on a user's own ordering of features.
    twice = any(
        len(np.unique(np.column_stack([of, np.sign(slope)]), axis=0)) < len(of)
        for of, slope, _ in found
    )
    return form.general() if twice else form


def affine_steps(model: Any, n_features: int) -> tuple[Array, Array]:
    """Positive factors and shifts by which the scalers of a pipeline change the features."""
    factor, shift = np.ones(n_features), np.zeros(n_features)
    for name, step in model.steps[:-1] if isinstance(model, Pipeline) else ():
        if step is None or step == "passthrough":
            continue
        own, add = np.ones(n_features), np.zeros(n_features)
        if isinstance(step, StandardScaler | RobustScaler):
            centre = step.mean_ if isinstance(step, StandardScaler) else step.center_
            own = own if step.scale_ is None else 1 / step.scale_
            add = -centre * own if _centres(step) else add
        elif isinstance(step, MinMaxScaler) and not step.clip:
            own, add = step.scale_, step.min_
        elif isinstance(step, MaxAbsScaler) and not getattr(step, "clip", False):
            own = 1 / step.scale_
        else:
            raise no_certificate(
                f"a Pipeline with the step {name!r} ({type(step).__name__}), which is no scaler of "
                "single features"
            )
        factor, shift = factor * own, shift * own + add
    return factor, shift


def _centres(step: StandardScaler | RobustScaler) -> bool:
    return step.with_mean if isinstance(step, StandardScaler) else step.with_centering
