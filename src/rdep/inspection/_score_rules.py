"""A score of features and boxes as text, and what each of its terms adds for a sample."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from .._base._record import THE_REST
from .._utils._imports import optional
from .._utils._typing import Array
from ..lattice import inside_boxes
from ._box_rules import faces_in_units
from ._coordinates import face_coordinates

if TYPE_CHECKING:
    import pandas as pd

    from ._rules import Box


@dataclass(frozen=True, eq=False)
class FittedScore:
    """The terms of a score on two classes, and the names of its features."""

    classes: tuple[Any, Any]  # the negative one, the positive one
    names: NDArray[Any]
    intercept: float
    coef: Array
    boxes: Array
    box_coef: Array


@dataclass(frozen=True)
class ScoreRules:
    """A score in the units of the data: points for boxes, coefficients of features.

    Attributes
    ----------
    classes : tuple of two labels
        The negative class, and the positive one, which is predicted where the score is not
        negative.
    intercept : float
        Points that every sample has.
    boxes : tuple of (float, Box)
        Points of the samples that meet all conditions of a box, the most points first.
    features : tuple of (float, str)
        Coefficients of features, by name.
    """

    __module__ = "rdep.inspection"

    classes: tuple[Any, Any]
    intercept: float
    boxes: tuple[tuple[float, Box], ...]
    features: tuple[tuple[float, str], ...]

    @property
    def n_conditions(self) -> int:
        """Number of conditions: features, and finite faces of boxes."""
        faces = [condition.n_bounds for _, box in self.boxes for condition in box.conditions]
        return len(self.features) + sum(faces)

    def __str__(self) -> str:
        negative, positive = self.classes
        lines = [f"  {self.intercept:+.3g}  always"]
        lines += [
            f"  {points:+.3g}  if {' and '.join(map(str, box.conditions))}"
            for points, box in self.boxes
        ]
        lines += [f"  {coefficient:+.3g} × {name}" for coefficient, name in self.features]
        heading = f"Points for {positive!r}, {self.n_conditions} conditions:"
        if not self.n_conditions:
            heading = "No rule: no signal was found."
        end = f"{positive!r} is predicted where their sum is at least 0, {negative!r} elsewhere."
        return "\n".join([heading, *lines, end])


@dataclass(frozen=True)
class MulticlassScoreRules:
    """The scores of several classes, each against the rest.

    Attributes
    ----------
    by_class : dict of label to ScoreRules
        The score of each class.
    """

    __module__ = "rdep.inspection"

    by_class: dict[Any, ScoreRules]

    @property
    def n_conditions(self) -> int:
        """Number of conditions of all scores together."""
        return sum(rules.n_conditions for rules in self.by_class.values())

    def __str__(self) -> str:
        parts = [
            str(rules).rpartition("\n")[0] for rules in self.by_class.values()
        ]  # without the sentence about the sign
        return "\n\n".join([*parts, "The class with the most points is predicted."])


@dataclass(frozen=True, eq=False)
class ScoreExplanation:
    """What every term of a score adds for each sample.

    Attributes
    ----------
    names : ndarray of shape (n_terms,)
        The terms: conditions of boxes, names of features.
    contributions : ndarray of shape (n_samples, n_terms)
        What each term adds.
    intercept : float
        What is added for every sample.
    """

    __module__ = "rdep.inspection"

    names: NDArray[Any]
    contributions: Array
    intercept: float

    @property
    def decision(self) -> Array:
        """The decision value, the sum of all."""
        return self.intercept + self.contributions.sum(axis=1)

    def __len__(self) -> int:
        return len(self.contributions)

    def to_frame(self) -> pd.DataFrame:
        """The explanation as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row for each sample: the decision value, the intercept, and what each term adds.
        """
        columns = {"decision": self.decision, "intercept": np.full(len(self), self.intercept)}
        for name, column in zip(self.names, self.contributions.T, strict=True):
            columns[f"contribution_{name}"] = column
        return optional("pandas", "to_frame", "cli").DataFrame(columns)


def rules_of_score(fitted: FittedScore, scalers: Iterable[StandardScaler] = ()) -> ScoreRules:
    """The score in the units that features had before some scalers."""
    scalers = tuple(scalers)
    boxes = faces_in_units(
        face_coordinates(len(fitted.names), scalers), fitted.boxes, fitted.names, closed=True
    )
    coef, intercept = fitted.coef, fitted.intercept
    for scaler in reversed(scalers):
        coef = coef / scaler.scale_
        intercept -= float(coef @ scaler.mean_)
    return ScoreRules(
        fitted.classes,
        intercept,
        tuple((float(fitted.box_coef[k]), boxes[k]) for k in np.argsort(-fitted.box_coef)),
        tuple((float(coef[j]), str(fitted.names[j])) for j in np.flatnonzero(coef)),
    )


def explain_score(fitted: FittedScore, X: Array) -> ScoreExplanation:
    """What the terms of a score add for samples."""
    used = np.flatnonzero(fitted.coef)
    boxes = faces_in_units(
        face_coordinates(len(fitted.names), ()), fitted.boxes, fitted.names, closed=True
    )
    texts = [" and ".join(map(str, box.conditions)) for box in boxes]
    return ScoreExplanation(
        names=np.array([*texts, *map(str, fitted.names[used])], dtype=object),
        contributions=np.hstack(
            [
                inside_boxes(X, fitted.boxes) * fitted.box_coef,
                X[:, used] * fitted.coef[used],
            ]
        ),
        intercept=fitted.intercept,
    )


def against_the_rest(rules: ScoreRules, label: Any) -> ScoreRules:
    """The rules of one class of several."""
    return ScoreRules((THE_REST, label), rules.intercept, rules.boxes, rules.features)
