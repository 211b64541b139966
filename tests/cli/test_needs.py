"""A missing package is named, with its extra, before any work begins."""

import sys

import pytest

FIT = ["fit", "none.csv", "-t", "left", "-o", "out"]
EVALUATE = ["evaluate", "none.csv", "-t", "left", "-o", "out"]
REPRODUCE = ["reproduce", "--suite", "quick", "--output", "out"]


@pytest.mark.parametrize(
    ("arguments", "package", "extra"),
    [
        (FIT, "pandas", "cli"),
        (FIT, "pyarrow", "cli"),
        (FIT, "skops", "cli"),
        ([*FIT, "--pickle"], "pandas", "cli"),
        (["predict", "none.rdep", "none.csv"], "skops", "cli"),
        (["explain", "none.rdep", "none.csv"], "pyarrow", "cli"),
        (["export", "none.rdep", "--onnx", "out"], "onnx", "onnx"),
        (["export", "none.rdep", "--onnx", "out"], "skops", "cli"),
        *((EVALUATE, name, "cli") for name in ("pyarrow", "matplotlib", "jinja2", "networkx")),
        *((REPRODUCE, name, "cli") for name in ("pandas", "matplotlib", "jinja2", "networkx")),
        (["report", "none"], "jinja2", "cli"),
        (["figures", "--output", "out"], "matplotlib", "cli"),
    ],
)
def test_a_missing_package(tmp_path, run, monkeypatch, arguments, package, extra):
    monkeypatch.setitem(sys.modules, package, None)  # its import fails
    code, out, errors = run(*arguments)
    assert (code, out) == (2, "")
    assert errors.startswith(f"rdep: rdep {arguments[0]} needs {package}, which is not installed")
    assert errors.endswith(f": pip install 'rdep[{extra}]'\n")
    assert list(tmp_path.iterdir()) == []


def test_a_pickle_needs_no_skops(churn, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "skops", None)
    code, _, errors = run(
        "fit", "churn.csv", "-t", "left", "-o", "m.pickle", "--estimator", "dep", "--pickle"
    )
    assert code == 0, errors
    code, _, errors = run("predict", "m.pickle", "churn.csv", "--allow-pickle")
    assert code == 0, errors
