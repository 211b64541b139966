"""What importing loads: nothing optional, and little where little is asked for."""

import ast
import re
import subprocess
import sys
from functools import cache
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


@cache
def all_loaded_by(code: str) -> set[str]:
    command = [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def loaded_by(code: str, *candidates: str) -> set[str]:
    """Which of the modules a fresh interpreter has loaded after the code."""
    return all_loaded_by(code) & set(candidates)


def test_the_package_alone_loads_neither_numpy_nor_scikit_learn():
    assert loaded_by("import rdep", "numpy", "scipy", "sklearn") == set()


@pytest.mark.parametrize(
    ("code", "of_scikit_learn"),
    [
        ("import rdep; rdep.DEPClassifier", "import sklearn.base"),
        ("import rdep; rdep.datasets.load_ripley", "import sklearn.datasets"),
    ],
)
def test_nothing_is_loaded_but_what_scikit_learn_loads_itself(code, of_scikit_learn):
    # Where pandas is installed, scikit-learn 1.9 imports it in sklearn.utils.fixes.
    assert loaded_by(code, *NEVER_NEEDED) <= loaded_by(of_scikit_learn, *NEVER_NEEDED)


def test_boosting_is_not_loaded_for_a_dep():
    boosting = "sklearn.ensemble._hist_gradient_boosting"
    assert loaded_by("import rdep; rdep.DEPClassifier", boosting, "sklearn") == {"sklearn"}


OPTIONAL = {
    "display": ("matplotlib", "contourpy"),
    "images": ("skimage",),
    "model_files": ("skops",),
    "onnx": ("onnx", "onnxruntime", "skl2onnx"),
    "tables": ("pandas", "pyarrow"),
}


def importing(rooms):
    return "; ".join(f"import rdep.{room}" for room in rooms)


def test_rooms_are_imported_without_their_optional_packages():
    # None in sys.modules makes every import of the package fail, as if it were not installed.
    packages = [name for names in OPTIONAL.values() for name in names]
    without = f"import sys; sys.modules.update(dict.fromkeys({packages!r}))"
    rooms = {f"rdep.{room}" for room in OPTIONAL}
    assert loaded_by(f"{without}; {importing(OPTIONAL)}", *rooms) == rooms


def test_rooms_do_not_load_their_optional_packages():
    rooms = [room for room in OPTIONAL if room != "tables"]  # scikit-learn may load pandas itself
    packages = [name for room in rooms for name in OPTIONAL[room]]
    assert loaded_by(importing(rooms), *packages) == set()


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


def test_classes_come_through_the_door_of_their_room():
    code = (
        "from rdep.perceptrons import DEPClassifier; import rdep; rdep.memories.AssociativeMemory"
    )
    assert loaded_by(code, "rdep.memories._associative", "rdep.perceptrons._dep") == {
        "rdep.memories._associative",
        "rdep.perceptrons._dep",
    }


def test_the_package_lists_its_names_and_nothing_else():
    code = "import rdep; rdep.DEPClassifier; rdep.images; print(*dir(rdep))"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert found == sorted({*rdep.__all__, *rdep._PACKAGES, "__version__"})
    assert not {"import_module", "annotations", "TYPE_CHECKING", "Any"} & set(found)


def test_a_misspelt_name_is_an_error_for_mypy(tmp_path):
    api = pytest.importorskip("mypy.api")
    file = tmp_path / "user.py"
    file.write_text("import rdep\nfrom rdep.perceptrons import DEPClasifier\nrdep.RDEPClasifier\n")
    cache = ["--cache-dir", str(tmp_path), "--follow-imports=silent", "--ignore-missing-imports"]
    report, _, status = api.run([str(file), *cache])
    assert status == 1
    assert re.findall(r"user.py:(\d): error.*?(R?DEPClasifier)", report) == [
        ("2", "DEPClasifier"),
        ("3", "RDEPClasifier"),
    ]
