"""The folds inside a fit."""

from __future__ import annotations

from numbers import Integral

from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, check_cv


def inner_folds(cv, y: NDArray | None = None):
    """A splitter: an integer means that many stratified folds of *shuffled* samples, None five.

    The shuffle is always the same. It is needed because samples often come sorted, by time or by
    place: a fold of neighbours then differs from the other folds, and so do the values that members
    fitted on those give it from the values of new samples. On OpenML's eeg-eye-state, a recording,
    an r-DEP trained on such values had an accuracy below one half. To predict later samples from
    earlier ones, pass a splitter that keeps the order.
    """
    if cv is None or isinstance(cv, Integral):
        return StratifiedKFold(5 if cv is None else int(cv), shuffle=True, random_state=0)
    return check_cv(cv, y, classifier=True)
