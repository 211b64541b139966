"""The command in this process, where starting it takes longer than its work, and a small model."""

import shutil
import sys

import pytest

from rdep.cli import main

from .command import rdep_here
from .tables import HEADER, ROWS


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The command in the folder of the test: exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["rdep", *map(str, arguments)])
        with pytest.raises(SystemExit) as leaving:
            main()
        captured = capsys.readouterr()
        return leaving.value.code, captured.out, captured.err

    return run


@pytest.fixture(scope="session")
def fitted(tmp_path_factory):
    """A folder with a model on a number and a category, and the table behind it."""
    folder = tmp_path_factory.mktemp("fitted")
    (folder / "churn.csv").write_text("\n".join([HEADER, *ROWS]) + "\n")
    command = ("fit", "churn.csv", "-t", "left", "-o", "churn.rdep", "--estimator", "paper")
    done = rdep_here(*command, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def churn(tmp_path, monkeypatch, fitted):
    """The model ``churn.rdep`` and its table in the folder of the test, where the test is."""
    monkeypatch.chdir(tmp_path)
    for name in ("churn.csv", "churn.rdep"):
        shutil.copy(fitted / name, tmp_path)
    return tmp_path / "churn.csv"
