"""The preprocessing against its parts done by hand."""

import numpy as np
import pandas as pd

from rdep import DEPClassifier
from rdep.tables import Column, Schema
from rdep.tables._pipeline import encoded_frame, encoded_names, table_pipeline

rng = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "colour": rng.choice(np.array(["red", "blue", np.nan], dtype=object), 60),
        "size": np.where(rng.random(60) < 0.2, np.nan, rng.normal(3, 2, size=60)),
        "shape": rng.choice(np.array(["round", "flat"], dtype=object), 60),
    }
)
SCHEMA = Schema(
    (
        Column("colour", "category", ("blue", "red")),
        Column("size", "number"),
        Column("shape", "category", ("flat", "round")),
    ),
    (0, 1),
)
Y = (FRAME["size"].fillna(3) > 3).to_numpy().astype(int)
NAMES = ["size", "colour is missing", "colour=blue", "colour=red", "shape=flat", "shape=round"]


def by_hand():
    encoded = pd.DataFrame({"size": FRAME["size"].fillna(FRAME["size"].mean())})
    encoded["colour is missing"] = FRAME["colour"].isna().astype(float)
    for column, category in (
        ("colour", "blue"), ("colour", "red"), ("shape", "flat"), ("shape", "round"),
    ):  # fmt: skip
        encoded[f"{column}={category}"] = (FRAME[column] == category).astype(float)
    return (encoded - encoded.mean()) / encoded.std(ddof=0)


def test_the_features_are_those_made_by_hand():
    pipeline = table_pipeline(SCHEMA, DEPClassifier()).fit(FRAME, Y)
    expected = by_hand()
    assert encoded_names(pipeline, SCHEMA).tolist() == list(expected.columns) == NAMES
    np.testing.assert_allclose(pipeline[:-1].transform(FRAME), expected, atol=1e-12)


def test_an_encoded_table_has_the_same_features_with_gaps_in_numbers():
    encoded = encoded_frame(FRAME, SCHEMA)
    assert list(encoded.columns) == NAMES
    np.testing.assert_array_equal(encoded["size"], FRAME["size"])
    filled = encoded.fillna(encoded.mean())
    standardised = (filled - filled.mean()) / filled.std(ddof=0)
    np.testing.assert_allclose(standardised, by_hand(), atol=1e-12)


def test_a_new_category_is_none_of_the_known():
    pipeline = table_pipeline(SCHEMA, DEPClassifier()).fit(FRAME, Y)
    new = pd.DataFrame({"colour": ["pink"], "size": [3.0], "shape": ["flat"]})
    features = pd.Series(pipeline[:1].transform(new)[0], NAMES)
    assert features[[name for name in NAMES if name.startswith("colour")]].tolist() == [0, 0, 0]
