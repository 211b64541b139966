"""What a fit on two classes learned, as one record for summaries, rules, displays and tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from .._utils._typing import Array, Indices


class _Name(str):
    """A text that stands for itself among labels, which are quoted."""

    __repr__ = str.__str__


class Indicator(str):
    """The name of a feature that is 1 where a column holds a category, and 0 elsewhere."""

    holds: str  # the feature in words, if it is 1
    fails: str  # and if it is 0

    def __new__(cls, name: str, holds: str, fails: str) -> Indicator:
        made = super().__new__(cls, name)
        made.holds, made.fails = holds, fails
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.holds, self.fails


def in_words(name: Any) -> str:
    """The name of a feature, or the category that it stands for."""
    return name.holds if isinstance(name, Indicator) else str(name)


def negated(name: Any) -> str:
    """The name of a feature times −1, in characters that every program reads."""
    return name.fails if isinstance(name, Indicator) else f"-{name}"


# The negative class of one class against all others.
THE_REST = _Name("the rest")


@dataclass(frozen=True, eq=False)
class FittedOperators:
    r"""The operators w and m, β, and the names of the coordinates that they belong to.

    The decision value is β δ_w + (1 − β) ε_m of the coordinates, each of which is a feature (or a
    component of ρ) times +1 or −1.
    """

    title: str  # what was fitted, and on what
    classes: tuple[Any, Any]  # the negative one, the positive one
    names: NDArray  # of the features or members, from which coordinates are made
    features: Indices  # the one behind each coordinate
    orientation: Array  # +1 or −1, by which it is multiplied
    weights: dict[str, Array]  # by operator: "dilation", "erosion" or both
    beta: float = 1.0  # weight of the dilation
    beta_sentence: str | None = None  # how β was found
    results: dict[str, Any] = field(default_factory=dict)  # TrainingResult by operator
    margin: float = 0.0  # in units of feature spread
    weighting: str | None = None  # of the samples
    rounding: float = 0.0  # decision values this near to zero are zero
    zero_is_positive: bool = True
    coordinate: str = "feature"  # what a coordinate is called

    def values(self, X: Array) -> Array:
        """Coordinates of samples."""
        # Mostly each feature is one coordinate as it is, and a copy of all samples is spared.
        if len(self.features) != X.shape[1]:
            X = X[:, self.features]
        return X if (self.orientation > 0).all() else X * self.orientation
