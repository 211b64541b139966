"""Where a data set comes from, in a form that a worker process can be told."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..datasets import Dataset, load_paper_dataset, load_ripley, make_double_moon

EMBEDDED = {"Ripley": load_ripley, "Double-Moon": make_double_moon}


@dataclass(frozen=True)
class Source:
    """A data set by name: embedded, the paper's, or a table of the user's own."""

    name: str
    data_dir: str | None = None
    data_home: str | None = None
    file: str | None = None  # of the user's own
    target: str | None = None

    def load(self) -> Dataset:
        if self.file is not None:
            return read_table(Path(self.file), self.target or "", self.name)
        if self.name in EMBEDDED:
            return _embedded(self.name)
        return load_paper_dataset(self.name, data_dir=self.data_dir, data_home=self.data_home)

    def absolute(self) -> Source:
        """The same for a process with another working directory."""
        places = {name: getattr(self, name) for name in ("data_dir", "data_home", "file")}
        return replace(self, **{k: v and os.path.abspath(v) for k, v in places.items()})


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


def read_table(path: Path, target: str, name: str) -> Dataset:
    """A CSV or Parquet file: text and categories become codes in alphabetical order."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("tables need pandas: pip install 'rdep[experiment]'") from error
    try:
        read = pd.read_parquet if path.suffix in (".parquet", ".pq") else pd.read_csv
        frame = read(path)
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{path} does not exist") from error
    except Exception as error:  # readers fail in many ways on what is damaged
        raise ValueError(f"{path} cannot be read as a table: {error}") from error
    if target not in frame.columns:
        raise ValueError(f"{path} has no column {target!r}; it has {', '.join(frame.columns)}")
    labels = frame.pop(target)
    classes = sorted(labels.dropna().unique(), key=str)
    if labels.isna().any():
        raise ValueError(
            f"{path}: the target {target!r} is missing in row {int(labels.isna().argmax()) + 1}"
        )
    if len(classes) != 2:
        raise ValueError(
            f"{path}: the target {target!r} has {len(classes)} different values, two are needed"
        )
    columns = [
        frame[column].astype(float)
        if pd.api.types.is_numeric_dtype(frame[column]) or pd.api.types.is_bool_dtype(frame[column])
        else _codes(frame[column])
        for column in frame.columns
    ]
    return Dataset(
        name=name,
        X=np.column_stack(columns).astype(float),
        y=(labels == classes[1]).to_numpy().astype(np.intp),
        feature_names=tuple(map(str, frame.columns)),
        labels=(str(classes[0]), str(classes[1])),
        source=path.name,
    )


def _codes(column):
    codes = column.astype("category").cat.codes.astype(float)
    return codes.where(codes >= 0)
