"""Result of a fit on two classes, as one record for summaries, rules, displays and tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._utils._typing import Array, Indices


class _Name(str):
    """Text that is printed without the quotes of class labels."""

    __repr__ = str.__str__


class Indicator(str):
    """Name of a feature that is 1 if a column holds a category, and 0 otherwise."""

    holds: str  # the feature in words if it is 1
    fails: str  # the feature in words if it is 0

    def __new__(cls, name: str, holds: str, fails: str) -> Indicator:
        made = super().__new__(cls, name)
        made.holds, made.fails = holds, fails
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.holds, self.fails


def in_words(name: Any) -> str:
    """Name of a feature, or the category that it indicates."""
    return name.holds if isinstance(name, Indicator) else str(name)


def negated(name: Any) -> str:
    """Name of a feature times −1, in characters that every program can read."""
    return name.fails if isinstance(name, Indicator) else f"-{name}"


def oriented(X: Array, features: Indices, signs: Array) -> Array:
    """Compute coordinates: features times +1 or −1."""
    # Usually each feature is one coordinate unchanged, and no copy of the samples is needed.
    if len(features) != X.shape[1]:
        X = X[:, features]
    return X if (signs > 0).all() else X * signs


# The negative class of one class against all others.
THE_REST = _Name("the rest")


@dataclass(frozen=True, eq=False)
class FittedOperators:
    r"""Operators w and m, β, and the names of their coordinates.

    The decision value is β δ_w + (1 − β) ε_m of the coordinates. Each coordinate is a feature (or a
    component of ρ) times +1 or −1.
    """

    title: str  # what was fitted, and on what
    classes: tuple[Any, Any]  # the negative one, the positive one
    names: NDArray  # of the features or members
    features: Indices  # index of the feature or member of each coordinate
    orientation: Array  # +1 or −1, by which the feature is multiplied
    weights: dict[str, Array]  # by operator: "dilation", "erosion" or both
    beta: float = 1.0  # weight of the dilation
    beta_sentence: str | None = None  # how β was found
    results: dict[str, Any] = field(default_factory=dict)  # TrainingResult by operator
    margin: float = 0.0  # in units of feature spread
    weighting: str | None = None  # of the samples
    prior: float = 0.0  # decision value of a sample without any value
    missing: bool = False  # whether training samples had missing values
    rounding: float = 0.0  # decision values closer to zero than this are zero
    zero_is_positive: bool = True
    coordinate: str = "feature"  # what a coordinate is called

    def values(self, X: Array) -> Array:
        """Compute the coordinates of samples."""
        return oriented(X, self.features, self.orientation)

    def coordinate_names(self) -> NDArray:
        """Names of the coordinates; the second one of a feature is that of its negative."""
        names = [in_words(name) for name in self.names]
        names += [negated(self.names[feature]) for feature in self.features[len(names) :]]
        return np.array(names, dtype=object)
