"""Read a training set from a table: features, target, their schema, and remarks on columns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._registry import CLASSIFICATION, REGRESSION
from .._utils._imports import pandas
from .._utils._names import did_you_mean, nearest_names
from ..exceptions import warn_caller
from ._blocks import Block, read_table
from ._columns import (
    FEWEST_ROWS,
    categories,
    first_date,
    first_disguised_number,
    first_number_with_comma,
    first_time,
    is_numeric,
    numbers,
    numbers_rows,
    row_of,
    unit_of,
    words_among_numbers,
)
from ._opening import ReadOptions
from ._pipeline import MISSING_CATEGORY, encoded_name
from ._schema import CATEGORY, NUMBER, Column, Schema, listed, split_names, without_header
from ._targets import read_target

_MAX_CATEGORIES = 100
_SHOWN_WORDS = 3
# Name that pandas gives to its own index of the rows, if it reads it as a column.
_PANDAS_NAME = "Unnamed: "
# A correlation of 1, up to rounding.
_SAME = 1e-12
_EXACT = 2.0**53  # larger integers are not all exact in double precision


@dataclass(frozen=True)
class TrainingTable:
    """Features as a data frame, the class or number of each row, and the schema of both."""

    frame: Any  # a pandas.DataFrame
    y: NDArray
    schema: Schema
    aside: dict[str, Any] = field(default_factory=dict)  # pandas.Series that are not features
    remark: str = ""  # on the task, if it was inferred from a number

    @property
    def task(self) -> str:
        """What the target is for."""
        return CLASSIFICATION if self.schema.classes else REGRESSION


def read_training_table(
    source: str,
    target: str,
    *,
    drop: tuple[str, ...] = (),
    categorical: tuple[str, ...] = (),
    number: tuple[str, ...] = (),
    max_categories: int = _MAX_CATEGORIES,
    drop_unlabelled: bool = False,
    aside: tuple[str, ...] = (),
    task: str = CLASSIFICATION,
    options: ReadOptions | None = None,
) -> TrainingTable:
    """Read a whole table and determine the types of its columns.

    Parameters
    ----------
    source : str
        File in any format that :func:`read_blocks` reads, or "-" for standard input.
    target : str
        The column of the classes, or of the numbers to predict.
    drop : tuple of str, default=()
        Columns to leave out. Columns without any value are always left out.
    categorical : tuple of str, default=()
        Columns of numbers to treat as categories.
    number : tuple of str, default=()
        Columns of formatted numbers to read as numbers: ``$1,025.74``, ``3.1%``, ``(12)``. The
        schema stores this, and new tables are read in the same way. The target may be among them
        if it is a number to predict.
    max_categories : int, default=100
        Maximum number of categories of a column. Columns with more, such as names and free text,
        raise an error.
    drop_unlabelled : bool, default=False
        Whether to leave out rows without a target, with a warning that counts them. Otherwise they
        raise an error.
    aside : tuple of str, default=()
        Columns that are not features, for example groups of rows that belong together.
    task : {"auto", "classification", "regression"}, default="classification"
        As in :func:`read_target`.
    options : ReadOptions or None, default=None
        How to read the file. None infers it from the content.

    Returns
    -------
    TrainingTable
    """
    block = read_table(source, options or ReadOptions())
    found = block.table.column_names
    drop, categorical, number = (split_names(names, found) for names in (drop, categorical, number))
    for name in (target, *drop, *categorical, *number, *aside):
        if name not in found:
            raise ValueError(no_such_column(name, found, block.source))
    if target in drop:
        raise ValueError(f"{target!r} is the target and cannot be dropped")
    if both := [name for name in number if name in categorical]:
        raise ValueError(f"{both[0]!r} cannot be read as numbers and as categories: choose one")
    if target in number and task == CLASSIFICATION:
        raise ValueError(
            f"{target!r} is the target, which holds classes: it cannot be read as numbers"
        )
    if target in aside:
        raise ValueError(f"{target!r} is the target and cannot define groups of rows")
    if drop_unlabelled:
        n_rows = block.table.num_rows
        block, n_missing = _labelled(block, target)
        warn_of_unlabelled(block.source, target, n_missing, n_rows)
    dropped = {*drop, *aside, *_useless(block, target, {*drop, *categorical, *aside})}
    features = [name for name in found if name != target and name not in dropped]
    if not features:
        raise ValueError(f"{block.source} has no columns besides the target {target!r}")
    y, task, remark = read_target(block, target, task, formatted=target in number)
    columns, content = [], {}
    for name in features:
        if name in number or (name not in categorical and is_numeric(block, name)):
            unit = unit_of(block, name) if name in number else None
            content[name] = numbers(block, name, unit)
            columns.append(_number_column(name, content[name], unit))
            _warn_of_numbers(block, name, content[name])
        else:
            content[name] = categories(block, name)
            columns.append(
                _category_column(block, name, content[name], max_categories, name in categorical)
            )
    check_features(columns, block.source)
    copies = _linear_copies if task == REGRESSION else _copies
    _warn_of_copies(copies(content, y), target, block.source)
    classes = () if task == REGRESSION else tuple(np.unique(y).tolist())
    return TrainingTable(
        pandas().DataFrame(content),
        y,
        Schema(tuple(columns), classes, target, tuple(n for n in found if n in dropped)),
        {name: block.table.column(name).to_pandas() for name in aside},
        remark,
    )


def _useless(block: Block, target: str, named: set[str]) -> list[str]:
    """Columns without any value, and the index that pandas has written."""
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
            and numbers_rows(numbers(block, name))
        ):
            useless.append(name)
            warn_caller(
                f"column {name!r} of {block.source} is left out: it is an index that pandas wrote, "
                "which numbers the rows",
                UserWarning,
            )
    return useless


def _labelled(block: Block, target: str) -> tuple[Block, int]:
    """Select the rows that have a target, and count the others.

    Row numbers stay those of the table. If no row has a target, all are kept.
    """
    has_class = block.table.column(target).is_valid().to_numpy()
    n_missing = int((~has_class).sum())
    if n_missing in (0, len(has_class)):
        return block, 0
    rows = block.first_row + np.flatnonzero(has_class)
    return replace(block, table=block.table.filter(has_class), rows=rows), n_missing


def warn_of_unlabelled(where: str, target: str, n_missing: int, n_rows: int) -> None:
    """Warn of rows that are left out because they have no class."""
    if n_missing:
        warn_caller(
            f"the target {target!r} of {where} is missing in {n_missing:,} of {n_rows:,} rows, "
            "which are left out",
            UserWarning,
        )


def _number_column(name: str, values: NDArray, unit: str | None) -> Column:
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return Column(name, NUMBER, low=low, high=high, gaps=bool(np.isnan(values).any()), unit=unit)


def _category_column(
    block: Block, name: str, values: NDArray, max_categories: int, asked: bool
) -> Column:
    where = f"column {name!r} of {block.source}"
    found = sorted({value for value in values if isinstance(value, str)})
    among_numbers = None
    if not asked:
        refuse_misread_texts(block, name)
        among_numbers = _words_among_numbers(block, name)
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


def check_features(columns: list[Column], source: str) -> None:
    """Raise an error if two features have the same name after encoding."""
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


def no_such_column(name: str, found: list[str], source: str) -> str:
    near = nearest_names(name, found)[:1]
    hint = did_you_mean(near) if near else f"it has {listed(found)}"
    return f"{source} has no column {name!r}; {hint}{without_header(found)}"


def refuse_misread_texts(block: Block, name: str) -> None:
    """Raise an error for numbers with commas, times and dates that would become categories."""
    where = f"column {name!r} of {block.source}"
    if found := first_number_with_comma(block, name):
        raise ValueError(
            f"{where} has numbers with commas, such as {found[1]!r} in row {found[0]}: if these "
            "are decimal commas, give ReadOptions(decimal=','); if they group thousands, give "
            f"number={(name,)!r}; for categories give categorical={(name,)!r}"
        )
    if found := first_disguised_number(block, name):
        raise ValueError(
            f"{where} has formatted numbers, such as {found[1]!r} in row {found[0]}: to read them "
            f"as numbers give number={(name,)!r}, for categories give categorical={(name,)!r}"
            f"{_words_beside(block, name)}"
        )
    if found := first_time(block, name):
        raise ValueError(
            f"{where} holds times of the day, such as {found[1]!r} in row {found[0]}: leave it out "
            f"(drop={(name,)!r}), or replace it by a number, such as the hour; for categories give "
            f"categorical={(name,)!r}"
        )
    if found := first_date(block, name):
        raise ValueError(
            f"{where} holds dates, such as {found[1]!r} in row {found[0]}: leave it out "
            f"(drop={(name,)!r}), or replace it by numbers that matter, such as the month, or the "
            f"days up to another date; for categories give categorical={(name,)!r}"
        )


def _words_among_numbers(block: Block, name: str) -> str | None:
    """Remark on a column of numbers that contains a few words."""
    words = words_among_numbers(block, name)
    if not words:
        return None
    text, count = next(iter(words.items()))
    row = f"row {row_of(block, name, text)} has {text!r}"
    if count > 1:
        row += f", as {count:,} rows do" if len(words) == 1 else f" ({count:,} rows do)"
    if len(words) > 1:
        row += f", and there are {listed(list(words)[1:])}"
    common = "most of its cells" if 2 * sum(words.values()) < len(block.table) else "the others"
    return (
        f"{common} are numbers: {row}. If that stands for a missing value, give "
        f"ReadOptions(na_values={tuple(words)[:_SHOWN_WORDS]!r}); if it is an error, correct the "
        "cell"
    )


def _words_beside(block: Block, name: str) -> str:
    """Advice on words among formatted numbers."""
    words = tuple(words_among_numbers(block, name))[:_SHOWN_WORDS]
    return (
        f"; if {listed(words)} stand for missing values, also ReadOptions(na_values={words!r})"
        if words
        else ""
    )


def _warn_of_numbers(block: Block, name: str, values: NDArray) -> None:
    """Warn of numbers that identify rows."""
    where = f"column {name!r} of {block.source}"
    remedy = f"leave it out (drop={(name,)!r})"
    known = values[~np.isnan(values)]
    if numbers_rows(known):
        warn_caller(
            f"{where} numbers the rows from {known.min():g} to {known.max():g}, which says nothing "
            f"about new rows: {remedy}",
            UserWarning,
        )
    elif np.abs(known).max() > _EXACT and (known == np.round(known)).all():
        example = block.table.column(name).drop_null()[0].as_py()
        warn_caller(
            f"{where} has integers of more than 15 digits, such as {example}, whose last "
            f"digits are lost: if it identifies rows, {remedy}; for categories give "
            f"categorical={(name,)!r}",
            UserWarning,
        )


def _warn_of_identifiers(name: str, values: NDArray, source: str) -> None:
    """Warn if a text column is unique in every row (an identifier)."""
    known = [value for value in values if isinstance(value, str)]
    if len(known) >= FEWEST_ROWS and len(set(known)) == len(values):
        warn_caller(
            f"column {name!r} of {source} has a different text in every row, such as {known[0]!r}: "
            f"it identifies rows and says nothing about new rows. Leave it out (drop={(name,)!r})",
            UserWarning,
        )


def _copies(content: dict[str, NDArray], y: NDArray) -> list[str]:
    """Columns that are the classes under other names; a gap counts as a value."""
    codes, classes = pandas().factorize(y)
    found = []
    for name, values in content.items():
        own, distinct = pandas().factorize(values, use_na_sentinel=False)
        pairs = np.unique(own + len(codes) * codes)
        if len(distinct) == len(classes) == len(pairs):
            found.append(name)
    return found


def _linear_copies(content: dict[str, NDArray], y: NDArray) -> list[str]:
    """Columns that are the number to predict, in this unit or in another one."""
    return [
        name
        for name, values in content.items()
        if np.issubdtype(values.dtype, np.floating)
        and not np.isnan(values).any()
        and np.ptp(values) > 0
        and abs(np.corrcoef(values, y)[0, 1]) > 1 - _SAME
    ]


def _warn_of_copies(copies: list[str], target: str, source: str) -> None:
    for name in copies:
        warn_caller(
            f"column {name!r} of {source} is a copy of the target {target!r}: if it is not "
            f"known for new rows, leave it out (drop={(name,)!r})",
            UserWarning,
        )
