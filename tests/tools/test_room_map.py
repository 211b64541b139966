"""The map of the source is written into CONTRIBUTING.md."""

import shutil

from tools import room_map


def test_the_map_is_written_where_its_table_stands(tmp_path, monkeypatch):
    monkeypatch.setattr(
        room_map, "CONTRIBUTING", shutil.copy(room_map.CONTRIBUTING, tmp_path / "C.md")
    )
    text = room_map.CONTRIBUTING.read_text("utf-8")
    room_map.CONTRIBUTING.write_text(text.replace(room_map.rows()[0] + "\n", ""), "utf-8")
    assert room_map.written() != room_map.rows()
    room_map.main()
    assert room_map.written() == room_map.rows()
