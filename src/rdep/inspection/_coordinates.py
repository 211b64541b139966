"""From features to the coordinates of a DEP and back, where each coordinate is one feature's.

Between the two are scalers and signs: every step subtracts one number and divides by another. In
floating point, too, such steps are monotone, so that a bound of a coordinate is exactly one bound
of its feature.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from sklearn.preprocessing import StandardScaler

from .._base._record import FittedOperators
from .._utils._typing import Array, Indices, Mask

Step = tuple[Array, Array]  # what is subtracted, what it is then divided by


@dataclass(frozen=True, eq=False)
class OrderedFeatures:
    """An ordering whose components are features times +1 or −1."""

    features: Indices  # the one behind each component
    signs: Array
    least: Array  # of every feature in the training samples, as the ordering saw them
    greatest: Array


@dataclass(frozen=True, eq=False)
class Coordinates:
    """The coordinates of a DEP, as functions of one feature each."""

    features: Indices  # the one behind each coordinate
    steps: tuple[Step, ...]
    standardised: bool
    least: Array | None = None  # of the training samples, where that is known
    greatest: Array | None = None

    @property
    def increasing(self) -> Mask:
        """Where the coordinate grows with its feature."""
        return np.prod([np.sign(divisor) for _, divisor in self.steps], axis=0) > 0

    @property
    def units(self) -> Array:
        """The change of its feature that changes each coordinate by 1."""
        return np.abs(np.prod([divisor for _, divisor in self.steps], axis=0))

    def values(self, features: Array) -> Array:
        """Each coordinate's value, from its own feature's."""
        return _through(self.steps, features)

    def to_features(self, values: Array) -> Array:
        """Each coordinate's feature, up to rounding, from the coordinate's value."""
        for shift, divisor in reversed(self.steps):
            values = values * divisor + shift
        return values

    def ranges(self, n_features: int) -> list[tuple[float, float] | None]:
        """Of each feature in the training samples, up to rounding, where that is known."""
        found: list[tuple[float, float] | None] = [None] * n_features
        if self.least is not None and self.greatest is not None:
            ends = np.sort([self.to_features(self.least), self.to_features(self.greatest)], axis=0)
            for feature, low, high in zip(self.features, *ends, strict=True):
                found[feature] = float(low), float(high)
        return found

    def zeros(self, weights: Array, rounding: float) -> Array:
        """Of each feature the first number at which coordinate plus weight reaches zero.

        Zero is up to the rounding of the classifier. The first number is the least where the
        coordinate increases with its feature and the greatest where it decreases: no
        double-precision number lies between those that reach zero and those that do not. With an
        infinite weight, that of a feature which takes no part, it is infinite too.
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
    """Features standardised by scalers, then multiplied by the model's signs."""
    scaling = _scaling(scalers, fitted.features)
    return Coordinates(fitted.features, (*scaling, _flip(fitted.orientation)), bool(scaling))


def face_coordinates(n_features: int, scalers: Iterable[StandardScaler]) -> Coordinates:
    """The faces of a box on features standardised by scalers: all lower ones, then all upper."""
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
    """Features standardised by scalers, signed by an ordering, scaled again, then signed."""
    features = ordered.features
    before = _scaling(scalers, features)
    again = () if ordering_scaler is None else ((ordering_scaler.mean_, ordering_scaler.scale_),)
    after = (_flip(ordered.signs), *again, _flip(fitted.orientation))
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
