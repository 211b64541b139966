"""Map features to the coordinates of a DEP and back, if each coordinate depends on one feature.

Scalers and signs map a feature to its coordinate: every step subtracts one number and divides by
another. These steps are monotone in floating point as well, so a bound of a coordinate is exactly
one bound of its feature.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from sklearn.preprocessing import StandardScaler

from .._base._record import FittedOperators
from .._utils._typing import Array, Indices, Mask

Step = tuple[Array, Array]  # shift to subtract, then divisor


@dataclass(frozen=True, eq=False)
class OrderedFeatures:
    """Ordering whose coordinates are features times +1 or −1."""

    features: Indices  # feature of each coordinate
    signs: Array
    least: Array  # minimum of every feature in the training samples of the ordering
    greatest: Array


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Coordinates of a DEP, each a function of one feature."""

    features: Indices  # feature of each coordinate
    steps: tuple[Step, ...]
    standardised: bool
    least: Array | None = None  # minima in the training samples, if known
    greatest: Array | None = None

    @property
    def increasing(self) -> Mask:
        """Whether each coordinate increases with its feature."""
        return np.prod([np.sign(divisor) for _, divisor in self.steps], axis=0) > 0

    @property
    def units(self) -> Array:
        """Change of the feature that changes its coordinate by 1."""
        return np.abs(np.prod([divisor for _, divisor in self.steps], axis=0))

    def values(self, features: Array) -> Array:
        """Compute the value of each coordinate from its feature."""
        return _through(self.steps, features)

    def to_features(self, values: Array) -> Array:
        """Compute the feature of each coordinate from its value, up to rounding."""
        for shift, divisor in reversed(self.steps):
            values = values * divisor + shift
        return values

    def ranges(self, n_features: int) -> list[tuple[float, float] | None]:
        """Range of each feature in the training samples, up to rounding; None if unknown."""
        found: list[tuple[float, float] | None] = [None] * n_features
        if self.least is not None and self.greatest is not None:
            ends = np.sort([self.to_features(self.least), self.to_features(self.greatest)], axis=0)
            for feature, low, high in zip(self.features, *ends, strict=True):
                found[feature] = float(low), float(high)
        return found

    def zeros(self, weights: Array, rounding: float) -> Array:
        """First number of each feature at which coordinate plus weight reaches zero.

        Zero is up to the rounding of the classifier. The first number is the smallest if the
        coordinate increases with its feature, and the largest if it decreases. No double-precision
        number lies between the numbers that reach zero and those that do not. An ignored feature
        has an infinite weight, and the result is infinite as well.
        """
        finite = np.isfinite(weights)
        found = self._zeros_of_finite(np.where(finite, weights, 0.0), rounding)
        return np.where(finite, found, np.where(self.increasing, -weights, weights))

    def _zeros_of_finite(self, weights: Array, rounding: float) -> Array:
        def reaches(features: Array) -> Mask:
            return self.values(features) + weights >= -rounding

        reaching = self.to_features(-weights - rounding)
        short = reaching.copy()
        step = np.where(self.increasing, 1.0, -1.0) * np.spacing(np.abs(reaching))
        while not (there := reaches(reaching)).all():
            reaching, step = np.where(there, reaching, reaching + step), 2 * step
        while (beyond := reaches(short)).any():
            short, step = np.where(beyond, short - step, short), 2 * step
        while True:
            middle = short / 2 + reaching / 2
            between = (middle != short) & (middle != reaching)
            if not between.any():
                return reaching
            there = reaches(middle)
            reaching = np.where(between & there, middle, reaching)
            short = np.where(between & ~there, middle, short)


def plain_coordinates(
    fitted: FittedOperators, scalers: Iterable[StandardScaler] = ()
) -> Coordinates:
    """Coordinates of features standardised by scalers, then multiplied by the model's signs."""
    scaling = _scaling(scalers, fitted.features)
    return Coordinates(fitted.features, (*scaling, _flip(fitted.orientation)), bool(scaling))


def face_coordinates(n_features: int, scalers: Iterable[StandardScaler]) -> Coordinates:
    """Coordinates of box faces on standardised features: all lower faces, then all upper."""
    features = np.tile(np.arange(n_features), 2)
    scaling = _scaling(scalers, features)
    return Coordinates(
        features, (*scaling, _flip(np.repeat([1.0, -1.0], n_features))), bool(scaling)
    )


def ordered_coordinates(
    fitted: FittedOperators,
    ordered: OrderedFeatures,
    scalers: Iterable[StandardScaler],
    ordering_scaler: StandardScaler | None,
) -> Coordinates:
    """Coordinates of features that are standardised, signed by an ordering, scaled and signed."""
    features = ordered.features[fitted.features]
    before = _scaling(scalers, features)
    again = _scaling(() if ordering_scaler is None else (ordering_scaler,), fitted.features)
    after = (_flip(ordered.signs[fitted.features]), *again, _flip(fitted.orientation))
    ends = [_through(after, end[features]) for end in (ordered.least, ordered.greatest)]
    return Coordinates(
        features, (*before, *after), bool(before or again), np.minimum(*ends), np.maximum(*ends)
    )


def _through(steps: Iterable[Step], values: Array) -> Array:
    for shift, divisor in steps:
        values = (values - shift) / divisor
    return values


def _scaling(scalers: Iterable[StandardScaler], features: Indices) -> tuple[Step, ...]:
    return tuple((scaler.mean_[features], scaler.scale_[features]) for scaler in scalers)


def _flip(signs: Array) -> Step:
    return np.zeros(len(signs)), signs
