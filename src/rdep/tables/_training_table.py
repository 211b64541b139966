"""The training set in a table: features, classes, and the schema of both."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._utils._names import did_you_mean, nearest_names
from ..exceptions import warn_caller
from ._blocks import Block, read_table
from ._columns import first_text_among_numbers, is_numeric, numbers, texts
from ._encoding import MISSING_CATEGORY, encoded_name
from ._names import listed, split_names
from ._packages import pandas
from ._schema import CATEGORY, NUMBER, Column, Schema

# A target with more values than this, or than half the rows, is not taken for classes.
_MAX_CLASSES = 100
_MAX_CATEGORIES = 100


@dataclass(frozen=True)
class TrainingTable:
    """Features as a data frame, the class of each row, and the schema of both."""

    frame: Any  # a pandas.DataFrame
    y: NDArray
    schema: Schema
    aside: dict[str, Any] = field(default_factory=dict)  # pandas.Series that are no features


def read_training_table(
    source: str,
    target: str,
    *,
    drop: tuple[str, ...] = (),
    categorical: tuple[str, ...] = (),
    max_categories: int = _MAX_CATEGORIES,
    aside: tuple[str, ...] = (),
) -> TrainingTable:
    """Read a whole table and determine the types of its columns.

    Parameters
    ----------
    source : str
        A CSV, Parquet or ARFF file, or "-" for standard input.
    target : str
        The column of the classes.
    drop : tuple of str, default=()
        Columns to leave out. Columns without any value are left out anyway.
    categorical : tuple of str, default=()
        Columns of numbers to be treated as categories.
    max_categories : int, default=100
        Maximum number of categories of a column: names and free text are refused.
    aside : tuple of str, default=()
        Columns that are no features, but say which rows belong together, for example.

    Returns
    -------
    TrainingTable
    """
    block = read_table(source)
    found = block.table.column_names
    drop, categorical = (split_names(names, found) for names in (drop, categorical))
    for name in (target, *drop, *categorical, *aside):
        if name not in found:
            raise ValueError(_no_such_column(name, found, block.source))
    if target in drop:
        raise ValueError(f"{target!r} is the target and cannot be dropped")
    if target in aside:
        raise ValueError(f"{target!r} is the target and cannot say which rows belong together")
    empty = [name for name in found if block.table.column(name).null_count == len(block.table)]
    if target in empty:
        raise ValueError(f"the target {target!r} of {block.source} has no values")
    dropped = [name for name in found if name in drop or name in empty or name in aside]
    features = [name for name in found if name != target and name not in dropped]
    if not features:
        raise ValueError(f"{block.source} has no columns besides the target {target!r}")
    y = read_classes(block, target)
    columns, content = [], {}
    for name in features:
        if name not in categorical and is_numeric(block, name):
            content[name] = numbers(block, name)
            low, high = float(np.nanmin(content[name])), float(np.nanmax(content[name]))
            columns.append(Column(name, NUMBER, low=low, high=high))
        else:
            if name not in categorical:
                _warn_of_text_among_numbers(block, name)
            content[name] = texts(block, name)
            columns.append(_category_column(block, name, content[name], max_categories))
    _check_features(columns, content, block.source)
    classes = tuple(np.unique(y).tolist())
    return TrainingTable(
        pandas().DataFrame(content),
        y,
        Schema(tuple(columns), classes, target, tuple(dropped)),
        {name: block.table.column(name).to_pandas() for name in aside},
    )


def read_classes(block: Block, target: str) -> NDArray:
    """The class of each row: integers where all are, else texts."""
    where = f"the target {target!r} of {block.source}"
    column = block.table.column(target)
    if column.null_count:
        row = block.first_row + int(column.is_null().to_numpy().argmax())
        raise ValueError(
            f"{where} is missing in {column.null_count} of {len(column)} rows, first in row {row}: "
            "remove these rows, or complete them"
        )
    if is_numeric(block, target):
        values = numbers(block, target)
        fractional = values != np.round(values)
        if fractional.any():
            row = int(fractional.argmax())
            raise ValueError(
                f"{where} is continuous: row {block.first_row + row} has {values[row]:g}. A "
                "classifier needs classes: group the numbers first"
            )
        y = values.astype(np.int64)
    else:
        y = texts(block, target).astype(str)
    classes, counts = np.unique(y, return_counts=True)
    if len(classes) < 2:
        raise ValueError(
            f"{where} is constant: every row has {classes[0]!s}. A classifier needs at least two "
            "classes"
        )
    if len(classes) > min(_MAX_CLASSES, max(2, len(y) / 2)):
        raise ValueError(
            f"{where} has {len(classes)} different values in {len(y)} rows: these are not "
            "classes but a measurement, or names or numbers of the rows. Choose another column, or "
            "group its values"
        )
    if counts.min() < 2:
        raise ValueError(
            f"{where} has only one row of class {classes[counts.argmin()]!s}: a class needs at "
            "least two"
        )
    return y


def _warn_of_text_among_numbers(block: Block, name: str) -> None:
    spoiled = first_text_among_numbers(block, name)
    if spoiled is not None:
        row, text = spoiled
        warn_caller(
            f"column {name!r} of {block.source} is treated as categories although most of its "
            f"cells are numbers: row {row} has {text!r}. If that is an error, correct the cell, or "
            "leave it empty where the value is unknown",
            UserWarning,
        )


def _category_column(block: Block, name: str, values: NDArray, max_categories: int) -> Column:
    categories = sorted({value for value in values if isinstance(value, str)})
    if len(categories) > max_categories:
        raise ValueError(
            f"column {name!r} of {block.source} has {len(categories)} different texts (such as "
            f"{listed(categories[:2])}): for names or free text leave the column out "
            f"(--drop {name!r}), for numbers see to it that every cell is one, for real "
            f"categories raise --max-categories {max_categories}"
        )
    return Column(name, CATEGORY, tuple(categories))


def _check_features(columns: list[Column], content: dict[str, NDArray], source: str) -> None:
    """Each feature behind the encoding must have a name of its own."""
    made_by: dict[str, str] = {}
    for column in columns:
        names = [column.name]
        if column.kind == CATEGORY:
            gaps = [MISSING_CATEGORY] if pandas().isna(content[column.name]).any() else []
            names = [encoded_name(column.name, value) for value in (*gaps, *column.categories)]
        for name in names:
            if name in made_by:
                raise ValueError(
                    f"columns {made_by[name]!r} and {column.name!r} of {source} both become a "
                    f"feature called {name!r}: rename one of them"
                )
            made_by[name] = column.name


def _no_such_column(name: str, found: list[str], source: str) -> str:
    near = nearest_names(name, found)[:1]
    hint = did_you_mean(near) if near else f"it has {listed(found)}"
    return f"{source} has no column {name!r}; {hint}"
