"""What importing loads: nothing optional, and little where little is asked for."""

import subprocess
import sys

import pytest

NEVER_NEEDED = (
    "pandas",
    "matplotlib",
    "sklearn.externals._arff",
    "sklearn.ensemble._hist_gradient_boosting",
)


def loaded_by(code: str, *candidates: str) -> set[str]:
    """Which of the modules a fresh interpreter has loaded after the code."""
    report = f"import sys; print(*[name for name in {candidates!r} if name in sys.modules])"
    command = [sys.executable, "-c", f"{code}\n{report}"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


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


@pytest.mark.parametrize(
    ("room", "packages"),
    [
        ("display", ["matplotlib", "contourpy"]),
        ("images", ["skimage"]),
        ("model_files", ["skops"]),
        ("onnx", ["onnx", "onnxruntime", "skl2onnx"]),
        ("tables", ["pandas", "pyarrow"]),
    ],
)
def test_a_room_is_imported_without_its_optional_packages(room, packages):
    # None in sys.modules makes every import of the package fail, as if it were not installed.
    without = f"import sys; sys.modules.update(dict.fromkeys({packages!r}))"
    assert loaded_by(f"{without}; import rdep.{room}", f"rdep.{room}") == {f"rdep.{room}"}
    if "pandas" not in packages:
        assert loaded_by(f"import rdep.{room}", *packages) == set()
