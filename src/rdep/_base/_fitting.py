"""A fit succeeds as a whole, or leaves the estimator as it was; it says what takes how long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from sklearn.base import BaseEstimator


@contextmanager
def unchanged_on_error(estimator: BaseEstimator) -> Iterator[dict[str, Any]]:
    """Forget an earlier fit, but restore it if this one fails: nothing is half-fitted.

    What was there before, the earlier fit included, is given by name.
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
    """Print what part of a fit has ended, and how long it took, if ``verbose`` is positive."""
    started = perf_counter()
    yield
    if verbose > 0:
        print(f"[{estimator}] {what}: {perf_counter() - started:.1f} s", flush=True)
