"""Schema of the tables of a model: columns with names, types and categories, and classes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ._cells import number_text

NUMBER, CATEGORY = "number", "category"
# Files with more columns are usually not tables with one row per sample.
MAX_COLUMNS = 50_000
_SHOWN = 5


@dataclass(frozen=True)
class Column:
    """One input of a model."""

    name: str
    kind: str  # "number" or "category"
    categories: tuple[str, ...] = ()  # in alphabetical order
    low: float | None = None  # the smallest and the largest number of the training data
    high: float | None = None
    gaps: bool | None = None  # whether the training data had missing values; None: unknown
    # Unit of formatted numbers, such as "$" for $1,025.74; empty if they have none. None: only
    # plain numbers are accepted.
    unit: str | None = None


@dataclass(frozen=True)
class Schema:
    """The inputs of a model and its classes.

    Attributes
    ----------
    columns : tuple of Column
        Inputs in the order of the model; tables may have them in any order.
    classes : tuple of str or int
        Class labels; empty if the model is not a classifier.
    target : str or None
        Column with the classes. Tables to predict may have it; it is not read.
    dropped : tuple of str
        Columns of the training table that the model does not use; they are not read either.
    """

    columns: tuple[Column, ...]
    classes: tuple[str | int, ...]
    target: str | None = None
    dropped: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """Names of the inputs."""
        return [column.name for column in self.columns]

    @property
    def n_encoded(self) -> int:
        """Number of features after encoding: every category is one feature."""
        return sum(len(column.categories) or 1 for column in self.columns)

    def named(self, kind: str) -> list[str]:
        """Names of the inputs of one kind."""
        return [column.name for column in self.columns if column.kind == kind]

    def to_dict(self) -> dict[str, Any]:
        """Convert the schema to plain JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Schema:
        """Inverse of :meth:`to_dict`, also if JSON has converted tuples to lists."""
        columns = tuple(
            Column(**{**column, "categories": tuple(column["categories"])})
            for column in content["columns"]
        )
        return cls(columns, tuple(content["classes"]), content["target"], tuple(content["dropped"]))

    @classmethod
    def from_estimator(cls, estimator: BaseEstimator) -> Schema:
        """Schema of an estimator that was fitted on numbers only, with its feature names."""
        names = getattr(estimator, "feature_names_in_", None)
        if names is None:
            names = [f"x{j}" for j in range(estimator.n_features_in_)]
        return cls(tuple(Column(str(name), NUMBER) for name in names), plain_classes(estimator))


def plain_classes(estimator: BaseEstimator) -> tuple[str | int, ...]:
    """Classes of a fitted estimator: integers if all are integers, otherwise texts."""
    classes = np.asarray(getattr(estimator, "classes_", ()))
    if np.issubdtype(classes.dtype, np.integer):
        return tuple(int(label) for label in classes)
    return tuple(str(label) for label in classes)


def check_names(names: list[str], source: str) -> None:
    """Raise an error if a header does not identify every column."""
    if len(names) > MAX_COLUMNS:
        raise ValueError(
            f"{source} has {len(names):,} columns, at most {MAX_COLUMNS:,} can be used: is the "
            "table transposed, or is its whole content in one line?"
        )
    unnamed = [position for position, name in enumerate(names, 1) if not name.strip()]
    if unnamed:
        raise ValueError(f"column {unnamed[0]} of {source} has no name: give it one in the header")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(
            f"{source} has two columns called {twice!r}: rename or remove one"
            f"{without_header(names)}"
        )


def without_header(names: list[str]) -> str:
    """Remark that the first line may be a row of the table, if half of the names are numbers."""
    n_numbers = sum(number_text(name) is not None for name in names)
    if 2 * n_numbers < len(names):
        return ""
    return (
        ". Its first line looks like a row and not like names of columns: if there is no header, "
        "add a line with the names at the top"
    )


def split_names(asked: Iterable[str], found: Collection[str]) -> tuple[str, ...]:
    """Split texts into names of columns; a text may hold several names separated by commas.

    Names may contain commas: a text that is the name of a column is not split.
    """
    return tuple(
        name
        for text in asked
        for name in ([text] if text in found else [part.strip() for part in text.split(",")])
        if name
    )


def has_index(names: list[str]) -> bool:
    """Whether the first column, and no other, lacks a name: the index that pandas and R write."""
    return len(names) > 1 and not names[0] and all(names[1:])


def listed(names: Iterable[object]) -> str:
    """First names of a list for a message, and the number of the others."""
    names = list(names)
    shown = ", ".join(repr(name) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN:,} more"
