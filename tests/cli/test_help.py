"""Help, completion and flags."""

import inspect
import os
import re
import subprocess
import sys
from dataclasses import fields

import pytest
from typer.main import get_command

from rdep._registry import classifiers, regressors
from rdep.cli._app import app
from rdep.model_files import load_model
from rdep.orderings import ORDERINGS
from rdep.tables import ReadOptions, fit_table
from rdep.tables._estimators import PRESETS
from rdep.tables._scoring import score_table
from rdep_experiment import Request, Table

from .command import rdep


def test_shell_completion():
    completed = rdep(
        env={
            **os.environ,
            "_RDEP_COMPLETE": "complete_bash",
            "COMP_WORDS": "rdep pre",
            "COMP_CWORD": "1",
        }
    )
    assert completed.stdout.split() == ["predict"]


def test_a_mistake_in_a_process_of_its_own(tmp_path):
    result = rdep("figures", "--only", "one", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == "rdep: --only must be numbers of figures such as 1,2, got 'one'\n"


COMPLETION = {"_RDEP_COMPLETE": "complete_bash", "COMP_WORDS": "rdep fit --est", "COMP_CWORD": "2"}


@pytest.mark.parametrize(
    ("arguments", "variables", "expected"),
    [
        (["--help"], {}, "evaluate"),
        (["fit", "--help"], {}, "--ordering"),
        (["--version"], {}, "rdep "),
        ([], COMPLETION, "--estimator"),
    ],
)
def test_a_word_of_help_imports_nothing_heavy(arguments, variables, expected):
    """NumPy and scikit-learn alone take longer than a person waits for a TAB."""
    heavy = ("numpy", "scipy", "sklearn", "pandas", "pyarrow", "skops", "matplotlib")
    program = (
        "import atexit, sys\n"
        f"heavy = {heavy}\n"
        "found = lambda: (name for name in heavy if name in sys.modules)\n"
        "atexit.register(lambda: print('imported', *found(), file=sys.stderr))\n"
        "sys.argv[0] = 'rdep'\n"
        "from rdep.cli import main\n"
        "main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True, text=True, check=False, env={**os.environ, **variables},
    )  # fmt: skip
    assert expected in result.stdout
    assert result.stderr.splitlines()[-1:] == ["imported"]


@pytest.mark.parametrize("command", ["fit", "predict", "explain", "inspect", "export", "evaluate"])
def test_help_has_examples(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"rdep {command} " in out.split("Example")[1]


# Of a request: what is an argument, or follows from others, and what evaluate has no option for.
NO_OPTIONS = {"sources", "protocol", "table", "about", "cluster"}


def keywords(function):
    parameters = inspect.signature(function).parameters.values()
    names = {parameter.name for parameter in parameters if parameter.kind == parameter.KEYWORD_ONLY}
    # How to read a table is one record in Python, and an option for each of its fields here.
    return names - {"options"} | {field.name for field in fields(ReadOptions) if "options" in names}


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("fit", keywords(fit_table) - {"before_fit", "after_fit"} | {"pickle", "estimator", "set"}),
        ("fit", {"ordering", "class_weight", "random_state", "n_jobs"}),
        ("predict", keywords(score_table) - {"progress"} | keywords(load_model)),
        ("explain", keywords(score_table) - {"progress"} | keywords(load_model)),
        ("evaluate", {field.name for field in fields(Table)} - {"source", "options"}),
        ("evaluate", {field.name for field in fields(ReadOptions)} | {"readable"}),
        ("evaluate", {field.name for field in fields(Request)} - NO_OPTIONS),
        (
            "evaluate",
            {"estimator", "set", "class_weight", "threshold", "cost", "positive", "paper"},
        ),
        ("evaluate", {"calibrate", "metrics", "folds", "add_classifier"}),
    ],
)
def test_every_parameter_has_a_flag_of_its_name(command, names):
    options = get_command(app).get_command(None, command).params
    flags = {flag for option in options for flag in option.opts}
    assert {f"--{name.replace('_', '-')}" for name in names} <= flags


def test_help_lists_every_estimator_and_every_ordering(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")  # so that no name is broken
    text = run("fit", "--help")[1]
    for name in (*PRESETS, *classifiers(), *regressors(), *ORDERINGS):
        assert re.search(rf"\b{name}\b", text), name


def test_estimators_are_completed():
    (option,) = [
        option for option in get_command(app).commands["fit"].params if option.name == "estimator"
    ]
    completed = option.shell_complete(None, "")
    names = dict.fromkeys([*classifiers(), *PRESETS, *regressors()])
    assert [item.value for item in completed] == list(names)


def test_without_the_laboratory_its_commands_say_so(run, monkeypatch):
    monkeypatch.setattr("rdep.cli._app.entry_points", lambda **chosen: ())
    code, out, _ = run("--help")
    assert code == 0
    assert "predict" in out
    assert "evaluate" not in out
    code, _, errors = run("evaluate", "churn.csv", "-t", "left", "-o", "report")
    assert code == 2
    assert errors.startswith("rdep: rdep evaluate is a command of the package rdep_experiment")
    code, _, errors = run("evaluat")
    assert code == 2
    assert "No such command 'evaluat'" in errors
