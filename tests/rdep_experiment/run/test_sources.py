"""Tables of one's own as data sets."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rdep.datasets import Dataset
from rdep_experiment import Tables
from rdep_experiment.run._cells import prepared
from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._sources import Source, read_table, table_name, write_arrays


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
        (lambda text: text, "a", "7 different values, but the paper's"),
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
    tables = Tables("pmlb", ("chess", "adult"))
    dataset = tables.source("chess", tmp_path, None).load()
    assert dataset.X.tolist() == [[1.5], [2], [3], [4]]
    assert dataset.y.tolist() == [0, 1, 1, 0]
    with pytest.raises(FileNotFoundError, match=r"has no table adult\.tsv\.gz: the package pmlb"):
        tables.source("adult", tmp_path, None)
    with pytest.raises(ValueError, match="this suite needs --data-dir"):
        tables.source("adult", None, None)


def test_categories_of_the_new_tables_are_columns_and_gaps_are_filled_by_fold(tmp_path):
    file = tmp_path / "few.csv.gz"
    frame = pd.DataFrame(
        {
            "age": [1.0, np.nan, 3.0, 5.0],
            "shop": ["c:7", "c:1", "c:7", "c:1"],  # a category, though its values are numbers
            "coma": ["c:yes", "", "c:no", "c:no"],
            "target": [0, 1, 1, 0],
        }
    )
    frame.to_csv(file, index=False)
    tables = Tables("new", ("few",), ending=".csv.gz", one_hot=True)
    dataset = tables.source("few", tmp_path, None).load()
    columns = dict(zip(dataset.feature_names, dataset.X.T.tolist(), strict=True))
    age = columns.pop("age")
    assert age[0] == 1.0
    assert np.isnan(age[1])
    assert columns == {
        "shop=c:1": [0, 1, 0, 1],
        "shop=c:7": [1, 0, 1, 0],
        "coma is missing": [0, 1, 0, 0],
        "coma=c:no": [0, 0, 1, 1],
        "coma=c:yes": [1, 0, 0, 0],
    }
    assert dataset.y.tolist() == [0, 1, 1, 0]
    train, test = np.array([0, 2, 3]), np.array([1])
    _, filled = prepared(dataset.X, train, test, Protocol(impute="fold"))
    assert filled[0, dataset.feature_names.index("age")] == pytest.approx(0)  # the training mean


def test_the_new_tables_are_as_their_list_says(data_dir):
    """Rows, and features before categories become columns."""
    from rdep_experiment._suite import find_suite

    data = find_suite("new").data
    for name, n_rows, n_columns in (("icu", 200, 37), ("promoters", 106, 228), ("wells", 2000, 5)):
        dataset = data.source(name, data_dir, None).load()
        assert dataset.X.shape == (n_rows, n_columns)
        assert dataset.labels == ("0", "1")
        assert dataset.y.mean() <= 0.5


def test_numbers_to_predict_are_in_standard_deviations(tmp_path):
    y = np.random.default_rng(0).normal(50, 7, size=40)
    frame = pd.DataFrame({"a": np.arange(40) % 7, "target": y})
    frame.to_csv(tmp_path / "prices.tsv.gz", sep="\t", index=False)
    tables = Tables(str(tmp_path), ("prices",), numbers=True, most_rows=30)
    source = tables.source("prices", tmp_path, None)
    dataset = source.load()
    assert (dataset.labels, len(dataset.y), dataset.X.shape) == ((), 30, (30, 1))
    assert (dataset.y.mean(), dataset.y.std()) == (pytest.approx(0), pytest.approx(1))
    assert source.load().sha256 == dataset.sha256
    other = read_table(tmp_path / "prices.tsv.gz", "target", "prices", numbers=True)
    np.testing.assert_allclose(other.y, (y - y.mean()) / y.std())
    # A checksum of whole numbers would not tell them apart.
    changed = Dataset("p", other.X, other.y + 1e-9, ("a",), (), "p")
    assert changed.sha256 != other.sha256
