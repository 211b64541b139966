"""``rdep export``: the ONNX graph of a table with categories and gaps gives the same answers."""

import csv

import numpy as np
import pytest
from onnxruntime import InferenceSession

from rdep._registry import classifiers

from .tables import ROWS


@pytest.fixture
def table(tmp_path):
    """The small table with gaps in the number and in the category."""
    rows = [row.split(",") for row in ROWS]
    rows[3][0] = rows[12][1] = rows[5][1] = ""
    path = tmp_path / "gaps.csv"
    path.write_text("\n".join(["age,colour,left", *(",".join(row) for row in rows)]))
    return path, rows


# The last is the recommended r-DEP as it is on many rows.
SCALING = ["--set", "ordering__max_svc_samples=0", "--set", "ordering__cv=none"]


@pytest.mark.parametrize(
    "options",
    [*(["--estimator", name] for name in ("paper", *classifiers())), SCALING],
    ids=lambda options: options[1],
)
def test_the_graph_predicts_what_the_command_predicts(tmp_path, table, run, options):
    path, rows = table
    code, _, errors = run("fit", path, "-t", "left", "-o", "m.rdep", *options)
    assert code == 0, errors
    code, _, errors = run("export", "m.rdep", "--onnx", "m.onnx")
    assert code == 0, errors
    feeds = {
        "age": np.array([[float(row[0] or "nan")] for row in rows]),
        "colour": np.array([[row[1]] for row in rows], dtype=object),
    }
    labels, scores = InferenceSession(tmp_path / "m.onnx").run(None, feeds)
    ours = list(csv.DictReader(run("predict", "m.rdep", path)[1].splitlines()))
    assert labels.tolist() == [row["prediction"] for row in ours]
    assert scores[:, 0] == pytest.approx([float(row["score"]) for row in ours], abs=1e-9)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("m.rdep", "the output m.rdep is the same file as the input m.rdep"),
        ("none/m.onnx", "none/m.onnx cannot be written: there is no folder"),
    ],
)
def test_the_model_is_never_replaced_by_its_graph(tmp_path, run, output, message):
    (tmp_path / "m.rdep").write_text("a model")
    code, out, errors = run("export", "m.rdep", "--onnx", output)
    assert (code, out) == (2, "")
    assert message in errors
    assert (tmp_path / "m.rdep").read_text() == "a model"
