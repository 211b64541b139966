"""Evaluation of a table whose target is a number, against scikit-learn."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, KFold, cross_val_predict, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import LinearDEPRegressor
from rdep_experiment import Protocol, Request, Table, evaluate
from rdep_experiment._reproduce import read_run

from ..cli.command import rdep_here

N_ROWS = 90
LINEAR = {"estimator": "linear_dep", "parameters": {"n_pieces": 1}}


def made_table():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(N_ROWS, 2)), columns=["a", "b"])
    frame["who"] = rng.integers(0, 15, N_ROWS)
    frame["y"] = 1000 * (frame["a"] - frame["b"] + 0.3 * rng.normal(size=N_ROWS))
    return frame


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("numbers")
    made_table().to_csv(folder / "t.csv", index=False)
    return folder


def evaluated(folder, out="out", classifiers=("ridge",), drop=("who",), groups=None, **protocol):
    table = Table(str(folder / "t.csv"), "y", drop=drop, groups=groups)
    settings = {"n_folds": 3, "model": LINEAR, **protocol}
    with pytest.warns(UserWarning, match="so this is a regression"):
        return evaluate(table, Request(folder / out, (), classifiers, Protocol(**settings)))


@pytest.fixture(scope="module")
def evaluation(folder):
    return evaluated(folder)


@pytest.mark.parametrize(
    ("name", "model"), [("ridge", Ridge()), ("model", LinearDEPRegressor(n_pieces=1))]
)
def test_scores_are_those_of_scikit_learn(evaluation, name, model):
    frame = made_table()
    expected = cross_validate(
        make_pipeline(StandardScaler(), model), frame[["a", "b"]], frame["y"],
        cv=KFold(3, shuffle=True, random_state=1), scoring=["neg_mean_absolute_error", "r2"],
    )  # fmt: skip
    assert evaluation.metrics == ("neg_mean_absolute_error", "r2")
    for metric in evaluation.metrics:
        mean, std = evaluation.scores[name][metric]
        assert mean == pytest.approx(expected[f"test_{metric}"].mean(), rel=1e-6)
        assert std == pytest.approx(expected[f"test_{metric}"].std(), rel=1e-6)


def test_rows_state_the_task_and_their_predictions(folder, evaluation):
    rows, protocol, _ = read_run(folder / "out")
    assert protocol["task"] == "regression"
    assert {row["task"] for row in rows} == {"regression"}
    frame = made_table()
    folds = KFold(3, shuffle=True, random_state=1)
    model = make_pipeline(StandardScaler(), Ridge())
    expected = cross_val_predict(model, frame[["a", "b"]], frame["y"], cv=folds)
    shown = [row["held_out"]["numbers"] for row in rows if row["classifier"] == "ridge"]
    order = np.concatenate([test for _, test in folds.split(frame)])
    np.testing.assert_allclose(np.vstack(shown), np.c_[frame["y"], expected][order], rtol=1e-9)
    (importance,) = {len(r["held_out"]["importance"]) for r in rows if r["classifier"] == "model"}
    assert importance == 2


def test_the_page_and_the_text_are_about_numbers(folder, evaluation):
    page = (folder / "out" / "report.html").read_text("utf-8")
    for text in ("2 regressors on t", "y, a number", "Which regressor is better", "Always the med"):
        assert text in page, text
    for text in ("classifier", "Confusion", "Classes of", "accuracy"):
        assert text not in page, text
    for caption in ("by their predictions", "Numbers minus predictions", "Importance of columns"):
        assert caption in page
    text = evaluation.as_text()
    mean, std = evaluation.scores["ridge"]["neg_mean_absolute_error"]
    assert f"Ridge              {mean:.0f} ± {std:.0f}" in text
    assert "Always the median" in text


def test_groups_stay_together(folder):
    found = evaluated(folder, "grouped", drop=(), groups="who")
    frame = made_table()
    expected = cross_validate(
        make_pipeline(StandardScaler(), Ridge()), frame[["a", "b"]], frame["y"],
        cv=GroupKFold(3, shuffle=True, random_state=1), groups=frame["who"].astype(str),
        scoring="r2",
    )["test_score"]  # fmt: skip
    assert found.scores["ridge"]["r2"][0] == pytest.approx(expected.mean(), rel=1e-9)


def test_a_quantile_is_compared_with_rivals_that_predict_it(folder):
    command = ("evaluate", "t.csv", "-t", "y", "--drop", "who", "--estimator", "linear_dep")
    options = ("--set", "n_pieces=1", "--quantile", "0.8", "--folds", "2", "-o", "q", "--json")
    done = rdep_here(*command, *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["metrics"] == ["neg_quantile_loss"]
    scores = {name: of["neg_quantile_loss"]["mean"] for name, of in found["scores"].items()}
    assert set(scores) == {"model", "linear_quantiles", "boosting_quantiles"}
    # One affine piece of each kind is a linear quantile regression with a small penalty.
    assert scores["model"] == pytest.approx(scores["linear_quantiles"], rel=0.1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--readable"], "'y' holds numbers to predict, and the readable front is for classes"),
        (["--calibrate"], "and calibration is for classes: omit it, or make each number a class"),
        (["--threshold", "0.5"], "and a threshold is for classes"),
        (["--cost", "fn=1,fp=2"], "and cost is for classes"),
        (["--positive", "3"], "and a positive class is for classes"),
        (["--robust"], "and robust is for classes"),
        (["--metrics", "f1"], "f1 cannot be computed for the numbers of t: for a regression there"),
        (["--classifiers", "rbf_svc"], "unknown regressor 'rbf_svc'"),
        (
            ["--folds", "200", "--groups", "who", "--set", "n_pieces=1", "--classifiers", "ridge"],
            "folds instead of 200: there are 15 groups",
        ),
        (["--task", "classification"], "is continuous: row 1 has "),
    ],
    ids=str,
)
def test_what_is_for_classes_is_refused(folder, options, message):
    command = ("evaluate", "t.csv", "-t", "y", "-o", "refused", "--estimator", "linear_dep")
    done = rdep_here(*command, *options, cwd=folder)
    assert message in done.stderr
