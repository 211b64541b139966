"""What importing loads: nothing optional, and little where little is asked for."""

import ast
import re
import subprocess
import sys
from importlib import import_module

import pytest

import rdep
from rdep._registry import ENTRIES, is_available

from ..places import SOURCE

NEVER_NEEDED = (
    "pandas",
    "matplotlib",
    "sklearn.externals._arff",
    "sklearn.ensemble._hist_gradient_boosting",
)


OPTIONAL = {
    "display": ("matplotlib", "contourpy"),
    "images": ("skimage",),
    "model_files": ("skops",),
    "onnx": ("onnx", "onnxruntime", "skl2onnx"),
    "tables": ("pandas", "pyarrow"),
}


def importing(rooms):
    return "; ".join(f"import rdep.{room}" for room in rooms)


# One after the other in the same process: starting one for each takes seconds.
STAGES = {
    "the package": "import rdep",
    "base": "import sklearn.base",
    "a class": "rdep.DEPClassifier",
    "doors": "from rdep.perceptrons import DEPClassifier; rdep.memories.AssociativeMemory",
    "rooms": importing(room for room in OPTIONAL if room != "tables"),
    "datasets": "import sklearn.datasets",
    "a data set": "rdep.datasets.load_ripley",
}
REPORT = "print(*sys.modules)\n"


def lines_printed(code: str) -> list[list[str]]:
    command = [sys.executable, "-c", f"import sys\n{code}"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line.split() for line in run.stdout.splitlines()]


@pytest.fixture(scope="module")
def stages():
    """The modules that a fresh interpreter has loaded after each stage, and the package's names."""
    code = "".join(f"{stage}\n{REPORT}" for stage in STAGES.values()) + "print(*dir(rdep))"
    *loaded, names = lines_printed(code)
    return dict(zip(STAGES, map(set, loaded), strict=True)), names


@pytest.fixture(scope="module")
def loaded(stages):
    return stages[0]


def test_the_package_alone_loads_neither_numpy_nor_scikit_learn(loaded):
    assert not loaded["the package"] & {"numpy", "scipy", "sklearn"}


@pytest.mark.parametrize(("ours", "theirs"), [("a class", "base"), ("a data set", "datasets")])
def test_nothing_is_loaded_but_what_scikit_learn_loads_itself(loaded, ours, theirs):
    # Where pandas is installed, scikit-learn 1.9 imports it in sklearn.utils.fixes.
    assert not (loaded[ours] - loaded[theirs]) & set(NEVER_NEEDED)


def test_boosting_is_not_loaded_for_a_dep(loaded):
    boosting = "sklearn.ensemble._hist_gradient_boosting"
    assert loaded["a class"] & {boosting, "sklearn"} == {"sklearn"}


def test_rooms_are_imported_without_their_optional_packages():
    # None in sys.modules makes every import of the package fail, as if it were not installed.
    packages = [name for names in OPTIONAL.values() for name in names]
    without = f"sys.modules.update(dict.fromkeys({packages!r}))"
    (found,) = lines_printed(f"{without}\n{importing(OPTIONAL)}\n{REPORT}")
    assert {f"rdep.{room}" for room in OPTIONAL} <= set(found)


def test_rooms_do_not_load_their_optional_packages(loaded):
    rooms = [room for room in OPTIONAL if room != "tables"]  # scikit-learn may load pandas itself
    assert {f"rdep.{room}" for room in rooms} <= loaded["rooms"]
    assert not loaded["rooms"] & {name for room in rooms for name in OPTIONAL[room]}


DOORS = sorted(
    path.parent.name
    for path in SOURCE.glob("*/__init__.py")
    if "door(" in path.read_text("utf-8") or path.parent.name in ("inspection", "training")
)


def typed_names(room: str) -> set[str]:
    """The names that a room's door imports for type checkers."""
    tree = ast.parse((SOURCE / room / "__init__.py").read_text("utf-8"))
    blocks = [
        node.body
        for node in tree.body
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    ]
    return {
        alias.asname or alias.name
        for block in blocks
        for node in block
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize("room", DOORS)
def test_a_door_opens_to_the_names_that_type_checkers_see(room):
    door = import_module(f"rdep.{room}")
    names = typed_names(room)
    if not names:  # a light room imports its names
        assert set(door.__all__) <= set(vars(door))
        return
    needs_more = {name for name, entry in ENTRIES.items() if not is_available(entry)}
    assert set(dir(door)) == names
    for name in names - needs_more:
        assert getattr(door, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        door.Nothing  # noqa: B018


def test_classes_come_through_the_door_of_their_room(loaded):
    modules = {"rdep.memories._associative", "rdep.perceptrons._dep"}
    assert modules <= loaded["doors"]
    assert not loaded["the package"] & modules


def test_the_package_lists_its_names_and_nothing_else(stages):
    _, found = stages
    assert found == sorted({*rdep.__all__, *rdep._PACKAGES, "__version__"})
    assert not {"import_module", "annotations", "TYPE_CHECKING", "Any"} & set(found)


def test_a_misspelt_name_is_an_error_for_mypy(tmp_path, monkeypatch):
    assert (SOURCE / "py.typed").is_file()
    api = pytest.importorskip("mypy.api")
    file = tmp_path / "user.py"
    file.write_text("import rdep\nfrom rdep.perceptrons import DEPClasifier\nrdep.RDEPClasifier\n")
    # Without the types of other packages, which take seconds to read.
    monkeypatch.setenv("MYPYPATH", str(SOURCE.parent))
    alone = ["--no-site-packages", "--follow-imports=silent", "--ignore-missing-imports"]
    report, _, status = api.run([str(file), "--cache-dir", str(tmp_path), *alone])
    assert status == 1
    assert re.findall(r"user.py:(\d): error.*?(R?DEPClasifier)", report) == [
        ("2", "DEPClasifier"),
        ("3", "RDEPClasifier"),
    ]
