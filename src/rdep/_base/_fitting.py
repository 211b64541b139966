"""Context managers of fits: undo a fit that fails, and print the times of its parts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from sklearn.base import BaseEstimator


@contextmanager
def unchanged_on_error(estimator: BaseEstimator) -> Iterator[dict[str, Any]]:
    """Remove the attributes of an earlier fit, and restore them if this fit fails.

    Yields the attributes before the fit, including those of an earlier fit, by name.
    """
    before = dict(vars(estimator))
    for name in before:
        if name.endswith("_") and not name.startswith("_"):
            delattr(estimator, name)
    try:
        yield before
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


@contextmanager
def timed(verbose: int, estimator: str, what: str) -> Iterator[None]:
    """Print which part of a fit has ended, and its time, if ``verbose`` is positive."""
    started = perf_counter()
    yield
    if verbose > 0:
        print(f"[{estimator}] {what}: {perf_counter() - started:.1f} s", flush=True)
