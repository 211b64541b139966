"""The picture of the rooms: what it reads from sources, and that nothing is drawn above itself."""

import pytest

from tools import room_picture
from tools.room_picture import Room, draw, lines_of, read_rooms

from ..places import ROOT

SOURCES = {
    "rdep/__init__.py": "from .cli import main\n",
    "rdep/_utils/_files.py": "import os\n",
    "rdep/lattice/__init__.py": "from .._utils._files import f\n",
    "rdep/lattice/deep/_a.py": "from ..._utils import g\nfrom .. import b\n",
    "rdep/cli/__init__.py": "def f():\n    from ..lattice import c\n    import rdep._utils\n",
    "rdep_lab/run/_a.py": "from rdep.lattice import d\nfrom rdep import DEP\nfrom ._b import e\n",
}


@pytest.fixture
def rooms(tmp_path):
    for name, text in SOURCES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return read_rooms(tmp_path)


def test_rooms_are_folders_of_the_library_and_packages_beside_it(rooms):
    assert rooms == {
        "_utils": Room(1, 1, set()),
        "lattice": Room(2, 3, {"_utils"}),
        "cli": Room(1, 3, {"_utils", "lattice"}),
        "rdep_lab": Room(1, 3, {"lattice"}),
    }
    assert lines_of(rooms) == {"_utils": 0, "lattice": 1, "cli": 2, "rdep_lab": 2}


def test_a_room_stands_just_above_the_first_that_imports_it():
    rooms = {
        "a": Room(),
        "b": Room(imports={"a"}),
        "data": Room(),
        "c": Room(imports={"b", "data"}),
    }
    assert lines_of(rooms) == {"a": 0, "b": 1, "data": 1, "c": 2}


def test_rooms_that_import_each_other_are_an_error():
    with pytest.raises(ValueError, match="a → b → a"):
        lines_of({"a": Room(imports={"b"}), "b": Room(imports={"a"})})


def test_every_import_of_this_checkout_is_a_dot_below_the_diagonal():
    rooms = read_rooms(ROOT / "src")
    _, right = draw(rooms).axes
    dots = right.collections[0].get_offsets()
    assert {"_utils", "training", "cli"} <= rooms.keys()
    assert len(dots) == sum(len(room.imports) for room in rooms.values())
    assert all(column < row for column, row in dots)


def test_the_picture_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(room_picture, "PICTURE", tmp_path / "rooms.png")
    room_picture.main()
    assert (tmp_path / "rooms.png").read_bytes()[1:4] == b"PNG"
