"""The coefficient γ that ``gamma="scale"`` stands for, where weights of samples mean repetition."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

from .._utils._typing import Array


def scale_gamma(X, weights: Array) -> float:
    """1 / (number of features × variance of all values), or 1 where all are equal.

    scikit-learn's SVC takes the variance without weights: a sample of weight 2 is then not the same
    as two samples.
    """
    if issparse(X):
        shares = weights / weights.sum()
        mean = (shares @ X).mean()
        variance = (shares @ X.multiply(X)).mean() - mean**2
    else:
        X = np.asarray(X, dtype=float)
        mean = np.average(X, weights=weights, axis=0).mean()
        variance = np.average((X - mean) ** 2, weights=weights, axis=0).mean()
    return float(1.0 / (X.shape[1] * variance)) if variance > 0 else 1.0
