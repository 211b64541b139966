"""Fitted classifiers as expressions: maxima, minima and sums of affine functions, and box scores.

Every classifier with an exact radius decides by such an expression. Expressions are bounded between
corners of samples here; elsewhere the nearest sample with a given value is searched for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

from .._base._record import FittedOperators
from .._utils._typing import Array, Indices, Mask
from ..hyperboxes import BoxClassifier, BoxScoreClassifier, CompetitiveClassifier
from ..inspection import OperatorClassifier
from ..orderings import FeatureOrdering
from ..perceptrons import LinearDEPClassifier, RDEPClassifier

# Smallest and largest values.
Range = tuple[Array, Array]
_KNOWN = (
    "DEPClassifier, DEPClassifierCV, MorphologicalPerceptron, LinearDEPClassifier, "
    "RitterSussnerClassifier, BoxScoreClassifier, CompetitiveClassifier, DendriteClassifier (a "
    "bound), RDEPClassifier, and a Pipeline of scalers that ends in one of them"
)


@dataclass(frozen=True, eq=False)
class Affine:
    """Affine functions of the features, one for each row of ``coef``."""

    coef: Array  # (n_functions, n_features)
    intercept: Array  # (n_functions,)

    def ranges(self, low: Array, high: Array) -> Range:
        """Ranges between corners, one pair for each sample, shape (n_samples, n_functions)."""
        rising, falling = np.maximum(self.coef, 0).T, np.minimum(self.coef, 0).T
        least = low @ rising + high @ falling + self.intercept
        return least, high @ rising + low @ falling + self.intercept

    def negated(self) -> Affine:
        """The negatives."""
        return Affine(-self.coef, -self.intercept)

    def minus(self, other: Affine) -> Affine:
        """All differences of a function and one of the others."""
        coef = self.coef[:, None] - other.coef
        intercept = self.intercept[:, None] - other.intercept
        return Affine(coef.reshape(-1, coef.shape[2]), intercept.ravel())


@dataclass(frozen=True, eq=False)
class Extreme:
    """Maximum or minimum of affine functions, or of other expressions."""

    is_maximum: bool
    parts: Affine | Sequence[Extreme]

    def ranges(self, low: Array, high: Array) -> Range:
        """Ranges of the value."""
        extreme = np.max if self.is_maximum else np.min
        if isinstance(self.parts, Affine):
            least, greatest = self.parts.ranges(low, high)
            return extreme(least, axis=1), extreme(greatest, axis=1)
        ends = extreme([part.ranges(low, high) for part in self.parts], axis=0)
        return ends[0], ends[1]


@dataclass(frozen=True, eq=False)
class Sum:
    """A maximum plus a minimum of affine functions."""

    above: Affine
    below: Affine

    def ranges(self, low: Array, high: Array) -> Range:
        """Ranges of the value."""
        least, greatest = Extreme(True, self.above).ranges(low, high)
        lowest, highest = Extreme(False, self.below).ranges(low, high)
        return least + lowest, greatest + highest

    @property
    def is_moving(self) -> bool:
        """Whether some function uses a feature."""
        return bool(self.above.coef.any() or self.below.coef.any())

    def without(self, gaps: Mask) -> Sum | None:
        """The sum without functions of some features; None if it has only one operator left."""
        kept = [~part.coef[:, gaps].any(axis=1) for part in (self.above, self.below)]
        above, below = (
            Affine(part.coef[k], part.intercept[k])
            for part, k in zip((self.above, self.below), kept, strict=True)
        )
        is_left = [
            part.coef.any()
            for part, whole in ((above, self.above), (below, self.below))
            if whole.coef.any()
        ]
        return None if any(is_left) and not all(is_left) else Sum(above, below)

    def negated(self) -> Sum:
        """The negative, whose maximum is the negative of this minimum."""
        return Sum(self.below.negated(), self.above.negated())

    def minus(self, other: Sum) -> Sum:
        """The difference: a maximum of all pairs plus a minimum of all pairs."""
        return Sum(self.above.minus(other.below), self.below.minus(other.above))


@dataclass(frozen=True, eq=False)
class Score:
    """Affine function plus points for every box that holds the sample, faces included."""

    coef: Array  # (n_features,)
    intercept: float
    boxes: Array  # (n_boxes, 2, n_features)
    points: Array  # (n_boxes,)

    def negated(self) -> Score:
        """The negative."""
        return Score(-self.coef, -self.intercept, self.boxes, -self.points)

    def minus(self, other: Score) -> Score:
        """The difference: a score of the boxes of both."""
        return Score(
            self.coef - other.coef,
            self.intercept - other.intercept,
            np.concatenate([self.boxes, other.boxes]),
            np.concatenate([self.points, -other.points]),
        )

    def ranges(self, low: Array, high: Array) -> Range:
        """Ranges of the value if every box counts for itself."""
        line = Affine(self.coef[None], np.array([self.intercept])).ranges(low, high)
        least, greatest = (end[:, 0] for end in line)
        for (lower, upper), points in zip(self.boxes, self.points, strict=True):
            surely = ((low >= lower) & (high <= upper)).all(axis=1)
            maybe = ((high >= lower) & (low <= upper)).all(axis=1)
            least += points * (surely if points > 0 else maybe)
            greatest += points * (maybe if points > 0 else surely)
        return least, greatest


Expression = Extreme | Sum | Score


@dataclass(frozen=True, eq=False)
class Decision:
    """Expressions behind a prediction.

    One expression decides between two classes: the second is predicted if it is larger than the
    threshold. Several expressions belong to one class each; the largest one wins. What happens if
    values are equal does not change a radius.
    """

    values: tuple[Expression, ...]
    threshold: float = 0.0

    def without(self, gaps: Mask) -> Decision | None:
        """The decision on samples without the values of some features; None if it is not known."""
        values = [value.without(gaps) for value in self.values if isinstance(value, Sum)]
        known = [value for value in values if value is not None]
        return Decision(tuple(known), self.threshold) if len(known) == len(self.values) else None


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
    found = [binary(part) for part in ([model] if len(model.classes_) == 2 else model.estimators_)]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    return Decision(tuple(value for value, _ in known), known[0][1] if len(known) == 1 else 0.0)


@decision_of.register
def _(model: OperatorClassifier) -> Decision | None:
    def binary(part: Any) -> tuple[Expression, float]:
        fitted = part._fitted_operators()
        size = len(fitted.names)
        return of_operators(fitted, fitted.features, fitted.orientation, 0.0, size), 0.0

    return _of_classes(model, binary)


@decision_of.register
def _(model: RDEPClassifier) -> Decision | None:
    def binary(part: Any) -> tuple[Expression, float] | None:
        if not isinstance(part.dep_, OperatorClassifier):
            raise no_certificate(f"an RDEPClassifier whose dep is a {type(part.dep_).__name__}")
        if not isinstance(part.ordering_, FeatureOrdering):
            return None
        fitted, ordering = part._fitted_operators(), part.ordering_.as_features()
        slopes = ordering.signs[fitted.features] * fitted.orientation
        features = ordering.features[fitted.features]
        shifts = np.zeros(len(slopes))
        if part.input_scaler_ is not None:
            mean, scale = (getattr(part.input_scaler_, it)[features] for it in ("mean_", "scale_"))
            shifts, slopes = -slopes * mean / scale, slopes / scale
        if part.ordering_scaler_ is not None:
            scaler, of = part.ordering_scaler_, fitted.features
            shifts = (shifts - fitted.orientation * scaler.mean_[of]) / scaler.scale_[of]
            slopes = slopes / scaler.scale_[of]
        form = of_operators(fitted, features, slopes, shifts, part.n_features_in_)
        # Values this close to zero count as zero.
        return form, -part.rounding_ if part._zero_is_positive() else part.rounding_

    return _of_classes(model, binary)


@decision_of.register
def _(model: LinearDEPClassifier) -> Decision | None:
    def binary(part: Any) -> tuple[Expression, float]:
        above = Affine(part.dilation_coef_, part.dilation_intercept_)
        return Sum(above, Affine(part.erosion_coef_, part.erosion_intercept_)), 0.0

    return _of_classes(model, binary)


@decision_of.register
def _(model: BoxScoreClassifier) -> Decision | None:
    return _of_classes(
        model,
        lambda part: (Score(part.coef_, part.intercept_, part.boxes_, part.box_coef_), 0.0),
    )


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
        coef = np.vstack([unit[low], -unit[high]])
        parts.append(Extreme(False, Affine(coef, np.concatenate([-lower[low], upper[high]]))))
    return Extreme(True, parts)


def of_operators(
    fitted: FittedOperators, features: Indices, slopes: Array, shifts: Array | float, n: int
) -> Sum:
    """β δ + (1 − β) ε as functions of n features; coordinates that take no part are left out.

    A coordinate is the slope times the feature, plus the shift. An operator that takes no part is
    one function that is zero.
    """
    parts = []
    for operator, share in (("dilation", fitted.beta), ("erosion", 1 - fitted.beta)):
        weights = fitted.weights.get(operator)
        if weights is None or share == 0:
            weights = np.full(len(slopes), np.nan)
        used = np.flatnonzero(np.isfinite(weights))
        part = Affine(np.zeros((max(len(used), 1), n)), np.zeros(max(len(used), 1)))
        if len(used):
            part.coef[np.arange(len(used)), features[used]] = share * slopes[used]
            part.intercept[:] = share * (weights + shifts)[used]
        parts.append(part)
    return Sum(*parts)


def affine_steps(model: Any, n_features: int) -> tuple[Array, Array]:
    """Positive factors and shifts by which the scalers of a pipeline change the features."""
    factor, shift = np.ones(n_features), np.zeros(n_features)
    for name, step in model.steps[:-1] if isinstance(model, Pipeline) else ():
        if step is None or step == "passthrough":
            continue
        own, add = np.ones(n_features), np.zeros(n_features)
        if isinstance(step, StandardScaler | RobustScaler):
            is_standard = isinstance(step, StandardScaler)
            own = own if step.scale_ is None else 1 / step.scale_
            if step.with_mean if is_standard else step.with_centering:
                add = -own * (step.mean_ if is_standard else step.center_)
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
