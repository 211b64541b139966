"""Orientation of the features: the signs that ``monotonic_cst`` determines.

A DEP is increasing in every feature. If a feature is multiplied by −1, it is decreasing in it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .._utils._typing import Array

_ROUNDING = 1e-12


def orientation(
    monotonic_cst,
    X: Array,
    signs: Array,
    sample_weight: Array | None,
    feature_names: NDArray | None,
) -> Array:
    """Compute the sign of every feature, +1 or −1.

    Parameters
    ----------
    monotonic_cst : None, "auto", array-like of +1 and −1, or a mapping from names to +1 and −1
        ``"auto"`` takes the sign of the difference of the class means, positive minus negative.
        Features that a mapping does not name are increasing.
    """
    n_features = X.shape[1]
    if monotonic_cst is None:
        return np.ones(n_features)
    if isinstance(monotonic_cst, str):
        return growth_signs(X, signs, sample_weight)
    if isinstance(monotonic_cst, Mapping):
        chosen = signs_by_name(monotonic_cst, feature_names)
    else:
        chosen = np.asarray(monotonic_cst, dtype=float)
        if chosen.shape != (n_features,):
            raise ValueError(
                f"monotonic_cst has shape {chosen.shape}, but X has {n_features} features: give "
                "one +1 or -1 for each"
            )
    if not np.isin(chosen, (-1.0, 1.0)).all():
        raise ValueError(
            "monotonic_cst must contain only +1 (increasing) and -1 (decreasing): a "
            "dilation-erosion perceptron is monotone in every feature, so none can be left free "
            "(0); drop such a feature or use RDEPClassifier"
        )
    return chosen


def growth_signs(X: Array, signs: Array, sample_weight: Array | None) -> Array:
    """−1 for features whose mean is smaller in the positive class, +1 for the others."""
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    positive, negative = weights * (signs > 0), weights * (signs < 0)
    # Divided first, weights sum to one, and no sum can overflow.
    difference = (positive / positive.sum()) @ X - (negative / negative.sum()) @ X
    # Equal means may differ by the rounding of their sums, which depends on the order of the rows.
    scale = np.maximum(X.max(axis=0), -X.min(axis=0))
    return np.where(difference < -_ROUNDING * scale, -1.0, 1.0)


def signs_by_name(monotonic_cst: Mapping, feature_names: NDArray | None) -> Array:
    """Signs from a mapping, in the order of the features."""
    if feature_names is None:
        raise ValueError(
            "monotonic_cst names features, but X has no feature names: fit on a data frame, or "
            "give an array of +1 and -1"
        )
    unknown = sorted(set(monotonic_cst) - set(feature_names))
    if unknown:
        raise ValueError(
            f"monotonic_cst names features that X does not have: {unknown}; "
            f"X has {list(feature_names)}"
        )
    return np.array([monotonic_cst.get(name, 1) for name in feature_names], dtype=float)
