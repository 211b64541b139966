"""Facts of the blocks of a table: what cannot be a table is named, with what to do."""

from functools import reduce

import numpy as np
import pandas as pd
import pytest

from rdep.tables._blocks import block_of_rows
from rdep.tables._facts import Choices, TableFacts, schema_of, table_facts

ROWS = {"a": [1.0, 2.0, 3.0, 4.0], "y": ["no", "yes", "no", "yes"]}


def facts_of(*frames, **options):
    """Facts of blocks that are named after their places, added up."""
    choices = Choices("y", **options)
    parts = []
    for place, frame in enumerate(frames):
        parts.append(table_facts(block_of_rows(pd.DataFrame(frame), f"part-{place}"), choices))
    return schema_of(reduce(TableFacts.add, parts), choices, "parts")


@pytest.mark.parametrize(
    ("frames", "options", "message"),
    [
        ([{"y": ["no", "yes"] * 2}], {}, "no columns besides the target"),
        (
            [{**ROWS, "y": pd.Series([None] * 4, dtype=object)}],
            {"drop_unlabelled": True},
            "the target 'y' of parts has no values",
        ),
        (
            [{**ROWS, "a": ["$1", "$2", "$3", "$4"]}, {**ROWS, "a": ["1%", "2%"] * 2}],
            {"number": ("a",)},
            r"numbers in \$ in part-0 and in % in part-1: convert them",
        ),
        (
            [{"a": [f"name {k}" for k in range(300)], "y": ["no", "yes"] * 150}],
            {},
            "'a' of parts has 300 different texts.*raise max_categories=100",
        ),
        (
            [{"a": np.arange(10_001.0), "y": [f"id {k}" for k in range(10_001)]}],
            {},
            "more than 10,000 different values up to part-0",
        ),
        (
            [{"a": [f"id {k}" for k in range(100_001)], "y": "no"}, ROWS | {"a": list("abcd")}],
            {},
            "more than 100,000 different texts up to part-1: for names",
        ),
    ],
)
def test_what_is_no_table_is_named(frames, options, message):
    with pytest.raises(ValueError, match=message):
        facts_of(*frames, **options)


def test_blocks_add_up_to_their_table():
    other = {"a": [9.0, np.nan], "y": ["no", "no"]}
    whole = pd.concat([pd.DataFrame(ROWS), pd.DataFrame(other)])
    assert facts_of(ROWS, other) == facts_of(whole)
    assert facts_of(ROWS, other).classes == ("no", "yes")
