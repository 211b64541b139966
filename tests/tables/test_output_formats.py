"""The formats of outputs: each is read again by somebody else's reader."""

import csv
import gzip
import io
import json
import os
import threading
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from rdep.tables._output_formats import output_format, writing_rows

ENDINGS = (".csv", ".csv.gz", ".parquet", ".json", ".jsonl")
# The last digits of the first went missing with 15 decimals; the second was written as 0.
SCORES = [-1.0000000000287557e-06, 4.9e-324, 1 / 3, 1e300, -0.0, 12345678.000000001]
ROWS = pa.table({"who": ['Zoë, "Z"', None, "b\nc", "", "é", "x"], "score": SCORES})


def read_again(path):
    name = str(path)
    if name.endswith(".parquet"):
        return pa.parquet.read_table(path).to_pylist()
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    if name.endswith(".json"):
        return json.loads(path.read_text("utf-8"))
    content = path.read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode("utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    return [{"who": row["who"], "score": float(row["score"])} for row in rows]


@pytest.mark.parametrize("ending", ENDINGS)
def test_rows_and_all_digits_come_back(tmp_path, ending):
    path = tmp_path / f"rows{ending}"
    with writing_rows(path) as write:
        write(ROWS.slice(0, 4))
        write(ROWS.slice(4))
        assert not path.exists()
    found = read_again(path)
    assert [row["score"] for row in found] == SCORES
    whos = ROWS.column("who").to_pylist()
    assert [row["who"] or None for row in found] == [who or None for who in whos]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_rows_make_the_same_file(tmp_path, ending):
    for name in ("a", "b"):
        with writing_rows(tmp_path / f"{name}{ending}") as write:
            write(ROWS)
    assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()


def test_types_that_are_no_text(tmp_path):
    moments = [datetime(2024, 5, 1, 12, 30), datetime(2024, 5, 1, 12, 30, 0, 250)]
    rows = pa.table(
        {
            "when": pa.array(moments, pa.timestamp("ns")),
            "utc": pa.array([m.replace(tzinfo=UTC) for m in moments]),
            "day": [date(2024, 5, 1), None],
            "price": [Decimal("1.10"), None],
            "paid": [True, None],
            "count": pa.array([2**60 + 1, None]),
            "ratio": pa.array([0.5, np.nan]),
        }
    )
    for ending in ENDINGS:
        with writing_rows(tmp_path / f"t{ending}") as write:
            write(rows)
    assert pa.parquet.read_table(tmp_path / "t.parquet").schema.types == rows.schema.types
    cells = list(csv.reader((tmp_path / "t.csv").read_text().splitlines()))
    assert cells[1] == [
        "2024-05-01 12:30:00", "2024-05-01 12:30:00Z", "2024-05-01", "1.10", "true",
        str(2**60 + 1), "0.5",
    ]  # fmt: skip
    assert cells[2] == [
        "2024-05-01 12:30:00.000250000", "2024-05-01 12:30:00.000250Z", "", "", "", "", "",
    ]  # fmt: skip
    first, second = json.loads((tmp_path / "t.json").read_text())
    assert first["when"] == "2024-05-01 12:30:00"
    assert (first["paid"], first["count"], first["ratio"]) == (True, 2**60 + 1, 0.5)
    assert (second["paid"], second["count"], second["ratio"]) == (None, None, None)


def test_what_is_no_text_at_all_goes_to_parquet_only(tmp_path):
    rows = pa.table({"took": pa.array([[timedelta(1)]])})
    message = "'took' holds values of type .* which are not written as text: write a Parquet file"
    with pytest.raises(ValueError, match=message), writing_rows(tmp_path / "t.csv") as write:
        write(rows)
    assert not list(tmp_path.iterdir())
    with writing_rows(tmp_path / "t.parquet") as write:
        write(rows)
    assert pd.read_parquet(tmp_path / "t.parquet").shape == (1, 1)


def test_other_endings_are_refused_with_the_list(tmp_path):
    for name in ("out.txt", "out", "out.xlsx", "out.gz", "csv"):
        with pytest.raises(ValueError, match=r"in \.csv, \.csv\.gz, \.parquet, \.json or \.jsonl"):
            output_format(tmp_path / name)
    assert output_format(tmp_path / "OUT.CSV") == ".csv"
    assert output_format(tmp_path / "a.json", json=True) == ".json"
    with pytest.raises(ValueError, match="json=True is not for a file that ends in .parquet"):
        output_format(tmp_path / "a.parquet", json=True)


def test_streams_have_no_ending(tmp_path):
    assert output_format(None) == ".csv"
    assert output_format(None, json=True) == ".jsonl"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert output_format(pipe) == ".csv"
    assert output_format(pipe, json=True) == ".jsonl"


def test_parquet_through_a_pipe(tmp_path):
    pipe = tmp_path / "pipe.parquet"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with writing_rows(pipe) as write:
        write(ROWS)
    reader.join(10)
    assert pa.parquet.read_table(io.BytesIO(read[0])).equals(ROWS)
