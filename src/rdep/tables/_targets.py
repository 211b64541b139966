"""Read the target of a table: classes, or numbers to predict."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._registry import CLASSIFICATION, REGRESSION
from .._utils._names import unknown_name
from .._utils._typing import Array
from ..exceptions import warn_caller
from ._blocks import Block
from ._columns import categories, is_numeric, numbers, numbers_rows, unit_of

AUTO = "auto"
TASKS = (AUTO, CLASSIFICATION, REGRESSION)

# A target with more values than this, or than half the rows, is not a column of classes.
_MAX_CLASSES = 100
# Integers with more values than this look like a count or a measurement, not like classes.
_MANY_CLASSES = 20


class Target(NamedTuple):
    """Target of every row, what it is, and a remark if that was inferred from a number."""

    y: NDArray
    task: str
    remark: str = ""


def check_task(task: str) -> None:
    """Refuse an unknown task."""
    if task not in TASKS:
        raise ValueError(unknown_name("task", task, list(TASKS)))


def read_target(
    block: Block, target: str, task: str = CLASSIFICATION, formatted: bool = False
) -> Target:
    """Read classes or numbers.

    Parameters
    ----------
    block : Block
        The whole table.
    target : str
        Its column.
    task : {"auto", "classification", "regression"}, default="classification"
        ``"auto"`` takes numbers that are not all whole, or more than 20 different whole numbers, as
        numbers to predict, and everything else as classes.
    formatted : bool, default=False
        Whether the numbers may have other characters, such as ``$1,025.74``.

    Returns
    -------
    Target
    """
    _check_complete(block, target)
    remark = ""
    if task == AUTO:
        task, remark = _inferred(block, target, formatted)
    y = (
        read_numbers(block, target, formatted)
        if task == REGRESSION
        else read_classes(block, target)
    )
    return Target(y, task, remark)


def _inferred(block: Block, target: str, formatted: bool) -> tuple[str, str]:
    if not formatted and not is_numeric(block, target):
        return CLASSIFICATION, ""
    y = read_numbers(block, target, formatted)
    if numbers_rows(y):
        raise ValueError(
            f"the target {target!r} of {block.source} numbers the rows from {y.min():g} to "
            f"{y.max():g}: choose another column, or predict this number (task='regression')"
        )
    values = np.unique(y)
    if formatted or len(values) > _MANY_CLASSES or (values != np.round(values)).any():
        return REGRESSION, (
            f"the target {target!r} has {len(values):,} different numbers from {values[0]:g} to "
            f"{values[-1]:g}, so this is a regression (task='classification' makes each a class)"
        )
    if len(values) == 2:
        return CLASSIFICATION, ""
    return CLASSIFICATION, (
        f"the target {target!r} has {len(values)} different whole numbers, and each is a class "
        "(task='regression' predicts a number)"
    )


def _check_complete(block: Block, target: str) -> None:
    column = block.table.column(target)
    if column.null_count:
        row = block.row(int(column.is_null().to_numpy().argmax()))
        raise ValueError(
            f"the target {target!r} of {block.source} is missing in {column.null_count} of "
            f"{len(column)} rows, first in row {row}: leave these rows out "
            "(drop_unlabelled=True), or complete them"
        )


def read_numbers(block: Block, target: str, formatted: bool = False) -> Array:
    """Read the number of each row."""
    where = f"the target {target!r} of {block.source}"
    if not formatted and not is_numeric(block, target):
        example = block.table.column(target)[0].as_py()
        raise ValueError(
            f"{where} is not a column of numbers: row {block.row(0)} has {example!r}. A regression "
            "predicts a number: choose another column, or predict classes (task='classification'); "
            f"if it has numbers such as $1,025.74, give number={(target,)!r}"
        )
    y = numbers(block, target, unit_of(block, target) if formatted else None)
    if np.ptp(y) == 0:
        raise ValueError(
            f"{where} is constant: every row has {y[0]:g}. There is nothing to predict from the "
            "other columns"
        )
    return y


def read_classes(block: Block, target: str) -> NDArray:
    """Read the class of each row: integers if all are integers, otherwise texts."""
    number = is_numeric(block, target)
    y = class_texts(block, target)
    if number:
        y = integers(y)
    where = f"the target {target!r} of {block.source}"
    check_class_counts(*np.unique(y, return_counts=True), where, number)
    return y


def class_texts(block: Block, target: str) -> NDArray:
    """Read the class of each row as a text; raise an error if one is missing or a fraction."""
    _check_complete(block, target)
    if is_numeric(block, target):
        values = numbers(block, target)
        fractional = values != np.round(values)
        if fractional.any():
            row = int(fractional.argmax())
            raise ValueError(
                f"the target {target!r} of {block.source} is continuous: row {block.row(row)} has "
                f"{values[row]:g}. A classifier needs classes: {_GROUP}"
            )
    return categories(block, target).astype(str)


def check_class_counts(classes: NDArray, counts: NDArray, where: str, number: bool = False) -> None:
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
            f"{_GROUP if number else 'group its values'}"
        )
    if len(classes) > _MANY_CLASSES and np.issubdtype(classes.dtype, np.integer):
        looks = (
            f"{where} looks like a number: it has {len(classes)} different values from "
            f"{classes[0]} to {classes[-1]}"
        )
        if counts.min() < 2:
            raise ValueError(f"{looks}. A classifier needs classes: {_GROUP}")
        warn_caller(f"{looks}, and each becomes a class. If so, {_GROUP}", UserWarning)
    _warn_of_spellings(classes, counts, where)
    if counts.min() < 2:
        is_number = len(classes) > 2 and np.issubdtype(classes.dtype, np.integer)
        instead = "; to predict the number itself give task='regression'" if is_number else ""
        raise ValueError(
            f"{where} has only one row of class {classes[counts.argmin()]!s}: a class needs at "
            f"least two{instead}"
        )


_GROUP = "group the numbers first, or predict the number itself (task='regression')"


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
