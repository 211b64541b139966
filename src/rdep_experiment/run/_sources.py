"""Source of a data set, in a form that can be sent to a worker process."""

from __future__ import annotations

import json
import os
import sys
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rdep._registry import CLASSIFICATION, REGRESSION
from rdep._utils._typing import Array, Indices
from rdep.datasets import Dataset, load_paper_dataset, load_ripley, make_double_moon

if TYPE_CHECKING:
    import pandas as pd

    from rdep.tables import TrainingTable

EMBEDDED = {"Ripley": load_ripley, "Double-Moon": make_double_moon}

_PLACES = ("data_dir", "data_home", "file", "arrays")
_FORMATS = (
    *(".csv", ".tsv", ".txt", ".parquet", ".pq", ".feather", ".arrow", ".arff"),
    *(".xlsx", ".xls", ".ods"),
)
_COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz", ".lz4", ".zip")


@dataclass(frozen=True)
class Source:
    """Data set by name: embedded, the paper's, or a table of the user."""

    name: str
    data_dir: str | None = None
    data_home: str | None = None
    file: str | None = None  # table of the user
    target: str | None = None
    arrays: str | None = None  # file of a data set that is already encoded
    one_hot: bool = False  # whether each category of the file becomes a column
    numbers: bool = False  # whether the target holds numbers to predict
    most_rows: int | None = None  # of more, a random sample is drawn

    def load(self) -> Dataset:
        if self.arrays is not None:
            return _read_arrays(Path(self.arrays), self.name)
        if self.file is not None:
            return read_table(
                Path(self.file),
                self.target or "",
                self.name,
                self.one_hot,
                numbers=self.numbers,
                most_rows=self.most_rows,
            )
        if self.name in EMBEDDED:
            return _embedded(self.name)
        return load_paper_dataset(self.name, data_dir=self.data_dir, data_home=self.data_home)

    def absolute(self) -> Source:
        """Return the source with absolute paths, for a process in another folder."""
        places = {name: getattr(self, name) for name in _PLACES}
        return replace(self, **{k: v and os.path.abspath(v) for k, v in places.items()})


def table_name(path: Path) -> str:
    """Name of a file without the endings of its format."""
    name = Path(path.name)
    for endings in (_COMPRESSIONS, _FORMATS):
        if name.suffix.lower() in endings:
            name = Path(name.stem)
    return str(name)


def write_arrays(dataset: Dataset, path: Path) -> Path:
    """Write a data set for worker processes, which read it with ``Source(arrays=…)``."""
    content: dict[str, Any] = {
        "X": dataset.X,
        "y": dataset.y,
        "feature_names": json.dumps(dataset.feature_names),
        "labels": json.dumps(dataset.labels),
    }
    if dataset.groups is not None:
        content["groups"] = dataset.groups
    np.savez(path, **content)
    return path


def _read_arrays(path: Path, name: str) -> Dataset:
    with np.load(path, allow_pickle=False) as arrays:
        return Dataset(
            name=name,
            X=arrays["X"],
            y=arrays["y"],
            feature_names=tuple(json.loads(str(arrays["feature_names"]))),
            labels=tuple(json.loads(str(arrays["labels"]))),
            source=path.name,
            groups=arrays.get("groups"),
        )


def _embedded(name: str) -> Dataset:
    X_train, X_test, y_train, y_test = EMBEDDED[name]()
    return Dataset(
        name=name,
        X=np.vstack([X_train, X_test]),
        y=np.concatenate([y_train, y_test]),
        feature_names=("x1", "x2"),
        labels=("0", "1"),
        source="embedded",
    )


def read_table(
    path: Path,
    target: str,
    name: str,
    one_hot: bool = False,
    *,
    numbers: bool = False,
    most_rows: int | None = None,
) -> Dataset:
    """Read a table of the user: texts become codes in alphabetical order, or a column each.

    Numbers to predict are in standard deviations from their mean, so that errors on several tables
    have the same unit.
    """
    from rdep.tables import encoded_frame, read_training_table

    with warnings.catch_warnings():
        # Every worker reads the table; only the command itself shows remarks on it.
        warnings.simplefilter("ignore")
        task = REGRESSION if numbers else CLASSIFICATION
        table = read_training_table(str(path), target, max_categories=sys.maxsize, task=task)
    if not numbers:
        check_two_classes(table, target, str(path))
    frame = encoded_frame(table.frame, table.schema) if one_hot else _coded_frame(table)
    rows = _drawn(len(frame), most_rows)
    y, labels = _target(table, rows)
    return Dataset(
        name=name,
        X=frame.to_numpy(float)[rows],
        y=y,
        feature_names=tuple(map(str, frame.columns)),
        labels=labels,
        source=path.name,
    )


def _drawn(n_rows: int, most: int | None) -> Indices:
    """All rows, or a random sample of them in their order."""
    if most is None or n_rows <= most:
        return np.arange(n_rows)
    return np.sort(np.random.RandomState(0).permutation(n_rows)[:most])


def _target(table: TrainingTable, rows: Indices) -> tuple[Array | Indices, tuple[str, ...]]:
    """Classes 0 and 1 with their labels, or numbers in standard deviations from their mean."""
    y, labels = table.y[rows], table.schema.classes
    if labels:
        return (y == labels[1]).astype(np.intp), (str(labels[0]), str(labels[1]))
    return (y - y.mean()) / y.std(), ()


def _coded_frame(table: TrainingTable) -> pd.DataFrame:
    """Data frame of the numbers, and of codes of the categories."""
    from rdep.tables import NUMBER

    frame = table.frame[list(table.schema.names)].copy()
    for column in table.schema.columns:
        if column.kind != NUMBER:
            frame[column.name] = _codes(frame[column.name], column.categories)
    return frame


def check_two_classes(table: TrainingTable, target: str, source: str) -> None:
    """Refuse a target without exactly two classes, which the paper's experiment needs."""
    n_classes = len(table.schema.classes)
    if n_classes != 2:
        raise ValueError(
            f"the target {target!r} of {source} has {n_classes} different values, but the paper's "
            "experiment needs two: choose another target column, or use rdep evaluate"
        )


def _codes(column, categories: tuple[str, ...]) -> Array:
    code = {category: float(k) for k, category in enumerate(categories)}
    return column.map(code).to_numpy(float)
