"""The command in this process, where starting it takes longer than its work, and a small model."""

import sys

import pytest

from rdep.cli import main

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


@pytest.fixture
def churn(tmp_path, run):
    """A model on a number and a category, and the table behind it."""
    (tmp_path / "churn.csv").write_text("\n".join([HEADER, *ROWS]) + "\n")
    code, _, errors = run(
        "fit", "churn.csv", "-t", "left", "-o", "churn.rdep", "--estimator", "paper"
    )
    assert code == 0, errors
    return tmp_path / "churn.csv"
