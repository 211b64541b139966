"""A DEP on features as an interpretable rule: what ``rules`` of the classifiers returns."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base._record import FittedOperators
from .._utils._typing import Array, Mask
from ._coordinates import Coordinates

__all__ = ["Box", "Condition", "MulticlassRule", "Rule"]

_WIDTH = 88
# Precision of printed numbers, in standard deviations: at least, and at most, given rounding.
_COARSEST, _USUAL, _FINEST = 1e-3, 2e-6, 2e-10


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
        Lower and upper bound; infinite where there is none.
    closed : bool
        Whether the bounds themselves meet the condition.
    training_range : tuple of two floats or None
        Range of the feature in the training samples, up to rounding; None if unknown.
    scale : float
        Standard deviation of the feature; 0 if unknown.
    precision : float
        Precision of the printed bounds, relative to the scale.
    """

    __module__ = "rdep.inspection"

    feature: str
    index: int
    low: float
    high: float
    closed: bool
    training_range: tuple[float, float] | None = None
    scale: float = 0.0
    precision: float = _USUAL

    @property
    def n_bounds(self) -> int:
        """Number of finite bounds."""
        return int(np.isfinite(self.low)) + int(np.isfinite(self.high))

    @property
    def kept_share(self) -> float:
        """Fraction of the training range that meets the condition; 1 if the range is unknown."""
        if self.training_range is None:
            return 1.0
        least, greatest = self.training_range
        kept = min(self.high, greatest) - max(self.low, least)
        return max(kept, 0.0) / (greatest - least) if greatest > least else 0.0

    def holds(self, X: ArrayLike) -> Mask:
        """Which samples meet the condition.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, in the units of the data.

        Returns
        -------
        ndarray of bool, of shape (n_samples,)
            True for the samples that meet it.
        """
        values = np.asarray(X, dtype=np.float64)[:, self.index]
        if self.closed:
            return (values >= self.low) & (values <= self.high)
        return (values > self.low) & (values < self.high)

    def __str__(self) -> str:
        """Text with rounded bounds; ≤ or < applies to the rounded numbers."""
        low, high = self._rounded(self.low), self._rounded(self.high)
        at_low = low > self.low or (self.closed and low == self.low)
        at_high = high < self.high or (self.closed and high == self.high)
        below = f"{'≤' if at_high else '<'} {_digits(high)}"
        if np.isinf(self.low):
            return f"{self.feature} {below}"
        if np.isinf(self.high):
            return f"{self.feature} {'≥' if at_low else '>'} {_digits(low)}"
        return f"{_digits(low)} {'≤' if at_low else '<'} {self.feature} {below}"

    def _rounded(self, bound: float) -> float:
        """The shortest number within the precision of the bound."""
        tolerance = self.precision * (self.scale or abs(bound))
        if abs(bound) <= tolerance:
            return 0.0
        for digits in range(1, 17):
            rounded = float(f"{bound:.{digits}g}")
            if abs(rounded - bound) <= tolerance:
                return rounded
        return bound


@dataclass(frozen=True)
class Box:
    """A box: the samples that meet all of several conditions on features.

    Attributes
    ----------
    conditions : tuple of Condition
        Conditions that some training sample violates, the tightest first if the ranges of the
        training samples are known.
    left_out : tuple of Condition
        Conditions that all training samples meet.
    """

    __module__ = "rdep.inspection"

    conditions: tuple[Condition, ...]
    left_out: tuple[Condition, ...] = ()

    def contains(self, X: ArrayLike) -> Mask:
        """Which samples are in the box, by all conditions including those left out.

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
        """The number of bounds that no training sample violates."""
        return sum(condition.n_bounds for condition in self.left_out)


@dataclass(frozen=True)
class Rule:
    """The decision of a DEP as two boxes, and the decision value where the boxes do not decide.

    A sample in the positive box and not in the negative one is positive; one in the negative box
    and not in the positive one is negative. In both or in neither the decision value decides.

    In the text, numbers are rounded, and bounds that no training sample violates are left out;
    samples outside the training ranges may violate those. The boxes have all bounds in full
    precision.

    Attributes
    ----------
    classes : tuple of two labels
        The negative class and the positive one.
    positive, negative : Box
        The boxes E(m), where the erosion is non-negative, and D(w), where the dilation is
        negative, in the units of the data.
    beta : float
        Weight β of the dilation: with 1 the negative box alone decides, with 0 the positive one.
    standardised : bool
        Whether the decision value is in standard deviations of the features.
    max_conditions : int
        Maximum number of conditions printed per box.

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

    def __str__(self) -> str:
        negative, positive = (repr(label) for label in self.classes)
        positive_box, negative_box = self._boxes()
        if self.beta == 0:
            return f"{positive_box}\n\nβ = 0: {positive} inside the box, {negative} outside."
        if self.beta == 1:
            return f"{negative_box}\n\nβ = 1: {negative} inside the box, {positive} outside."
        settled = (
            f"In the box of {positive} only: {positive}. In the box of {negative} only: {negative}."
        )
        unsettled = (
            f"In both or in neither: {positive} where β = {self.beta:.4g} times the largest excess "
            f"over a bound of the box of {negative} is at least 1 − β = {1 - self.beta:.4g} times "
            f"the largest shortfall from a bound of the box of {positive}, else {negative}. "
            f"{_measured(self.standardised)}"
        )
        end = f"{fill(settled, _WIDTH)}\n{fill(unsettled, _WIDTH)}"
        return "\n\n".join([positive_box, negative_box, end])

    @property
    def n_conditions(self) -> int:
        """Number of bounds of the boxes that decide: with a β of 0 or 1 that is one box."""
        boxes = [self.positive] if self.beta < 1 else []
        boxes += [self.negative] if self.beta > 0 else []
        return sum(condition.n_bounds for box in boxes for condition in box.conditions)

    def _boxes(self) -> tuple[str, str]:
        """Texts of the positive box and of the negative one."""
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
            lines = [f"{title}, which is empty: no sample can meet all of these:"]
        else:
            lines = [f"{title}, where all of these hold:"]
        lines += [f"  {condition}" for condition in box.conditions[: self.max_conditions]]
        if n_conditions > self.max_conditions:
            lines.append(
                f"  … and {n_conditions - self.max_conditions} more: "
                f"rules(max_conditions={n_conditions}) shows all"
            )
        if n_left_out:
            bounds = "bound" if n_left_out == 1 else "bounds"
            lines.append(f"  (left out: {n_left_out} {bounds} that no training sample violates)")
        return "\n".join(lines)


@dataclass(frozen=True)
class MulticlassRule:
    """The decision of a DEP among more than two classes: for each class a rule against the rest.

    The class with the greatest decision value is predicted.

    Attributes
    ----------
    by_class : dict of label to Rule
        The rule of each class; its negative class is all others.
    """

    __module__ = "rdep.inspection"

    by_class: dict[Any, Rule]

    @property
    def n_conditions(self) -> int:
        """Number of bounds in the rules of all classes."""
        return sum(rule.n_conditions for rule in self.by_class.values())

    def __str__(self) -> str:
        parts = []
        for label, rule in self.by_class.items():
            boxes = rule._boxes()
            # With β = 0 the negative box has no say, with β = 1 the positive one.
            deciding = boxes[:1] if rule.beta == 0 else boxes[1:] if rule.beta == 1 else boxes
            parts.append(
                "\n\n".join([f"{label!r} against the rest, β = {rule.beta:.4g}", *deciding])
            )
        standardised = any(rule.standardised for rule in self.by_class.values())
        end = (
            "The class with the greatest decision value is predicted: β times the largest excess "
            "over a bound of the box of the rest, minus 1 − β times the largest shortfall from a "
            f"bound of its own box. {_measured(standardised)}"
        )
        return "\n\n\n".join([*parts, fill(end, _WIDTH)])


def _measured(standardised: bool) -> str:
    """How excess and shortfall are measured, as a sentence."""
    unit = "standard deviations" if standardised else "units"
    return (
        f"Both are in {unit} of the feature and negative inside the box; all bounds count, also "
        "those not shown."
    )


def _digits(number: float) -> str:
    """The number with all its digits."""
    return repr(number).removesuffix(".0")


def rule_of(
    fitted: FittedOperators, names: NDArray[Any], coordinates: Coordinates, max_conditions: int
) -> Rule:
    """The rule of a fitted DEP on some coordinates of named features."""
    w, m, rounding = fitted.weights["dilation"], fitted.weights["erosion"], fitted.rounding
    violated_d = violated_e = np.ones(len(w), dtype=bool)
    if coordinates.least is not None and coordinates.greatest is not None:
        violated_d = coordinates.greatest + w >= -rounding
        violated_e = coordinates.least + m < -rounding
    # Both boxes have the rounding of ``predict``, so that the rule is exact.
    bounds_d, bounds_e = (coordinates.zeros(weights, rounding) for weights in (w, m))
    # A bound is at the margin from the value of some sample: that value is then printed.
    precision = min(max(2 * fitted.margin, _FINEST), _COARSEST)
    return Rule(
        classes=fitted.classes,
        positive=_box(coordinates, names, bounds_e, violated_e, precision, reached=True),
        negative=_box(coordinates, names, bounds_d, violated_d, precision, reached=False),
        beta=fitted.beta,
        standardised=coordinates.standardised,
        max_conditions=max_conditions,
    )


def _box(
    coordinates: Coordinates,
    names: NDArray[Any],
    bounds: Array,
    violated: Mask,
    precision: float,
    *,
    reached: bool,
) -> Box:
    """Where all coordinates reach their bounds, or where none does."""
    is_low = coordinates.increasing == reached
    ranges = coordinates.ranges(len(names))
    scales = np.zeros(len(names))
    if coordinates.standardised:
        scales[coordinates.features] = coordinates.units

    def conditions(chosen: Mask) -> list[Condition]:
        low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
        lows, highs = chosen & is_low, chosen & ~is_low
        np.maximum.at(low, coordinates.features[lows], bounds[lows])
        np.minimum.at(high, coordinates.features[highs], bounds[highs])
        return [
            Condition(
                feature=str(names[f]),
                index=int(f),
                low=float(low[f]),
                high=float(high[f]),
                closed=reached,
                training_range=ranges[f],
                scale=float(scales[f]),
                precision=precision,
            )
            for f in np.flatnonzero(np.isfinite(low) | np.isfinite(high))
        ]

    tightest_first = sorted(conditions(violated), key=lambda condition: condition.kept_share)
    return Box(tuple(tightest_first), tuple(conditions(~violated)))
