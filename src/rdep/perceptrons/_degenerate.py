"""Warnings about fits of little use."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._utils._typing import Array
from ..exceptions import DegenerateFitWarning, warn_caller

# More of the samples than this at the boundary are worth a warning.
_LARGE_SHARE = 0.1
_ROUNDING = 64 * np.finfo(float).eps


def warn_if_degenerate(
    values: Array, signs: Array, classes: NDArray, sample_weight: Array | None, size: float
) -> None:
    """Warn when decision values of the training samples say that the fit is of little use.

    ``size`` is that of the numbers whose sums the values are, which rounding is relative to.
    """
    if sample_weight is not None:
        values, signs = values[sample_weight > 0], signs[sample_weight > 0]
    positive = values >= 0
    # Positives at zero are where they belong.
    at_boundary = (np.abs(values) <= _ROUNDING * size) & (signs < 0)
    trouble = []
    if positive.all() or not positive.any():
        label = classes.tolist()[int(positive[0])]
        trouble.append(f"every training sample is predicted as class {label!r}")
    if at_boundary.mean() > _LARGE_SHARE:
        trouble.append(
            f"{at_boundary.mean():.0%} of the training samples lie exactly on the decision "
            "boundary, on its wrong side"
        )
    if trouble:
        warn_caller(
            f"Degenerate fit: {' and '.join(trouble)}. What can help: a larger `margin`; "
            "`monotonic_cst='auto'`, which negates features that decrease with the positive "
            "class; or `RDEPClassifier`, which learns increasing features",
            DegenerateFitWarning,
        )
