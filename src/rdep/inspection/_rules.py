"""Rules of a DEP on features: two boxes, and formulas if the boxes do not decide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base._classifier import RELATIVE_ROUNDING
from .._base._missing import has_missing
from .._base._record import FittedOperators, Indicator
from .._utils._blocks import row_blocks
from .._utils._imports import optional
from .._utils._typing import Array, Mask
from ._coordinates import Coordinates
from ._printing import PrintedRules, digits, shortest, within

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Box", "Condition", "MulticlassRule", "Rule"]

_WIDTH = 88
# Maximum error of printed bounds, in standard deviations or in gaps between training samples.
_COARSEST = 1e-3
# Values of classes count as equal in a text if they differ by less, relative to the largest one.
_EQUAL = 1e-9
_OF_MISSING = "A missing value satisfies every condition and is in no formula."


class Precision(NamedTuple):
    """Maximum rounding errors of formulas that change no prediction of a training sample."""

    absolute: float = 0.0  # error of decision values
    relative: float = 0.0


EXACT = Precision()


@dataclass(frozen=True)
class Condition:
    """A feature between two bounds, in the units of the data.

    Attributes
    ----------
    feature : str
        Name of the feature.
    index : int
        Column of the feature.
    low, high : float
        Lower and upper bound; infinite if there is none.
    closed : bool
        Whether the bounds themselves satisfy the condition.
    training_range : tuple of two floats or None
        Range of the feature in the training samples, up to rounding; None if unknown.
    scale : float
        Standard deviation of the feature; 0 if unknown.
    shown_low, shown_high : float or None
        The bounds as printed: rounded so that each training sample stays on its side. None prints
        all digits.
    """

    __module__ = "rdep.inspection"

    feature: str
    index: int
    low: float
    high: float
    closed: bool
    training_range: tuple[float, float] | None = None
    scale: float = 0.0
    shown_low: float | None = None
    shown_high: float | None = None

    @property
    def n_bounds(self) -> int:
        """Number of finite bounds."""
        return int(np.isfinite(self.low)) + int(np.isfinite(self.high))

    @property
    def kept_share(self) -> float:
        """Fraction of the training range that satisfies the condition; 1 if unknown."""
        if self.training_range is None:
            return 1.0
        least, greatest = self.training_range
        kept = min(self.high, greatest) - max(self.low, least)
        return max(kept, 0.0) / (greatest - least) if greatest > least else 0.0

    def holds(self, X: ArrayLike) -> Mask:
        """Check which samples satisfy the condition; a missing value satisfies it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, in the units of the data.

        Returns
        -------
        ndarray of bool, of shape (n_samples,)
            True for the samples that satisfy it.
        """
        values = np.asarray(X, dtype=np.float64)[:, self.index]
        if self.closed:
            return ~((values < self.low) | (values > self.high))
        return ~((values <= self.low) | (values >= self.high))

    def __str__(self) -> str:
        """Return the condition with rounded bounds; ≤ or < applies to the rounded numbers."""
        if isinstance(self.feature, Indicator):
            return self._of_category(self.feature)
        low = self.low if self.shown_low is None else self.shown_low
        high = self.high if self.shown_high is None else self.shown_high
        below = f"{'≤' if _includes(high, self.high, self.closed, False) else '<'} {digits(high)}"
        at_low = _includes(low, self.low, self.closed, True)
        if np.isinf(self.low):
            return f"{self.feature} {below}"
        if np.isinf(self.high):
            return f"{self.feature} {'≥' if at_low else '>'} {digits(low)}"
        return f"{digits(low)} {'≤' if at_low else '<'} {self.feature} {below}"

    def _of_category(self, name: Indicator) -> str:
        """Text for a feature that is 0 or 1."""
        zero, one = self.holds(np.repeat([[0.0], [1.0]], self.index + 1, axis=1))
        if zero and one:
            return f"{name.holds} or not"
        if zero or one:
            return name.holds if one else name.fails
        return f"{name.holds} and not"

    def beyond(self, precision: Precision) -> list[str]:
        """Formulas with short numbers for the distance of a sample beyond each bound."""
        texts = []
        for bound, is_low in ((self.low, True), (self.high, False)):
            if np.isfinite(bound):
                shown = within(bound, precision.absolute * (self.scale or 1.0))
                if is_low:
                    texts.append(f"{digits(shown)} − {self.feature}")
                else:
                    sign = "+" if shown < 0 else "−"
                    texts.append(f"{self.feature} {sign} {digits(abs(shown))}")
        if not self.scale:
            return texts
        unit = digits(within(self.scale, precision.relative * self.scale))
        return [f"({text}) / {unit}" for text in texts]

    def met_by_all(self) -> Array:
        """Ends of the training range, which satisfy both bounds, for :meth:`shown_for`."""
        least, greatest = self.training_range or (np.nan, np.nan)
        return np.array([[np.nan, least], [np.nan, greatest]])

    def shown_for(self, values: Array) -> Condition:
        """Copy with printed bounds of few digits that are correct for the training samples.

        Parameters
        ----------
        values : array of shape (2, 2)
            For the lower and the upper bound, the nearest training value that violates it and the
            nearest one that satisfies it; NaN if there is none.
        """
        low, high = (
            _shown(bound, is_low, self.closed, near, self.scale)
            for bound, is_low, near in zip(
                (self.low, self.high), (True, False), values, strict=True
            )
        )
        return replace(self, shown_low=low, shown_high=high)


def _includes(shown: float, bound: float, closed: bool, is_low: bool) -> bool:
    """Whether a number near a bound satisfies it."""
    return bool((shown > bound if is_low else shown < bound) or (closed and shown == bound))


def _shown(bound: float, is_low: bool, closed: bool, near: Array, scale: float) -> float:
    """Shortest number near the bound, between the nearest samples on both sides."""
    outside, inside = near
    gap = abs(inside - outside)
    size = scale or (gap if np.isfinite(gap) else abs(bound))

    def meets(value: float, number: float) -> bool:
        at = _includes(number, bound, closed, is_low)
        return (value > number if is_low else value < number) or (at and value == number)

    return shortest(
        bound,
        lambda number: (
            abs(number - bound) <= _COARSEST * size
            and (np.isnan(inside) or meets(inside, number))
            and (np.isnan(outside) or not meets(outside, number))
        ),
    )


def nearest_values(bound: float, is_low: bool, closed: bool, values: Array) -> tuple[float, float]:
    """Nearest value that violates a bound, and the nearest one that satisfies it."""
    above = values >= bound if closed == is_low else values > bound
    below, over = values[~above], values[above]
    ends = (below.max() if len(below) else np.nan, over.min() if len(over) else np.nan)
    return ends if is_low else ends[::-1]


@dataclass(frozen=True)
class Box:
    """A box: the samples that satisfy several conditions on features.

    Attributes
    ----------
    conditions : tuple of Condition
        Conditions that some training sample violates. If the training ranges are known, the
        tightest comes first.
    left_out : tuple of Condition
        Conditions that all training samples satisfy.
    """

    __module__ = "rdep.inspection"

    conditions: tuple[Condition, ...]
    left_out: tuple[Condition, ...] = ()

    def contains(self, X: ArrayLike) -> Mask:
        """Check which samples are in the box, by all conditions including those left out.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, in the units of the data.

        Returns
        -------
        ndarray of bool, of shape (n_samples,)
            True for the samples in the box.
        """
        return np.logical_and.reduce([c.holds(X) for c in (*self.conditions, *self.left_out)])

    @property
    def is_empty(self) -> bool:
        """Whether the bounds of a feature contradict each other, so that the box is empty."""
        return any(
            condition.low > condition.high
            or (condition.low == condition.high and not condition.closed)
            for condition in self.conditions
        )

    @property
    def n_left_out(self) -> int:
        """Number of bounds that no training sample violates."""
        return sum(condition.n_bounds for condition in self.left_out)

    def nearest_values(self, X: Array) -> Array:
        """Values nearest to each bound on both sides, shape (n_features, 2, 2)."""
        near = np.full((X.shape[1], 2, 2), np.nan)
        # If one side of a feature has two bounds, use the one that is not left out.
        for c in (*self.left_out, *self.conditions):
            for k, bound in enumerate((c.low, c.high)):
                if np.isfinite(bound):
                    near[c.index, k] = nearest_values(bound, k == 0, c.closed, X[:, c.index])
        return near

    def shown_for(self, near: Array) -> Box:
        """Copy with printed bounds of few digits that keep all these samples on their side.

        Conditions that all samples satisfy move to ``left_out``.
        """
        shown = [c.shown_for(near[c.index]) for c in self.conditions]
        is_violated = [np.isfinite(near[c.index, :, 0]).any() for c in self.conditions]
        return Box(
            tuple(c for c, violated in zip(shown, is_violated, strict=True) if violated),
            tuple(c.shown_for(c.met_by_all()) for c in self.left_out)
            + tuple(c for c, violated in zip(shown, is_violated, strict=True) if not violated),
        )


@dataclass(frozen=True, repr=False)
class Rule(PrintedRules):
    """Decision rule of a DEP: two boxes, and a decision value if the boxes do not decide.

    A sample in the positive box only is positive; a sample in the negative box only is negative.
    For samples in both boxes or in neither, the decision value decides.

    The text is the whole model. Numbers are rounded so that the text predicts every training sample
    like the model. Bounds that no training sample violates are omitted from the text of a box; the
    formulas of the decision value include them. The boxes hold all bounds in full precision.

    Attributes
    ----------
    classes : tuple of two labels
        The negative and the positive class.
    positive, negative : Box
        The boxes E(m), where the erosion is non-negative, and D(w), where the dilation is
        negative, in the units of the data.
    beta : float
        Weight β of the dilation. With 1 the negative box alone decides, with 0 the positive one.
    standardised : bool
        Whether the decision value is in standard deviations of the features.
    max_conditions : int
        Maximum number of conditions printed per box.
    precision : Precision
        Rounding errors of the formulas that change no prediction of a training sample. 0 prints
        all digits.
    equal : float
        Decision values that are negative but this close to zero count as zero in the text.
    without_values : float or None
        Decision value of a sample without any value; None if no training sample had a missing
        value. The text says so.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """

    __module__ = "rdep.inspection"

    classes: tuple[Any, Any]
    positive: Box
    negative: Box
    beta: float
    standardised: bool
    max_conditions: int = 10
    precision: Precision = EXACT
    equal: float = 0.0
    without_values: float | None = None

    def __str__(self) -> str:
        if self.without_values is None:
            return self._text_of_values()
        label = self.classes[int(self.without_values >= -self.equal)]
        missing = f"{_OF_MISSING} A sample without any value: {label!r}."
        return f"{self._text_of_values()}\n\n{fill(missing, _WIDTH)}"

    def _text_of_values(self) -> str:
        negative, positive = (repr(label) for label in self.classes)
        positive_box, negative_box = self._boxes()
        if self.beta == 0:
            return f"{positive_box}\n\nβ = 0: {positive} inside the box, {negative} outside."
        if self.beta == 1:
            return f"{negative_box}\n\nβ = 1: {negative} inside the box, {positive} outside."
        settled = (
            f"In the box of {positive} only: {positive}. In the box of {negative} only: {negative}."
        )
        unsettled = f"Otherwise: {positive} if {self._positive_if()}, else {negative}, where"
        end = f"{fill(settled, _WIDTH)}\n{fill(unsettled, _WIDTH)}"
        return "\n\n".join([positive_box, negative_box, end, *self._formulas()])

    @property
    def n_conditions(self) -> int:
        """Number of bounds of the boxes that decide; with β = 0 or 1 this is one box."""
        return sum(c.n_bounds for _, box in self._deciding() for c in box.conditions)

    def to_frame(self) -> pd.DataFrame:
        """Return the conditions as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row for each condition of the boxes that decide: the class of the box, the feature,
            its bounds in full precision, whether these are closed, the feature's standard
            deviation (0 if unknown), and whether the text omits the condition.
        """
        rows = [
            (label, str(c.feature), c.low, c.high, c.closed, c.scale, is_left_out)
            for label, box in self._deciding()
            for is_left_out, conditions in ((False, box.conditions), (True, box.left_out))
            for c in conditions
        ]
        columns = ["box", "feature", "low", "high", "closed", "scale", "left_out"]
        return optional("pandas", "to_frame", "cli").DataFrame(rows, columns=columns)

    def _deciding(self) -> list[tuple[Any, Box]]:
        negative, positive = self.classes
        boxes = [(positive, self.positive)] if self.beta < 1 else []
        return boxes + ([(negative, self.negative)] if self.beta > 0 else [])

    def shown_for(self, near: Array, precision: Precision, equal: float) -> Rule:
        """Copy with numbers of few digits, given the nearest samples and the allowed errors."""
        return replace(
            self,
            positive=self.positive.shown_for(near[0]),
            negative=self.negative.shown_for(near[1]),
            precision=precision,
            equal=equal,
        )

    def _value(self) -> str:
        """Formula of the decision value."""
        if self.beta == 0:
            return "−shortfall"
        if self.beta == 1:
            return "excess"
        return "{} × excess − {} × shortfall".format(*self._shares())

    def _positive_if(self) -> str:
        """Formula that holds if the decision value is at least zero."""
        if self.equal:
            return f"{self._value()} ≥ -{self.equal:.1g}"
        return "{} × excess ≥ {} × shortfall".format(*self._shares())

    def _shares(self) -> list[str]:
        relative = self.precision.relative
        return [digits(within(beta, relative * beta)) for beta in (self.beta, 1 - self.beta)]

    def _formulas(self) -> list[str]:
        """Texts of excess and shortfall, each the largest of formulas of one feature."""
        negative, positive = (repr(label) for label in self.classes)
        texts = []
        if self.beta > 0:
            texts.append(
                self._largest(
                    f"excess over the bounds of {negative} is the largest of", self.negative
                )
            )
        if self.beta < 1:
            texts.append(
                self._largest(
                    f"shortfall from the bounds of {positive} is the largest of", self.positive
                )
            )
        return texts

    def _largest(self, title: str, box: Box) -> str:
        conditions = (*box.conditions, *box.left_out)
        features = list(dict.fromkeys(condition.index for condition in conditions))
        shown = features[: self.max_conditions]
        formulas = [
            f"  {formula}"
            for condition in conditions
            if condition.index in shown
            for formula in condition.beyond(self.precision)
        ]
        return "\n".join([title, *formulas, *_more(len(features), self.max_conditions)])

    def _boxes(self) -> tuple[str, str]:
        """Texts of the positive and the negative box."""
        negative, positive = self.classes
        return (
            self._text(f"Box of {positive!r}", self.positive),
            self._text(f"Box of {negative!r}", self.negative),
        )

    def _text(self, title: str, box: Box) -> str:
        n_conditions, n_left_out = len(box.conditions), box.n_left_out
        if not n_conditions:
            lines = [f"{title}: every training sample is inside"]
        elif box.is_empty:
            lines = [f"{title}, which is empty: no sample can satisfy all of these:"]
        else:
            lines = [f"{title}, where all of these hold:"]
        lines += [f"  {condition}" for condition in box.conditions[: self.max_conditions]]
        lines += _more(n_conditions, self.max_conditions)
        if n_left_out:
            bounds = "bound" if n_left_out == 1 else "bounds"
            lines.append(f"  (left out: {n_left_out} {bounds} that no training sample violates)")
        return "\n".join(lines)


def _more(n_conditions: int, shown: int) -> list[str]:
    """Line about conditions that are not shown, if there are any."""
    if n_conditions <= shown:
        return []
    return [f"  … and {n_conditions - shown} more: rules(max_conditions={n_conditions}) shows all"]


@dataclass(frozen=True, repr=False)
class MulticlassRule(PrintedRules):
    """Decision rules of a DEP for more than two classes: one rule for each class.

    The class with the largest decision value is predicted.

    Attributes
    ----------
    by_class : dict of label to Rule
        The rule of each class against the rest.
    equal : float
        Values that differ from the largest one by at most this number are equal to it.
    """

    __module__ = "rdep.inspection"

    by_class: dict[Any, Rule]
    equal: float = 0.0

    @property
    def n_conditions(self) -> int:
        """Number of bounds in the rules of all classes."""
        return sum(rule.n_conditions for rule in self.by_class.values())

    def to_frame(self) -> pd.DataFrame:
        """Return the conditions as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            The rows of the rules of all classes, with the class as the first column.
        """
        return frames_by_class(self.by_class)

    def __str__(self) -> str:
        parts = []
        for label, rule in self.by_class.items():
            boxes = rule._boxes()
            # With β = 0 the positive box alone decides, with β = 1 the negative one.
            deciding = boxes[:1] if rule.beta == 0 else boxes[1:] if rule.beta == 1 else boxes
            parts.append(
                "\n\n".join(
                    [
                        f"{label!r} against the rest, value {rule._value()}",
                        *deciding,
                        *rule._formulas(),
                    ]
                )
            )
        end = (
            "The class with the largest value is predicted. Values that differ by no more than "
            f"{self.equal:.1g} are equal; then the first class is predicted."
        )
        if any(rule.without_values is not None for rule in self.by_class.values()):
            end += f" {_OF_MISSING}"
        return "\n\n\n".join([*parts, fill(end, _WIDTH)])


def frames_by_class(by_class: dict[Any, Any]) -> pd.DataFrame:
    """Concatenate the frames of several rules, with the class as the first column."""
    frames = []
    for label, rules in by_class.items():
        frame = rules.to_frame()
        frame.insert(0, "class", label)
        frames.append(frame)
    return optional("pandas", "to_frame", "cli").concat(frames, ignore_index=True)


def precision_of_signs(values: Array, rounding: float, largest: float) -> tuple[float, Precision]:
    """Threshold of decision values for a text, and rounding errors that preserve predictions.

    ``largest`` bounds the sizes of the terms. Values that are zero up to rounding are positive. If
    a sample has such a value, the threshold in the text is slightly below zero.
    """
    values = values + rounding
    lowest = float(values[values >= 0].min(initial=np.inf))
    highest = float(values[values < 0].max(initial=-np.inf))
    if lowest > _EQUAL * largest:
        return 0.0, _precision(min(lowest, -highest), largest)
    below = float(f"{min(_EQUAL * largest, -highest / 2):.1g}")
    return below, _precision(min(below, -highest - below), largest)


def precision_of_classes(values: Array, rounding: float, largest: float) -> tuple[float, Precision]:
    """Difference up to which class values are equal, and errors that preserve predictions."""
    largest_values = values.max(axis=1, keepdims=True)
    behind = largest_values - values
    is_equal = behind <= np.maximum(rounding, RELATIVE_ROUNDING * np.abs(largest_values))
    farthest = float(behind[is_equal].max())
    apart = float(behind[~is_equal].min(initial=np.inf))
    equal = min((farthest + apart) / 2, farthest + _EQUAL * float(np.abs(values).max()))
    tied = np.count_nonzero(is_equal) > len(values)
    return equal, _precision(equal - farthest if tied else apart / 2, largest)


def _precision(apart: float, largest: float) -> Precision:
    """Errors for two bounds, two scales and two shares, which add up in a decision value."""
    if not (largest > 0 and np.isfinite(apart)):
        return Precision()
    relative = min(apart / (16 * largest), _COARSEST)
    return Precision(relative * largest, relative)


def rule_of(
    fitted: FittedOperators, names: NDArray[Any], coordinates: Coordinates, max_conditions: int
) -> Rule:
    """Build the rule of a fitted DEP on coordinates of named features."""
    (bounds_e, violated_e), (bounds_d, violated_d) = _bounds(fitted, coordinates)
    return Rule(
        classes=fitted.classes,
        positive=_box(coordinates, names, bounds_e, violated_e, reached=True),
        negative=_box(coordinates, names, bounds_d, violated_d, reached=False),
        beta=fitted.beta,
        standardised=coordinates.standardised,
        max_conditions=max_conditions,
        without_values=fitted.prior if fitted.missing else None,
    )


def bound_values(fitted: FittedOperators, coordinates: Coordinates, X: Array) -> Array:
    """Training values nearest to each bound of the rule, shape (2, n_features, 2, 2)."""
    near = np.empty((2, X.shape[1], 2, 2))
    for box, reached, (bounds, violated) in zip(
        near, (True, False), _bounds(fitted, coordinates), strict=True
    ):
        left_out, shown = (
            _low_and_high(coordinates, X.shape[1], bounds, chosen, reached=reached)
            for chosen in (~violated, violated)
        )
        for k, (instead, bound) in enumerate(zip(left_out, shown, strict=True)):
            # If one side of a feature has two bounds, use the one that is not left out.
            bound = np.where(np.isfinite(bound), bound, instead)
            ends = _on_both_sides(bound, X, counts_as_above=reached == (k == 0))
            box[:, k] = np.column_stack(ends if k == 0 else ends[::-1])
    return near


def _on_both_sides(bound: Array, X: Array, *, counts_as_above: bool) -> tuple[Array, Array]:
    """Largest value below and smallest value above the bound of each feature, or NaN."""
    below, above = np.full(len(bound), -np.inf), np.full(len(bound), np.inf)
    unknown = ~np.isfinite(bound)
    for block in () if unknown.all() else row_blocks(X):
        values = X[block]
        is_above = values >= bound if counts_as_above else values > bound
        if has_missing(values):
            missing = np.isnan(values)
            lows, highs = np.where(missing, -np.inf, values), np.where(missing, np.inf, values)
        else:
            lows = highs = values
        np.maximum(below, np.where(is_above, -np.inf, lows).max(axis=0), out=below)
        np.minimum(above, np.where(is_above, highs, np.inf).min(axis=0), out=above)
    return (
        np.where(unknown | np.isinf(below), np.nan, below),
        np.where(unknown | np.isinf(above), np.nan, above),
    )


def _bounds(
    fitted: FittedOperators, coordinates: Coordinates
) -> tuple[tuple[Array, Mask], tuple[Array, Mask]]:
    """Bounds of both boxes, and whether a training sample violates them."""
    w, m, rounding = fitted.weights["dilation"], fitted.weights["erosion"], fitted.rounding
    violated_d = violated_e = np.ones(len(w), dtype=bool)
    if coordinates.least is not None and coordinates.greatest is not None:
        violated_d = coordinates.greatest + w >= -rounding
        violated_e = coordinates.least + m < -rounding
    # Both boxes have the rounding of ``predict``, so that the rule is exact.
    bounds_d, bounds_e = (coordinates.zeros(weights, rounding) for weights in (w, m))
    return (bounds_e, violated_e), (bounds_d, violated_d)


def _low_and_high(
    coordinates: Coordinates, n_features: int, bounds: Array, chosen: Mask, *, reached: bool
) -> tuple[Array, Array]:
    """Lower and upper bounds of the features from the chosen coordinates."""
    low, high = np.full(n_features, -np.inf), np.full(n_features, np.inf)
    is_low = coordinates.increasing == reached
    lows, highs = chosen & is_low, chosen & ~is_low
    np.maximum.at(low, coordinates.features[lows], bounds[lows])
    np.minimum.at(high, coordinates.features[highs], bounds[highs])
    return low, high


def _box(
    coordinates: Coordinates,
    names: NDArray[Any],
    bounds: Array,
    violated: Mask,
    *,
    reached: bool,
) -> Box:
    """Box in which all coordinates reach their bounds, or none does."""
    ranges = coordinates.ranges(len(names))
    scales = np.zeros(len(names))
    if coordinates.standardised:
        scales[coordinates.features] = coordinates.units

    def conditions(chosen: Mask) -> list[Condition]:
        low, high = _low_and_high(coordinates, len(names), bounds, chosen, reached=reached)
        return [
            Condition(
                feature=names[f],
                index=int(f),
                low=float(low[f]),
                high=float(high[f]),
                closed=reached,
                training_range=ranges[f],
                scale=float(scales[f]),
            )
            for f in np.flatnonzero(np.isfinite(low) | np.isfinite(high))
        ]

    tightest_first = sorted(conditions(violated), key=lambda condition: condition.kept_share)
    return Box(tuple(tightest_first), tuple(conditions(~violated)))
