"""Calibration: predicted probabilities and observed frequencies, in bins that can be added."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._utils._typing import Array, Indices

N_BINS = 10


def binned(probabilities: Array, y: Indices) -> list[list[Any]]:
    """Count samples, probabilities and events in ten bins of equal width.

    With two classes, the event is class 1. With more, the event is that the predicted class is
    right. The bins of several sets of samples add up.

    Parameters
    ----------
    probabilities : array of shape (n_samples, n_classes)
        Predicted probabilities.
    y : array of shape (n_samples,)
        The classes, as column indices.

    Returns
    -------
    list of [int, float, int]
        Number of samples, sum of probabilities and number of events of each bin.
    """
    if probabilities.shape[1] == 2:
        chosen, true = probabilities[:, 1], y == 1
    else:
        chosen, true = probabilities.max(axis=1), y == probabilities.argmax(axis=1)
    edges = np.linspace(0.0, 1.0, N_BINS + 1)[1:-1]
    bins = np.searchsorted(edges, chosen)
    sums = [np.bincount(bins, weights, N_BINS) for weights in (None, chosen, true)]
    return [
        [int(count), float(total), int(n_true)] for count, total, n_true in zip(*sums, strict=True)
    ]


def calibration_curve(bins: ArrayLike) -> Array:
    """Compute the mean probability and the observed frequency of each bin with samples.

    scikit-learn's :func:`~sklearn.calibration.calibration_curve` does the same for one set of
    samples of two classes.

    Parameters
    ----------
    bins : array-like of shape (n_bins, 3)
        Bins of :func:`binned`, or a sum of them.

    Returns
    -------
    ndarray of shape (n_bins_with_samples, 3)
        Mean probability, frequency of the event, and number of samples.
    """
    counts = np.asarray(bins, dtype=float)
    count, probability, events = counts[counts[:, 0] > 0].T
    return np.column_stack([probability / count, events / count, count])
