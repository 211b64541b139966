"""The house: which room may import which, and only through its door."""

import ast

import pytest

from ..places import LABORATORY, SOURCE

# Each room may import only what stands on a line above its own, and itself.
LINES = [
    ["exceptions", "_registry"],
    ["_utils"],
    ["_base"],
    ["lattice"],
    ["training"],
    ["inspection"],
    ["kernels"],
    ["orderings"],
    ["perceptrons"],
    ["hyperboxes"],
    ["networks"],
    ["memories"],
    ["display", "images", "datasets"],
    ["tables"],
    ["blocks"],
    ["guarantees"],
    ["scoring"],
    ["model_files"],
    ["onnx"],
    ["explorer"],
    ["cli"],
]
# Rooms whose modules every room may import.
OPEN = ("_utils", "_base", "_registry", "exceptions", "__version__")
LEVEL = {room: level for level, rooms in enumerate(LINES) for room in rooms}
# The package itself resolves names, and the registry repeats its table for type checkers.
EXEMPT = {"__init__.py", "__main__.py", "_registry.py"}

MODULES = sorted(
    path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).as_posix() not in EXEMPT
)


def imported(path, text=None):
    """Modules of this package that a file imports, anywhere in it, as parts of their names."""
    package = path.relative_to(SOURCE).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8") if text is None else text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            target = (*base, *(node.module.split(".") if node.module else ()))
            yield from ((*target, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "rdep":
            yield from ((*node.module.split(".")[1:], alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "rdep":
                    yield tuple(alias.name.split(".")[1:])


def forbidden(path, text=None):
    """Rooms that a file may not import and does."""
    own = path.relative_to(SOURCE).with_suffix("").parts[0]
    found = set()
    for target in imported(path, text):
        room = target[0] if target else "rdep"
        if room == "__version__":
            continue
        known = room in LEVEL and own in LEVEL
        if room != own and not (known and LEVEL[room] < LEVEL[own]):
            found.add(room)
    return found


def name_of(path):
    return path.relative_to(SOURCE).as_posix()


def test_imports_go_to_rooms_above():
    found = {name_of(path): rooms for path in MODULES if (rooms := forbidden(path))}
    assert not found


def past_the_door(path, text=None):
    """Private modules and names of other rooms that a file imports."""
    own = path.relative_to(SOURCE).with_suffix("").parts[0]
    return {
        ".".join(target)
        for target in imported(path, text)
        if target
        and target[0] not in (own, *OPEN)
        and any(part.startswith("_") for part in target[1:])
    }


def by_full_name(source, package):
    """Modules and names of a package that a source imports by full names, as parts of them."""
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        yield from (parts for name in names if (parts := name.split("."))[0] == package)


def private_of_the_library(source):
    """Private modules and names of the library that a file of the laboratory imports."""
    return {
        ".".join(parts)
        for parts in by_full_name(source, "rdep")
        if any(part.startswith("_") for part in parts) and parts[1] not in OPEN
    }


def test_the_laboratory_enters_the_library_by_its_doors():
    found = {
        path.relative_to(LABORATORY).as_posix(): names
        for path in LABORATORY.rglob("*.py")
        if (names := private_of_the_library(path.read_text("utf-8")))
    }
    assert not found
    assert private_of_the_library("from rdep.perceptrons._dep import DEPClassifier")
    assert private_of_the_library("from rdep._registry import resolve") == set()


def test_the_library_does_not_need_the_laboratory():
    laboratory = LABORATORY.name
    found = [
        name_of(path)
        for path in SOURCE.rglob("*.py")
        if any(by_full_name(path.read_text("utf-8"), laboratory))
    ]
    assert not found
    assert any(by_full_name("def f():\n    import rdep_experiment.run", laboratory))


def test_other_rooms_are_entered_by_the_door():
    found = {name_of(path): names for path in MODULES if (names := past_the_door(path))}
    assert not found


@pytest.mark.parametrize(
    ("file", "source", "found"),
    [
        ("onnx/_graph.py", "from ..kernels._gamma import f", {"kernels._gamma.f"}),
        ("onnx/_graph.py", "from ..kernels import _gamma", {"kernels._gamma"}),
        ("onnx/_graph.py", "from rdep.kernels._gamma import f", {"kernels._gamma.f"}),
        ("onnx/_graph.py", "from ..kernels import Kernel", set()),
        ("onnx/_graph.py", "from ._boxes import f", set()),
        ("onnx/_graph.py", "from .._base._record import f", set()),
    ],
)
def test_the_check_of_doors_finds_what_it_is_for(file, source, found):
    assert past_the_door(SOURCE / file, source) == found


@pytest.mark.parametrize(
    ("file", "source", "rooms"),
    [
        ("training/_ccp.py", "from ..perceptrons._dep import DEPClassifier", {"perceptrons"}),
        ("training/_ccp.py", "def f():\n    from ..cli import main", {"cli"}),
        ("training/_ccp.py", "from rdep.onnx import to_onnx", {"onnx"}),
        ("training/_ccp.py", "import rdep.display", {"display"}),
        ("training/majoriser/_descent.py", "from ...kernels import Kernel", {"kernels"}),
        ("images/_ranks.py", "from ..display import RegionsDisplay", {"display"}),
        ("training/_ccp.py", "from .. import __version__", set()),
        ("training/_ccp.py", "from .. import DEPClassifier", {"DEPClassifier"}),
        ("training/majoriser/_descent.py", "from .._problem import maxima", set()),
        ("perceptrons/_dep.py", "from ..training import train\nimport numpy", set()),
    ],
)
def test_the_check_finds_what_it_is_for(file, source, rooms):
    assert forbidden(SOURCE / file, source) == rooms
