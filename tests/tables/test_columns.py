"""Cells as numbers and texts."""

import decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdep.tables._blocks import Block
from rdep.tables._cells import disguised_number, plain_table
from rdep.tables._columns import is_numeric, numbers, texts, unit_of


def block(values, kind=None):
    return Block(plain_table(pa.table({"c": pa.array(values, kind)})), 11, None, "t.csv")


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_texts_of_numbers_are_read_as_python_reads_them(values):
    written = [repr(value) for value in values]
    assert numbers(block(written), "c").tolist() == [float(text) for text in written]


@pytest.mark.parametrize("text", ["+1", "1e3", ".5", "5.", "-0", "007"])
def test_ways_to_write_a_number(text):
    assert is_numeric(block([text, "2"]), "c")
    assert numbers(block([text, None]), "c")[0] == float(text)


@pytest.mark.parametrize("text", ["1,5", "1 000", "0x10", "one", "True", "1_000", "2024-01-01"])
def test_what_is_no_number(text):
    assert not is_numeric(block(["1", text]), "c")
    with pytest.raises(
        ValueError, match=f"column 'c' of t.csv should hold numbers, row 12 has '{text}'"
    ):
        numbers(block(["1", text]), "c")


@pytest.mark.parametrize(
    "kind", [pa.int8(), pa.uint64(), pa.float32(), pa.float64(), pa.decimal128(5, 2)]
)
def test_types_of_numbers(kind):
    values = [decimal.Decimal(3), None] if pa.types.is_decimal(kind) else [3, None]
    np.testing.assert_array_equal(numbers(block(values, kind), "c"), [3.0, np.nan])


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        (["a", None], pa.string(), ["a", None]),
        (["a", None], pa.large_string(), ["a", None]),
        (["a", None], pa.dictionary(pa.int32(), pa.string()), ["a", None]),
        ([1, None], pa.int64(), ["1", None]),
        ([True, None], pa.bool_(), ["true", None]),
        ([None, None], pa.null(), [None, None]),
    ],
)
def test_types_of_texts(values, kind, expected):
    found = texts(block(values, kind), "c")
    assert found.dtype == object
    assert [None if value is np.nan else value for value in found] == expected


def test_infinite_numbers_are_named():
    with pytest.raises(ValueError, match="too large to use, in row 13"):
        numbers(block(["1", "2", "inf"]), "c")


def test_lists_are_neither():
    with pytest.raises(ValueError, match="type list.*neither numbers nor texts"):
        numbers(block([[1], [2]]), "c")


@pytest.mark.parametrize(
    ("text", "decimal", "expected"),
    [
        ("$1,025.74", ".", (1025.74, "$")),
        ("-$5", ".", (-5.0, "$")),
        ("($12)", ".", (-12.0, "$")),
        ("3.1%", ".", (3.1, "%")),
        ("\N{MINUS SIGN}4", ".", (-4.0, "")),
        ("1 000 000", ".", (1e6, "")),
        ("1'000", ".", (1000.0, "")),
        ("1.025,74 €", ",", (1025.74, "€")),
        (".5 %", ".", (0.5, "%")),
        *((text, ".", None) for text in ("1,00", "$", "(12", "$5€", "--7", "a", "1,234,5", "")),
        ("1.5", ",", None),
    ],
)
def test_numbers_that_are_not_written_as_such(text, decimal, expected):
    assert disguised_number(text, decimal) == expected


def test_a_typographic_minus_is_a_minus():
    column = block(["\N{MINUS SIGN}1.5", "2", None])
    assert is_numeric(column, "c")
    np.testing.assert_array_equal(numbers(column, "c"), [-1.5, 2.0, np.nan])


def test_units_must_be_those_of_the_fit():
    np.testing.assert_array_equal(
        numbers(block(["$1,000", "5", None, "1e2"]), "c", "$"), [1000, 5, np.nan, 100]
    )
    assert unit_of(block(["$5", "5"]), "c") == "$"
    with pytest.raises(ValueError, match="has '€5' in row 12, and the model was fitted on numbers"):
        numbers(block(["$1", "€5"]), "c", "$")
    for cells in (["$5", "€5"], ["3%", "0.5"]):
        with pytest.raises(ValueError, match="numbers in different units"):
            unit_of(block(cells), "c")
