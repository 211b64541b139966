"""The schema as JSON, of this version and of those before; names of columns."""

import json

import pytest

from rdep.tables import Column, Schema
from rdep.tables._schema import split_names

SCHEMA = Schema(
    (
        Column("age", "number", low=18.0, high=90.0, gaps=True),
        Column("colour", "category", ("blue", "red"), gaps=False),
    ),
    ("no", "yes"),
    "left",
    ("id",),
)


def test_there_and_back():
    assert Schema.from_dict(json.loads(json.dumps(SCHEMA.to_dict()))) == SCHEMA


def test_files_that_do_not_say_whether_there_were_gaps():
    content = json.loads(json.dumps(SCHEMA.to_dict()))
    for column in content["columns"]:
        del column["gaps"]
    older = Schema.from_dict(content)
    assert older.names == SCHEMA.names
    assert [column.gaps for column in older.columns] == [None, None]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (["a", "b"], ("a", "b")),
        (["a,b"], ("a", "b")),
        (["a, b", "last, first"], ("a", "b", "last, first")),
        (["a,zzz"], ("a", "zzz")),  # unknown ones are for the caller to refuse
        (["a,"], ("a",)),
    ],
)
def test_commas_separate_names_unless_they_are_in_one(asked, expected):
    assert split_names(asked, ["a", "b", "last, first"]) == expected
