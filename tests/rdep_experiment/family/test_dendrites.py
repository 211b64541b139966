"""The published results of dendrites: what must agree exactly, and how the rows look."""

import numpy as np
import pytest

from rdep.hyperboxes._dendrites import DendriteClassifier
from rdep_experiment.family import _dendrites
from rdep_experiment.family._dendrites import (
    EVOLUTION_ERRORS,
    FILES,
    Split,
    cut_evolution_row,
    dendrite_rows,
    evolution_row,
    load_dendrite_dataset,
)

KEYS = ["source", "data", "quantity", "published", "ours", "note"]


def test_elimination_agrees_with_ritter_and_urcid():
    rows = dendrite_rows()
    assert all(list(row) == KEYS for row in rows)
    assert [row["published"] for row in rows] == [5, 30, 12, 13, 16, 15, 15, 15, 15]
    assert [row["ours"] for row in rows] == [row["published"] for row in rows]


def test_divided_boxes_agree_with_arce(data_dir):
    split = load_dendrite_dataset("iris", data_dir / "dendrites")
    assert [part.shape for part in split] == [(120, 4), (120,), (30, 4), (30,)]
    boxes, error = _dendrites._divide_rows("iris", split)
    assert boxes["ours"] == boxes["published"] == 28
    margin = float(boxes["note"].split()[-1].removesuffix("/30")) / 30
    model = DendriteClassifier("divide", margin=margin).fit(split.X, split.y)
    assert model.n_dendrites_.sum() == 28
    low, high = (float(word) for word in error["note"].split() if "." in word)
    assert low <= 100 * (1 - model.score(split.X_test, split.y_test)) + 0.05 <= high + 0.1


def test_a_number_that_does_not_occur_is_told_by_the_nearest():
    X = np.arange(8.0)[:, None]
    split = Split(X, X.ravel() > 3, X, X.ravel() > 3)
    (row,) = _dendrites._divide_rows("iris", split)
    assert (row["published"], row["ours"], row["note"]) == (28, 2, "at no M")


@pytest.mark.slow
def test_all_numbers_of_divided_boxes(data_dir):
    rows = dendrite_rows(data_dir / "dendrites")
    boxes = [row for row in rows if row["quantity"].startswith("boxes")]
    assert [row["data"] for row in boxes] == list(FILES)
    assert [row["ours"] for row in boxes] == [row["published"] for row in boxes]


@pytest.mark.slow
@pytest.mark.parametrize("row_of", [evolution_row, cut_evolution_row])
def test_a_row_of_evolution(row_of, data_dir):
    row = row_of("iris", data_dir / "dendrites")
    assert list(row) == KEYS
    assert row["published"] == EVOLUTION_ERRORS["iris"] == 0
    # At most two of thirty, where guessing is wrong in twenty.
    assert 0 <= row["ours"] < 100 * 2.5 / 30
