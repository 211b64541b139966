"""The training set in a table: features, classes, the schema of both, and remarks on columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._utils._imports import pandas
from .._utils._names import did_you_mean, nearest_names
from ..exceptions import warn_caller
from ._blocks import Block, read_table
from ._columns import (
    categories,
    first_date,
    first_number_with_comma,
    first_text_among_numbers,
    is_numeric,
    numbers,
)
from ._opening import ReadOptions
from ._pipeline import MISSING_CATEGORY, encoded_name
from ._schema import CATEGORY, NUMBER, Column, Schema, listed, split_names

# A target with more values than this, or than half the rows, is not taken for classes.
_MAX_CLASSES = 100
_MAX_CATEGORIES = 100
# What pandas calls its own index of the rows, when it reads it as a column.
_PANDAS_NAME = "Unnamed: "
# Fewer rows may all differ by chance.
_FEWEST_ROWS = 10
_EXACT = 2.0**53  # integers beyond are not all numbers of double precision


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
    options: ReadOptions | None = None,
) -> TrainingTable:
    """Read a whole table and determine the types of its columns.

    Parameters
    ----------
    source : str
        A file of any format that :func:`read_blocks` reads, or "-" for standard input.
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
    options : ReadOptions or None, default=None
        How to read the file; None finds out.

    Returns
    -------
    TrainingTable
    """
    block = read_table(source, options or ReadOptions())
    found = block.table.column_names
    drop, categorical = (split_names(names, found) for names in (drop, categorical))
    for name in (target, *drop, *categorical, *aside):
        if name not in found:
            raise ValueError(_no_such_column(name, found, block.source))
    if target in drop:
        raise ValueError(f"{target!r} is the target and cannot be dropped")
    if target in aside:
        raise ValueError(f"{target!r} is the target and cannot say which rows belong together")
    dropped = {*drop, *aside, *_useless(block, target, {*drop, *categorical, *aside})}
    features = [name for name in found if name != target and name not in dropped]
    if not features:
        raise ValueError(f"{block.source} has no columns besides the target {target!r}")
    y = read_classes(block, target)
    columns, content = [], {}
    for name in features:
        if name not in categorical and is_numeric(block, name):
            content[name] = numbers(block, name)
            columns.append(_number_column(name, content[name]))
            _warn_of_numbers(block, name, content[name])
        else:
            content[name] = categories(block, name)
            columns.append(
                _category_column(block, name, content[name], max_categories, name in categorical)
            )
    _check_features(columns, block.source)
    _warn_of_copies(content, y, target, block.source)
    classes = tuple(np.unique(y).tolist())
    return TrainingTable(
        pandas().DataFrame(content),
        y,
        Schema(tuple(columns), classes, target, tuple(n for n in found if n in dropped)),
        {name: block.table.column(name).to_pandas() for name in aside},
    )


def _useless(block: Block, target: str, named: set[str]) -> list[str]:
    """Columns without any value, and the index that pandas wrote and read again."""
    table = block.table
    useless = []
    for name in table.column_names:
        if table.column(name).null_count == len(table):
            if name == target:
                raise ValueError(f"the target {target!r} of {block.source} has no values")
            useless.append(name)
        elif (
            name.startswith(_PANDAS_NAME)
            and name not in (target, *named)
            and is_numeric(block, name)
            and _numbers_rows(numbers(block, name))
        ):
            useless.append(name)
            warn_caller(
                f"column {name!r} of {block.source} is left out: it is an index that pandas wrote, "
                "and numbers the rows",
                UserWarning,
            )
    return useless


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
    y = categories(block, target).astype(str)
    if is_numeric(block, target):
        values = numbers(block, target)
        fractional = values != np.round(values)
        if fractional.any():
            row = int(fractional.argmax())
            raise ValueError(
                f"{where} is continuous: row {block.first_row + row} has {values[row]:g}. A "
                "classifier needs classes: group the numbers first"
            )
        y = _integers(y)
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


def _integers(texts: NDArray) -> NDArray:
    """Integers with all their digits, or texts where 64 bits do not hold them."""
    try:
        return texts.astype(np.int64)
    except (OverflowError, ValueError):
        return texts


def _number_column(name: str, values: NDArray) -> Column:
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return Column(name, NUMBER, low=low, high=high, gaps=bool(np.isnan(values).any()))


def _category_column(
    block: Block, name: str, values: NDArray, max_categories: int, asked: bool
) -> Column:
    where = f"column {name!r} of {block.source}"
    found = sorted({value for value in values if isinstance(value, str)})
    among_numbers = None
    if not asked:
        _refuse_misread_texts(block, name)
        among_numbers = _text_among_numbers(block, name)
    if len(found) > max_categories:
        advice = among_numbers or (
            f"such as {listed(found[:2])}: for names or free text leave the column out "
            f"(drop={(name,)!r}), for real categories raise max_categories={max_categories}"
        )
        raise ValueError(f"{where} has {len(found)} different texts, {advice}")
    if among_numbers:
        warn_caller(f"{where} is treated as categories although {among_numbers}", UserWarning)
    elif not asked:
        _warn_of_identifiers(name, values, block.source)
    return Column(name, CATEGORY, tuple(found), gaps=bool(pandas().isna(values).any()))


def _check_features(columns: list[Column], source: str) -> None:
    """Each feature behind the encoding must have a name of its own."""
    made_by: dict[str, str] = {}
    for column in columns:
        names = [column.name]
        if column.kind == CATEGORY:
            gaps = [MISSING_CATEGORY] if column.gaps else []
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


def _refuse_misread_texts(block: Block, name: str) -> None:
    """Numbers with commas, and dates, would make as many categories as there are values."""
    where = f"column {name!r} of {block.source}"
    if found := first_number_with_comma(block, name):
        raise ValueError(
            f"{where} has numbers with commas, such as {found[1]!r} in row {found[0]}: if these "
            "are decimal commas, give ReadOptions(decimal=','); if they group thousands, remove "
            f"them; for categories give categorical={(name,)!r}"
        )
    if found := first_date(block, name):
        raise ValueError(
            f"{where} holds dates, such as {found[1]!r} in row {found[0]}: leave it out "
            f"(drop={(name,)!r}), or replace it by numbers that matter, such as the month, or the "
            f"days up to another date; for categories give categorical={(name,)!r}"
        )


def _text_among_numbers(block: Block, name: str) -> str | None:
    """A remark on a column of numbers with a few words in it."""
    found = first_text_among_numbers(block, name)
    if found is None:
        return None
    return (
        f"most of its cells are numbers: row {found[0]} has {found[1]!r}. If that stands for a "
        f"missing value, give ReadOptions(na_values={(found[1],)!r}); if it is an error, correct "
        "the cell"
    )


def _warn_of_numbers(block: Block, name: str, values: NDArray) -> None:
    """Numbers that identify rows."""
    where = f"column {name!r} of {block.source}"
    remedy = f"leave it out (drop={(name,)!r})"
    known = values[~np.isnan(values)]
    if _numbers_rows(known):
        warn_caller(
            f"{where} numbers the rows from {known.min():g} to {known.max():g}, which says nothing "
            f"of new ones: {remedy}",
            UserWarning,
        )
    elif np.abs(known).max() > _EXACT and (known == np.round(known)).all():
        example = block.table.column(name).drop_null()[0].as_py()
        warn_caller(
            f"{where} has integers of more than 15 digits, such as {example}, of which the "
            f"last are lost: if it identifies rows, {remedy}; for categories give "
            f"categorical={(name,)!r}",
            UserWarning,
        )


def _warn_of_identifiers(name: str, values: NDArray, source: str) -> None:
    """Texts of which every row has another one."""
    known = [value for value in values if isinstance(value, str)]
    if len(known) >= _FEWEST_ROWS and len(set(known)) == len(values):
        warn_caller(
            f"column {name!r} of {source} has another text in every row, such as {known[0]!r}: it "
            f"identifies rows and says nothing of new ones. Leave it out (drop={(name,)!r})",
            UserWarning,
        )


def _warn_of_copies(content: dict[str, NDArray], y: NDArray, target: str, source: str) -> None:
    """Features that are the target under another name; a gap counts as a value."""
    codes, classes = pandas().factorize(y)
    for name, values in content.items():
        found, distinct = pandas().factorize(values, use_na_sentinel=False)
        if len(distinct) == len(classes) and len(np.unique(found + len(codes) * codes)) == len(
            classes
        ):
            warn_caller(
                f"column {name!r} of {source} is a copy of the target {target!r}: if it is not "
                f"known of new rows, leave it out (drop={(name,)!r})",
                UserWarning,
            )


def _numbers_rows(values: NDArray) -> bool:
    """Whether the values are 0, 1, 2, … or 1, 2, 3, … in any order."""
    if len(values) < _FEWEST_ROWS:
        return False
    values = np.sort(values)
    return values[0] in (0, 1) and np.array_equal(values, values[0] + np.arange(len(values)))
