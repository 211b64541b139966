"""Files that are there as a whole or not at all."""

import pytest

from rdep._utils._files import write_atomically, writing_atomically


def test_a_file_takes_its_name_at_the_end(tmp_path):
    path = tmp_path / "file.txt"
    with writing_atomically(path) as file:
        file.write(b"all of it")
        assert not path.exists()
    assert path.read_text() == "all of it"
    write_atomically(path, "another")
    assert path.read_text() == "another"


def test_an_error_leaves_the_earlier_file_and_nothing_else(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("earlier")
    with pytest.raises(ZeroDivisionError), writing_atomically(path) as file:
        file.write(bytes(1 // 0 for _ in range(2)))
    assert path.read_text() == "earlier"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.txt"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    write_atomically(path, "old\n")

    def no_replace(source, target):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", no_replace)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, "new\n")
    assert path.read_text() == "old\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["table.csv"]
