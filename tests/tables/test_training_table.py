"""What is noticed in a training table, said once each, and what is not worth a word."""

import numpy as np
import pandas as pd
import pytest

from rdep.tables import ReadOptions
from rdep.tables._training_table import read_training_table

N = 40
RNG = np.random.default_rng(0)
PLAIN = pd.DataFrame(
    {
        "size": np.round(RNG.normal(size=N), 3),
        "count": RNG.integers(0, 30, N),
        "colour": RNG.choice(["red", "blue", "green"], N),
        "y": np.where(RNG.random(N) < 0.5, "no", "yes"),
    }
)


def read(tmp_path, frame=PLAIN, kind="csv", index=False, options=None, **arguments):
    path = tmp_path / f"t.{kind}"
    getattr(frame, f"to_{kind}")(path, index=index)
    return read_training_table(str(path), "y", options=options, **arguments)


def test_a_plain_table_needs_no_remark(tmp_path):
    assert read(tmp_path).schema.names == ["size", "count", "colour"]  # warnings are errors
    assert read(tmp_path, PLAIN.sort_values("count")).schema.dropped == ()


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([f"c{k}" for k in range(N)], "has a different text in every row, such as 'c0': it"),
        (range(1, N + 1), "numbers the rows from 1 to 40, which says nothing about new rows"),
        (RNG.permutation(N), "numbers the rows from 0 to 39"),
        (
            10**17 + RNG.integers(0, 10**9, N),
            "has integers of more than 15 digits, such as 1000000",
        ),
        (PLAIN["y"].map({"no": 7, "yes": 3}), "is a copy of the target 'y': if it is not known"),
        (PLAIN["y"].map({"no": "stays", "yes": None}), "is a copy of the target 'y'"),
    ],
)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_columns_that_are_not_what_they_seem(tmp_path, kind, column, message):
    frame = PLAIN.assign(extra=column)
    with pytest.warns(UserWarning, match=f"^column 'extra' of .*{message}") as told:
        table = read(tmp_path, frame, kind)
    assert len(told) == 1
    assert "(drop=('extra',))" in str(told[0].message)
    assert "extra" in table.schema.names
    assert read(tmp_path, frame, kind, drop=("extra",)).schema.dropped == ("extra",)


def test_the_index_of_pandas_is_left_out(tmp_path):
    with pytest.warns(UserWarning, match="the first column of .* has no name and is left out"):
        assert read(tmp_path, index=True).schema.names == ["size", "count", "colour"]
    PLAIN.to_csv(tmp_path / "once.csv")
    again = pd.read_csv(tmp_path / "once.csv")
    with pytest.warns(UserWarning, match="'Unnamed: 0' of .* is left out: it is an index that pan"):
        assert read(tmp_path, again).schema.dropped == ("Unnamed: 0",)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_dates_are_refused_with_a_remedy(tmp_path, kind):
    frame = PLAIN.assign(when=pd.date_range("2024-01-30", periods=N))
    with pytest.raises(ValueError, match="'when' of .* holds dates, such as '2024-01-30' in row 1"):
        read(tmp_path, frame, kind)
    assert "when" not in read(tmp_path, frame, kind, drop=("when",)).schema.names
    table = read(tmp_path, frame, kind, categorical=("when",))
    assert table.schema.columns[-1].categories[0] == "2024-01-30"


@pytest.mark.parametrize(
    "cells",
    [
        ["2024-01-30 10:00", "2023-02-01 11:30:15.25"],
        ["30.1.2024", "01.02.24"],
        ["1/30/2024 1:15 PM"],
        ["2024-01-30T10:00:00Z", "2024-01-30T10:00:00+02:00"],
    ],
)
def test_dates_in_other_words(tmp_path, cells):
    with pytest.raises(ValueError, match="holds dates"):
        read(tmp_path, PLAIN.assign(when=(cells * N)[:N]))


def test_decimal_commas(tmp_path):
    path = tmp_path / "t.csv"
    PLAIN.to_csv(path, sep=";", decimal=",", index=False)
    table = read_training_table(str(path), "y")
    assert table.frame["size"].tolist() == PLAIN["size"].tolist()
    path.write_text("a,y\n" + "".join(f'"{k},250",{k % 2}\n' for k in range(1, N)))
    with pytest.raises(ValueError, match="has numbers with commas, such as '1,250' in row 1: if"):
        read_training_table(str(path), "y")
    table = read_training_table(str(path), "y", options=ReadOptions(decimal=","))
    assert table.frame["a"][0] == 1.25


def test_words_for_missing_numbers(tmp_path):
    size = PLAIN["size"].astype(object).where(PLAIN.index % 9 != 3, "n.a.")
    frame = PLAIN.assign(size=size)
    with pytest.warns(UserWarning, match=r"row 4 has 'n.a.'.*ReadOptions\(na_values=\('n.a.',\)\)"):
        read(tmp_path, frame)
    table = read(tmp_path, frame, options=ReadOptions(na_values=("n.a.",)))
    assert table.schema.columns[0].kind == "number"
    assert table.schema.columns[0].gaps
    assert np.isnan(table.frame["size"][3])


def test_classes_keep_all_their_digits(tmp_path):
    codes = np.where(PLAIN["y"] == "no", 2**60, 2**60 + 1)  # the same number as floats
    for kind in ("csv", "parquet"):
        table = read(tmp_path, PLAIN.assign(y=codes), kind)
        assert table.schema.classes == (2**60, 2**60 + 1)
        assert table.y.tolist() == codes.tolist()


def test_large_integers_of_parquet_are_those_of_csv(tmp_path):
    frame = PLAIN.assign(count=2**53 + 1 + 2 * PLAIN["count"] ** 3)
    with pytest.warns(UserWarning, match="more than 15 digits"):
        tables = [read(tmp_path, frame, kind) for kind in ("csv", "parquet")]
    assert tables[0].frame["count"].tolist() == tables[1].frame["count"].tolist()
    tables = [read(tmp_path, frame, kind, categorical=("count",)) for kind in ("csv", "parquet")]
    assert tables[0].schema == tables[1].schema
    assert str(2**53 + 1 + 2 * PLAIN["count"][0] ** 3) in tables[0].schema.columns[1].categories
