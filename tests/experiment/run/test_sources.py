"""Tables of one's own as data sets."""

import pandas as pd
import pytest

from rdep.experiment.run._sources import read_table


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
