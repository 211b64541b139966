"""Cells of all formats as trimmed texts, truth values and numbers; null if missing."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from .._utils._imports import pyarrow

# Cells that mean a missing value, without the spaces around them.
MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "?")
TRUE, FALSE = "true", "false"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_INTEGER = re.compile(r"[+-]?\d{1,40}")
MINUS = "\N{MINUS SIGN}"  # typographic minus of web pages and word processors
# Currency signs and the per cent sign: units of the numbers next to them.
_UNITS = "$€£¥₹₩₽₺¢%"
_SPACES = (
    " '\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{RIGHT SINGLE QUOTATION MARK}"
)
_FLOATS_BELOW_ARE_INTEGERS = 1e19  # all integers of 64 bits


def plain_table(table: Any, na_values: tuple[str, ...] = ()) -> Any:
    """Convert a table to columns of strings, truth values, integers and floats."""
    pa = pyarrow()
    columns = [_without_missing(_readable(column), na_values) for column in table.columns]
    return pa.table(columns, names=table.column_names)


def number_text(text: str, decimal: str = ".") -> str | None:
    """Canonical text of a number: 2, 2.0 and 2e0 are "2"; None if the text is not a number.

    Integers keep all their digits. Leading zeros stay, because they belong to codes.
    """
    text = text.replace(MINUS, "-")
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


def disguised_number(text: str, decimal: str = ".") -> tuple[float, str] | None:
    """Number in a text such as ``$1,025.74``, ``3.1%`` or ``(12)``, and its unit, or None.

    Thousands may be grouped by spaces, apostrophes, or by the comma or point that is not the
    decimal mark. Parentheses around a number mean a minus, as in accounting. The unit is a currency
    sign, the per cent sign, or empty. The number is not converted: it is 3.1 for ``3.1%``.
    """
    found = _disguise(decimal).fullmatch(text.replace(MINUS, "-"))
    if (
        found is None
        or (found["front"] and found["back"])
        or (found["sign"] and found["inner"])
        or bool(found["open"]) != bool(found["close"])
    ):
        return None
    digits = found["whole"] or ""
    value = float(re.sub(r"\D", "", digits) + (found["part"] or "").replace(decimal, "."))
    is_negative = bool(found["open"]) or "-" in (found["sign"], found["inner"])
    return (-value if is_negative else value), found["front"] or found["back"] or ""


@cache
def _disguise(decimal: str) -> re.Pattern[str]:
    groups, units = re.escape(_SPACES + {".": ",", ",": "."}[decimal]), re.escape(_UNITS)
    mark = re.escape(decimal)
    return re.compile(
        rf"(?P<open>\()?(?P<sign>[+-])?\s?(?P<front>[{units}])?\s?(?P<inner>[+-])?"
        rf"(?P<whole>\d{{1,3}}(?:(?P<group>[{groups}])\d{{3}})(?:(?P=group)\d{{3}})*|\d+)?"
        rf"(?P<part>(?(whole){mark}\d*|{mark}\d+))?(?(whole)|(?(part)|(?!)))"
        rf"\s?(?P<back>[{units}])?(?P<close>\))?"
    )


def category_key(text: str, decimal: str = ".") -> str:
    """Key that is equal for texts of the same value in tables of different formats."""
    if text.lower() in (TRUE, FALSE):
        return text.lower()
    number = number_text(text, decimal)
    if number is None:
        return text
    return f"-{number[1:].lstrip('0') or 0}" if number[0] == "-" else number.lstrip("0") or "0"


def text_column(column: Any) -> Any:
    """Convert numbers and truth values to texts as in CSV: 2, not 2.0."""
    pa = pyarrow()
    column = column.cast(pa.string()) if not pa.types.is_string(column.type) else column
    return pa.compute.replace_substring_regex(column, r"^(-?\d+)\.0$", r"\1")


def value_type(column: Any, decimal: str) -> Any:
    """Infer the type of texts: integers, numbers, truth values or texts.

    Integers with leading zeros or a plus sign are codes, and remain texts.
    """
    pa = pyarrow()
    if column.null_count == len(column):
        return pa.null()
    column = _with_point(column, decimal)
    for kind, pattern in (
        (pa.int64(), r"^-?(0|[1-9]\d{0,17})$"),
        (pa.float64(), r"^-?((0|[1-9]\d{0,14})(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?$"),
        (pa.bool_(), r"^(?i:true|false)$"),
    ):
        if pa.compute.all(pa.compute.match_substring_regex(column, pattern)).as_py():
            return kind
    return pa.string()


def typed_column(column: Any, kind: Any, decimal: str) -> Any:
    """Convert texts to a type; return the column unchanged if some texts have another type."""
    pa = pyarrow()
    if column.type == kind:
        return column
    if pa.types.is_string(kind):
        return text_column(column)
    if pa.types.is_string(column.type):
        column = _with_point(column, decimal)
    try:
        return column.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return column


def _with_point(column: Any, decimal: str) -> Any:
    pa = pyarrow()
    column = pa.compute.replace_substring(column, MINUS, "-")
    return column if decimal == "." else pa.compute.replace_substring(column, decimal, ".")


def _readable(column: Any) -> Any:
    """Convert dictionaries, dates and decimals to texts and numbers."""
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
        # The same text for a date and for its midnight, because other formats have only one.
        texts = pa.compute.replace_substring_regex(texts, r"(:\d\d)\.0+(Z?)$", r"\1\2")
        return pa.compute.replace_substring_regex(texts, r"(\d) 00:00:00Z?$", r"\1")
    return column  # other types raise an error on use; the column may be dropped


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
    """Other spellings of missing values: -999 becomes -999.0 if a column has gaps."""
    numbers = [number for word in na_values if (number := number_text(word)) is not None]
    return [*numbers, *(f"{number}.0" for number in numbers if "." not in number)]
