"""Runs: what is missing is computed once, faults cost only their own cell."""

import csv
import os
import random
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

from rdep.experiment._reproduce import Choice, reproduce
from rdep.experiment.run._progress import Progress, clock
from rdep.experiment.run._protocol import Protocol, choose, import_classifier
from rdep.experiment.run._runner import ROWS, Request, run
from rdep.experiment.run._sources import Source, read_table
from rdep.experiment.run._store import StoreError, read_rows

HERE = "tests.experiment.run.misbehaving"


@pytest.fixture
def table(tmp_path):
    """A small table of one's own: 60 rows, a nominal column, a missing value."""
    path = tmp_path / "small.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["a", "b", "colour", "answer"])
        for i in range(60):
            writer.writerow([i % 7, "" if i == 3 else i, "red" if i % 3 else "blue", "ny"[i > 29]])
    return path


def request(tmp_path, table, classifiers, extra=None, **settings):
    protocol = Protocol(n_folds=2, extra=extra or {})
    source = Source("small", file=str(table), target="answer")
    return Request(tmp_path / "out", (source,), tuple(classifiers), protocol=protocol, **settings)


def test_a_second_run_computes_nothing(tmp_path, table):
    asked = request(tmp_path, table, ["rbf_svc", "dep"])
    first = run(asked, Progress())
    assert (first.n_computed, first.n_failed, len(first.rows)) == (4, 0, 4)
    again = run(asked, Progress())
    assert again.n_computed == 0
    assert again.rows == first.rows
    more = run(request(tmp_path, table, ["rbf_svc", "dep", "linear_svc"]), Progress())
    assert more.n_computed == 2
    row = first.rows[0]
    assert row["scores"]["balanced_accuracy"] >= 0.5
    assert row["fit_seconds"] > 0
    assert set(row["versions"]) == {"rdep", "scikit-learn", "numpy", "scipy", "python"}


def test_failures_are_rows_and_tried_again_only_on_request(tmp_path, table):
    extra = {"failing": f"{HERE}:Failing", "constant": f"{HERE}:Constant"}
    asked = request(tmp_path, table, ["failing", "constant"], extra)
    outcome = run(asked, Progress())
    assert outcome.n_failed == 2
    assert outcome.rows[0]["error"] == "RuntimeError: on <purpose>"
    assert [row["status"] for row in outcome.rows] == ["failed", "ok"] * 2
    assert run(asked, Progress()).n_computed == 0
    retried = request(tmp_path, table, ["failing", "constant"], extra, retry_failed=True)
    assert run(retried, Progress()).n_computed == 2


def test_a_time_limit_stops_the_cell_and_nothing_else(tmp_path, table):
    extra = {"hanging": f"{HERE}:Hanging", "constant": f"{HERE}:Constant"}
    asked = request(tmp_path, table, ["hanging", "constant"], extra, time_limit=3.0, jobs=2)
    outcome = run(asked, Progress())
    errors = [row["error"] for row in outcome.rows]
    assert errors == ["TimeLimit: more than 3 s", None] * 2


def test_a_process_that_dies_costs_its_cell_only(tmp_path, table, monkeypatch):
    monkeypatch.setenv("RDEP_TEST_MARK", str(tmp_path / "mark"))
    extra = {
        "dying": f"{HERE}:Dying", "once": f"{HERE}:DyingOnce", "constant": f"{HERE}:Constant",
    }  # fmt: skip
    outcome = run(request(tmp_path, table, ["once", "dying", "constant"], extra), Progress())
    statuses = [row["status"] for row in outcome.rows]
    assert statuses == ["ok", "failed", "ok"] * 2
    assert "exit code 3" in outcome.rows[1]["error"]
    assert len(read_rows(tmp_path / "out" / ROWS)[1]) == 6


def test_data_that_changed_are_refused(tmp_path, table):
    run(request(tmp_path, table, ["dep"]), Progress())
    table.write_text(table.read_text().replace("\n6,", "\n9,"))
    with pytest.raises(StoreError, match="small has changed since"):
        run(request(tmp_path, table, ["dep", "rbf_svc"]), Progress())


def test_interrupted_twenty_times_the_table_is_the_same(tmp_path):
    """Killed with -9 at random moments, also in the middle of a line, and resumed."""

    def command(output):
        return [
            sys.executable, "-m", "rdep", "reproduce", "--suite", "quick", "--datasets", "Ripley",
            "--classifiers", "linear_svc,rbf_svc,dep,ensemble_rdep", "--jobs", "1",
            "--output", str(output),
        ]  # fmt: skip

    whole = tmp_path / "whole"
    subprocess.run(command(whole), check=True, capture_output=True)
    broken = tmp_path / "broken"
    rng = random.Random(0)
    interrupted = 0
    while interrupted < 20:
        process = subprocess.Popen(
            command(broken), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        try:
            process.wait(timeout=rng.uniform(0.3, 2.5))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        interrupted += 1
        rows = broken / ROWS
        if rows.exists() and rng.random() < 0.3:  # a power cut in the middle of a line
            content = rows.read_bytes()
            rows.write_bytes(content[: -rng.randint(1, 40)] if len(content) > 300 else content)
    time.sleep(0.2)
    subprocess.run(command(broken), check=True, capture_output=True)
    assert (broken / "table.csv").read_bytes() == (whole / "table.csv").read_bytes()
    assert (whole / "table.csv").read_text().startswith("dataset,classifier,mean,std\nRipley,")


def test_own_tables(tmp_path, table):
    dataset = read_table(table, "answer", "small")
    assert dataset.X.shape == (60, 3)
    assert dataset.labels == ("n", "y")
    assert dataset.X[:3, 2].tolist() == [0.0, 1.0, 1.0]
    pd.read_csv(table).to_parquet(tmp_path / "small.parquet")
    same = read_table(tmp_path / "small.parquet", "answer", "small")
    assert same.sha256 == dataset.sha256


@pytest.mark.parametrize(
    ("change", "target", "message"),
    [
        (lambda text: text, "reply", "no column 'reply'; it has 'a', 'b', 'colour', 'answer'"),
        (lambda text: text.replace(",y\n", ",n\n"), "answer", "is constant: every row has n"),
        (lambda text: text, "a", "7 different values, two are needed"),
        (lambda text: text.replace(",n\n", ",\n", 1), "answer", "first in row 1"),
        (lambda text: "", "answer", "is empty"),
    ],
)
def test_own_tables_with_mistakes(table, change, target, message):
    table.write_text(change(table.read_text()))
    with pytest.raises(ValueError, match=message):
        read_table(table, target, "small")


def test_own_data_and_classifiers_join_a_suite(tmp_path, table):
    choice = Choice(
        "quick", datasets=["ripley"], classifiers=["mine", "dep"], tables=((table, "answer"),)
    )
    protocol = Protocol(extra={"mine": "sklearn.naive_bayes:GaussianNB"}, n_folds=3)
    outcome = reproduce(choice, tmp_path / "out", protocol)
    assert {(row["dataset"], row["classifier"]) for row in outcome.rows} == {
        (dataset, name) for dataset in ("Ripley", "small") for name in ("dep", "mine")
    }
    assert "small,mine," in (tmp_path / "out" / "table.csv").read_text()


def test_variants_of_the_protocol(tmp_path, table):
    scores = {}
    for name, protocol in {
        "fold": Protocol(n_folds=3, impute="fold", metrics=("balanced_accuracy", "roc_auc")),
        "letter": Protocol(n_folds=3, margin=0.0),
    }.items():
        source = Source("small", file=str(table), target="answer")
        asked = Request(tmp_path / name, (source,), ("dep",), protocol=protocol, repeats=2)
        outcome = run(asked, Progress())
        assert len(outcome.rows) == 6
        scores[name] = outcome.rows[0]["scores"]
        assert {row["seed"] for row in outcome.rows} == {1, 2}
    assert set(scores["fold"]) == {"balanced_accuracy", "roc_auc"}
    assert set(scores["letter"]) == {"balanced_accuracy"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Protocol(impute="median"), "unknown imputation"),
        (lambda: Protocol(metrics=("balanced_acuracy",)), "did you mean 'balanced_accuracy'"),
        (lambda: Protocol(extra={"dep": "a:b"}), "the name 'dep' is taken"),
        (lambda: choose(["rbf"], ["rbf_svc", "dep"], "classifier"), "did you mean 'rbf_svc'"),
        (lambda: import_classifier("numpy"), "package.module:name"),
        (lambda: import_classifier("numpy:nothing"), "could not be imported"),
        (lambda: import_classifier("builtins:dict"), "not a classifier"),
        (lambda: Choice("paper", datasets=["Titanik"]).sources(), "did you mean 'Titanic'"),
        (lambda: Choice("quick", datasets=["Titanic"]).sources(), "known: Ripley"),
    ],
)
def test_mistakes_are_explained(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_clock():
    assert clock(65) == "1:05"
    assert clock(3725) == "1:02:05"
