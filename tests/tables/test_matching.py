"""New tables beside what the model saw: other spellings, numbers far away, gaps."""

import re
import warnings

import pandas as pd
import pyarrow as pa
import pytest

from rdep.tables import Column, Schema
from rdep.tables._blocks import Block
from rdep.tables._cells import plain_table
from rdep.tables._matching import matching_frame

SCHEMA = Schema(
    (
        Column("age", "number", low=18.0, high=90.0, gaps=False),
        Column("grade", "category", ("1", "2", "3+"), gaps=False),
        Column("flag", "category", ("False", "True"), gaps=True),  # as CSV of pandas had it once
        Column("code", "category", ("007", "7", "12"), gaps=None),
    ),
    (0, 1),
)


def block(first_row=1, told=None, **columns):
    full = {"age": [30.0], "grade": ["1"], "flag": ["True"], "code": ["12"], **columns}
    table = plain_table(pa.table(full))
    return Block(table, first_row, None, "t.csv", told=set() if told is None else told)


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        ("grade", ["2.0", "3+", "1"], ["2", "3+", "1"]),
        ("grade", [1, 2], ["1", "2"]),
        ("grade", [1.0, 2.0], ["1", "2"]),
        ("flag", [True, False], ["True", "False"]),
        ("flag", ["TRUE", "false"], ["True", "False"]),
        ("code", ["7", "007", "12.0"], ["7", "007", "12"]),
        ("code", [12], ["12"]),
    ],
)
def test_other_spellings_of_a_category(column, values, expected):
    full = {name: [cell] * len(values) for name, cell in
            (("age", 30.0), ("grade", "1"), ("flag", "True"), ("code", "12"))}  # fmt: skip
    frame = matching_frame(block(**{**full, column: values}), SCHEMA)
    assert frame[column].tolist() == expected


@pytest.mark.parametrize(
    ("age", "far"),
    [(18, False), (91, False), (-50, False), (160, False), (200, True), (1e300, True)],
)
def test_numbers_far_outside_the_training_range(age, far):
    new = block(first_row=11, age=[float(age)])
    if far:
        message = (
            f"column 'age' of t.csv has a number far outside the training range, {age:g} in row "
            "11; in training it was 18 to 90"
        )
        with pytest.warns(UserWarning, match=re.escape(message)):
            matching_frame(new, SCHEMA)
    else:
        matching_frame(new, SCHEMA)  # warnings are errors


def test_each_remark_is_made_once_for_all_blocks():
    told = set()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for row in (1, 2, 3):
            matching_frame(block(row, told, age=[1e9], grade=pa.array([None], pa.string())), SCHEMA)
    messages = [str(warning.message) for warning in caught]
    assert len(messages) == 2
    assert "'grade' of t.csv has a missing value, in row 1, and had none in training" in messages[1]


def test_a_gap_where_training_had_gaps_or_it_is_not_known():
    for name in ("flag", "code"):
        frame = matching_frame(block(**{name: pa.array([None], pa.string())}), SCHEMA)
        assert pd.isna(frame[name][0])


def test_a_constant_column_has_no_range():
    schema = Schema((Column("year", "number", low=2024.0, high=2024.0),), (0, 1))
    new = Block(pa.table({"year": [2025.0]}), 1, None, "t.csv")
    assert matching_frame(new, schema)["year"].tolist() == [2025.0]
