"""A number as target: from fit to inspect, predict, explain and ONNX."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from onnxruntime import InferenceSession
from sklearn.metrics import mean_absolute_error, mean_pinball_loss
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rdep import LinearDEPRegressor
from rdep.model_files import load_model

from ..real_tables import column_feeds

N_ROWS = 90
FIT = ("fit", "cars.csv", "-t", "price", "-o", "m.rdep")
LINEAR = (*FIT, "--estimator", "linear_dep", "--set", "n_pieces=1", "--folds", "0")
REGRESSION = "so this is a regression (--task classification makes each a class)"


@pytest.fixture
def cars(tmp_path):
    rng = np.random.default_rng(0)
    power, age = rng.uniform(50, 250, N_ROWS), rng.integers(0, 20, N_ROWS)
    kind = rng.choice(["van", "car"], N_ROWS)
    price = 90 * power - 400 * age + 3000 * (kind == "van") + rng.normal(0, 500, N_ROWS)
    frame = pd.DataFrame({"power": power, "age": age, "kind": kind, "price": price.round(2)})
    frame.to_csv(tmp_path / "cars.csv", index=False)
    return frame


def predicted(run, model="m.rdep"):
    code, out, errors = run("predict", model, "cars.csv")
    assert code == 0, errors
    return np.array([float(row["prediction"]) for row in csv.DictReader(out.splitlines())])


@pytest.mark.parametrize("estimator", ["rdep", "dep", "linear_dep", "max_plus", "elm"])
def test_every_regressor_is_fitted_stored_and_exported(tmp_path, run, cars, estimator):
    code, out, errors = run(*FIT, "--estimator", estimator, "--folds", "2")
    assert code == 0, errors
    # Only a regressor has the name max_plus, so nothing had to be inferred.
    assert (REGRESSION in errors) == (estimator != "max_plus")
    assert "Held out: mean absolute error " in out
    model = load_model(tmp_path / "m.rdep")
    values = predicted(run)
    np.testing.assert_allclose(values, model.predict(cars), rtol=1e-12)
    low, high = cars["price"].min(), cars["price"].max()
    assert f"predicts    price, {low:g} to {high:g} in training" in run("inspect", "m.rdep")[1]
    assert run("export", "m.rdep", "--onnx", "m.onnx")[0] == 0
    feeds = column_feeds(model.schema, cars[model.schema.names])
    found = InferenceSession("m.onnx").run(None, feeds)[0].ravel()
    # Trees see numbers in single precision in ONNX, as in scikit-learn.
    np.testing.assert_allclose(found, values, rtol=1e-5 if estimator == "rdep" else 1e-9)


def test_the_score_on_held_out_rows_is_that_of_scikit_learn(run, cars):
    code, out, errors = run(*LINEAR[:-2], "--json")
    assert code == 0, errors
    found = json.loads(out)
    assert found["task"] == "regression"
    encoded = OneHotEncoder(sparse_output=False).fit_transform(cars[["kind"]])
    X = np.hstack([cars[["power", "age"]], encoded])
    model = make_pipeline(StandardScaler(), LinearDEPRegressor(1))
    folds = KFold(5, shuffle=True, random_state=0)
    held_out = cross_val_predict(model, X, cars["price"], cv=folds)
    errors = np.abs(held_out - cars["price"])
    shown = found["held_out"]
    assert shown["mean_absolute_error"] == pytest.approx(errors.mean(), rel=1e-6)
    assert shown["standard_error"] == pytest.approx(errors.std() / N_ROWS**0.5, rel=1e-6)
    always = np.full(N_ROWS, cars["price"].median())
    assert shown["constant"] == pytest.approx(mean_absolute_error(cars["price"], always))


def test_explanations_add_up_to_the_prediction(run, cars):
    assert run(*LINEAR)[0] == 0
    values = predicted(run)
    rows = pd.read_csv(pd.io.common.StringIO(run("explain", "m.rdep", "cars.csv")[1]))
    np.testing.assert_allclose(rows["dilation_share"] + rows["erosion_share"], values, rtol=1e-9)
    parts = rows.filter(like="contribution_").sum(axis=1) + rows["intercept"]
    np.testing.assert_allclose(parts, values, rtol=1e-9)
    assert "decision" not in rows


def test_the_share_of_the_dep_in_an_rdep_is_a_quarter(run, cars):
    assert run(*FIT, "--random-state", 0, "--folds", 0)[0] == 0
    out = run("explain", "m.rdep", "cars.csv", "--features")[1]
    rows = pd.read_csv(pd.io.common.StringIO(out))
    shares = rows["dilation_share"] + rows["erosion_share"]
    np.testing.assert_allclose(shares, rows["dep_prediction"], rtol=1e-9)
    stacked = (rows["prediction"] - 0.25 * rows["dep_prediction"]) / 0.75
    model = load_model("m.rdep")
    X = model.estimator[:-1].transform(cars[["power", "age", "kind"]])
    np.testing.assert_allclose(
        stacked, model.classifier.stack_.predict(model.classifier.reduced_space(X)), rtol=1e-6
    )
    assert set(rows["moved_by_1"]) <= {"power", "age", "kind"}
    assert (rows["moved_by_1"] == "power").mean() > 0.5


@pytest.mark.parametrize("estimator", ["linear_dep", "dep"])
def test_a_quantile_has_its_share_of_the_rows_below(run, cars, estimator):
    fit = (*FIT, "--estimator", estimator, "--monotonic", "age=-", "--folds", 2)
    if estimator == "linear_dep":
        fit = (*LINEAR[:-1], 2)
    code, out, errors = run(*fit, "--quantile", "0.9")
    assert code == 0, errors
    assert "Predicts the 0.9 quantile of price" in out
    assert "of the rows at most the prediction (2 folds); the best constant: " in out
    values = predicted(run)
    assert (cars["price"] <= values + 1e-6).mean() == pytest.approx(0.9, abs=0.04)
    loss = mean_pinball_loss(cars["price"], values, alpha=0.9)
    assert f"quantile loss on them {loss:.4g}" in run("inspect", "m.rdep")[1]


def test_directions_hold_for_every_row(run, cars):
    code, _, errors = run(*FIT, "--estimator", "dep", "--monotonic", "power=+, age=-", "--folds", 0)
    assert code == 0, errors
    before = predicted(run)
    cars.assign(age=cars["age"] + 3).to_csv("cars.csv", index=False)
    after = predicted(run)
    assert (after <= before).all()
    assert (after < before).any()


def test_directions_of_a_classifier(tmp_path, run, cars):
    cars["price"] = np.where(cars["price"] > cars["price"].median(), "high", "low")
    cars.to_csv("cars.csv", index=False)
    fit = (*FIT, "--estimator", "dep", "--monotonic", "power=-,age=+,kind=van=0", "--folds", 0)
    assert run(*fit)[0] == 0
    assert load_model(tmp_path / "m.rdep").classifier.monotonic_cst == {
        "power": -1,
        "age": 1,
        "kind=van": 0,
    }


def test_the_task_follows_from_the_target_or_is_given(run, cars):
    cars["price"] = (cars["price"] // 5000).astype(int)
    cars.to_csv("cars.csv", index=False)
    fit = (*LINEAR, "--json")
    assert "least two; to predict the number itself give --task regression" in run(*fit)[2]
    cars["price"] = cars["price"] // 2
    cars.to_csv("cars.csv", index=False)
    n_values = cars["price"].nunique()
    assert 2 < n_values <= 20
    code, out, errors = run(*fit)
    assert code == 0, errors
    assert json.loads(out)["task"] == "classification"
    said = f"{n_values} different whole numbers, and each is a class (--task regression predicts"
    assert said in errors
    code, out, errors = run(*fit, "--task", "regression")
    assert (code, json.loads(out)["task"], errors) == (0, "regression", "")


def test_a_formatted_number_is_a_target(run, cars):
    cars.assign(price=cars["price"].map("${:,.2f}".format)).to_csv("cars.csv", index=False)
    code, _, errors = run(*LINEAR, "--number", "price")
    assert code == 0, errors
    found = predicted(run)
    cars.to_csv("cars.csv", index=False)
    assert run(*LINEAR)[0] == 0
    np.testing.assert_allclose(found, predicted(run), rtol=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--calibrate"], "'price' holds numbers to predict, and --calibrate sigmoid is for class"),
        (["--threshold", "0.5"], "and --threshold 0.5 is for classes: omit it, or make each"),
        (["--cost", "fn=1,fp=2"], "and cost is for classes"),
        (["--positive", "3"], "and --positive 3 is for classes"),
        (["--keep-missing"], "this RDEPRegressor does not: no regressor does"),
        (["--task", "classification"], "is continuous: row 1 has "),
        (["--estimator", "box_score"], "or predict the number itself (--task regression)"),
        (["--estimator", "box_score", "--task", "regression"], "unknown regressor 'box_score'"),
        (["--estimator", "max_plus", "--task", "classification"], "unknown estimator 'max_plus'"),
        (
            ["--quantile", "0.5"],
            "--quantile needs an estimator that predicts quantiles, not 'rdep'",
        ),
        (["--quantile", "1", "--estimator", "dep"], "--quantile must be between 0 and 1, got 1"),
        (["--quantile", ".5", "--task", "classification"], "--quantile predicts a number: omit"),
        (
            ["--monotonic", "age=-", "--estimator", "linear_dep", "--task", "regression"],
            "no parameter 'monotonic_cst', which these estimators have: dep, rdep, max_plus",
        ),
        (["--report", "r.html"], "'price' is predicted as a number: omit --report"),
        (["--monotonic", "age"], "--monotonic 'age' should be `auto` or read COLUMN=+,COLUMN=-"),
        (["--monotonic", "year=+", "--estimator", "dep"], "that X does not have: ['year']"),
        (["--target", "kind", "--task", "regression"], "'kind' of cars.csv is not a column of num"),
    ],
    ids=str,
)
def test_mistakes_say_what_to_do(run, cars, options, message):
    code, out, errors = run(*FIT, *options)
    assert (code, out) == (2, "")
    assert message in errors


@pytest.mark.parametrize(
    ("price", "message"),
    [
        (np.full(N_ROWS, 2.5), "is constant: every row has 2.5. There is nothing to predict"),
        (np.r_[np.nan, np.arange(N_ROWS - 1) / 7], "is missing in 1 of 90 rows, first in row 1"),
        (np.r_[np.inf, np.arange(N_ROWS - 1) / 7], "has a number too large to use, in row 1"),
        (np.arange(N_ROWS)[::-1], "numbers the rows from 0 to 89: choose another column, or pred"),
    ],
    ids=["constant", "missing", "infinite", "numbering"],
)
def test_bad_targets(run, cars, price, message):
    cars.assign(price=price).to_csv("cars.csv", index=False)
    code, _, errors = run(*FIT)
    assert code == 2
    assert message in errors


def test_rows_without_a_number_are_left_out_if_asked(run, cars):
    cars.loc[[2, 5], "price"] = np.nan
    cars.to_csv("cars.csv", index=False)
    code, out, errors = run(*LINEAR, "--drop-unlabelled")
    assert code == 0
    assert "is missing in 2 of 90 rows, which are left out" in errors
    assert "fitted on 88 rows" in out


def test_the_target_in_another_unit_is_a_copy_and_other_numbers_are_not(run, cars):
    cars["cents"] = 100 * cars["price"] + 7
    cars.to_csv("cars.csv", index=False)
    errors = run(*LINEAR)[2]
    assert "column 'cents' of cars.csv is a copy of the target 'price'" in errors
    assert "'power'" not in errors


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("explain", "m.rdep", "cars.csv", "--robust"), "predicts numbers: omit --robust"),
        (("explore", "m.rdep", "cars.csv", "-o", "m.html"), "is not a classifier; for a regressor"),
    ],
)
def test_what_is_for_classifiers_says_so(run, cars, command, message):
    assert run(*LINEAR)[0] == 0
    code, _, errors = run(*command)
    assert code == 2
    assert message in errors
