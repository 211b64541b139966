"""Tables of one's own as data sets."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rdep.datasets import Dataset
from rdep_experiment.run._sources import (
    Source,
    benchmark_source,
    read_table,
    table_name,
    write_arrays,
)


def test_own_tables(tmp_path, table):
    dataset = read_table(table, "answer", "small")
    assert dataset.X.shape == (60, 3)
    assert dataset.labels == ("n", "y")
    assert dataset.X[:3, 2].tolist() == [0.0, 1.0, 1.0]
    pd.read_csv(table).to_parquet(tmp_path / "small.parquet")
    same = read_table(tmp_path / "small.parquet", "answer", "small")
    assert same.sha256 == dataset.sha256


@pytest.mark.parametrize(
    ("change", "target", "message"),
    [
        (lambda text: text, "reply", "no column 'reply'; it has 'a', 'b', 'colour', 'answer'"),
        (lambda text: text.replace(",y\n", ",n\n"), "answer", "is constant: every row has n"),
        (lambda text: text, "a", "7 different values, two are needed"),
        (lambda text: text.replace(",n\n", ",\n", 1), "answer", "first in row 1"),
        (lambda text: "", "answer", "is empty"),
    ],
)
def test_own_tables_with_mistakes(table, change, target, message):
    table.write_text(change(table.read_text()))
    with pytest.raises(ValueError, match=message):
        read_table(table, target, "small")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("sales.2023.csv", "sales.2023"),
        ("sales.2024.csv", "sales.2024"),
        ("folder/churn.csv.gz", "churn"),
        ("churn.parquet", "churn"),
        ("v1.2", "v1.2"),
        (".csv", ".csv"),
    ],
)
def test_only_the_endings_of_formats_are_left_out_of_names(file, name):
    assert table_name(Path(file)) == name


def test_arrays_for_workers_come_back_as_they_were(tmp_path):
    X = np.array([[1.0, np.nan], [2.0, 3.0], [4.0, 5.0]])
    dataset = Dataset(
        "t", X, np.array([0, 2, 1]), ("é", "b"), ("x", "y", "z"), "t", np.array([1, 0, 1])
    )
    file = write_arrays(dataset, tmp_path / "arrays.npz")
    same = Source("t", arrays=str(file)).load()
    assert same.sha256 == dataset.sha256
    assert (same.feature_names, same.labels) == (("é", "b"), ("x", "y", "z"))
    np.testing.assert_array_equal(same.groups, dataset.groups)


def test_tables_of_the_networks_suite(tmp_path):
    (tmp_path / "pmlb").mkdir()
    file = tmp_path / "pmlb" / "chess.tsv.gz"
    pd.DataFrame({"x": [1.5, 2, 3, 4], "target": [0, 1, 1, 0]}).to_csv(file, sep="\t", index=False)
    dataset = benchmark_source("chess", tmp_path, "pmlb").load()
    assert dataset.X.tolist() == [[1.5], [2], [3], [4]]
    assert dataset.y.tolist() == [0, 1, 1, 0]
    with pytest.raises(FileNotFoundError, match=r"has no table adult\.tsv\.gz"):
        benchmark_source("adult", tmp_path, "pmlb")
    with pytest.raises(ValueError, match="this suite needs --data-dir"):
        benchmark_source("adult", None, "pmlb")
