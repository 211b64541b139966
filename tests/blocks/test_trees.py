"""Draws and folds of rows: uniform, of the allowed size, whatever the blocks."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from rdep.blocks import _rows
from rdep.blocks._progress import Progress
from rdep.blocks._rows import StoredRows
from rdep.blocks._trees import draw, fit_trees, folds_of


@pytest.fixture
def rows():
    rows = StoredRows(1, Progress())
    rows.append(np.arange(20_000.0)[:, None], np.where(np.arange(20_000) % 3, -1, 1))
    return rows


def test_all_rows_if_they_fit(rows):
    found = draw(rows, 1, 20_000)
    np.testing.assert_array_equal(found.X[:, 0], np.arange(20_000))
    np.testing.assert_array_equal(found.y, np.where(np.arange(20_000) % 3, -1, 1))
    assert abs(found.folds.mean() - 0.5) < 0.02


def test_a_draw_is_uniform_and_small_enough(rows):
    found = draw(rows, 1, 5000)
    assert 4000 < len(found.y) <= 5000
    positions = found.X[:, 0].astype(int)
    np.testing.assert_array_equal(found.y, np.where(positions % 3, -1, 1))
    # The expected number in each tenth is some 470; four standard deviations are 87.
    counts = np.bincount(positions // 2000)
    assert np.abs(counts - counts.mean()).max() < 90
    # Draw and folds are independent.
    assert abs(found.folds.mean() - 0.5) < 0.04


def test_blocks_do_not_matter(rows, monkeypatch):
    found = draw(rows, 1, 5000)
    monkeypatch.setattr(_rows, "rows_per_block", lambda n: 777)
    again = draw(rows, 1, 5000)
    np.testing.assert_array_equal(found.X, again.X)
    np.testing.assert_array_equal(found.folds, again.folds)


def test_members_of_a_fold_have_not_seen_it(rows):
    """A tree that knows all it has seen is right there, and at chance elsewhere."""
    drawn = draw(rows, 1, 20_000)
    drawn.y[:] = np.where(np.random.default_rng(0).random(20_000) < 0.5, 1, -1)
    classes = np.array(["no", "yes"])
    whole, parts = fit_trees("tree", DecisionTreeClassifier(), drawn, classes)
    labels = classes[(drawn.y > 0).astype(int)]
    assert whole.score(drawn.X, labels) == 1
    for fold, part in enumerate(parts):
        own = drawn.folds == fold
        assert part.score(drawn.X[~own], labels[~own]) == 1
        assert abs(part.score(drawn.X[own], labels[own]) - 0.5) < 0.05


def test_folds_of_blocks(rows):
    (block,) = rows.collect(lambda block: block)
    folds = folds_of(block)
    np.testing.assert_array_equal(folds_of(block._replace(X=None)), folds)
    part = block._replace(y=block.y[5:], start=5)
    np.testing.assert_array_equal(folds_of(part), folds[5:])
