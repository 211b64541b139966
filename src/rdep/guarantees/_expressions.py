"""Decision values as expressions: affine functions, maxima, minima, sums and scores of boxes.

Every classifier with an exact radius decides by such an expression. Expressions are evaluated,
bounded over a box of samples, and written as constraints of a mixed-integer programme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._utils._typing import Array, Indices
from ..lattice import inside_boxes


@dataclass(frozen=True, eq=False)
class Affine:
    """Affine functions of the features, one for each row of ``coef``."""

    coef: Array  # (n_functions, n_features)
    intercept: Array  # (n_functions,)

    def values(self, X: Array) -> Array:
        """Values of all functions, shape (n_samples, n_functions)."""
        return X @ self.coef.T + self.intercept

    def ranges(self, lower: Array, upper: Array) -> tuple[Array, Array]:
        """Minimum and maximum of every function between two corners."""
        rising, falling = np.maximum(self.coef, 0), np.minimum(self.coef, 0)
        least = rising @ lower + falling @ upper + self.intercept
        return least, rising @ upper + falling @ lower + self.intercept


@dataclass(frozen=True, eq=False)
class Extreme:
    """Maximum or minimum of affine functions, or of other expressions."""

    is_maximum: bool
    parts: Affine | Sequence[Expression]

    def values(self, X: Array) -> Array:
        """Values of samples."""
        if isinstance(self.parts, Affine):
            values = self.parts.values(X)
        else:
            values = np.column_stack([part.values(X) for part in self.parts])
        return values.max(axis=1) if self.is_maximum else values.min(axis=1)

    def part_ranges(self, lower: Array, upper: Array) -> tuple[Array, Array]:
        """Bounds of every part between two corners."""
        if isinstance(self.parts, Affine):
            return self.parts.ranges(lower, upper)
        bounds = np.array([part.range(lower, upper) for part in self.parts])
        return bounds[:, 0], bounds[:, 1]

    def range(self, lower: Array, upper: Array) -> tuple[float, float]:
        """Bounds of the value between two corners."""
        least, greatest = self.part_ranges(lower, upper)
        if self.is_maximum:
            return float(least.max()), float(greatest.max())
        return float(least.min()), float(greatest.min())


@dataclass(frozen=True, eq=False)
class Sum:
    """Sum of expressions."""

    parts: Sequence[Expression]

    def values(self, X: Array) -> Array:
        """Values of samples."""
        return np.sum([part.values(X) for part in self.parts], axis=0)

    def range(self, lower: Array, upper: Array) -> tuple[float, float]:
        """Bounds of the value between two corners."""
        bounds = np.array([part.range(lower, upper) for part in self.parts])
        return float(bounds[:, 0].sum()), float(bounds[:, 1].sum())


@dataclass(frozen=True, eq=False)
class Score:
    """Affine function plus points for every box that holds the sample, faces included."""

    coef: Array  # (n_features,)
    intercept: float
    boxes: Array  # (n_boxes, 2, n_features)
    points: Array  # (n_boxes,)

    def values(self, X: Array) -> Array:
        """Values of samples."""
        return X @ self.coef + self.intercept + inside_boxes(X, self.boxes) @ self.points

    def range(self, lower: Array, upper: Array) -> tuple[float, float]:
        """Bounds of the value between two corners."""
        line = Affine(self.coef[None], np.array([self.intercept]))
        (least,), (greatest,) = line.ranges(lower, upper)
        return float(least + np.minimum(self.points, 0).sum()), float(
            greatest + np.maximum(self.points, 0).sum()
        )


@dataclass(frozen=True, eq=False)
class Separable:
    """Maximum plus minimum of affine functions that depend on one feature each.

    A maximum or minimum without functions counts as zero. All slopes differ from zero.
    """

    features: tuple[Indices, Indices]  # of the maximum, of the minimum
    slopes: tuple[Array, Array]
    intercepts: tuple[Array, Array]
    n_features: int

    def values(self, X: Array) -> Array:
        """Values of samples."""
        return self.general().values(X)

    def range(self, lower: Array, upper: Array) -> tuple[float, float]:
        """Bounds of the value between two corners."""
        return self.general().range(lower, upper)

    def general(self) -> Sum:
        """The same expression in terms of all features."""
        parts = []
        for k, is_maximum in enumerate((True, False)):
            n_pieces = len(self.features[k])
            if n_pieces:
                coef = np.zeros((n_pieces, self.n_features))
                coef[np.arange(n_pieces), self.features[k]] = self.slopes[k]
                parts.append(Extreme(is_maximum, Affine(coef, self.intercepts[k])))
        return Sum(parts)

    def negated(self) -> Separable:
        """The negative, whose maximum is the negative of this minimum."""
        return Separable(
            self.features[::-1],
            (-self.slopes[1], -self.slopes[0]),
            (-self.intercepts[1], -self.intercepts[0]),
            self.n_features,
        )


Expression = Extreme | Sum | Score | Separable


def before_scaling(value: Expression, factor: Array, shift: Array) -> Expression:
    """The expression in terms of features that are multiplied and shifted before it."""
    if isinstance(value, Score):
        return Score(
            value.coef * factor,
            float(value.intercept + value.coef @ shift),
            (value.boxes - shift) / factor,
            value.points,
        )
    if isinstance(value, Separable):
        pairs = list(zip(value.features, value.slopes, strict=True))
        moved = [slopes * shift[of] for of, slopes in pairs]
        return Separable(
            value.features,
            (pairs[0][1] * factor[pairs[0][0]], pairs[1][1] * factor[pairs[1][0]]),
            (value.intercepts[0] + moved[0], value.intercepts[1] + moved[1]),
            value.n_features,
        )
    if isinstance(value, Sum):
        return Sum([before_scaling(part, factor, shift) for part in value.parts])
    parts = value.parts
    if isinstance(parts, Affine):
        return Extreme(
            value.is_maximum, Affine(parts.coef * factor, parts.intercept + parts.coef @ shift)
        )
    return Extreme(value.is_maximum, [before_scaling(part, factor, shift) for part in parts])


@dataclass(frozen=True, eq=False)
class Decision:
    """Expressions behind a prediction.

    One expression decides between two classes: the second is predicted if it is larger than the
    threshold. Several expressions belong to one class each; the largest one wins. What happens if
    values are equal does not change a radius.
    """

    values: tuple[Expression, ...]
    threshold: float = 0.0

    def gaps(self, X: Array, codes: Indices) -> Array:
        """How far the deciding values are from a tie, shape (n_samples,)."""
        found = np.column_stack([value.values(X) for value in self.values])
        if len(self.values) == 1:
            return np.abs(found[:, 0] - self.threshold)
        own = found[np.arange(len(X)), codes]
        found[np.arange(len(X)), codes] = -np.inf
        return np.maximum(own - found.max(axis=1), 0.0)
