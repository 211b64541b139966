"""Plane of a display: two features, with the others held fixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._utils._typing import Array

# Room around the samples, as a share of their range.
_ROOM = 0.08


@dataclass(frozen=True)
class Plane:
    """Plane of the points that equal ``at`` in all features except two."""

    pair: tuple[int, int]
    at: Array  # (n_features,)
    names: tuple[str, ...]
    at_medians: bool

    @property
    def shown_names(self) -> tuple[str, str]:
        return self.names[self.pair[0]], self.names[self.pair[1]]

    @property
    def others(self) -> NDArray[np.intp]:
        """The features that are held fixed."""
        return np.delete(np.arange(len(self.at)), self.pair)

    @property
    def note(self) -> str | None:
        """Note for the reader about the features held fixed; None if there are none."""
        n_others = len(self.others)
        if n_others == 0:
            return None
        what = f"{self.names[self.others[0]]}" if n_others == 1 else f"{n_others} other features"
        if self.at_medians:
            where = "its median" if n_others == 1 else "their medians"
        else:
            where = "a given value" if n_others == 1 else "given values"
        return f"cut with {what} at {where}; samples projected"

    def project(self, X: Array) -> Array:
        return X[:, self.pair]

    def embed(self, points: Array) -> Array:
        """Add the fixed features to points of the plane."""
        X = np.tile(self.at, (len(points), 1))
        X[:, self.pair] = points
        return X

    def grid(self, limits: Array, resolution: int) -> tuple[Array, Array, Array]:
        """Both axes of a grid, and its points with all features."""
        x0, x1 = (np.linspace(low, high, resolution) for low, high in limits)
        points = np.stack(np.meshgrid(x0, x1), axis=-1).reshape(-1, 2)
        return x0, x1, self.embed(points)


def choose_plane(
    names: Sequence[str] | NDArray,
    features: Sequence[Any] | None,
    at: ArrayLike | None,
    X: Array | None,
) -> Plane:
    """The plane of two features, through ``at`` or through the medians of ``X``."""
    names = [str(name) for name in names]
    n_features = len(names)
    if n_features < 2:
        raise ValueError(
            f"a display of the plane needs two features, but there is only one ({names[0]}): plot "
            "`decision_function` against it instead"
        )
    if features is None:
        if n_features > 2:
            raise ValueError(
                f"there are {n_features} features and a display shows two: pass features=(i, j),"
                f" two positions or names out of {_some(names)}; the others are held fixed (`at`)"
            )
        pair = (0, 1)
    else:
        pair = _pair(names, features)
    if at is not None:
        point = np.asarray(at, dtype=float)
        if point.shape != (n_features,) or not np.isfinite(point).all():
            raise ValueError(
                f"`at` must hold one finite number for each of the {n_features} features, got "
                f"shape {point.shape}"
            )
    elif X is not None:
        point = np.median(X, axis=0)
    elif n_features == 2:
        point = np.zeros(2)
    else:
        raise ValueError(
            f"pass X or `at`: with {n_features} features the plane is a cut, which needs values "
            "for the features not shown"
        )
    return Plane(pair, point, tuple(names), at_medians=at is None)


def limits_around(points: Array) -> Array:
    """Limits ((x_low, x_high), (y_low, y_high)) with some room around the points."""
    low, high = points.min(axis=0), points.max(axis=0)
    extent = high - low
    # The axis of a constant feature still needs some width.
    width = np.where(extent > 0, extent, np.maximum(np.abs(low), 1.0))
    return np.column_stack([low - _ROOM * width, high + _ROOM * width])


def check_limits(limits: ArrayLike) -> Array:
    """Validate limits given by a user and return them as an array."""
    array = np.asarray(limits, dtype=float)
    if array.shape != (2, 2) or not np.isfinite(array).all() or (array[:, 0] >= array[:, 1]).any():
        raise ValueError(
            f"limits must be ((x_low, x_high), (y_low, y_high)) with low < high, got {limits!r}"
        )
    return array


def _pair(names: list[str], features: Sequence[Any]) -> tuple[int, int]:
    if isinstance(features, str) or len(features) != 2:
        raise ValueError(f"features must be two of the features, got {features!r}")
    first, second = (_position(names, feature) for feature in features)
    if first == second:
        raise ValueError(f"features must be two different features, got {features!r}")
    return first, second


def _position(names: list[str], feature: Any) -> int:
    if isinstance(feature, int | np.integer) and 0 <= feature < len(names):
        return int(feature)
    if isinstance(feature, str) and feature in names:
        return names.index(feature)
    raise ValueError(
        f"there is no feature {feature!r}; give a position from 0 to "
        f"{len(names) - 1} or a name out of {_some(names)}"
    )


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:6])
    return shown if len(names) <= 6 else f"{shown}, …"
