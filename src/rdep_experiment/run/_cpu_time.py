"""CPU time of predicting one row and many."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np
from sklearn.base import BaseEstimator

from rdep._utils._typing import Array

# What a row of the suite ``costs`` states the CPU time of.
FIT, ONE_ROW, MANY_ROWS = "fit", "one_row", "many_rows"
N_MANY = 10_000
_REPEATS = 15


def cpu_clock() -> float:
    """CPU seconds of all threads of this process, and of its processes that have ended."""
    times = os.times()
    # In ticks of some milliseconds, and mostly zero; this process has a finer clock.
    return time.process_time() + times.children_user + times.children_system


def seconds_of(work: Callable[[], object]) -> float:
    """CPU seconds of the work."""
    begun = cpu_clock()
    work()
    return cpu_clock() - begun


def prediction_times(model: BaseEstimator, X: Array) -> dict[str, float]:
    """CPU seconds of predicting one row, the median over several rows, and of 10,000 rows.

    Test samples are repeated up to 10,000.
    """
    rows = [X[[k % len(X)]] for k in range(_REPEATS)]
    many = X[np.arange(N_MANY) % len(X)]
    return {
        ONE_ROW: float(np.median([seconds_of(lambda row=row: model.predict(row)) for row in rows])),
        MANY_ROWS: seconds_of(lambda: model.predict(many)),
    }
