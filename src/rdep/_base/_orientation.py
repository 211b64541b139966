"""Orientation of the features: the signs that ``monotonic_cst`` determines.

A DEP is increasing in every coordinate. If a feature is multiplied by −1, it is decreasing in it. A
free feature is two coordinates, x and −x.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .._utils._typing import Array, Indices
from ._missing import has_missing, means_of_known, ranges

_ROUNDING = 1e-12


def orientation(
    monotonic_cst,
    X: Array,
    signs: Array,
    sample_weight: Array | None,
    feature_names: NDArray | None,
) -> Array:
    """Compute the sign of every feature: +1, −1, or 0 if it is free.

    Parameters
    ----------
    monotonic_cst : None, "auto", array-like of signs, or a mapping from names to signs
        ``"auto"`` takes the sign of the difference of the class means, positive minus negative.
        Features that a mapping does not name are increasing.
    """
    n_features = X.shape[1]
    if monotonic_cst is None:
        return np.ones(n_features)
    if isinstance(monotonic_cst, str):
        return growth_signs(X, signs, sample_weight)
    return given_signs(monotonic_cst, n_features, feature_names)


def given_signs(
    monotonic_cst, n_features: int, feature_names: NDArray | None, others: int = 1
) -> Array:
    """Signs that are given by position or by name; ``others`` is that of names not given."""
    if isinstance(monotonic_cst, Mapping):
        chosen = signs_by_name(monotonic_cst, feature_names, others)
    else:
        chosen = np.asarray(monotonic_cst, dtype=float)
        if chosen.shape != (n_features,):
            raise ValueError(
                f"monotonic_cst has shape {chosen.shape}, but X has {n_features} features: give "
                "one +1, -1 or 0 for each"
            )
    if not np.isin(chosen, (-1.0, 0.0, 1.0)).all():
        raise ValueError(
            "monotonic_cst must contain only +1 (increasing), -1 (decreasing) and 0 (free)"
        )
    return chosen


def both_ways(
    signs: Array, X: Array, of_samples: Array | None, sample_weight: Array | None
) -> tuple[Indices, Array]:
    """Features and signs of coordinates: one for a constrained feature, x and −x for a free one.

    A free feature with two values needs one bound only. It is one coordinate, whose sign is learned
    from the classes ``of_samples`` (−1 and +1), or +1 without classes.
    """
    free = signs == 0
    if not free.any():
        return np.arange(len(signs)), signs
    if sample_weight is not None and not sample_weight.all():
        used = np.flatnonzero(sample_weight)
        X, sample_weight = X[used], sample_weight[used]
        of_samples = None if of_samples is None else of_samples[used]
    least, greatest = ranges(X)
    one_bound = ((least == X) | (greatest == X) | np.isnan(X)).all(axis=0)
    first = np.where(free, 1.0, signs)
    if of_samples is not None:
        learned = free & one_bound
        first[learned] = growth_signs(X[:, learned], of_samples, sample_weight)
    again = np.flatnonzero(free & ~one_bound)
    return (
        np.concatenate([np.arange(len(signs)), again]),
        np.concatenate([first, -np.ones(len(again))]),
    )


def growth_signs(X: Array, signs: Array, sample_weight: Array | None) -> Array:
    """−1 for features whose mean is smaller in the positive class, +1 for the others."""
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    positive, negative = weights * (signs > 0), weights * (signs < 0)
    if has_missing(X):
        difference = means_of_known(X, positive) - means_of_known(X, negative)
        scale = np.fmax.reduce(np.abs(X), axis=0)
        return np.where(difference < -_ROUNDING * scale, -1.0, 1.0)  # 1 if a class has no value
    # Divided first, weights sum to one, and no sum can overflow.
    difference = (positive / positive.sum()) @ X - (negative / negative.sum()) @ X
    # Equal means may differ by the rounding of their sums, which depends on the order of the rows.
    scale = np.maximum(X.max(axis=0), -X.min(axis=0))
    return np.where(difference < -_ROUNDING * scale, -1.0, 1.0)


def regression_orientation(
    monotonic_cst, X: Array, y: Array, sample_weight: Array | None, feature_names: NDArray | None
) -> Array:
    """Compute the sign of every feature for targets; ``"auto"`` takes that of the covariance."""
    weights = np.ones(len(y)) if sample_weight is None else sample_weight
    # Means of X, weighted by deviations above and below the mean, differ by the covariance.
    deviations = y / np.abs(y).max() - np.average(y / np.abs(y).max(), weights=weights)
    chosen = orientation(
        monotonic_cst, X, np.sign(deviations), weights * np.abs(deviations), feature_names
    )
    if not chosen.all():
        raise ValueError(
            "monotonic_cst of a regressor must contain only +1 (increasing) and -1 (decreasing): "
            "no feature can be free (0)"
        )
    return chosen


def signs_by_name(monotonic_cst: Mapping, feature_names: NDArray | None, others: int = 1) -> Array:
    """Signs from a mapping, in the order of the features."""
    if feature_names is None:
        raise ValueError(
            "monotonic_cst names features, but X has no feature names: fit on a data frame, or "
            "give an array of signs"
        )
    unknown = sorted(set(monotonic_cst) - set(feature_names))
    if unknown:
        raise ValueError(
            f"monotonic_cst names features that X does not have: {unknown}; "
            f"X has {list(feature_names)}"
        )
    return np.array([monotonic_cst.get(name, others) for name in feature_names], dtype=float)
