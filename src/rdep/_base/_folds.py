"""The folds inside a fit."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, check_cv

from .._utils._typing import Array, Indices


def inner_folds(cv, y: NDArray | None = None):
    """A splitter: an integer means that many stratified folds of *shuffled* samples, None five.

    If the smallest class has fewer samples than that, there are as many folds as it has samples.

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


def folds_in_use(cv, y: NDArray, sample_weight: Array | None) -> Iterator[tuple[Indices, Indices]]:
    """Training and test samples of each fold, as positions among the samples with some weight.

    Samples without weight are in no fold. An iterable counts them, as it counts all that were given
    to the fit; a number of folds or a splitter sees the others only.
    """
    used = np.arange(len(y)) if sample_weight is None else np.flatnonzero(sample_weight)
    if cv is None or isinstance(cv, Integral) or hasattr(cv, "split"):
        yield from inner_folds(cv, y[used]).split(used, y[used])
    else:
        for fold in inner_folds(cv).split():
            train, test = (rows[np.isin(rows, used)] for rows in map(np.asarray, fold))
            yield np.searchsorted(used, train), np.searchsorted(used, test)
