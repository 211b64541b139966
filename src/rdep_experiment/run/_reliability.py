"""Reliability: predicted probabilities and what came true, in bins that add up over folds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from rdep._utils._typing import Array, Indices

N_BINS = 10


def binned(probabilities: Array, y: Indices) -> list[list[float]]:
    """Number of samples, sum of probabilities and number that came true, for each bin.

    Of two classes, the probability is that of class 1. Of more, it is that of the predicted class,
    and comes true where the prediction is right.

    Parameters
    ----------
    probabilities : array of shape (n_samples, n_classes)
        Predicted probabilities.
    y : array of shape (n_samples,)
        The classes, as numbers of the columns.

    Returns
    -------
    list of [int, float, int]
        Ten bins of the same width.
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


def reliability_curves(rows: Iterable[Mapping[str, Any]]) -> dict[str, Array]:
    """Mean probability, frequency and number of samples of every bin that has some, by classifier.

    Parameters
    ----------
    rows : iterable of dict
        The rows of one data set; those without ``reliability`` are left out.

    Returns
    -------
    dict of str to array of shape (n_bins, 3)
        All folds together.
    """
    sums: dict[str, Array] = {}
    for row in rows:
        if row.get("reliability"):
            name = row["classifier"]
            sums[name] = sums.get(name, 0) + np.array(row["reliability"], dtype=float)
    curves = {}
    for name, total in sums.items():
        count, probability, true = total[total[:, 0] > 0].T
        curves[name] = np.column_stack([probability / count, true / count, count])
    return curves
