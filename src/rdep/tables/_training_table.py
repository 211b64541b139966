"""Read a training set from a table: features, classes, their schema, and remarks on columns."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
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
    first_disguised_number,
    first_number_with_comma,
    first_time,
    is_numeric,
    numbers,
    row_of,
    unit_of,
    words_among_numbers,
)
from ._opening import ReadOptions
from ._pipeline import MISSING_CATEGORY, encoded_name
from ._schema import CATEGORY, NUMBER, Column, Schema, listed, split_names, without_header

# A target with more values than this, or than half the rows, is not a column of classes.
_MAX_CLASSES = 100
_MAX_CATEGORIES = 100
_SHOWN_WORDS = 3
# Integers with more values than this look like a count or a measurement, not like classes.
_MANY_CLASSES = 20
# Name that pandas gives to its own index of the rows, if it reads it as a column.
_PANDAS_NAME = "Unnamed: "
# Minimum number of rows for these remarks: fewer rows may all differ by chance.
_FEWEST_ROWS = 10
_EXACT = 2.0**53  # larger integers are not all exact in double precision


@dataclass(frozen=True)
class TrainingTable:
    """Features as a data frame, the class of each row, and the schema of both."""

    frame: Any  # a pandas.DataFrame
    y: NDArray
    schema: Schema
    aside: dict[str, Any] = field(default_factory=dict)  # pandas.Series that are not features


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
    options: ReadOptions | None = None,
) -> TrainingTable:
    """Read a whole table and determine the types of its columns.

    Parameters
    ----------
    source : str
        File in any format that :func:`read_blocks` reads, or "-" for standard input.
    target : str
        The column of the classes.
    drop : tuple of str, default=()
        Columns to leave out. Columns without any value are always left out.
    categorical : tuple of str, default=()
        Columns of numbers to treat as categories.
    number : tuple of str, default=()
        Columns of formatted numbers to read as numbers: ``$1,025.74``, ``3.1%``, ``(12)``. The
        schema stores this, and new tables are read in the same way.
    max_categories : int, default=100
        Maximum number of categories of a column. Columns with more, such as names and free text,
        raise an error.
    drop_unlabelled : bool, default=False
        Whether to leave out rows without a class, with a warning that counts them. Otherwise they
        raise an error.
    aside : tuple of str, default=()
        Columns that are not features, for example groups of rows that belong together.
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
    if target in number:
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
    y = read_classes(block, target)
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
    _warn_of_copies(content, y, target, block.source)
    classes = tuple(np.unique(y).tolist())
    return TrainingTable(
        pandas().DataFrame(content),
        y,
        Schema(tuple(columns), classes, target, tuple(n for n in found if n in dropped)),
        {name: block.table.column(name).to_pandas() for name in aside},
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
            and _numbers_rows(numbers(block, name))
        ):
            useless.append(name)
            warn_caller(
                f"column {name!r} of {block.source} is left out: it is an index that pandas wrote, "
                "which numbers the rows",
                UserWarning,
            )
    return useless


def _labelled(block: Block, target: str) -> tuple[Block, int]:
    """Select the rows that have a class, and count the others; row numbers stay those of the table.

    If no row has a class, all are kept.
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


def read_classes(block: Block, target: str) -> NDArray:
    """Read the class of each row: integers if all are integers, otherwise texts."""
    y = class_texts(block, target)
    if is_numeric(block, target):
        y = integers(y)
    check_class_counts(
        *np.unique(y, return_counts=True), f"the target {target!r} of {block.source}"
    )
    return y


def class_texts(block: Block, target: str) -> NDArray:
    """Read the class of each row as a text; raise an error if one is missing or a fraction."""
    where = f"the target {target!r} of {block.source}"
    column = block.table.column(target)
    if column.null_count:
        row = block.row(int(column.is_null().to_numpy().argmax()))
        raise ValueError(
            f"{where} is missing in {column.null_count} of {len(column)} rows, first in row {row}: "
            "leave these rows out (drop_unlabelled=True), or complete them"
        )
    if is_numeric(block, target):
        values = numbers(block, target)
        fractional = values != np.round(values)
        if fractional.any():
            row = int(fractional.argmax())
            raise ValueError(
                f"{where} is continuous: row {block.row(row)} has {values[row]:g}. A "
                "classifier needs classes: group the numbers first"
            )
    return categories(block, target).astype(str)


def check_class_counts(classes: NDArray, counts: NDArray, where: str) -> None:
    """Raise an error if the values of a target are not classes; warn if they hardly are."""
    n_rows = counts.sum()
    if len(classes) < 2:
        raise ValueError(
            f"{where} is constant: every row has {classes[0]!s}. A classifier needs at least two "
            "classes"
        )
    if len(classes) > min(_MAX_CLASSES, max(2, n_rows / 2)):
        raise ValueError(
            f"{where} has {len(classes)} different values in {n_rows} rows: these are not "
            "classes but a measurement, or names or numbers of the rows. Choose another column, or "
            "group its values"
        )
    if len(classes) > _MANY_CLASSES and np.issubdtype(classes.dtype, np.integer):
        looks = (
            f"{where} looks like a number: it has {len(classes)} different values from "
            f"{classes[0]} to {classes[-1]}"
        )
        if counts.min() < 2:
            raise ValueError(f"{looks}. A classifier needs classes: group the numbers first")
        warn_caller(f"{looks}, and each becomes a class. If so, group the numbers", UserWarning)
    _warn_of_spellings(classes, counts, where)
    if counts.min() < 2:
        raise ValueError(
            f"{where} has only one row of class {classes[counts.argmin()]!s}: a class needs at "
            "least two"
        )


def _warn_of_spellings(classes: NDArray, counts: NDArray, where: str) -> None:
    """Warn of classes that differ only in case or spaces."""
    alike = defaultdict(list)
    for label, count in zip(classes.tolist(), counts.tolist(), strict=True):
        alike["".join(str(label).split()).casefold()].append(f"{label!r} ({count} rows)")
    twice = [" and ".join(labels) for labels in alike.values() if len(labels) > 1]
    if twice:
        warn_caller(
            f"{where} has classes that differ only in upper and lower case or spaces: "
            f"{'; '.join(twice)}. They are trained as different classes: if they are the same, "
            "spell them alike",
            UserWarning,
        )


def integers(texts: NDArray) -> NDArray:
    """Integers with all their digits, or texts if 64 bits are too few."""
    try:
        return texts.astype(np.int64)
    except (OverflowError, ValueError):
        return texts


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
    if _numbers_rows(known):
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
    if len(known) >= _FEWEST_ROWS and len(set(known)) == len(values):
        warn_caller(
            f"column {name!r} of {source} has a different text in every row, such as {known[0]!r}: "
            f"it identifies rows and says nothing about new rows. Leave it out (drop={(name,)!r})",
            UserWarning,
        )


def _warn_of_copies(content: dict[str, NDArray], y: NDArray, target: str, source: str) -> None:
    """Warn of features that are the target under another name; a gap counts as a value."""
    codes, classes = pandas().factorize(y)
    for name, values in content.items():
        found, distinct = pandas().factorize(values, use_na_sentinel=False)
        if len(distinct) == len(classes) and len(np.unique(found + len(codes) * codes)) == len(
            classes
        ):
            warn_caller(
                f"column {name!r} of {source} is a copy of the target {target!r}: if it is not "
                f"known for new rows, leave it out (drop={(name,)!r})",
                UserWarning,
            )


def _numbers_rows(values: NDArray) -> bool:
    """Whether the values are 0, 1, 2, … or 1, 2, 3, … in any order."""
    if len(values) < _FEWEST_ROWS:
        return False
    values = np.sort(values)
    return values[0] in (0, 1) and np.array_equal(values, values[0] + np.arange(len(values)))
