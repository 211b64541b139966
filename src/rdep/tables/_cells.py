"""Cells of all formats made alike: trimmed texts, truth values and numbers, null where missing."""

from __future__ import annotations

import math
import re
from typing import Any

from .._utils._imports import pyarrow

# Cells that stand for a missing value, without the spaces around them.
MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "?")
TRUE, FALSE = "true", "false"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_INTEGER = re.compile(r"[+-]?\d{1,40}")
_FLOATS_BELOW_ARE_INTEGERS = 1e19  # all that 64 bits hold


def plain_table(table: Any, na_values: tuple[str, ...] = ()) -> Any:
    """The table with columns of strings, truth values, integers and floats only."""
    pa = pyarrow()
    columns = [_without_missing(_readable(column), na_values) for column in table.columns]
    return pa.table(columns, names=table.column_names)


def number_text(text: str, decimal: str = ".") -> str | None:
    """One text for each number, however it is written: 2, 2.0 and 2e0 are "2"; None for a word.

    Integers keep all their digits. Leading zeros stay: they are those of codes.
    """
    if decimal != ".":
        text = "" if "." in text else text.replace(decimal, ".")
    if not _NUMBER.fullmatch(text):
        return None
    if _INTEGER.fullmatch(text):
        sign = "-" if text.startswith("-") and text.strip("-0") else ""
        return sign + text.lstrip("+-")
    value = float(text)
    if value.is_integer() and abs(value) < _FLOATS_BELOW_ARE_INTEGERS:
        return str(int(value))
    return repr(value) if math.isfinite(value) else text


def category_key(text: str, decimal: str = ".") -> str:
    """Equal for texts that stand for the same value in tables of different formats."""
    if text.lower() in (TRUE, FALSE):
        return text.lower()
    number = number_text(text, decimal)
    if number is None:
        return text
    return f"-{number[1:].lstrip('0') or 0}" if number[0] == "-" else number.lstrip("0") or "0"


def _readable(column: Any) -> Any:
    """Dictionaries, dates and decimals as the texts and numbers that they stand for."""
    pa = pyarrow()
    types, kind = pa.types, column.type
    if types.is_dictionary(kind):
        return _readable(column.cast(kind.value_type))
    if types.is_null(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return column.cast(pa.string())
    if types.is_decimal(kind):
        return column.cast(pa.float64(), safe=False)
    if types.is_date(kind) or types.is_timestamp(kind) or types.is_time(kind):
        texts = column.cast(pa.string())
        # The same text for a date and for its midnight, as other formats have only one of them.
        texts = pa.compute.replace_substring_regex(texts, r"(:\d\d)\.0+(Z?)$", r"\1\2")
        return pa.compute.replace_substring_regex(texts, r"(\d) 00:00:00Z?$", r"\1")
    return column  # of another type it is refused where it is used; it may be one to drop


def _without_missing(column: Any, na_values: tuple[str, ...]) -> Any:
    pa = pyarrow()
    kind = column.type
    if pa.types.is_string(kind):
        column = pa.compute.utf8_trim_whitespace(column)
        words = [*MISSING, *na_values, *_other_spellings(na_values)]
        missing = pa.compute.is_in(column, value_set=pa.array(words))
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        numbers = column.cast(pa.float64(), safe=False)
        numeric = [float(word) for word in na_values if number_text(word) is not None]
        missing = pa.compute.or_(
            pa.compute.fill_null(pa.compute.is_nan(numbers), False),
            pa.compute.is_in(numbers, value_set=pa.array(numeric, pa.float64())),
        )
    else:
        return column
    return pa.compute.if_else(missing, pa.scalar(None, kind), column)


def _other_spellings(na_values: tuple[str, ...]) -> list[str]:
    """-999 is also written -999.0, once there are gaps."""
    numbers = [number for word in na_values if (number := number_text(word)) is not None]
    return [*numbers, *(f"{number}.0" for number in numbers if "." not in number)]
