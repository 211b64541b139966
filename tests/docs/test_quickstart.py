"""A newcomer who types the quick start's commands gets no error."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ..places import DOCS, ROOT
from .pages import commands

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


def test_commands(tmp_path):
    """In their order, in one folder, as a person would."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    }
    assert RDEP
    for command in RDEP:
        done = subprocess.run(
            shlex.split(command), cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
    assert (tmp_path / "quick-run" / "report.html").is_file()
    assert (tmp_path / "figures" / "figure-1.png").is_file()


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))], ids=lambda page: page.stem
)
def test_extras_exist(page):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = re.findall(r"(?:rdep|'\.)\[([\w,-]+)\]", page.read_text("utf-8"))
    named = {extra for extras in lists for extra in extras.split(",")}
    assert named <= set(project["optional-dependencies"])
