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


@pytest.mark.parametrize("name", ["paper", *classifiers()])
def test_the_graph_predicts_what_the_command_predicts(tmp_path, table, run, name):
    path, rows = table
    code, _, errors = run("fit", path, "-t", "left", "-o", "m.rdep", "--estimator", name)
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
