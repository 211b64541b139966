"""From a table to a model and predictions, as it is typed."""

import csv
import gzip
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from ..real_tables import frame_of, write_sample
from .command import RDEP, on_terminal
from .tables import HEADER, ROWS


def test_mushrooms_from_standard_input_to_standard_output(tmp_path, data_dir, run, monkeypatch):
    """Categories with gaps, a CSV file, pipes, and the same answers from every format."""
    model, table = tmp_path / "mushroom.rdep", tmp_path / "mushroom.csv"
    write_sample(data_dir, "mushroom-1", table, n_rows=500)
    with table.open() as lines, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", lines)
        code, out, errors = run(
            "fit", "-", "-t", "class", "-o", model, "--estimator", "paper", "--json"
        )
    assert code == 0, errors
    assert errors == ""  # no progress where nobody watches
    assert json.loads(out)["training_balanced_accuracy"] == 1.0

    others = frame_of(data_dir, "mushroom-1").sample(400, random_state=7)
    others["number"] = np.arange(400)
    shuffled = others[others.columns[::-1]]  # columns go by their names
    shuffled.to_parquet(tmp_path / "others.parquet")
    known = ["--ignore-new-categories", "--keep", "number"]
    code, out, errors = run("predict", model, tmp_path / "others.parquet", *known)
    assert (code, errors) == (0, "")
    rows = list(csv.DictReader(out.splitlines()))
    assert [row["number"] for row in rows] == [str(k) for k in range(400)]
    right = np.array([row["prediction"] for row in rows]) == others["class"].to_numpy()
    assert right.mean() > 0.98

    with gzip.open(tmp_path / "others.csv.gz", "wt") as file:
        others.to_csv(file, index=False)
    output = tmp_path / "out.jsonl"
    code, _, errors = run("predict", model, tmp_path / "others.csv.gz", *known, "-o", output)
    assert code == 0, errors
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert [line["prediction"] for line in lines] == [row["prediction"] for row in rows]
    scores = [float(row["score"]) for row in rows]
    assert [line["score"] for line in lines] == pytest.approx(scores, abs=1e-14)


def test_more_than_two_classes(tmp_path, run):
    frame, species = load_iris(return_X_y=True, as_frame=True)
    frame["species"] = np.array(["setosa", "versicolor", "virginica"])[species]
    frame.to_csv(tmp_path / "iris.csv", index=False)
    code, _, errors = run(
        "fit", "iris.csv", "-t", "species", "-o", "iris.rdep", "--estimator", "paper"
    )
    assert code == 0, errors
    rows = list(csv.DictReader(run("predict", "iris.rdep", "iris.csv")[1].splitlines()))
    assert list(rows[0])[1:] == ["score_setosa", "score_versicolor", "score_virginica"]
    for row in rows:
        scores = {name[6:]: float(row[name]) for name in row if name.startswith("score_")}
        assert row["prediction"] == max(scores, key=scores.get)
    right = [row["prediction"] for row in rows] == frame["species"]
    assert right.mean() > 0.95
    reasons = run("explain", "iris.rdep", "iris.csv", "--json")[1].splitlines()
    for row, line in zip(rows, reasons, strict=True):
        reason = json.loads(line)
        assert reason["prediction"] == row["prediction"]
        assert reason["dilation_by"] in ("rbf", "linear", "poly")
        winner = float(row[f"score_{row['prediction']}"])
        assert reason["decision"] == pytest.approx(winner, abs=1e-9)


def test_a_person_sees_progress(churn, run, monkeypatch):
    """Standard error is a terminal, standard output is not."""
    monkeypatch.setenv("TERM", "xterm")
    with on_terminal() as shown:
        code, out, _ = run("predict", "churn.rdep", "churn.csv")
    assert code == 0
    assert len(out.splitlines()) == 21
    assert "20 rows" in b"".join(shown).decode()


def test_nobody_reads_on(tmp_path, churn):
    """The status is that of other programs whose reader has gone."""
    (tmp_path / "long.csv").write_text("\n".join([HEADER, *(ROWS * 2000)]))
    result = subprocess.run(
        ["bash", "-c", f"{RDEP} predict churn.rdep long.csv | head -2; echo ${{PIPESTATUS[0]}}"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert result.stdout.splitlines()[0] == "prediction,score"
    assert result.stdout.splitlines()[-1] == "141"
    assert result.stderr == ""


@pytest.mark.slow
def test_through_a_shell_to_another_program(tmp_path, churn):
    result = subprocess.run(
        ["bash", "-c", f"{RDEP} predict churn.rdep churn.csv -o >(gzip > out.gz); wait $!"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    deadline = time.monotonic() + 600  # gzip may end a little later than the shell
    while not (packed := (tmp_path / "out.gz").read_bytes()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(gzip.decompress(packed).splitlines()) == 21


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".json", ".jsonl"])
def test_the_name_of_the_output_tells_its_format(tmp_path, churn, run, ending):
    code, out, errors = run("predict", "churn.rdep", "churn.csv", "-o", f"out{ending}")
    assert (code, out) == (0, ""), errors
    read = {
        ".csv": pd.read_csv,
        ".csv.gz": pd.read_csv,
        ".parquet": pd.read_parquet,
        ".json": pd.read_json,
        ".jsonl": lambda path: pd.read_json(path, lines=True),
    }[ending]
    frame = read(tmp_path / f"out{ending}")
    assert list(frame.columns) == ["prediction", "score"]
    assert frame["prediction"].tolist() == ["no"] * 10 + ["yes"] * 10


def test_json_has_the_digits_of_csv(churn, run):
    rows = csv.DictReader(run("predict", "churn.rdep", "churn.csv")[1].splitlines())
    lines = run("predict", "churn.rdep", "churn.csv", "--json")[1].splitlines()
    assert [json.loads(line)["score"] for line in lines] == [float(row["score"]) for row in rows]


def test_a_column_of_times_can_be_kept(tmp_path, churn, run):
    frame = pd.read_csv(churn)
    frame["when"] = pd.date_range("2024-02-28", periods=20, freq="12h")
    frame.to_parquet(tmp_path / "times.parquet")
    code, out, errors = run("predict", "churn.rdep", "times.parquet", "--keep", "when")
    assert code == 0, errors
    assert [line.split(",")[0] for line in out.splitlines()[:4]] == [
        "when", "2024-02-28", "2024-02-28 12:00:00", "2024-02-29",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("churn.csv", "the output churn.csv is the same file as the input churn.csv"),
        ("link.csv", "the output link.csv is the same file as the input churn.csv"),
        ("model.csv", "the output model.csv is the same file as the input churn.rdep"),
        ("none/out.csv", "none/out.csv cannot be written: there is no folder"),
        ("out.txt", "use a name that ends in .csv, .csv.gz, .parquet, .json or .jsonl"),
    ],
)
@pytest.mark.parametrize("command", ["predict", "explain"])
def test_the_output_is_looked_at_before_the_model(tmp_path, run, command, output, message):
    (tmp_path / "churn.csv").write_text(HEADER)
    (tmp_path / "link.csv").symlink_to("churn.csv")
    (tmp_path / "churn.rdep").write_text("not even a model")
    os.link(tmp_path / "churn.rdep", tmp_path / "model.csv")
    before = sorted(tmp_path.iterdir())
    code, out, errors = run(command, "churn.rdep", "churn.csv", "-o", output)
    assert (code, out) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "churn.csv").read_text() == HEADER


def test_predictions_are_as_private_as_the_table(tmp_path, churn, run):
    churn.chmod(0o600)
    assert run("predict", "churn.rdep", "churn.csv", "-o", "out.csv")[0] == 0
    assert (tmp_path / "out.csv").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)],
)
def test_an_interruption_leaves_no_file(tmp_path, churn, number, code):
    process = subprocess.Popen(
        [RDEP, "predict", "churn.rdep", "-", "-o", "out.csv"],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    deadline = time.monotonic() + 600
    while not list(tmp_path.glob(".out.csv.*")):  # it has begun to write and waits for rows
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(number)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == code, errors
    assert b"Traceback" not in errors
    assert not list(tmp_path.glob("*out.csv*"))
