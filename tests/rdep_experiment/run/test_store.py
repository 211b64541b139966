"""Rows on disk: nothing that was computed is lost, nothing damaged is taken for good."""

import json
import os

import pytest

from rdep_experiment.run._store import RowStore, StoreError, latest, read_rows

IDENTITY = {"margin": 1e-6, "n_folds": 10}


def row(fold, **more):
    return {"dataset": "Ä b", "repeat": 0, "fold": fold, "classifier": "dep", **more}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "deep" / "rows.jsonl"
    with RowStore(path, IDENTITY) as store:
        for fold in range(3):
            store.append(row(fold, score=0.1 + fold / 3))
    return path


def test_rows_come_back_as_they_were(path):
    identity, rows = read_rows(path)
    assert identity == IDENTITY
    assert rows == [row(fold, score=0.1 + fold / 3) for fold in range(3)]
    with RowStore(path, IDENTITY) as store:
        assert store.rows == rows
        store.append(row(3))
    assert len(read_rows(path)[1]) == 4


def test_every_row_is_on_the_disk_when_append_returns(tmp_path):
    path = tmp_path / "rows.jsonl"
    with RowStore(path, IDENTITY) as store:
        store.append(row(0))
        assert len(read_rows(path)[1]) == 1


def test_a_torn_last_line_is_cut_off_wherever_it_was_torn(path):
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for length in range(last, len(whole)):
        path.write_bytes(whole[:length])
        with RowStore(path, IDENTITY) as store:
            assert len(store.rows) == 2
            store.append(row(2, score=0.1 + 2 / 3))
        assert path.read_bytes() == whole


def test_a_file_torn_in_its_very_first_line_begins_anew(path):
    path.write_bytes(path.read_bytes()[:20])
    with RowStore(path, IDENTITY) as store:
        assert store.rows == []
    assert read_rows(path) == (IDENTITY, [])


def test_any_flipped_bit_in_the_middle_is_refused_and_nothing_changed(path):
    whole = path.read_bytes()
    end = whole.rstrip(b"\n").rfind(b"\n")
    for position in range(0, end, 7):
        damaged = bytearray(whole)
        damaged[position] ^= 1 << (position % 8)
        if bytes(damaged) == whole:
            continue
        path.write_bytes(damaged)
        with pytest.raises(StoreError):
            RowStore(path, IDENTITY).__enter__()
        assert path.read_bytes() == damaged


def test_damage_names_the_line(path):
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"fold": 1', b'"fold": 7')
    path.write_bytes(b"".join(lines))
    with pytest.raises(StoreError, match="line 3, is damaged .*checksum"):
        read_rows(path)


def test_another_protocol_is_refused(path):
    before = path.read_bytes()
    with (
        pytest.raises(StoreError, match="margin is 1e-06 there and 0.0 here"),
        RowStore(path, {**IDENTITY, "margin": 0.0}),
    ):
        pass
    assert path.read_bytes() == before


def test_a_foreign_file_is_refused(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"some": "thing"}) + "\n")
    with pytest.raises(StoreError, match="line 1, is damaged"), RowStore(path, IDENTITY):
        pass


def test_two_writers_are_refused(path):
    with (
        RowStore(path, IDENTITY),
        pytest.raises(StoreError, match="another run is writing"),
        RowStore(path, IDENTITY),
    ):
        pass


def test_no_permission_and_no_file(tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("")
    with (
        pytest.raises(StoreError, match="cannot be written"),
        RowStore(blocker / "rows.jsonl", IDENTITY),
    ):
        pass
    with pytest.raises(StoreError, match="run `rdep reproduce` first"):
        read_rows(tmp_path / "none.jsonl")


def test_a_full_disk_keeps_earlier_rows(path, monkeypatch):
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    with RowStore(path, IDENTITY) as store:
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match="No space left on device. All earlier rows are safe"):
            store.append(row(3))
    assert path.read_bytes() == before


def test_the_latest_row_of_a_cell_counts():
    rows = [row(0, status="failed"), row(1, status="ok"), row(0, status="ok")]
    assert [latest(rows)["Ä b", 0, fold, "dep"]["status"] for fold in (0, 1)] == ["ok", "ok"]
