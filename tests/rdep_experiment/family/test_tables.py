"""The family's smaller tables: computed part by part, resumed, and shown in the report."""

import numpy as np
import pytest

from rdep_experiment._reproduce import Choice, reproduce, rewrite_report
from rdep_experiment._suite import find_suite
from rdep_experiment.family import _tables
from rdep_experiment.family._competitive import competitive_row
from rdep_experiment.family._memories import memory_rows, with_noise
from rdep_experiment.family._tables import result


@pytest.fixture
def counted(monkeypatch):
    """Two parts instead of all, and which of them were computed."""
    computed = []

    def part(table, name, ours):
        def compute():
            computed.append(name)
            if ours is None:
                raise KeyboardInterrupt
            return [result("Somebody 1999", name, "boxes", 5, ours, "a | b")]

        return _tables.Part(table, name, compute)

    parts = [part("memories", "first", 5.0), part("dendrites", "second", None)]
    monkeypatch.setattr(_tables, "parts", lambda data_dir: parts)
    return computed, parts, part


def test_what_is_stored_is_not_computed_again(tmp_path, counted):
    computed, parts, part = counted
    with pytest.raises(KeyboardInterrupt):
        _tables.compute_tables(tmp_path, None, lambda text: None)
    parts[1] = part("dendrites", "second", 4.5)
    shown = []
    _tables.compute_tables(tmp_path, None, shown.append)
    assert computed == ["first", "second", "second"]
    assert shown == ["Neurons with dendrites: second"]
    stored = _tables.stored_tables(tmp_path)
    assert list(stored) == ["Neurons with dendrites", "Associative memories on digits"]
    assert [row["ours"] for rows in stored.values() for row in rows] == [4.5, 5.0]
    assert _tables.stored_tables(tmp_path / "nothing") == {}


def test_the_report_shows_them(tmp_path, counted, data_dir):
    _, parts, _ = counted
    del parts[1]
    protocol = find_suite("family").protocol
    assert (protocol.n_folds, protocol.keep_empty) == (5, True)
    choice = Choice("family", ["Haberman"], ["slmp", "slmp_box"], data_dir=data_dir)
    outcome = reproduce(choice, tmp_path, protocol)
    assert outcome.n_failed == 0
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "Smaller tables" in page
    assert "Somebody 1999" in page
    # Both cells are the published ones.
    assert "<td>2</td>" not in page
    assert page.count("0.5202") >= 2 or "0.52" in page
    comparison = (tmp_path / "comparison.csv").read_text("utf-8").splitlines()
    assert comparison[1:] == [
        "Haberman,slmp,0.520188,0.520000,0.520188,0.000000",
        "Haberman,slmp_box,0.520188,0.520000,0.520188,0.000000",
    ]
    text = (tmp_path / "tables.md").read_text("utf-8")
    assert "| Somebody 1999 | first | boxes | 5 | 5 |" in text
    assert rewrite_report(tmp_path) == tmp_path / "report.html"


def test_the_family_has_the_data_sets_of_its_published_table():
    names = [source.name for source in Choice("family").sources()]
    assert len(names) == 29
    assert "Egg-Eye-State" not in names


def test_splits_of_pmlb_agree(data_dir):
    row = competitive_row("iris", "greedy", data_dir / "pmlb")
    assert row["ours"] == pytest.approx(row["published"], abs=1e-12)
    assert row["note"].startswith("10 of 10 splits equal")


def test_memories_recall_what_is_stored_and_bear_one_kind_of_noise():
    rows = list(memory_rows())
    stored = [row for row in rows if row["published"] is not None]
    assert len(stored) == 9
    assert all(row["ours"] == row["published"] == 1 for row in stored)
    errors = {(row["data"], row["quantity"].split()[-1]): row["ours"] for row in rows[9:]}
    assert errors["10 digits, erosive noise on 10%", "W"] < 0.2
    assert errors["10 digits, dilative noise on 10%", "pamm"] < 0.2
    assert errors["10 digits, dilative noise on 10%", "W"] > 5


def test_noise_goes_one_way_or_both():
    X, rng = np.full((50, 64), 8.0), np.random.default_rng(0)
    assert set(np.unique(with_noise(X, "erosive", 0.5, rng))) == {0, 8}
    assert set(np.unique(with_noise(X, "dilative", 0.5, rng))) == {8, 16}
    noisy = with_noise(X, "mixed", 0.3, rng)
    assert set(np.unique(noisy)) == {0, 8, 16}
    assert (noisy != 8).mean() == pytest.approx(0.3, abs=0.05)
