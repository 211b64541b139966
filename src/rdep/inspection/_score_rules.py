"""Rules and explanations of a score of features and boxes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from .._base._record import THE_REST, in_words
from .._utils._imports import optional
from .._utils._typing import Array
from ..lattice import inside_boxes
from ._box_rules import faces_in_units
from ._coordinates import face_coordinates
from ._printing import PrintedExplanation, PrintedRules, digits, signed, within
from ._rules import Box, frames_by_class

if TYPE_CHECKING:
    import pandas as pd

# Maximum relative error of printed numbers.
_COARSEST = 1e-3


@dataclass(frozen=True, eq=False)
class FittedScore:
    """Terms of a score for two classes, and the names of its features."""

    classes: tuple[Any, Any]  # negative, positive
    names: NDArray[Any]
    intercept: float
    coef: Array
    boxes: Array
    box_coef: Array
    ranges: Array  # ranges of the features in the training samples, (2, n_features)


@dataclass(frozen=True, repr=False)
class ScoreRules(PrintedRules):
    """Rules of a score: points for boxes and coefficients of features, in the units of the data.

    Numbers in the text are rounded so that the text predicts every training sample like the model.
    Features far from zero are shifted.

    Attributes
    ----------
    classes : tuple of two labels
        The negative and the positive class. The positive class is predicted if the score is at
        least zero.
    intercept : float
        Points that every sample has.
    boxes : tuple of (float, Box)
        Points of the samples that satisfy all conditions of a box, the most points first.
    features : tuple of (float, str)
        Coefficients of features, by name.
    ranges : tuple of (float, float)
        Range of each of these features in the training samples.
    error : float
        Error of the sum that changes no prediction of a training sample. 0 prints all digits.
    equal : float
        Sums that are negative but this close to zero count as zero in the text.
    """

    __module__ = "rdep.inspection"

    classes: tuple[Any, Any]
    intercept: float
    boxes: tuple[tuple[float, Box], ...]
    features: tuple[tuple[float, str], ...]
    ranges: tuple[tuple[float, float], ...] = ()
    error: float = 0.0
    equal: float = 0.0

    @property
    def n_conditions(self) -> int:
        """Number of conditions: features, and finite faces of boxes."""
        faces = [condition.n_bounds for _, box in self.boxes for condition in box.conditions]
        return len(self.features) + sum(faces)

    def to_frame(self) -> pd.DataFrame:
        """Return the terms as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row for each term: its points in full precision, and its condition or feature.
        """
        rows = [(self.intercept, "always")]
        rows += [(points, f"if {_all_of(box)}") for points, box in self.boxes]
        rows += [(coefficient, f"× {name}") for coefficient, name in self.features]
        return optional("pandas", "to_frame", "cli").DataFrame(rows, columns=["points", "term"])

    def __str__(self) -> str:
        negative, positive = self.classes
        heading = f"Points for {positive!r}, {self.n_conditions} conditions:"
        if not self.n_conditions:
            heading = "No rule: no signal was found."
        least = f"-{self.equal:.1g}" if self.equal else "0"
        end = f"Predict {positive!r} if the sum is at least {least}, else {negative!r}."
        return "\n".join([heading, *self._lines(), end])

    def _lines(self) -> list[str]:
        """Terms with as few digits as the error allows."""
        error = self.error / (1 + len(self.boxes) + len(self.features))
        always = self.intercept
        linear = []
        ranges = self.ranges or ((0.0, 0.0),) * len(self.features)
        for (coefficient, name), (low, high) in zip(self.features, ranges, strict=True):
            middle = _zero_of(low, high) if self.error else 0.0
            factor = str(name)
            if middle:
                sign = "+" if middle < 0 else "−"
                factor = f"({name} {sign} {digits(abs(middle))})"
            farthest = max(abs(low - middle), abs(high - middle))
            allowed = error / farthest if farthest else 0.0
            shown = within(coefficient, min(allowed, _COARSEST * abs(coefficient)))
            # The constant compensates for the shift of the feature.
            always += coefficient * middle
            linear.append(f"  {signed(shown)} × {factor}")
        lines = [f"  {signed(self._points(always, error))}  always"]
        lines += [
            f"  {signed(self._points(points, error))}  if {_all_of(box)}"
            for points, box in self.boxes
        ]
        return lines + linear

    def _points(self, points: float, error: float) -> float:
        return within(points, min(error, _COARSEST * max(abs(points), 1.0)))


def _zero_of(low: float, high: float) -> float:
    """Value from which a feature is measured: 0, or near its middle if that is far from 0."""
    middle, reach = low / 2 + high / 2, high / 2 - low / 2
    return within(middle, reach / 2) if abs(middle) > 2 * reach else 0.0


def _all_of(box: Box) -> str:
    return " and ".join(map(str, box.conditions))


@dataclass(frozen=True, repr=False)
class MulticlassScoreRules(PrintedRules):
    """Rules of the scores of several classes, each against the rest.

    Attributes
    ----------
    by_class : dict of label to ScoreRules
        The score of each class.
    equal : float
        Sums that differ from the largest one by at most this number are equal to it.
    """

    __module__ = "rdep.inspection"

    by_class: dict[Any, ScoreRules]
    equal: float = 0.0

    @property
    def n_conditions(self) -> int:
        """Number of conditions of all scores together."""
        return sum(rules.n_conditions for rules in self.by_class.values())

    def to_frame(self) -> pd.DataFrame:
        """Return the terms as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            The rows of the scores of all classes, with the class as the first column.
        """
        return frames_by_class(self.by_class)

    def __str__(self) -> str:
        parts = [
            str(rules).rpartition("\n")[0] for rules in self.by_class.values()
        ]  # without the sentence about the sign
        end = (
            "The class with the most points is predicted. Sums that differ by no more than "
            f"{self.equal:.1g}\nare equal; then the first class is predicted."
        )
        return "\n\n".join([*parts, end])


@dataclass(frozen=True, eq=False, repr=False)
class ScoreExplanation(PrintedExplanation):
    """Explanation of a score: the contribution of every term to each sample.

    Attributes
    ----------
    names : ndarray of shape (n_terms,)
        The terms: conditions of boxes, names of features.
    contributions : ndarray of shape (n_samples, n_terms)
        Contribution of each term. Features far from zero are shifted as in ``rules``, for example
        (year − 1980).
    intercept : float
        Points that every sample has.
    """

    __module__ = "rdep.inspection"

    names: NDArray[Any]
    contributions: Array
    intercept: float

    @property
    def decision(self) -> Array:
        """Decision value: the sum of the intercept and all contributions."""
        return self.intercept + self.contributions.sum(axis=1)

    def __len__(self) -> int:
        return len(self.contributions)

    def to_frame(self) -> pd.DataFrame:
        """Return the explanation as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row for each sample: the decision value, the intercept, and the contributions.
        """
        columns = {"decision": self.decision, "intercept": np.full(len(self), self.intercept)}
        for name, column in zip(self.names, self.contributions.T, strict=True):
            columns[f"contribution_{name}"] = column
        return optional("pandas", "to_frame", "cli").DataFrame(columns)


def rules_of_score(
    fitted: FittedScore,
    scalers: Iterable[StandardScaler] = (),
    *,
    error: float = 0.0,
    equal: float = 0.0,
    rows: Array | None = None,
) -> ScoreRules:
    """Build the rules of a score in the units of the features before scalers.

    ``error`` is an error of the sum that changes no prediction of a training sample. Negative sums
    down to ``-equal`` count as zero. ``rows`` are the training samples in the units of the score.
    """
    scalers = tuple(scalers)
    faces = face_coordinates(len(fitted.names), scalers)
    boxes = faces_in_units(faces, fitted.boxes, fitted.names, closed=True)
    if not scalers:
        boxes = list(map(_at_cuts, boxes))
    elif rows is not None:
        boxes = [box.shown_for(box.nearest_values(rows)) for box in boxes]
    coef, intercept, (low, high) = fitted.coef, fitted.intercept, fitted.ranges
    for scaler in reversed(scalers):
        coef = coef / scaler.scale_
        intercept -= float(coef @ scaler.mean_)
        low, high = (end * scaler.scale_ + scaler.mean_ for end in (low, high))
    used = np.flatnonzero(coef)
    return ScoreRules(
        fitted.classes,
        intercept,
        tuple((float(fitted.box_coef[k]), boxes[k]) for k in np.argsort(-fitted.box_coef)),
        tuple((float(coef[j]), str(fitted.names[j])) for j in used),
        tuple((float(low[j]), float(high[j])) for j in used),
        error,
        equal,
    )


def explain_score(fitted: FittedScore, X: Array) -> ScoreExplanation:
    """Explain samples by the terms of a score, with features shifted as in the rules."""
    used = np.flatnonzero(fitted.coef)
    zeros = np.array([_zero_of(*map(float, fitted.ranges[:, j])) for j in used])
    boxes = faces_in_units(
        face_coordinates(len(fitted.names), ()), fitted.boxes, fitted.names, closed=True
    )
    return ScoreExplanation(
        names=np.array(
            [*(_all_of(_at_cuts(box)) for box in boxes), *map(in_words, fitted.names[used])],
            dtype=object,
        ),
        contributions=np.hstack(
            [
                inside_boxes(X, fitted.boxes) * fitted.box_coef,
                (X[:, used] - zeros) * fitted.coef[used],
            ]
        ),
        intercept=fitted.intercept + float(zeros @ fitted.coef[used]),
    )


def _at_cuts(box: Box) -> Box:
    """Copy with lower bounds printed as the cut, which is the next smaller number."""
    return Box(
        tuple(replace(c, shown_low=float(np.nextafter(c.low, -np.inf))) for c in box.conditions)
    )


def against_the_rest(rules: ScoreRules, label: Any) -> ScoreRules:
    """Copy of the rules with the rest as the negative class."""
    return replace(rules, classes=(THE_REST, label))
