"""One text for each value, whatever the format."""

import datetime
import decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdep.tables._cells import category_key, number_text, plain_table


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["2", "2.0", "2.", "+2", "2e0", "0.2E1"], "2"),
        (["-0", "0.0", "-0.0", "0"], "0"),
        (["2.50", "2.5", "25e-1"], "2.5"),
        (["100000000000000001"], "100000000000000001"),  # a float has no last digit
        (["1e18", "1000000000000000000"], "1000000000000000000"),
        (["-12"], "-12"),
        (["007"], "007"),  # a code
        (["1e999"], "1e999"),
    ],
)
def test_numbers(texts, expected):
    assert {number_text(text) for text in texts} == {expected}


@pytest.mark.parametrize("text", ["", "x", "1,5", "1.2.3", "0x10", "1_000", "nan", "inf", "--1"])
def test_words(text):
    assert number_text(text) is None
    assert category_key(text) == text


def test_decimal_commas():
    assert number_text("1,50", ",") == "1.5"
    assert number_text("1.50", ",") is None
    assert category_key("2,0", ",") == category_key("2") == "2"


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_text_is_its_number(value):
    text = number_text(repr(value))
    assert float(text) == value
    assert number_text(text) == text


@given(st.integers(-(2**63), 2**63))
def test_integers_keep_their_digits(value):
    assert int(number_text(str(value))) == value


def test_keys_of_codes_and_truth_values():
    assert category_key("True") == category_key("TRUE") == category_key("true")
    assert category_key("007") == category_key("7.0") == "7"
    assert category_key("-007") == "-7"
    assert category_key("000") == "0"


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([" red ", "NA", "?", "", None], pa.string(), ["red", None, None, None, None]),
        (["a", "n.a.", "-999", "-999.0"], pa.large_string(), ["a", None, None, None]),
        ([1, -999, None], pa.int64(), [1, None, None]),
        ([1.5, float("nan"), -999.0], pa.float32(), [1.5, None, None]),
        ([True, None], pa.bool_(), [True, None]),
        ([None, None], pa.null(), [None, None]),
        ([decimal.Decimal("2.50")], pa.decimal128(5, 2), [2.5]),
        ([datetime.date(2024, 5, 1)], pa.date32(), ["2024-05-01"]),
        ([datetime.datetime(2024, 5, 1)], pa.timestamp("ns"), ["2024-05-01"]),
        ([datetime.datetime(2024, 5, 1, 7, 30)], pa.timestamp("us"), ["2024-05-01 07:30:00"]),
        (["a", "NA", "a"], pa.dictionary(pa.int8(), pa.string()), ["a", None, "a"]),
        ([[1]], pa.list_(pa.int64()), [[1]]),
    ],
)
def test_columns_of_all_types(values, kind, expected):
    table = pa.table({"c": pa.array(values, kind)})
    assert plain_table(table, ("n.a.", "-999")).to_pydict() == {"c": expected}
