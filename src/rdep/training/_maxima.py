"""The maximum of every sample, and the features that attain it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._utils._blocks import row_blocks
from .._utils._typing import Array, Indices, Mask


def maxima(values: Array, u: Array) -> Array:
    """The largest value of each sample; shape (n_features, n_samples) in."""
    largest = np.full(values.shape[1], -np.inf)
    # Some features at a time: their sums need not leave the cache.
    for features in row_blocks(values):
        sums = values[features] + u[features, None]
        np.maximum(largest, sums.max(axis=0), out=largest)
    return largest


def number_of_holders(attained: Mask) -> NDArray[np.unsignedinteger]:
    """How many features attain the maximum of each sample; shape (n_features, n_samples) in."""
    return attained.sum(axis=0, dtype=np.min_scalar_type(len(attained)))


def sole_holders(attained: Mask) -> Indices:
    """The feature that attains each sample's maximum, where it is only one.

    Of numbers as small as the features allow: many times faster than ``argmax`` along features.
    """
    features = np.arange(len(attained), dtype=np.min_scalar_type(len(attained)))
    return (attained * features[:, None]).sum(axis=0, dtype=features.dtype).astype(np.intp)
