"""Fit a classifier on landmarks to rows that are never in memory together."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from .._base._moments import Moments, moments
from .._base._passes import Block, Passes, rows_at
from .._utils._typing import Array, Indices
from ._evaluation import Kernel
from ._landmarks import LandmarkClassifier
from ._ridge import KernelSums, Ridge


def fit_landmarks_by_passes(
    classifier: LandmarkClassifier,
    passes: Passes,
    classes: NDArray,
    found: Moments | None = None,
) -> tuple[LandmarkClassifier, Ridge]:
    """Fit to all rows, whose y are −1 and +1; the result is that of a fit to arrays.

    ``found`` holds sums over the rows with their weights; they save a pass. The regression that is
    returned gives :func:`left_out_values` of blocks.
    """
    if found is None:
        found = passes.reduce(moments, Moments.__add__)
    classifier.classes_, classifier.n_features_in_ = np.asarray(classes), len(found.means)
    classifier.landmarks_, _, _ = rows_at(passes, _positions(classifier, passes, found))
    gamma = _gamma(classifier, found)
    kernel = Kernel(classifier.kernel, gamma, classifier.degree, classifier.coef0)
    classifier.kernel_ = kernel
    landmarks = classifier.landmarks_
    sums = passes.reduce(partial(_kernel_sums, landmarks, kernel), KernelSums.__add__)
    ridge = Ridge.of(sums, landmarks, kernel, classifier._alphas())
    best = 0
    if len(ridge.alphas) > 1:
        best = int(passes.reduce(partial(_errors, ridge), np.add).argmin())
    classifier._take(ridge, best)
    return classifier, ridge.only(best)


def left_out_values(ridge: Ridge, block: Block) -> Array:
    """Value of each row of a block from a fit without it."""
    return ridge.left_out(block.X, block.y, block.weight)[:, 0]


def _positions(classifier: LandmarkClassifier, passes: Passes, found: Moments) -> Indices:
    """Positions of the landmarks among all rows: a draw of the rows with a weight."""
    ranks = check_random_state(classifier.random_state).permutation(found.n_rows)
    ranks = np.sort(ranks[: classifier.n_landmarks])
    if found.n_rows == passes.n_rows:
        return ranks
    weightless = passes.reduce(_weightless, _joined)
    # Rows with a weight before each row without one.
    before = weightless - np.arange(len(weightless))
    return ranks + np.searchsorted(before, ranks, side="right")


def _weightless(block: Block) -> Indices:
    return block.rows[block.weight == 0]


def _joined(a: Indices, b: Indices) -> Indices:
    return np.concatenate([a, b])


def _gamma(classifier: LandmarkClassifier, found: Moments) -> float:
    if classifier.gamma == "auto":
        return 1.0 / len(found.means)
    return found.scale_gamma() if classifier.gamma == "scale" else float(classifier.gamma)


def _kernel_sums(landmarks: Array, kernel: Kernel, block: Block) -> KernelSums:
    return KernelSums.of(block.X, block.y, block.weight, landmarks, kernel)


def _errors(ridge: Ridge, block: Block) -> Array:
    return ridge.errors(block.X, block.y, block.weight)
