"""Weight, means, squares and ranges of rows, which add up over blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.preprocessing import StandardScaler

from .._utils._typing import Array, Mask
from ._missing import ranges
from ._passes import Block, Passes


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over rows of positive weight; the squares are those of distances to the means."""

    n_rows: int
    weight: float
    means: Array
    squares: Array
    least: Array
    greatest: Array

    @classmethod
    def of(cls, X: Array, weight: Array) -> Moments:
        """Sums of the rows of an array, with weights."""
        if not weight.all():
            X, weight = X[weight > 0], weight[weight > 0]
        if not len(X):
            n = X.shape[1]
            none = np.zeros(n)
            return cls(0, 0.0, none, none, np.full(n, np.inf), np.full(n, -np.inf))
        total = weight.sum()
        means = weight @ X / total
        squares = weight @ (X - means) ** 2
        return cls(len(X), float(total), means, squares, *ranges(X))

    def __add__(self, other: Moments) -> Moments:
        """Sums of both together (Chan, Golub and LeVeque 1983)."""
        if not (self.n_rows and other.n_rows):
            return self if self.n_rows else other
        weight = self.weight + other.weight
        apart = other.means - self.means
        share = other.weight / weight
        return Moments(
            self.n_rows + other.n_rows,
            weight,
            self.means + share * apart,
            self.squares + other.squares + self.weight * share * apart**2,
            np.minimum(self.least, other.least),
            np.maximum(self.greatest, other.greatest),
        )

    def of_features(self, used: Mask) -> Moments:
        """Sums of some features."""
        parts = (self.means, self.squares, self.least, self.greatest)
        return Moments(self.n_rows, self.weight, *(part[used] for part in parts))

    @property
    def variances(self) -> Array:
        return self.squares / self.weight

    def scale_gamma(self) -> float:
        """γ of ``gamma="scale"`` of an SVC: see :func:`rdep._base._members.scale_gamma`."""
        variance = float((self.variances + (self.means - self.means.mean()) ** 2).mean())
        return 1.0 / (len(self.means) * variance) if variance > 0 else 1.0


def moments(block: Block) -> Moments:
    """Sums over a block."""
    return Moments.of(block.X, block.weight)


def moments_by_class(block: Block) -> tuple[Moments, ...]:
    """Sums over the negatives and over the positives of a block."""
    negative = block.y < 0
    return moments(block.take(negative)), moments(block.take(~negative))


def add_by_class(a: tuple[Moments, ...], b: tuple[Moments, ...]) -> tuple[Moments, ...]:
    """Add sums by class."""
    return a[0] + b[0], a[1] + b[1]


def scaler_by_passes(passes: Passes) -> StandardScaler:
    """Fit a scaler to all rows, in one pass; it equals scikit-learn's up to rounding."""
    return scaler_of(passes.reduce(moments, Moments.__add__))


def scaler_of(found: Moments) -> StandardScaler:
    """Make a fitted scaler from sums."""
    scaler = StandardScaler().set_output(transform="default")
    # scikit-learn computes the scale from the variance: features that are constant up to rounding
    # keep their units.
    scaler.mean_, scaler.var_ = found.means, found.variances
    scaler.scale_ = np.where(
        found.variances <= _constant_below(found), 1.0, np.sqrt(found.variances)
    )
    scaler.n_features_in_ = len(found.means)
    scaler.n_samples_seen_ = int(found.weight) if found.weight.is_integer() else found.weight
    return scaler


def _constant_below(found: Moments) -> Array:
    """Variance up to which a feature is constant up to rounding, as in scikit-learn."""
    eps = np.finfo(float).eps
    return found.weight * eps * found.variances + (found.weight * found.means * eps) ** 2
