"""Dask's data frames and arrays as rows, and lazy predictions of their partitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base._passes import Block
from .._base._validation import check_classes
from .._utils._imports import optional, pandas
from .._utils._typing import Array
from ..perceptrons import RDEPClassifier
from ._dask import DaskRows, dask, task
from ._fitting import fit_rows
from ._memory import DEFAULT_MEMORY, parse_memory
from ._progress import Progress


@dataclass(frozen=True)
class PartFacts:
    """What is to be known of a partition before any sum is formed."""

    n_rows: int
    n_classes: int  # rows of y
    classes: NDArray
    names: tuple[str, ...] | None
    n_features: int
    trouble: str | None = None


def rows_of_collections(X: Any, y: Any, progress: Progress) -> tuple[DaskRows, NDArray, Any]:
    """Rows of a Dask data frame or array, their classes, and the names of the features.

    One pass finds the sizes of the partitions, which need not be known, and checks their content.
    """
    parts_X, parts_y = _delayed_parts(X), _delayed_targets(X, y)
    if len(parts_X) != len(parts_y):
        raise ValueError(
            f"X has {len(parts_X)} partitions and y has {len(parts_y)}: partition both alike, as "
            "two columns of the same collection are"
        )
    progress.what = "looking"
    with progress.passing(None):
        found = dask().compute(
            *(task(_facts)(*pair) for pair in zip(parts_X, parts_y, strict=True))
        )
    names, classes = _checked(found)
    sizes = [facts.n_rows for facts in found]
    starts = np.cumsum([0, *sizes])
    blocks = [
        task(_block)(part, target, classes, int(start))
        for part, target, start, size in zip(parts_X, parts_y, starts, sizes, strict=False)
        if size
    ]
    return DaskRows(blocks, int(starts[-1]), progress), classes, names


def fit_dask(
    classifier: RDEPClassifier, X: Any, y: Any, memory: int | str = DEFAULT_MEMORY
) -> RDEPClassifier:
    """Fit an r-DEP on a data frame or an array of Dask, whose partitions stay where they are."""
    rows, classes, names = rows_of_collections(X, y, Progress())
    fit_rows(classifier, rows, classes, parse_memory(memory), names)
    return classifier


def _delayed_parts(X: Any) -> list[Any]:
    """Partitions of rows with all columns."""
    if hasattr(X, "rechunk"):
        if X.ndim != 2:
            raise ValueError(f"X must have two dimensions, got {X.ndim}")
        X = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
        return X.to_delayed().ravel().tolist()
    return _as_they_are(X)


def _delayed_targets(X: Any, y: Any) -> list[Any]:
    if not hasattr(y, "__dask_graph__"):
        raise TypeError(
            f"X is a collection of Dask and y is of type {type(y).__name__}: give y as a Dask "
            "series or array with the partitions of X"
        )
    if hasattr(y, "rechunk"):
        if hasattr(X, "chunks") and _known(X) and _known(y) and X.shape[0] == y.shape[0]:
            y = y.rechunk((X.chunks[0],))
        return y.to_delayed().ravel().tolist()
    return _as_they_are(y)


def _as_they_are(frame: Any) -> list[Any]:
    """Partitions of a data frame; optimised alone, X and y would be joined to different ones."""
    return list(frame.to_delayed(optimize_graph=False))


def _known(array: Any) -> bool:
    return not np.isnan(array.shape[0])


def _facts(X: Any, y: Any) -> PartFacts:
    """Sizes, classes and names of a partition, and what is wrong with it."""
    names = tuple(map(str, X.columns)) if hasattr(X, "columns") else None
    trouble = None
    try:
        values = np.asarray(X, dtype=np.float64)
        if not np.isfinite(values).all():
            trouble = "has missing or infinite values, which need an imputer before"
    except (TypeError, ValueError) as error:
        trouble = f"has a column that does not hold numbers ({error})"
    labels = np.asarray(y)
    missing = bool(pandas().isna(labels).any())
    labels = labels.astype(str) if labels.dtype == object else labels
    if missing:
        trouble = trouble or "has rows without a class"
    return PartFacts(len(X), len(labels), np.unique(labels), names, X.shape[1], trouble)


def _checked(found: tuple[PartFacts, ...]) -> tuple[tuple[str, ...] | None, NDArray]:
    """Names and classes of all partitions; errors name the partition, counted from 0."""
    first = found[0]
    for number, facts in enumerate(found):
        if facts.n_rows != facts.n_classes:
            raise ValueError(
                f"partition {number} of X has {facts.n_rows} rows and that of y has "
                f"{facts.n_classes}: partition both alike"
            )
        if facts.names != first.names or facts.n_features != first.n_features:
            raise ValueError(
                f"partition {number} has other columns than partition 0: {_columns(facts)} instead "
                f"of {_columns(first)}"
            )
        if facts.trouble:
            raise ValueError(f"partition {number} {facts.trouble}")
        if facts.n_rows and facts.classes.dtype.kind != first.classes.dtype.kind:
            raise ValueError(
                f"the classes of partition {number} are of type {facts.classes.dtype}, those of "
                f"partition 0 of type {first.classes.dtype}"
            )
    classes = np.unique(np.concatenate([facts.classes for facts in found if facts.n_rows]))
    return first.names, check_classes(classes, None)


def _columns(facts: PartFacts) -> str:
    return f"{facts.n_features} columns" if facts.names is None else str(list(facts.names))


def _block(X: Any, y: Any, classes: NDArray, start: int) -> Block:
    """A partition as numbers, and codes of its classes."""
    labels = np.asarray(y)
    labels = labels.astype(str) if labels.dtype == object else labels
    codes = np.searchsorted(classes, labels).astype(np.int16)
    return Block(np.asarray(X, dtype=np.float64), codes, np.ones(len(codes)), start)


def lazily(method: str, model: Any, X: Any, shape: tuple[int, ...]) -> Any:
    """Values of a method for each partition of X, which are computed when they are needed.

    Parameters
    ----------
    method : str
        Name of the method.
    model : fitted classifier
    X : dask.dataframe.DataFrame or dask.array.Array
    shape : tuple of int
        Shape of the values of one row.

    Returns
    -------
    dask.array.Array
        One chunk for each partition.
    """
    da, parts = optional("dask.array", "predictions on Dask", "dask"), _delayed_parts(X)
    sizes = X.chunks[0] if hasattr(X, "rechunk") else [np.nan] * len(parts)
    shared = dask().delayed(model, pure=False, traverse=False)
    empty = getattr(model, method)(_one_row(model, X))[:0]
    values = [
        da.from_delayed(task(_values)(method, shared, empty, part), (size, *shape), meta=empty)
        for part, size in zip(parts, sizes, strict=True)
    ]
    return da.concatenate(values)


def _values(method: str, model: Any, empty: Array, X: Any) -> Array:
    return getattr(model, method)(X) if len(X) else empty


def _one_row(model: Any, X: Any) -> Any:
    zeros = np.zeros((1, model.n_features_in_))
    return type(X._meta)(zeros, columns=X._meta.columns) if hasattr(X, "columns") else zeros
