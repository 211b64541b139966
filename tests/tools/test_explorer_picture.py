"""The picture of the guide to ``rdep explore``."""

from tools import explorer_picture

from ..explorer.browser import chromium


def test_the_picture_is_written(tmp_path):
    chromium()
    explorer_picture.main(tmp_path / "explorer.png")
    assert (tmp_path / "explorer.png").read_bytes()[1:4] == b"PNG"
