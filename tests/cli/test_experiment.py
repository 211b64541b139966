"""The commands of the experiment as they are typed."""

import csv
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from rdep import RDEPClassifier
from rdep.experiment.run._store import read_rows
from rdep.tables._pipeline import table_pipeline
from rdep.tables._training_table import read_training_table


def rdep(*arguments, **settings):
    return subprocess.run(
        [sys.executable, "-m", "rdep", *map(str, arguments)],  # finds modules in this folder, too
        capture_output=True,
        text=True,
        check=False,
        **settings,
    )


def test_version_and_help():
    assert rdep("--version").stdout.startswith("rdep 0.")
    assert "reproduce" in rdep("--help").stdout
    assert "resumes where it" in rdep("reproduce", "--help").stdout


def test_the_list_of_data_sets():
    lines = rdep("datasets").stdout.splitlines()
    assert len(lines) == 31
    assert lines[1].split() == ["Arsene", "200", "10000", "44", "/", "56", "arcene/1", "(1458)"]


def test_a_small_run_from_data_to_report(tmp_path, data_dir):
    result = rdep(
        "reproduce", "--suite", "paper", "--data-dir", data_dir, "--datasets", "haberman,Titanic",
        "--classifiers", "dep,linear_svc", "--output", tmp_path / "out",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "40 cells computed, 40 complete" in result.stdout
    assert result.stderr == ""  # no progress where nobody watches
    with (tmp_path / "out" / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["dataset"], row["classifier"]) for row in rows] == [
        ("Haberman", "linear_svc"), ("Haberman", "dep"),
        ("Titanic", "linear_svc"), ("Titanic", "dep"),
    ]  # fmt: skip
    assert float(rows[2]["mean"]) == pytest.approx(0.70, abs=0.01)
    assert (tmp_path / "out" / "report.html").exists()
    (tmp_path / "out" / "report.html").unlink()
    assert "report.html" in rdep("report", tmp_path / "out").stdout
    assert (tmp_path / "out" / "report.html").exists()
    assert str(tmp_path) not in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suite", "whole"], "unknown suite 'whole'; known: quick, paper"),
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
def test_mistakes_end_with_a_message_and_code_2(tmp_path, arguments, message):
    result = rdep("reproduce", *arguments, "--output", tmp_path / "out", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("rdep: ")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_table_is_evaluated_as_it_would_be_fitted(tmp_path, data_dir):
    arguments = [
        data_dir / "openml" / "credit-g-1.arff", "--target", "class", "--folds", 3,
        "--classifiers", "ensemble_rdep,linear_svc", "-o", tmp_path / "out",
    ]  # fmt: skip
    result = rdep("evaluate", *arguments, "--json")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    scores = json.loads(result.stdout)["scores"]
    assert (tmp_path / "out" / "report.html").exists()

    table = read_training_table(str(arguments[0]), "class")
    pipeline = table_pipeline(table.schema, RDEPClassifier())
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    expected = cross_val_score(
        pipeline, table.frame, table.y, cv=folds, scoring="balanced_accuracy"
    )
    mean = scores["ensemble_rdep"]["balanced_accuracy"]["mean"]
    assert mean == pytest.approx(expected.mean(), abs=1e-9)
    assert list(scores) == ["linear_svc", "ensemble_rdep"]


def test_a_failed_cell_is_reported_with_code_1(tmp_path):
    result = rdep(
        "reproduce", "--suite", "quick", "--datasets", "Ripley", "--classifiers", "bad,dep",
        "--add-classifier", "bad=tests.experiment.run.misbehaving:Failing", "--folds", 2,
        "--output", tmp_path / "out",
    )  # fmt: skip
    assert result.returncode == 1
    assert "2 failed" in result.stdout
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
    deadline = time.monotonic() + 60
    while not (rows.exists() and rows.read_bytes().count(b"\n") > 3):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "Interrupted. The same command resumes the run.\n"
    assert len(read_rows(rows)[1]) >= 3


def test_figures(tmp_path):
    result = rdep("figures", "--output", "out", "--only", "1", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "captions.md" in result.stdout
    assert (tmp_path / "out" / "figure-1.svg").exists()
    words = rdep("figures", "--output", "out", "--only", "one", cwd=tmp_path)
    assert words.returncode == 2
    assert "--only must be numbers" in words.stderr
