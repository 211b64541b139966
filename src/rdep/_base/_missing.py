"""Missing values (NaN) inside a model: they take no part in a maximum or a minimum."""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array


def has_missing(X: Array) -> bool:
    """Whether a value is missing; a minimum of finite numbers is not NaN, and needs no copy."""
    return bool(X.size and np.isnan(X.min()))


def in_place_of_missing(X: Array, value: float) -> Array:
    """Samples with a number in place of missing values; the samples themselves if none is."""
    return np.where(np.isnan(X), value, X) if has_missing(X) else X


def ranges(X: Array) -> tuple[Array, Array]:
    """Smallest and largest value of each feature; NaN for a feature without values."""
    if has_missing(X):
        return np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    return X.min(axis=0), X.max(axis=0)


def means_of_known(X: Array, weights: Array) -> Array:
    """Weighted mean of the values that each feature has; NaN for a feature without values."""
    known = ~np.isnan(X)
    with np.errstate(invalid="ignore"):
        return (weights @ np.where(known, X, 0.0)) / (weights @ known)


def combined(dilated: Array, eroded: Array, beta: float, prior: float) -> Array:
    """β δ + (1 − β) ε; if a sample has no value for an operator, the other one, or the prior."""
    without = np.isneginf(dilated), np.isposinf(eroded)
    if not (without[0].any() or without[1].any()):
        return beta * dilated + (1 - beta) * eroded
    dilated, eroded = (
        np.where(without[0], np.where(without[1], prior, eroded), dilated),
        np.where(without[1], np.where(without[0], prior, dilated), eroded),
    )
    return np.where(without[0] | without[1], dilated, beta * dilated + (1 - beta) * eroded)
