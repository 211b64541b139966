"""Columns of a training table that are not what they seem: said once each, with an example."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..exceptions import warn_caller
from ._blocks import Block
from ._columns import first_date, first_number_with_comma, first_text_among_numbers
from ._packages import pandas

# What pandas calls its own index of the rows, when it reads it as a column.
PANDAS_NAME = "Unnamed: "
# Fewer rows may all differ by chance.
_FEWEST_ROWS = 10
_EXACT = 2.0**53  # integers beyond are not all numbers of double precision


def refuse_misread_texts(block: Block, name: str) -> None:
    """Numbers with commas, and dates, would make as many categories as there are values."""
    where = f"column {name!r} of {block.source}"
    if found := first_number_with_comma(block, name):
        raise ValueError(
            f"{where} has numbers with commas, such as {found[1]!r} in row {found[0]}: if these "
            "are decimal commas, give --decimal ,; if they group thousands, remove them; for "
            f"categories give --categorical {name!r}"
        )
    if found := first_date(block, name):
        raise ValueError(
            f"{where} holds dates, such as {found[1]!r} in row {found[0]}: leave it out "
            f"(--drop {name!r}), or replace it by numbers that matter, such as the month, or the "
            f"days up to another date; for categories give --categorical {name!r}"
        )


def text_among_numbers(block: Block, name: str) -> str | None:
    """A remark on a column of numbers with a few words in it."""
    found = first_text_among_numbers(block, name)
    if found is None:
        return None
    return (
        f"most of its cells are numbers: row {found[0]} has {found[1]!r}. If that stands for a "
        f"missing value, give --na-values {found[1]!r}; if it is an error, correct the cell"
    )


def warn_of_numbers(block: Block, name: str, values: NDArray) -> None:
    """Numbers that identify rows."""
    where = f"column {name!r} of {block.source}"
    remedy = f"leave it out (--drop {name!r})"
    known = values[~np.isnan(values)]
    if numbers_rows(known):
        warn_caller(
            f"{where} numbers the rows from {known.min():g} to {known.max():g}, which says nothing "
            f"of new ones: {remedy}",
            UserWarning,
        )
    elif np.abs(known).max() > _EXACT and (known == np.round(known)).all():
        example = block.table.column(name).drop_null()[0].as_py()
        warn_caller(
            f"{where} has integers of more than 15 digits, such as {example}, of which the "
            f"last are lost: if it identifies rows, {remedy}; for categories give --categorical "
            f"{name!r}",
            UserWarning,
        )


def warn_of_identifiers(name: str, values: NDArray, source: str) -> None:
    """Texts of which every row has another one."""
    known = [value for value in values if isinstance(value, str)]
    if len(known) >= _FEWEST_ROWS and len(set(known)) == len(values):
        warn_caller(
            f"column {name!r} of {source} has another text in every row, such as {known[0]!r}: it "
            f"identifies rows and says nothing of new ones. Leave it out (--drop {name!r})",
            UserWarning,
        )


def warn_of_copies(content: dict[str, NDArray], y: NDArray, target: str, source: str) -> None:
    """Features that are the target under another name; a gap counts as a value."""
    codes, classes = pandas().factorize(y)
    for name, values in content.items():
        found, distinct = pandas().factorize(values, use_na_sentinel=False)
        if len(distinct) == len(classes) and len(np.unique(found + len(codes) * codes)) == len(
            classes
        ):
            warn_caller(
                f"column {name!r} of {source} is a copy of the target {target!r}: if it is not "
                f"known of new rows, leave it out (--drop {name!r})",
                UserWarning,
            )


def numbers_rows(values: NDArray) -> bool:
    """Whether the values are 0, 1, 2, … or 1, 2, 3, … in any order."""
    if len(values) < _FEWEST_ROWS:
        return False
    values = np.sort(values)
    return values[0] in (0, 1) and np.array_equal(values, values[0] + np.arange(len(values)))
