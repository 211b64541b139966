"""What importing loads: nothing optional, and little where little is asked for."""

import subprocess
import sys
from functools import cache

import pytest

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
