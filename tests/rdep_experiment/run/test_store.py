"""Rows on disk: nothing that was computed is lost, nothing damaged is taken for good."""

import json
import lzma
import os

import pytest

from rdep_experiment.run._store import (
    RowStore,
    StoreError,
    latest,
    pack,
    read_rows,
    set_aside,
)

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


def test_a_file_torn_in_its_very_first_line_begins_again(path):
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


def packed(path):
    return path.with_name("rows.jsonl.xz")


def test_packed_rows_are_read_as_plain_ones_are(path):
    plain, content = read_rows(path), path.read_bytes()
    assert pack(path) == packed(path)
    assert not path.exists()
    assert lzma.decompress(packed(path).read_bytes()) == content
    assert read_rows(path) == plain
    assert pack(path) == packed(path)  # again: nothing is left to do


def test_the_same_rows_are_packed_into_the_same_bytes(path, tmp_path, monkeypatch):
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    monkeypatch.setattr("time.time", lambda: 1e9)
    assert pack(copy).read_bytes() == pack(path).read_bytes()


def test_a_run_goes_on_from_packed_rows(path):
    content = path.read_bytes()
    pack(path)
    with RowStore(path, IDENTITY) as store:
        assert len(store.rows) == 3
        assert path.read_bytes() == content
        assert not packed(path).exists()
        store.append(row(3))
    assert [each["fold"] for each in read_rows(path)[1]] == [0, 1, 2, 3]


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 1])
def test_a_run_goes_on_after_a_crash_while_rows_were_unpacked_or_packed(path, share):
    """The plain file is there in part, or was not removed yet."""
    content = path.read_bytes()
    pack(path)
    path.write_bytes(content[: int(share * len(content))])
    assert len(read_rows(path)[1]) == 3
    with RowStore(path, IDENTITY) as store:
        assert len(store.rows) == 3
        store.append(row(3))
    assert path.read_bytes().startswith(content)
    assert len(read_rows(path)[1]) == 4
    assert not packed(path).exists()


def test_a_full_disk_while_rows_are_unpacked_loses_none(path, monkeypatch):
    content = path.read_bytes()
    pack(path)

    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match="No space"):
            RowStore(path, IDENTITY).__enter__()
    assert len(read_rows(path)[1]) == 3
    with RowStore(path, IDENTITY):
        assert path.read_bytes() == content


def test_a_plain_file_with_more_rows_counts(path):
    earlier = packed(path)
    earlier.write_bytes(lzma.compress(path.read_bytes()))
    with RowStore(path, IDENTITY) as store:
        store.append(row(3))
    earlier.write_bytes(lzma.compress(b"".join(path.read_bytes().splitlines(True)[:2])))
    assert len(read_rows(path)[1]) == 4
    assert len(lzma.decompress(pack(path).read_bytes()).splitlines()) == 5


def test_two_files_with_different_rows_are_refused(path):
    pack(path)
    before = packed(path).read_bytes()
    with RowStore(path.with_name("other.jsonl"), IDENTITY) as store:
        store.append(row(7))
    path.with_name("other.jsonl").rename(path)
    for use in (read_rows, pack, lambda path: RowStore(path, IDENTITY).__enter__()):
        with pytest.raises(StoreError, match="different rows"):
            use(path)
    assert packed(path).read_bytes() == before


def test_packed_rows_of_another_protocol_are_refused_and_stay(path):
    before = pack(path).read_bytes()
    with pytest.raises(StoreError, match="another comparison"):
        RowStore(path, {**IDENTITY, "margin": 0.0}).__enter__()
    assert packed(path).read_bytes() == before
    assert len(read_rows(path)[1]) == 3


def test_a_damaged_packed_file_is_refused(path, monkeypatch):
    whole = pack(path).read_bytes()
    for damaged in (whole[:-9], whole[:40] + b"?" + whole[41:], b"no xz file"):
        packed(path).write_bytes(damaged)
        with pytest.raises(StoreError, match="xz is damaged"):
            read_rows(path)
    packed(path).write_bytes(whole)
    monkeypatch.setattr("rdep_experiment.run._store._MOST_UNPACKED", 100)
    with pytest.raises(StoreError, match="bomb"):
        read_rows(path)


def test_rows_that_are_being_written_or_incomplete_are_not_packed(path, tmp_path):
    with RowStore(path, IDENTITY), pytest.raises(StoreError, match="another run"):
        pack(path)
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b'{"crc": 1')
    with pytest.raises(StoreError, match="no results"):
        pack(empty)
    with path.open("ab") as file:
        file.write(b'{"crc": 12')
    pack(path)
    assert len(read_rows(path)[1]) == 3


def test_packed_rows_are_set_aside(path):
    content = pack(path).read_bytes()
    assert set_aside(path) == path.with_name("rows.jsonl.xz.earlier-1")
    assert set_aside(path) is None
    with RowStore(path, IDENTITY) as store:
        assert store.rows == []
    packed(path).write_bytes(content)
    assert set_aside(path) == path.with_name("rows.jsonl.earlier-1")
    assert not packed(path).exists()
    assert path.with_name("rows.jsonl.xz.earlier-2").read_bytes() == content


def test_a_file_that_was_replaced_after_it_was_opened_is_not_written_to(path, monkeypatch):
    """Rows in a file without a name would be lost."""
    opened = type(path).open

    def pack_after_opening(self, *arguments, **options):
        file = opened(self, *arguments, **options)
        if self == path and arguments == ("a+b",):
            pack(path)
        return file

    monkeypatch.setattr(type(path), "open", pack_after_opening)
    with pytest.raises(StoreError, match="another run"):
        RowStore(path, IDENTITY).__enter__()


def test_the_latest_row_of_a_cell_counts():
    rows = [row(0, status="failed"), row(1, status="ok"), row(0, status="ok")]
    assert [latest(rows)["Ä b", 0, fold, "dep"]["status"] for fold in (0, 1)] == ["ok", "ok"]
