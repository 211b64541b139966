"""Methods that return lazy values for the partitioned collections of Dask."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ._doors import room


def is_partitioned(X: Any) -> bool:
    """Whether X is a data frame or an array of Dask, without importing Dask."""
    return hasattr(X, "__dask_graph__") and hasattr(X, "to_delayed")


def lazy_on_dask(shape: Callable[[Any], tuple[int, ...]]) -> Callable[[Callable], Callable]:
    """Decorate a method of a classifier: with a collection of Dask, each partition is a task.

    ``shape`` returns the shape of the values of one sample, given the classes.
    """

    def decorated(method: Callable) -> Callable:
        @wraps(method)
        def called(self: Any, X: Any) -> Any:
            if not is_partitioned(X):
                return method(self, X)
            check_is_fitted(self)
            return room("blocks").lazily(method.__name__, self, X, shape(self.classes_))

        return called

    return decorated
