"""One thread for small data, because on busy cores the threads of a team wait for each other."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache

# Numbers in X. With this size, one thread fits a histogram boosting in a second or two. With a
# team, 200 rows took 14 s and 20,000 rows 35 s while other programs kept both cores busy.
_SMALL = 1_000_000


def one_thread_if_small(X) -> AbstractContextManager:
    """Context manager that limits OpenMP to one thread if X is small."""
    n_rows, n_columns = X.shape
    if n_rows * n_columns > _SMALL:
        return nullcontext()
    return _controller().limit(limits=1, user_api="openmp")


@cache  # finding the libraries takes longer than a small fit
def _controller():
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
