"""One version of each tool, and workflows that name what there is."""

import re
import tomllib

from tests.places import ROOT


def test_pre_commit_has_the_ruff_of_the_lock():
    (locked,) = re.findall(r"^ruff==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert re.findall(r"rev: v(\S+)", hooks) == [locked]


def test_the_workflow_has_the_pythons_and_scikit_learns_that_are_promised():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    versions = re.findall(r"python: \"([\d.]+)\", scikit-learn: \"==([\d.]+)\.\*\"", workflow)
    pythons, scikit_learns = zip(*versions, strict=True)
    classifiers = "\n".join(project["classifiers"])
    assert list(pythons) == re.findall(r":: Python :: (3\.\d+)", classifiers)
    assert project["requires-python"] == f">={pythons[0]}"
    assert f"scikit-learn>={scikit_learns[0]}" in project["dependencies"]
    (locked,) = re.findall(
        r"^scikit-learn==(\d+\.\d+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE
    )
    assert scikit_learns[-1] == locked


def test_the_workflow_runs_targets_that_there_are():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    workflows = "\n".join(
        path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")
    )
    lines = re.findall(r"run: make ([\w -]*)(?: MATRIX=.*)?$", workflows, re.MULTILINE)
    named = {name for line in lines for name in line.split()}
    assert len(named) >= 4
    assert named <= targets


def test_the_extras_are_those_of_the_documentation():
    optional = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    users = {"plot", "cli", "onnx", "images", "dask"}
    assert optional["all"] == [f"rdep[{','.join(sorted(users))}]"]
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = set(re.findall(r"rdep\[([a-z]+)\]", source))
    named |= set(re.findall(r"optional\([^)]*\"(\w+)\"\)", source))
    assert named <= users | {"torch"}  # which is large, and not part of all
    assert "torch" in optional
