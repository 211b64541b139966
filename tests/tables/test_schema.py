"""The schema as JSON, of this version and of those before."""

import json

from rdep.tables import Column, Schema

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
