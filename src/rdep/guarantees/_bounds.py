"""Bounds of radii, where no formula and no small programme gives the exact ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils._typing import Array, Indices
from ..hyperboxes import BoxClassifier
from ._expressions import Affine, Decision, Expression, Extreme, Score, Separable, Sum


def bounds_of_decision(decision: Decision, X: Array, scale: Array, codes: Indices) -> Array:
    """Radii that are at most the exact ones, by the rates at which values can change."""
    values = decision.values
    radii = np.full(len(X), np.inf)
    if len(values) == 1:
        for code, sign in ((1, 1.0), (0, -1.0)):
            rows = np.flatnonzero(codes == code)
            radii[rows] = _distance(values[0], None, sign, X[rows], scale, decision.threshold)
        return radii
    for code, own in enumerate(values):
        rows = np.flatnonzero(codes == code)
        for other in values[:code] + values[code + 1 :]:
            found = _distance(own, other, 1.0, X[rows], scale, 0.0)
            radii[rows] = np.minimum(radii[rows], found)
    return radii


def _distance(
    own: Expression, other: Expression | None, sign: float, X: Array, scale: Array, threshold: float
) -> Array:
    """Bound of the distance to own − other = threshold, from above or (sign −1) from below."""
    if isinstance(own, Score):
        assert other is None or isinstance(other, Score)
        return _score_distance(_difference(own, other, sign), X, scale, sign * threshold)
    gaps = own.values(X) - threshold
    rate = rate_of(own, scale)
    if other is not None:
        gaps -= other.values(X)
        rate += rate_of(other, scale)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sign * gaps > 0, sign * gaps / rate, 0.0)


def rate_of(value: Expression, scale: Array) -> float:
    """How fast a value without jumps can change with the radius."""
    if isinstance(value, Separable):
        return rate_of(value.general(), scale)
    if isinstance(value, Sum):
        return sum(rate_of(part, scale) for part in value.parts)
    assert isinstance(value, Extreme)
    if isinstance(value.parts, Affine):
        return float((np.abs(value.parts.coef) @ scale).max(initial=0.0))
    return max(rate_of(part, scale) for part in value.parts)


def _difference(own: Score, other: Score | None, sign: float) -> Score:
    if other is None:
        return Score(sign * own.coef, sign * own.intercept, own.boxes, sign * own.points)
    return Score(
        own.coef - other.coef,
        own.intercept - other.intercept,
        np.concatenate([own.boxes, other.boxes]),
        np.concatenate([own.points, -other.points]),
    )


def _score_distance(score: Score, X: Array, scale: Array, threshold: float) -> Array:
    """The radius at which a score can fall to the threshold if every box counts for itself."""
    gaps = score.values(X) - threshold
    lower, upper = score.boxes[:, 0], score.boxes[:, 1]
    # Distances to the faces: the smallest one leaves a box, the largest shortfall enters it.
    to_faces = np.minimum((X[:, None] - lower) / scale, (upper - X[:, None]) / scale).min(
        axis=2, initial=np.inf
    )
    inside = to_faces >= 0
    lost = np.where(inside == (score.points > 0), np.abs(score.points), 0.0)
    events = np.abs(to_faces)
    order = np.argsort(events, axis=1)
    none = np.zeros((len(X), 1))
    events = np.hstack([none, np.take_along_axis(events, order, axis=1)])
    left = gaps[:, None] - np.hstack([none, np.cumsum(np.take_along_axis(lost, order, 1), axis=1)])
    rate = np.abs(score.coef) @ scale
    with np.errstate(divide="ignore", invalid="ignore"):
        radii = np.maximum(events, np.where(left > 0, left / rate, 0.0))
    return np.where(gaps > 0, radii.min(axis=1), 0.0)


def bounds_of_model(model: Any, X: Array, scale: Array, codes: Indices) -> Array:
    """Bounds for models whose decision is no expression."""
    if isinstance(model, BoxClassifier):
        depths = model._depths(X)
        if not model._competes():
            return np.abs(depths[:, 1]) / scale.max()
        own = depths[np.arange(len(X)), codes]
        depths[np.arange(len(X)), codes] = -np.inf
        return np.maximum(own - depths.max(axis=1), 0.0) / (2 * scale.max())
    from ._members import bounds_by_members

    return bounds_by_members(model, X, scale, codes)
