"""CPU time of predicting one row and many rows."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator

from rdep._utils._typing import Array

# Operations whose CPU time a row of the suite ``costs`` states.
FIT, ONE_ROW, MANY_ROWS = "fit", "one_row", "many_rows"
N_MANY = 10_000
_REPEATS = 15


def cpu_clock() -> float:
    """CPU seconds of all threads of this process, and of its child processes that have ended."""
    times = os.times()
    # Times of children have ticks of some milliseconds and are mostly zero; the clock of this
    # process is finer.
    return time.process_time() + times.children_user + times.children_system


def seconds_of(work: Callable[[], object]) -> float:
    """Measure the CPU seconds of the work."""
    begun = cpu_clock()
    work()
    return cpu_clock() - begun


def prediction_times(model: BaseEstimator, X: Array) -> dict[str, float]:
    """CPU seconds of predicting one row, the median over several rows, and of 10,000 rows.

    The test samples are repeated to make 10,000 rows.
    """
    rows = [X[[k % len(X)]] for k in range(_REPEATS)]
    many = X[np.arange(N_MANY) % len(X)]
    return {
        ONE_ROW: float(np.median([seconds_of(partial(model.predict, row)) for row in rows])),
        MANY_ROWS: seconds_of(lambda: model.predict(many)),
    }
