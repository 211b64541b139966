"""The commands of the experiment as they are typed."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import StratifiedKFold, cross_val_score
from typer.main import get_command

from rdep import RDEPClassifier
from rdep.tables._pipeline import table_pipeline
from rdep.tables._training_table import read_training_table
from rdep_experiment.commands import CLASSIFIERS, app
from rdep_experiment.models import known_classifiers
from rdep_experiment.models._names import UNLISTED
from rdep_experiment.run._protocol import METRICS
from rdep_experiment.run._store import read_rows

from ..real_tables import write_sample

pytestmark = pytest.mark.usefixtures("kept_processes", "pages_only")


def test_version_and_help(run):
    assert run("--version")[1].startswith("rdep 0.")
    assert "reproduce" in run("--help")[1]
    assert "interrupted at any time" in run("reproduce", "--help")[1]


def test_the_list_of_data_sets(run):
    lines = run("datasets")[1].splitlines()
    assert len(lines) == 31
    assert lines[1].split() == ["Arsene", "200", "10000", "44", "/", "56", "arcene/1", "(1458)"]


def test_the_list_of_data_sets_for_programs(run):
    code, out, _ = run("datasets", "--json")
    entries = json.loads(out)
    assert code == 0
    assert len(entries) == 30
    assert (entries[0]["name"], entries[0]["openml_id"]) == ("Arsene", 1458)


def test_names_of_classifiers_are_in_help_and_completion(run, monkeypatch):
    public = [name for name in known_classifiers() if name not in UNLISTED]
    assert sorted(CLASSIFIERS) == sorted(public)
    assert set(METRICS) <= set(get_scorer_names())
    monkeypatch.setenv("COLUMNS", "200")
    for command in ("evaluate", "reproduce"):
        text = run(command, "--help")[1]
        for name in CLASSIFIERS:
            assert re.search(rf"\b{name}\b", text), name
        assert "catboost_prior" not in text
        options = get_command(app).commands[command].params
        (option,) = [option for option in options if option.name == "classifiers"]
        values = [item.value for item in option.shell_complete(None, "dep,rd")]
        assert "dep,rdep" in values
        assert all(value.startswith("dep,rd") for value in values)


@pytest.fixture
def own(tmp_path):
    """A table with a comma in a name, a group and a time."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 2)), columns=["a", "last, first"])
    frame["who"] = np.arange(80) // 4
    frame["when"] = pd.date_range("2024-01-01", periods=80).astype(str)
    frame["y"] = np.where(frame["a"] + rng.normal(size=80) > 0, "yes", "no")
    frame.to_csv(tmp_path / "own.csv", index=False)


def test_an_evaluation_in_the_order_of_time(run, own):
    command = ["evaluate", "own.csv", "-t", "y", "-o", "out", "--folds", 3]
    options = ["--time-order", "when", "--drop", "who,last, first", "--drop", "last, first"]
    options += ["--classifiers", "linear_svc", "--classifiers", "poly_svc,rbf_svc"]
    code, out, errors = run(*command, *options)
    assert code == 2
    assert errors == "rdep: own.csv has no column 'last'; did you mean 'last, first'?\n"
    options[3] = "who"
    code, out, errors = run(*command, *options)
    assert (code, errors) == (0, "")
    assert out.splitlines()[0] == "Mean ± standard deviation over 3 folds"
    assert [line.split("  ")[0] for line in out.splitlines()[2:5]] == [
        "Linear SVC",
        "RBF SVC",
        "Poly SVC",
    ]
    code, out, errors = run(*command, "--drop", "who,when", *options[4:])
    assert code == 2
    assert "time_order is 'when' there and not given here" in errors


def test_warnings_are_lines_and_failed_metrics_code_1(run, own, tmp_path):
    lines = (tmp_path / "own.csv").read_text().splitlines()
    few = [line for line in lines[1:] if line.endswith("yes")][:4]
    others = [line for line in lines[1:] if line.endswith("no")]
    (tmp_path / "few.csv").write_text("\n".join([lines[0], *few, *others]) + "\n")
    code, out, errors = run(
        "evaluate", "few.csv", "-t", "y", "-o", "out", "--drop", "who,when", "--folds", 5,
        "--classifiers", "linear_svc,logistic_regression", "--calibrate", "sigmoid",
        "--metrics", "accuracy", "--metrics", "neg_log_loss", "--json",
        "--add-classifier", "broken=tests.rdep_experiment.run.misbehaving:NoNumbers",
    )  # fmt: skip
    assert errors == (
        "rdep: warning: 4 folds instead of 5, so that each has every class: class 'yes' has 4 "
        "rows\n"
    )
    assert code == 1
    found = json.loads(out)
    assert (found["n_folds"], found["n_failed"]) == (4, 4)
    assert found["scores"]["broken"] == {"accuracy": None, "neg_log_loss": None}
    assert found["scores"]["linear_svc"]["neg_log_loss"]["mean"] < 0
    code, _, errors = run(
        "evaluate", "few.csv", "-t", "y", "-o", "new", "--drop", "who,when", "--folds", 4,
        "--classifiers", "linear_svc", "--metrics", "neg_log_loss",
    )  # fmt: skip
    assert code == 2
    assert "--calibrate sigmoid" in errors


def test_a_small_run_from_data_to_report(tmp_path, data_dir, run):
    code, out, errors = run(
        "reproduce", "--suite", "paper", "--data-dir", data_dir, "--datasets", "haberman,Titanic",
        "--classifiers", "dep,linear_svc", "--output", tmp_path / "out",
    )  # fmt: skip
    assert code == 0, errors
    assert "40 cells computed, 40 complete" in out
    assert errors == ""  # no progress where nobody watches
    with (tmp_path / "out" / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["dataset"], row["classifier"]) for row in rows] == [
        ("Haberman", "linear_svc"), ("Haberman", "dep"),
        ("Titanic", "linear_svc"), ("Titanic", "dep"),
    ]  # fmt: skip
    assert float(rows[2]["mean"]) == pytest.approx(0.70, abs=0.01)
    assert (tmp_path / "out" / "report.html").exists()
    (tmp_path / "out" / "report.html").unlink()
    assert "report.html" in run("report", tmp_path / "out", "--formats", "png")[1]
    assert (tmp_path / "out" / "report.html").exists()
    assert (tmp_path / "out" / "figures" / "times.png").exists()
    assert str(tmp_path) not in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suite", "whole"], "unknown suite 'whole'; known: costs, extended, family"),
        (["--suite", "quick", "--datasets", "Riply"], "did you mean 'Ripley'?"),
        (["--suite", "quick", "--classifiers", "rbf"], "did you mean 'rbf_svc'?"),
        (["--suite", "quick", "--metrics", "acuracy"], "did you mean 'accuracy'"),
        (["--suite", "quick", "--impute", "never"], "unknown imputation"),
        (["--suite", "quick", "--add-data", "x.csv"], "should read FILE:TARGET"),
        (["--suite", "quick", "--add-data", "x.csv:y"], "x.csv does not exist"),
        (["--suite", "quick", "--add-classifier", "mine"], "should read NAME=package"),
        (["--suite", "paper", "--datasets", "Sonar", "--data-dir", "nowhere"], "not a folder"),
    ],
)
def test_mistakes_end_with_a_message_and_code_2(tmp_path, run, arguments, message):
    code, _, errors = run("reproduce", *arguments, "--output", tmp_path / "out")
    assert code == 2
    assert errors.startswith("rdep: ")
    assert message in errors
    assert "Traceback" not in errors


def test_a_table_is_evaluated_as_it_would_be_fitted(tmp_path, data_dir, run):
    table = write_sample(data_dir, "credit-g-1", tmp_path / "credit.csv", n_rows=300)
    arguments = [
        table, "--target", "class", "--folds", 3,
        "--classifiers", "ensemble_rdep,linear_svc", "-o", tmp_path / "out",
    ]  # fmt: skip
    code, out, errors = run("evaluate", *arguments, "--json")
    assert (code, errors) == (0, "")
    scores = json.loads(out)["scores"]
    assert (tmp_path / "out" / "report.html").exists()

    table = read_training_table(str(arguments[0]), "class")
    pipeline = table_pipeline(table.schema, RDEPClassifier.paper())
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    expected = cross_val_score(
        pipeline, table.frame, table.y, cv=folds, scoring="balanced_accuracy"
    )
    mean = scores["ensemble_rdep"]["balanced_accuracy"]["mean"]
    assert mean == pytest.approx(expected.mean(), abs=1e-9)
    assert list(scores) == ["linear_svc", "ensemble_rdep"]


def test_a_failed_cell_is_reported_with_code_1(tmp_path, run):
    code, out, _ = run(
        "reproduce", "--suite", "quick", "--datasets", "Ripley", "--classifiers", "bad,dep",
        "--add-classifier", "bad=tests.rdep_experiment.run.misbehaving:Failing", "--folds", 2,
        "--output", tmp_path / "out",
    )  # fmt: skip
    assert code == 1
    assert "2 failed" in out
    page = (tmp_path / "out" / "report.html").read_text()
    assert "RuntimeError: on &lt;purpose&gt;" in page


def test_an_interruption_keeps_what_is_there_and_says_how_to_go_on(tmp_path):
    command = [
        sys.executable, "-m", "rdep", "reproduce", "--suite", "quick", "--output", str(tmp_path),
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    rows = tmp_path / "rows.jsonl"
    deadline = time.monotonic() + 600
    while not (rows.exists() and rows.read_bytes().count(b"\n") > 3):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 130
    assert errors == "Interrupted. The same command resumes the run.\n"
    assert len(read_rows(rows)[1]) >= 3


def test_figures(tmp_path, run):
    code, out, errors = run("figures", "--output", "out", "--only", "1", "--formats", "png")
    assert code == 0, errors
    assert "captions.md" in out
    assert (tmp_path / "out" / "figure-1.png").exists()
    for mistake, message in (
        (("--only", "one"), "--only must be numbers"),
        (("--formats", "pgn"), "did you mean 'png'"),
    ):
        code, _, errors = run("figures", "--output", "out", *mistake)
        assert code == 2
        assert message in errors
