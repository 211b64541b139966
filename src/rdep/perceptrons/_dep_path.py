"""Dilation-erosion perceptrons along a path of C, each trained from where the one before ended."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from .._utils._typing import Array
from ..exceptions import DegenerateFitWarning
from ._dep import DEPClassifier


def dep_path(
    dep: DEPClassifier, X: Array, y: NDArray, sample_weight: Array | None, Cs: Array
) -> Iterator[tuple[int, DEPClassifier]]:
    """Fitted copies for every C from the greatest on, each with its place in ``Cs``.

    ``X``, ``y`` and ``sample_weight`` are validated arrays of two classes.
    """
    start = None
    for place in np.argsort(-Cs):
        model = clone(dep).set_params(C=float(Cs[place]))
        with warnings.catch_warnings():
            # On the way, and in folds, a fit may be degenerate. The one that is kept is judged.
            warnings.simplefilter("ignore", DegenerateFitWarning)
            model._fit_as_part(X, y, sample_weight, start=start)
        start = {
            "dilation": model.dilation_result_.weights,
            "erosion": model.erosion_result_.weights,
        }
        yield int(place), model
