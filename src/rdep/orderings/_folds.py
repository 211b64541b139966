"""The folds inside a fit."""

from __future__ import annotations

from numbers import Integral

from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, check_cv


def inner_folds(cv, y: NDArray | None = None):
    """A splitter. A number means so many stratified folds of *shuffled* samples, always the same.

    None means five.

    Samples often come sorted, by time or by place. A fold of neighbours then is unlike the rest,
    and what members fitted on the rest say of it is unlike what they will say of new samples. On
    OpenML's eeg-eye-state, a recording, an r-DEP trained on such values was right less often than a
    coin. Whoever predicts a later time from an earlier one passes a splitter that keeps the order.
    """
    if cv is None or isinstance(cv, Integral):
        return StratifiedKFold(5 if cv is None else int(cv), shuffle=True, random_state=0)
    return check_cv(cv, y, classifier=True)
