"""Rows on disk: the rows that were written, in one pass after another; nothing stays behind."""

import errno
import gc
import os
import shutil
import tempfile
from collections import namedtuple

import numpy as np
import pytest

from rdep.blocks import _rows
from rdep.blocks._progress import Progress
from rdep.blocks._rows import StoredRows, View, check_disk


@pytest.fixture
def stored(monkeypatch):
    """100 rows in blocks of 7."""
    monkeypatch.setattr(_rows, "rows_per_block", lambda n: 7)
    rows = StoredRows(3, Progress())
    X = np.arange(300.0).reshape(100, 3)
    for start in range(0, 100, 30):
        rows.append(X[start : start + 30], np.arange(100)[start : start + 30] % 5)
    return rows, X


def whole(block):
    return block


def total(block):
    return block.X.sum(axis=0)


def test_blocks_are_the_rows_in_order(stored):
    rows, X = stored
    for _ in range(2):
        blocks = list(rows.collect(whole))
        np.testing.assert_array_equal(np.vstack([block.X for block in blocks]), X)
        assert np.concatenate([block.y for block in blocks]).tolist() == [k % 5 for k in range(100)]
        assert [block.start for block in blocks] == list(range(0, 100, 7))


def test_sums(stored):
    rows, X = stored
    np.testing.assert_allclose(rows.reduce(total, np.add), X.sum(axis=0))


def test_views_change_blocks_in_turn(stored):
    rows, X = stored
    twice = View(rows, lambda block: block._replace(X=2 * block.X))
    shifted = View(twice, lambda block: block._replace(X=block.X + 1, y=-block.y))
    np.testing.assert_allclose(shifted.reduce(total, np.add), (2 * X + 1).sum(axis=0))
    kept = shifted.stored(lambda block: block._replace(X=block.X[:, :1]))
    assert (kept.n_features, kept.n_rows) == (1, 100)
    (first, *_) = kept.collect(whole)
    np.testing.assert_array_equal(first.X[:, 0], 2 * X[:7, 0] + 1)
    assert first.y.tolist() == [0, -1, -2, -3, -4, 0, -1]


def test_progress_counts_passes_and_rows(stored):
    rows, _ = stored
    seen = []
    rows.progress.tell, rows.progress.what = seen.append, "adding"
    rows.reduce(total, np.add)
    rows.reduce(total, np.add)
    assert {(state.number, state.what, state.n_rows) for state in seen} == {
        (1, "adding", 100),
        (2, "adding", 100),
    }
    assert [state.n_done for state in seen][:3] == [0, 7, 14]
    assert seen[-1].n_done == 100
    assert seen[-1].seconds_left == 0


def test_nothing_stays_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    n_open = len(os.listdir("/proc/self/fd"))
    rows = StoredRows(2, Progress())
    rows.append(np.zeros((1000, 2)), np.zeros(1000))
    assert rows.reduce(lambda block: len(block.y), int.__add__) == 1000
    assert list(tmp_path.iterdir()) == []  # not even while it runs
    del rows
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == n_open


def test_no_room_is_told_before_any_work(monkeypatch):
    usage = namedtuple("usage", "total used free")(10, 10, 1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    check_disk(10, 10)
    with pytest.raises(OSError, match=r"no room .* 16.4 GB are needed, set TMPDIR") as caught:
        check_disk(10**8, 20)
    assert caught.value.errno == errno.ENOSPC


def test_no_room_in_the_middle(stored):
    class Full:
        def write(self, content):
            raise OSError(errno.ENOSPC, "No space left on device")

    rows, X = stored
    rows._features = Full()
    with pytest.raises(OSError, match="no room for the rows in the temporary folder: set TMPDIR"):
        rows.append(X, np.zeros(100))
