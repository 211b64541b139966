"""Positive class, thresholds and costs: from fit to inspect, predict and ONNX."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from onnxruntime import InferenceSession

from rdep.model_files import load_model
from rdep.tables import fit_table

from ..real_tables import column_feeds

FIT = ("fit", "t.csv", "-t", "left", "--estimator", "box_score", "--calibrate", "-o", "m.rdep")


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 2))
    gone = x[:, 0] + rng.normal(size=120) > 0.8
    frame = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "left": np.where(gone, "gone", "stays")})
    frame.to_csv(tmp_path / "t.csv", index=False)
    return frame


@pytest.mark.parametrize(
    ("options", "threshold", "why"),
    [
        (("--threshold", "0.5"), 0.5, ""),
        (("--threshold", "0.3"), 0.3, ""),
        (("--threshold", "balanced"), None, " (its share of the rows)"),
        (("--cost", "fn=5,fp=1"), 1 / 6, " (costs fn=5, fp=1)"),
        (("--threshold", "cost", "--cost", "fp=3,fn=1"), 0.75, " (costs fn=1, fp=3)"),
    ],
    ids=str,
)
def test_the_threshold_is_stored_shown_and_applied(tmp_path, run, table, options, threshold, why):
    if threshold is None:
        threshold = (table["left"] == "gone").mean()
    code, _, errors = run(*FIT, "--positive", "gone", *options)
    assert code == 0, errors
    shown = run("inspect", "m.rdep")[1]
    assert "positive    gone\n" in shown
    rule = f"gone is predicted if its probability is at least {threshold:.4g}"
    assert f"{rule}{why}\n" in shown
    rows = list(csv.DictReader(run("predict", "m.rdep", "t.csv", "--ignore-extra")[1].splitlines()))
    probability = np.array([float(row["probability_gone"]) for row in rows])
    assert 0 < (probability >= threshold).sum() < 120
    expected = np.where(probability >= threshold, "gone", "stays").tolist()
    assert [row["prediction"] for row in rows] == expected

    assert run("export", "m.rdep", "--onnx", "m.onnx")[0] == 0
    schema = load_model(tmp_path / "m.rdep").schema
    feeds = column_feeds(schema, table[schema.names])
    assert InferenceSession("m.onnx").run(None, feeds)[0].tolist() == expected


def test_the_probability_explained_is_that_of_the_predicted_class(run, table):
    fit = ("fit", "t.csv", "-t", "left", "--estimator", "dep", "--calibrate", "-o", "m.rdep")
    assert run(*fit, "--positive", "gone", "--threshold", "0.05")[0] == 0
    explained = run("explain", "m.rdep", "t.csv", "--ignore-extra")[1].splitlines()
    predicted = run("predict", "m.rdep", "t.csv", "--ignore-extra")[1].splitlines()
    rows = list(zip(*map(csv.DictReader, (explained, predicted)), strict=True))
    assert any(float(one["probability"]) < 0.5 for one, _ in rows)
    for one, other in rows:
        assert one["prediction"] == other["prediction"]
        assert one["probability"] == other[f"probability_{other['prediction']}"]


def test_a_lower_threshold_costs_less_if_misses_cost_more(run, table):
    """On the rows of the table, with the probabilities of the same model."""

    def cost(*options):
        assert run(*FIT, "--positive", "gone", *options)[0] == 0
        out = run("predict", "m.rdep", "t.csv", "--ignore-extra")[1].splitlines()
        predicted = np.array([row["prediction"] for row in csv.DictReader(out)])
        missed = (table["left"] == "gone") & (predicted != "gone")
        alarms = (table["left"] != "gone") & (predicted == "gone")
        return 10 * missed.sum() + alarms.sum()

    assert cost("--cost", "fn=10,fp=1") < cost("--threshold", "0.5")


def test_the_positive_class_does_not_change_the_fit(table, tmp_path):
    one, other = (
        fit_table(str(tmp_path / "t.csv"), "left", "dep", positive=label)
        for label in ("gone", None)
    )
    assert (one.summary["positive"], other.summary["positive"]) == ("gone", "stays")
    np.testing.assert_array_equal(one.predict(table), other.predict(table))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--positive", "Gone"), "unknown positive class 'Gone'; did you mean 'gone'"),
        (("--threshold", "1.5"), "a threshold is a probability from 0 to 1, got 1.5"),
        (("--threshold", "nan"), "a threshold is a probability from 0 to 1, got nan"),
        (("--threshold", "best"), "--threshold best is not a number, 'balanced' or 'cost'"),
        (("--threshold", "cost"), "--threshold cost needs the costs fn and fp"),
        (("--cost", "fn=5"), "the costs must be fn (a missed positive row) and fp"),
        (("--cost", "fn=5,fp=-1"), "costs must be numbers that are not negative"),
        (("--cost", "fn=0,fp=0"), "costs must be numbers that are not negative"),
        (("--cost", "five"), "--cost 'five' should read fn=NUMBER,fp=NUMBER"),
        (("--cost", "fn=5,fp=1", "--threshold", "0.5"), "exclude each other"),
    ],
    ids=str,
)
def test_bad_input_is_refused(run, table, options, message):
    code, _, errors = run(*FIT, *options)
    assert code == 2
    assert message in errors


def test_a_classifier_without_probabilities_must_be_calibrated(run, table):
    plain = ("fit", "t.csv", "-t", "left", "--estimator", "dep", "-o", "m.rdep")
    code, _, errors = run(*plain, "--threshold", "0.5")
    assert code == 2
    assert "DEPClassifier has none: calibrate it (--calibrate sigmoid)" in errors


def test_a_box_score_has_probabilities_of_its_own(run, table):
    plain = [word for word in FIT if word != "--calibrate"]
    assert run(*plain, "--positive", "gone", "--cost", "fn=9,fp=1")[0] == 0
    out = run("predict", "m.rdep", "t.csv", "--ignore-extra")[1].splitlines()
    rows = list(csv.DictReader(out))
    assert all((float(r["probability_gone"]) >= 0.1) == (r["prediction"] == "gone") for r in rows)


def test_of_three_classes_none_is_positive(tmp_path, run):
    rows = [f"{k},{'abc'[k % 3]}" for k in range(30)]
    (tmp_path / "t.csv").write_text("\n".join(["x,left", *rows]))
    code, _, errors = run("fit", "t.csv", "-t", "left", "-o", "m.rdep", "--positive", "a")
    assert code == 2
    assert "a positive class is for two classes, the table has 3: omit --positive a" in errors
    fit = ("fit", "t.csv", "-t", "left", "--estimator", "dep", "-o", "m.rdep", "--json")
    code, out, errors = run(*fit)
    assert code == 0, errors
    assert json.loads(out)["positive"] is None
