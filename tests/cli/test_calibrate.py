"""Probabilities from a table to a served graph, as it is typed."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from onnxruntime import InferenceSession

from rdep.model_files import load_model

from ..real_tables import column_feeds
from .tables import HEADER, ROWS


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibrate_predict_explain_inspect_and_export(tmp_path, run, method):
    (tmp_path / "churn.csv").write_text("\n".join([HEADER, *ROWS]) + "\n")
    fit = ("fit", "churn.csv", "-t", "left", "--estimator", "paper", "--calibrate", method)
    code, out, errors = run(*fit, "-o", "churn.rdep", "--json")
    assert code == 0, errors
    assert json.loads(out)["calibration"]["method"] == method
    assert json.loads(out)["fit_seconds"] > 0

    code, out, errors = run("predict", "churn.rdep", "churn.csv")
    assert code == 0, errors
    rows = list(csv.DictReader(out.splitlines()))
    model = load_model("churn.rdep")
    names = [f"probability_{label}" for label in model.schema.classes]
    assert list(rows[0]) == ["prediction", *names]
    found = np.array([[float(row[name]) for name in names] for row in rows])
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    best = [str(model.schema.classes[k]) for k in found.argmax(axis=1)]
    assert [row["prediction"] for row in rows] == best

    code, out, errors = run("explain", "churn.rdep", "churn.csv")
    assert code == 0, errors
    reasons = list(csv.DictReader(out.splitlines()))
    assert [float(row["probability"]) for row in reasons] == found.max(axis=1).tolist()
    assert {"dilation_by", "erosion_by"} < set(reasons[0])
    assert f"calibrated  {method}" in run("inspect", "churn.rdep")[1]

    code, _, errors = run("export", "churn.rdep", "--onnx", "churn.onnx")
    assert code == 0, errors
    frame = pd.read_csv("churn.csv")[model.schema.names]
    labels, exported = InferenceSession("churn.onnx").run(None, column_feeds(model.schema, frame))
    np.testing.assert_allclose(exported, found, rtol=0, atol=1e-12)
    assert [str(label) for label in labels] == best


@pytest.mark.parametrize("place", ["end", "before an option", "before the table"])
def test_calibrate_alone_means_sigmoid(tmp_path, run, place):
    (tmp_path / "churn.csv").write_text("\n".join([HEADER, *ROWS]) + "\n")
    words = ["-t", "left", "--estimator", "dep", "-o", "churn.rdep", "--json"]
    command = {
        "end": ["churn.csv", *words, "--calibrate"],
        "before an option": ["churn.csv", "--calibrate", *words],
        "before the table": ["--calibrate", "churn.csv", *words],
    }[place]
    code, out, errors = run("fit", *command)
    assert code == 0, errors
    assert json.loads(out)["calibration"]["method"] == "sigmoid"


def test_a_misspelt_method_is_refused(churn, run):
    code, _, errors = run("fit", churn, "-t", "left", "-o", "m.rdep", "--calibrate", "platt")
    assert code == 2
    assert "platt" in errors


@pytest.mark.parametrize("labels", [("0", "1"), ("1", "2"), ("churned", "stays")], ids="-".join)
def test_class_weights_are_those_of_the_labels_in_the_table(tmp_path, run, labels):
    """The same rows under other names: the same probabilities, whatever the names are."""
    random = np.random.default_rng(0)
    x = random.normal(size=(80, 2))
    y = (x.sum(axis=1) + random.normal(size=80) > 0).astype(int)
    for name, classes in (("own", labels), ("plain", ("a", "b"))):
        pd.DataFrame({"u": x[:, 0], "v": x[:, 1], "y": np.array(classes)[y]}).to_csv(
            f"{name}.csv", index=False
        )
        fit = ("fit", f"{name}.csv", "-t", "y", "--estimator", "dep", "--calibrate", "sigmoid")
        code, _, errors = run(*fit, "--class-weight", f"{classes[0]}=20", "-o", f"{name}.rdep")
        assert code == 0, errors
    own, plain = (
        load_model(f"{name}.rdep").scores(pd.read_csv(f"{name}.csv")[["u", "v"]])
        for name in ("own", "plain")
    )
    np.testing.assert_array_equal(own, plain)
