"""Rows are packed before a commit, folder by folder."""

import pytest

from rdep_experiment.run._store import RowStore, read_rows
from tools import pack_rows


def test_every_folder_is_packed(tmp_path, capsys):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        with RowStore(folder / "rows.jsonl", {"seed": 1}):
            pass
    pack_rows.main([str(folder) for folder in folders])
    assert capsys.readouterr().out.count("rows.jsonl.xz: ") == 2
    for folder in folders:
        assert [path.name for path in folder.iterdir()] == ["rows.jsonl.xz"]
        assert read_rows(folder / "rows.jsonl") == ({"seed": 1}, [])


def test_a_folder_without_rows_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"rows\.jsonl"):
        pack_rows.main([str(tmp_path)])
