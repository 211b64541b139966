"""A newcomer who types the quick start's commands gets no error."""

import re
import shlex
import tomllib

import matplotlib
import pytest
from matplotlib import pyplot

from ..cli.command import rdep_here
from ..places import DOCS, ROOT
from .pages import TUTORIAL, commands, failures, not_drawn, snippets

matplotlib.use("Agg")

COMMANDS = commands(DOCS / "quickstart.md")
RDEP = [command for command in COMMANDS if command.startswith("rdep ")]


def test_all_commands_are_known():
    """What is not run below, a new environment and the installation into it, is checked here."""
    others = [command for command in COMMANDS if command not in RDEP]
    assert others == [
        "python -m venv rdep-env",
        ". rdep-env/bin/activate",
        "pip install '.[cli]'",
    ]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "cli" in project["optional-dependencies"]


# What makes a command quicker here, and nothing else.
SHORTER = {"reproduce": ["--folds", "2"]}


@pytest.mark.usefixtures("kept_processes")
def test_commands(tmp_path):
    """In their order, in one folder, as a person would."""
    assert RDEP
    for command in RDEP:
        _, name, *options = shlex.split(command)
        done = rdep_here(name, *options, *SHORTER.get(name, []), cwd=tmp_path)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    assert (tmp_path / "quick-run" / "report.html").is_file()
    assert (tmp_path / "figures" / "figure-1.png").is_file()


@pytest.mark.usefixtures("kept_processes")
def test_commands_of_the_tutorial(tmp_path, monkeypatch):
    """Its Python writes the tables that its commands read."""
    monkeypatch.chdir(tmp_path)
    report = failures(snippets(TUTORIAL))
    pyplot.close("all")
    assert not report, report
    assert not not_drawn(TUTORIAL, tmp_path)
    assert len(commands(TUTORIAL)) > 4
    for command in commands(TUTORIAL):
        rdep, name, *options = shlex.split(command)
        assert rdep == "rdep"
        done = rdep_here(name, *options, cwd=tmp_path)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    for name in ("report/report.html", "predictions.csv", "reasons.csv"):
        assert (tmp_path / name).is_file()


def test_extras_exist():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for page in (ROOT / "README.md", *DOCS.rglob("*.md")):
        lists = re.findall(r"(?:rdep|'\.)\[([\w,-]+)\]", page.read_text("utf-8"))
        named = {extra for extras in lists for extra in extras.split(",")}
        assert named <= set(project["optional-dependencies"]), page
