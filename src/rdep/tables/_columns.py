"""Read a column of a block as numbers or texts; errors name the invalid row."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from .._utils._imports import pandas, pyarrow
from .._utils._typing import Array, Mask
from ._blocks import Block
from ._cells import FALSE, MINUS, TRUE, disguised_number, number_text

_WITH_COMMAS = re.compile(r"[+-]?\d*(,\d+)+(\.\d+)?")
# Year, month and day in any order, with or without a time.
_DATE = re.compile(
    r"(\d{4}([-/.])\d{1,2}\2\d{1,2}|\d{1,2}([-/.])\d{1,2}\3(\d{4}|\d{2}))"
    r"([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?(Z|[AaPp][Mm]|[+-]\d{2}:?\d{2}))?)?"
)
_TIME = re.compile(r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AaPp]\.?[Mm]\.?)?")
# At most this number of words among at least this number of different numbers are not categories,
# whatever their frequency.
_FEW_WORDS = 5
_MANY_NUMBERS = 20
# Minimum number of rows for remarks on a column: fewer rows may all differ by chance.
FEWEST_ROWS = 10


def numbers(block: Block, name: str, unit: str | None = None) -> Array:
    """Read a column as numbers; missing values are NaN.

    If a unit is given, which may be empty, numbers such as $1,025.74 are read as well.
    """
    pa = pyarrow()
    column = _plain(block, name)
    if unit is not None and pa.types.is_string(column.type):
        column = _undisguised(block, name, column, unit)
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        # Integers that are not exact as floats are rounded, as they are in a text.
        values = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    else:
        if pa.types.is_string(column.type):
            values, wrong = _parsed(column, block.decimal)
        else:
            wrong = column.is_valid().to_numpy(zero_copy_only=False)
            values = np.full(len(column), np.nan)
        if wrong.any():
            cell = column[_first(wrong)].as_py()
            raise ValueError(
                f"column {name!r} of {block.source} should hold numbers, row "
                f"{block.row(_first(wrong))} has {cell!r}{_remedy(cell, name, block.decimal)}"
            )
    if np.isinf(values).any():
        raise ValueError(
            f"column {name!r} of {block.source} has a number too large to use, in row "
            f"{block.row(_first(np.isinf(values)))}"
        )
    return values


def numbers_rows(values: NDArray) -> bool:
    """Whether the values are 0, 1, 2, … or 1, 2, 3, … in any order."""
    if len(values) < FEWEST_ROWS:
        return False
    values = np.sort(values)
    return values[0] in (0, 1) and np.array_equal(values, values[0] + np.arange(len(values)))


def unit_of(block: Block, name: str) -> str:
    """Unit of the numbers of a column; empty if they have none."""
    column = _plain(block, name)
    if not pyarrow().types.is_string(column.type):
        return ""
    where = f"column {name!r} of {block.source}"
    units: dict[str, str] = {}  # an example of each unit
    for text in _distinct(column):
        found = disguised_number(text, block.decimal)
        if found is not None:
            units.setdefault(found[1], text)
    signs = [unit for unit in units if unit]
    if len(signs) > 1 or (signs == ["%"] and "" in units):
        examples = " and ".join(repr(text) for text in list(units.values())[:2])
        raise ValueError(
            f"{where} has numbers in different units, such as {examples}: convert them to one"
        )
    return signs[0] if signs else ""


def _undisguised(block: Block, name: str, column, unit: str):
    """Replace formatted numbers, such as $1,025.74, by plain numbers; other texts stay."""

    def plain(text: str) -> str:
        found = disguised_number(text, block.decimal)
        if found is None:
            return text
        if found[1] not in ("", unit):
            row = block.row(_first(_equal(column, text)))
            raise ValueError(
                f"column {name!r} of {block.source} has {text!r} in row {row}, and the model was "
                f"fitted on numbers {f'in {unit}' if unit else 'without a unit'}: convert it"
            )
        return repr(found[0]).replace(".", block.decimal)

    return _mapped(column, plain)


def texts(block: Block, name: str) -> NDArray:
    """Read a column as an array of strings; missing values are NaN.

    Equal numbers have the same text: 2 and 2.0 are the same category.
    """
    pa = pyarrow()
    column = _plain(block, name)
    if pa.types.is_floating(column.type):
        column = _mapped(column.cast(pa.string()), lambda text: number_text(text) or text)
    return _strings(column.cast(pa.string()))


def categories(block: Block, name: str) -> NDArray:
    """Read a column like :func:`texts`, with one text for each number or truth value.

    If the column has only numbers or only truth values, 2, 2.0 and +2, or True and TRUE, are one
    category, whatever the format.
    """
    pa = pyarrow()
    column = _plain(block, name)
    if pa.types.is_string(column.type):
        if is_numeric(block, name):
            column = _mapped(column, lambda text: number_text(text, block.decimal) or text)
        elif all(value.lower() in (TRUE, FALSE) for value in _distinct(column)):
            column = _mapped(column, str.lower)
        return _strings(column)
    return texts(block, name)


def is_numeric(block: Block, name: str) -> bool:
    """Whether all values of the column, apart from missing ones, are numbers."""
    pa = pyarrow()
    column = _plain(block, name)
    if pa.types.is_boolean(column.type):
        return False
    if not pa.types.is_string(column.type):
        return True
    return not _parsed(column, block.decimal)[1].any()


def words_among_numbers(block: Block, name: str) -> dict[str, int]:
    """Texts of a mostly numeric column that are not numbers, with their numbers of rows.

    The column is mostly numeric if most cells are numbers, or if there are few words among many
    different numbers. The dictionary is empty if all cells are numbers, or most are not.
    """
    pa = pyarrow()
    column = _plain(block, name)
    if not pa.types.is_string(column.type):
        return {}
    counted = {
        pair["values"]: pair["counts"] for pair in column.drop_null().value_counts().to_pylist()
    }
    words = {
        text: count
        for text, count in counted.items()
        if number_text(text, block.decimal) is None
        and disguised_number(text, block.decimal) is None
    }
    n_words, n_numbers = sum(words.values()), len(counted) - len(words)
    few = len(words) <= _FEW_WORDS and n_numbers >= _MANY_NUMBERS
    return words if few or n_words < sum(counted.values()) - n_words else {}


def row_of(block: Block, name: str, text: str) -> int:
    """First row that has a given text."""
    return block.row(_first(_equal(_plain(block, name), text)))


def first_disguised_number(block: Block, name: str) -> tuple[int, str] | None:
    """Row and content of the first formatted number, such as $1,025.74.

    None if there is none, or if the texts that are not numbers are more than a few words.
    """
    column = _plain(block, name)
    if not pyarrow().types.is_string(column.type):
        return None
    words = words_among_numbers(block, name)
    found = [text for text in _distinct(column) if text not in words]
    disguised = [text for text in found if number_text(text, block.decimal) is None]
    if not disguised or not all(disguised_number(text, block.decimal) for text in disguised):
        return None
    return row_of(block, name, disguised[0]), disguised[0]


def first_time(block: Block, name: str) -> tuple[int, str] | None:
    """Row and content of the first cell of a column of times of the day, otherwise None."""
    return _first_if_all(block, name, _TIME.fullmatch, "")


def first_number_with_comma(block: Block, name: str) -> tuple[int, str] | None:
    """Row and content of the first number with a comma, if all texts are such numbers."""
    return _first_if_all(
        block, name, lambda text: _WITH_COMMAS.fullmatch(text) or number_text(text), ","
    )


def first_date(block: Block, name: str) -> tuple[int, str] | None:
    """Row and content of the first cell of a column of dates, otherwise None."""
    return _first_if_all(block, name, _DATE.fullmatch, "")


def _first_if_all(block: Block, name: str, test, part: str) -> tuple[int, str] | None:
    """Row and content of the first text that contains ``part``, if all texts pass the test."""
    column = _plain(block, name)
    if not pyarrow().types.is_string(column.type):
        return None
    found = _distinct(column)
    example = next((text for text in found if part in text), None)
    if example is None or not all(test(text) for text in found):
        return None
    return block.row(_first(_equal(column, example))), example


def _equal(column, text: str) -> Mask:
    rows = pyarrow().compute.equal(column, text).to_numpy(zero_copy_only=False)
    return rows == True  # noqa: E712  null is neither


def _remedy(cell: object, name: str, decimal: str) -> str:
    if isinstance(cell, str) and _WITH_COMMAS.fullmatch(cell):
        return ": if that is a decimal comma, give ReadOptions(decimal=',')"
    if isinstance(cell, str) and disguised_number(cell, decimal):
        return (
            ": write it as a plain number, or fit the model with such numbers and "
            f"number={(name,)!r}"
        )
    if isinstance(cell, str) and not _DATE.fullmatch(cell):
        return f": if that stands for a missing value, give ReadOptions(na_values={(cell,)!r})"
    return ""


def _plain(block: Block, name: str):
    """Column as one array of strings, booleans or numbers."""
    pa = pyarrow()
    column = block.table.column(name)
    column = pa.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)
    kind = column.type
    readable = (
        pa.types.is_string(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
    )
    if not readable:
        raise ValueError(
            f"column {name!r} of {block.source} holds values of type {kind}, which are neither "
            f"numbers nor texts: convert them, or leave the column out (drop={(name,)!r})"
        )
    return column


def _parsed(column, decimal: str) -> tuple[Array, Mask]:
    """Parse texts as numbers; also return a mask of the texts that are not numbers."""
    pa = pyarrow()
    column = pa.compute.replace_substring(column, MINUS, "-")
    if decimal != ".":
        # A point is then not a decimal mark, and 1.000 is not the number 1.
        with_point = pa.compute.match_substring(column, ".")
        column = pa.compute.replace_substring(column, decimal, ".")
        column = pa.compute.if_else(with_point, "no number", column)
    try:
        values = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
        return values, np.zeros(len(values), dtype=bool)
    except pa.ArrowInvalid:  # slower, but more permissive: +1 is a number here
        cells = column.to_pandas()
        parsed = pandas().to_numeric(cells, errors="coerce")
        return parsed.to_numpy(float), (parsed.isna() & cells.notna()).to_numpy(bool)


def _distinct(column) -> list[str]:
    return column.unique().drop_null().to_pylist()


def _mapped(column, function):
    """Apply a function to each text, with one call for each distinct text."""
    pa = pyarrow()
    coded = column.dictionary_encode()
    return pa.array(map(function, coded.dictionary.to_pylist()), pa.string()).take(coded.indices)


def _strings(column) -> NDArray:
    values = column.to_numpy(zero_copy_only=False)
    if column.null_count:
        values = values.copy()
        values[column.is_null().to_numpy(zero_copy_only=False)] = np.nan
    return values


def _first(mask: NDArray) -> int:
    return int(np.flatnonzero(mask)[0])
