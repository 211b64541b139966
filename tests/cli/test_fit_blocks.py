"""``rdep fit`` on folders and with ``--memory``: one model for any cut, bad files by name."""

import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from rdep.model_files import load_model

from .command import on_terminal

N = 600


@pytest.fixture(scope="module")
def frame():
    """A table with a category that is in the last rows only, gaps and a number."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, N))
    colour = rng.choice(["red", "blue"], N).astype(object)
    colour[-20:] = "green"
    y = np.where(a + (colour == "red") - b**2 / 2 + 0.3 * rng.normal(size=N) > 0, "yes", "no")
    a[::50], colour[7] = np.nan, None
    return pd.DataFrame({"a": a, "b": b, "colour": colour, "bought": y})


def written(frame, folder, n_parts=3, write=pd.DataFrame.to_parquet, ending="parquet"):
    folder.mkdir()
    size = -(-len(frame) // n_parts)
    for k in range(n_parts):
        write(frame[k * size : (k + 1) * size], folder / f"part-{k}.{ending}", index=False)
    return folder


def test_a_folder_is_its_rows(frame, tmp_path, run):
    """Parquet or CSV, in one file or in several: the same model for tables, saved as usual."""
    written(frame, tmp_path / "parts")
    written(frame, tmp_path / "csv", 2, pd.DataFrame.to_csv, "csv")
    frame.to_feather(tmp_path / "whole.feather")
    frame.drop(columns="bought").to_parquet(tmp_path / "new.parquet")
    scores = []
    for source, *options in (("parts",), ("csv",), ("whole.feather", "--memory", "1GB")):
        code, out, errors = run(
            "fit", source, "-t", "bought", "-o", f"{source}.rdep", "--random-state", 0, *options
        )
        assert code == 0, errors
        assert "passes over 600 rows; forest and boosting saw all rows" in out
        assert "balanced accuracy of cross-fitted values 0." in out
        assert run("predict", f"{source}.rdep", "new.parquet", "-o", "p.csv")[0] == 0
        scores.append(pd.read_csv("p.csv"))
    for other in scores[1:]:
        np.testing.assert_allclose(other["score"], scores[0]["score"], atol=1e-8)
        assert (other["prediction"] == scores[0]["prediction"]).all()
    assert (scores[0]["prediction"] == frame["bought"]).mean() > 0.85
    model = load_model(tmp_path / "parts.rdep")
    assert model.classifier.n_boosting_samples_ == N
    assert [column.categories for column in model.schema.columns] == [
        (), (), ("blue", "green", "red"),
    ]  # fmt: skip
    assert len(model.explain(frame).to_frame()) == N
    described = run("inspect", "parts.rdep")[1]
    assert "trained on  600 rows" in described
    assert sorted(os.listdir()) == sorted([
        "parts", "csv", "whole.feather", "new.parquet", "p.csv",
        "parts.rdep", "csv.rdep", "whole.feather.rdep",
    ])  # fmt: skip


def _columns(frame, folder):
    frame.rename(columns={"b": "c"}).to_parquet(folder / "part-3.parquet")


def _types(frame, folder):
    frame.assign(b="text").to_parquet(folder / "part-3.parquet")


def _no_target(frame, folder):
    frame.drop(columns="bought").to_parquet(folder / "part-3.parquet")


def _no_class(frame, folder):
    frame.assign(bought=None).to_parquet(folder / "part-3.parquet")


def _empty(frame, folder):
    frame[:0].to_parquet(folder / "part-3.parquet")


def _stray(frame, folder):
    (folder / "readme.md").write_text("Parts of a table")


def _damaged(frame, folder):
    (folder / "part-3.parquet").write_bytes(b"PAR1" + bytes(100) + b"PAR1")


def _nested(frame, folder):
    (folder / "more").mkdir()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_columns, "part-3.parquet has other columns than parts/part-0.parquet: it lacks 'b' and"),
        (_types, "'b' holds numbers in parts/part-0.parquet and texts in parts/part-3.parquet"),
        (_no_target, "parts/part-3.parquet has no column 'bought'"),
        (_no_class, "'bought' of parts/part-3.parquet is missing in 600 of 600 rows"),
        (_empty, "parts/part-3.parquet has a header but no rows"),
        (_stray, "parts/readme.md is a stray file"),
        (_damaged, "parts/part-3.parquet is damaged"),
        (_nested, "parts has a folder in it, 'more'"),
    ],
)
def test_bad_parts_are_named(spoil, message, frame, tmp_path, run):
    spoil(frame, written(frame, tmp_path / "parts"))
    code, _, errors = run("fit", "parts", "-t", "bought", "-o", "m.rdep")
    assert (code, os.listdir()) == (2, ["parts"])
    assert message in errors


def test_one_class_in_all_blocks_but_one_and_in_all(frame, tmp_path, run):
    """Sorted by class, a table is as good as any other; a single class is none."""
    ordered = frame.sort_values("bought")
    written(ordered, tmp_path / "sorted", 5)
    assert ordered["bought"].nunique() == 2
    assert run("fit", "sorted", "-t", "bought", "-o", "m.rdep")[0] == 0
    written(frame.assign(bought="no"), tmp_path / "constant")
    code, _, errors = run("fit", "constant", "-t", "bought", "-o", "n.rdep")
    assert code == 2
    assert "the target 'bought' of constant is constant: every row has no" in errors


def test_rows_without_a_class_are_left_out_if_asked(frame, tmp_path, run):
    bought = frame["bought"].where(np.arange(N) % 10 > 0)
    written(frame.assign(bought=bought), tmp_path / "parts")
    code, out, errors = run(
        "fit", "parts", "-t", "bought", "-o", "m.rdep", "--drop-unlabelled", "--drop", "colour"
    )
    assert code == 0
    assert "missing in 60 of 600 rows, which are left out" in errors
    assert "fitted on 540 rows" in out
    assert load_model(tmp_path / "m.rdep").schema.dropped == ("colour",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--estimator", "dep"], "--estimator cannot be used if the table is read in blocks"),
        (["--calibrate", "sigmoid", "--folds", 0], "--calibrate, --folds cannot be used"),
        (["--ordering", "signed"], "a fit by blocks needs --ordering mixed"),
        (["--memory", "much"], "--memory much is no size: write it as '2GB'"),
        (["--memory", "100MB"], "--memory 100MB is too little"),
        (["--scheduler", "tcp://127.0.0.1:9"], "no Dask scheduler answers at tcp://127.0.0.1:9"),
    ],
)
def test_options_that_do_not_go_together(arguments, message, frame, tmp_path, run, monkeypatch):
    monkeypatch.setattr("rdep.cli._blocks._CONNECTION_SECONDS", 0.5)
    written(frame[:50], tmp_path / "parts")
    code, _, errors = run("fit", "parts", "-t", "bought", "-o", "m.rdep", *arguments)
    assert code == 2
    assert message in errors


def test_standard_input_cannot_be_read_twice(run):
    code, _, errors = run("fit", "-", "-t", "y", "-o", "m.rdep", "--memory", "2GB")
    assert code == 2
    assert "standard input can be read only once" in errors


# Ctrl-C as soon as a pass begins while a file without a name holds rows.
INTERRUPTED = """
import os, signal, sys, tempfile
from rdep.blocks._progress import Progress
from rdep.cli import main

opened, passing, open_file = [], Progress.passing, tempfile.TemporaryFile

def opening(*arguments, **options):
    opened.append(open_file(*arguments, **options))
    return opened[-1]

def interrupting(self, n_rows):
    if opened:
        assert os.fstat(opened[0].fileno()).st_size > 0
        os.kill(os.getpid(), signal.SIGINT)
    return passing(self, n_rows)

tempfile.TemporaryFile, Progress.passing = opening, interrupting
sys.argv = ["rdep", "fit", "parts", "-t", "bought", "-o", "m.rdep", "--set", "n_jobs=1"]
main()
"""


def test_interrupted_it_leaves_nothing_behind(frame, tmp_path):
    written(frame, tmp_path / "parts")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(scratch)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130, done.stderr
    assert "Interrupted: no model is written." in done.stderr
    assert list(scratch.iterdir()) == []
    assert sorted(os.listdir(tmp_path)) == ["parts", "scratch"]


def test_a_person_sees_passes_and_rows(frame, tmp_path, run, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    written(frame, tmp_path / "parts")
    with on_terminal() as shown:
        assert run("fit", "parts", "-t", "bought", "-o", "m.rdep")[0] == 0
    text = b"".join(shown).decode()
    assert re.search(r"pass \d+: \w+", text)  # the bar shows the latest, ten times a second
    assert f" of {N} rows" in text
    assert (tmp_path / "m.rdep").exists()


def test_inspect_tells_passes(frame, tmp_path, run):
    written(frame, tmp_path / "parts")
    assert run("fit", "parts", "-t", "bought", "-o", "m.rdep")[0] == 0
    shown = run("inspect", "m.rdep")[1]
    assert "balanced accuracy of cross-fitted values" in shown
    assert f"passes over {N} rows; forest and boosting saw all rows" in shown
