"""The folds inside a fit."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, check_cv


def inner_folds(cv, y: NDArray | None = None):
    """A splitter: an integer means that many stratified folds of *shuffled* samples, None five.

    Of a class with fewer samples than that there are as many folds as it has samples.

    The shuffle is always the same. It is needed because samples often come sorted, by time or by
    place: a fold of neighbours then differs from the other folds, and so do the values that members
    fitted on those give it from the values of new samples. On OpenML's eeg-eye-state, a recording,
    an r-DEP trained on such values had an accuracy below one half. To predict later samples from
    earlier ones, pass a splitter that keeps the order.
    """
    if cv is None or isinstance(cv, Integral):
        n_folds = 5 if cv is None else int(cv)
        if y is not None:
            classes, counts = np.unique(y, return_counts=True)
            if counts.min() < 2:
                raise ValueError(
                    f"cv={n_folds} needs at least two samples of every class, there is one of "
                    f"{classes.tolist()[counts.argmin()]!r}: add samples of it, or take cv=None"
                )
            n_folds = min(n_folds, int(counts.min()))
        return StratifiedKFold(n_folds, shuffle=True, random_state=0)
    return check_cv(cv, y, classifier=True)
