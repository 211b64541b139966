"""Fitting on a table against fitting by hand."""

import inspect
import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rdep import (
    BaggingOrdering,
    DEPClassifier,
    MorphologicalELMRegressor,
    MorphologicalFeatures,
    RDEPClassifier,
)
from rdep._registry import classifiers
from rdep.model_files import load_model, read_description, save_model
from rdep.onnx import to_onnx
from rdep.tables import CALIBRATIONS, Column, Schema, TableModel, calibrated, fit_table
from rdep.tables._estimators import PRESETS
from rdep.tables._scoring import explanations, predictions
from rdep.tables._summary import description_text


@pytest.fixture(scope="module")
def cancer(tmp_path_factory):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    path = tmp_path_factory.mktemp("table") / "cancer.csv"
    X.assign(benign=y).to_csv(path, index=False)
    return str(path), X, y


@pytest.mark.parametrize(
    ("parameters", "by_hand"),
    [
        ({"estimator": "rdep", "ordering": "ensemble"}, RDEPClassifier("ensemble")),
        ({"estimator": "paper", "ordering": "signed"}, RDEPClassifier.paper("signed")),
        ({"ordering": "signed"}, RDEPClassifier("signed")),
        (
            {"estimator": "dep", "C": 0.1, "beta": 0.3},
            make_pipeline(StandardScaler(), DEPClassifier(C=0.1, beta=0.3)),
        ),
        (
            {
                "ordering": "ensemble",
                "class_weight": {"0": 5.0, "1": 1.0},
            },  # classes by their texts
            RDEPClassifier("ensemble", class_weight={0: 5.0, 1: 1.0}),
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
def test_a_table_of_numbers_is_standardised_and_fitted(cancer, parameters, by_hand):
    path, X, y = cancer
    model = fit_table(path, "benign", **parameters)
    expected = by_hand.fit(X.to_numpy(), y)
    np.testing.assert_allclose(
        model.estimator.decision_function(X), expected.decision_function(X.to_numpy()), atol=1e-9
    )
    assert model.schema.classes == (0, 1)
    summary = model.summary
    assert summary["class_counts"] == {"0": 212, "1": 357}
    assert summary["training_balanced_accuracy"] == pytest.approx(
        balanced_accuracy_score(y, expected.predict(X.to_numpy()))
    )
    dep = getattr(by_hand, "dep_", None) or by_hand[-1]
    assert summary["decisions"][0]["beta"] == pytest.approx(dep.beta_, abs=1e-9)
    assert summary["decisions"][0]["positive_class"] == "1"


def test_an_ordering_of_ones_own(cancer, tmp_path):
    path, X, _ = cancer
    model = fit_table(
        path, "benign", "paper", ordering=BaggingOrdering(n_estimators=2, random_state=0)
    )
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep")
    assert back.summary["parameters"] == {
        "ordering": "BaggingOrdering(n_estimators=2, random_state=0)"
    }
    assert len(back.classifier.ordering_.estimators_) == 2
    assert np.array_equal(back.estimator.predict(X), model.estimator.predict(X))


@pytest.mark.parametrize("name", [*PRESETS, *classifiers()])
@pytest.mark.filterwarnings("ignore:Degenerate fit")
def test_every_estimator_can_be_fitted_and_stored(cancer, tmp_path, name):
    _, X, y = cancer
    X = X.iloc[:150, :5]  # the default fits a forest of 50 trees
    X.assign(benign=y).to_csv(tmp_path / "few.csv", index=False)
    model = fit_table(str(tmp_path / "few.csv"), "benign", name)
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep")
    assert back.classifier.feature_names_in_.tolist() == list(X.columns)
    assert back.summary["estimator"] == name
    assert back.summary == json.loads(json.dumps(model.summary))
    assert np.array_equal(back.estimator.predict(X), model.estimator.predict(X))


@pytest.mark.parametrize("method", CALIBRATIONS)
def test_calibration_gives_probabilities_of_the_same_classifier(cancer, tmp_path, method):
    path, X, y = cancer
    plain = fit_table(path, "benign", "dep", monotonic_cst="auto")
    model = fit_table(path, "benign", "dep", monotonic_cst="auto", calibrate=method)
    save_model(model, tmp_path / "model.rdep")
    model = load_model(tmp_path / "model.rdep")
    by_hand = make_pipeline(
        StandardScaler(), calibrated(DEPClassifier(monotonic_cst="auto"), method, y)
    ).fit(X.to_numpy(), y)
    found = predictions(model, X)
    assert list(found) == ["prediction", "probability_0", "probability_1"]
    expected = by_hand.predict_proba(X.to_numpy())
    # The temperature is searched for, and a rounding of the samples changes where that ends.
    searched = 1e-7 if method == "temperature" else 1e-9
    np.testing.assert_allclose(found.iloc[:, 1:], expected, rtol=0, atol=searched)
    assert found["prediction"].tolist() == by_hand.predict(X.to_numpy()).tolist()
    assert model.summary["calibration"] == {"method": method, "folds": 5}
    assert model.summary["rules"] == plain.summary["rules"]
    assert model.summary["decisions"] == plain.summary["decisions"]
    reasons, without = explanations(model, X), explanations(plain, X)
    assert reasons["prediction"].tolist() == found["prediction"].tolist()
    assert reasons["probability"].tolist() == found.iloc[:, 1:].max(axis=1).tolist()
    shared = without.columns.drop("prediction")
    pd.testing.assert_frame_equal(reasons[shared], without[shared])
    text = description_text(read_description(tmp_path / "model.rdep"))
    assert f"calibrated  {method}, by 5 folds: the class with the largest probability" in text


def test_several_copies_are_not_explained_as_one(cancer):
    _, X, y = cancer
    model = TableModel.of(
        CalibratedClassifierCV(DEPClassifier(monotonic_cst="auto"), cv=3).fit(X, y)
    )
    with pytest.raises(ValueError, match="3 copies of the classifier, .* ensemble=False"):
        explanations(model, X)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "model",
    [
        DEPClassifier(monotonic_cst="auto"),
        RDEPClassifier("signed"),
        make_pipeline(StandardScaler(), DEPClassifier(monotonic_cst="auto")),
        CalibratedClassifierCV(DEPClassifier(monotonic_cst="auto"), cv=2, ensemble=False),
    ],
    ids=["dep", "signed", "pipeline", "calibrated"],
)
def test_columns_of_a_schema_name_features_that_had_no_names(tmp_path, model, n_classes):
    frame, y = load_iris(return_X_y=True, as_frame=True)
    frame, y = frame[y < n_classes], y[y < n_classes]
    model.fit(frame.to_numpy(), y)
    columns = tuple(Column(name, "number") for name in frame)
    schema = Schema(columns, tuple(range(n_classes)))
    save_model(model, tmp_path / "model.rdep", schema=schema)
    back = load_model(tmp_path / "model.rdep")
    reasons = explanations(back, frame)
    names = {name.lstrip("-") for name in [*reasons["dilation_by"], *reasons["erosion_by"]]}
    assert names <= set(frame.columns)
    assert not hasattr(back.classifier, "feature_names_in_")


def test_categories_need_a_schema(tmp_path):
    frame = pd.DataFrame({"colour": ["red", "blue"] * 20, "size": np.arange(40.0)})
    y = np.arange(40) // 20
    encoder = ColumnTransformer([("c", OneHotEncoder(), ["colour"])], remainder="passthrough")
    model = make_pipeline(encoder, DEPClassifier()).fit(frame, y)
    for use in (lambda: save_model(model, tmp_path / "model.rdep"), lambda: to_onnx(model)):
        with pytest.raises(ValueError, match="does not take numbers in all .* pass a schema="):
            use()
    columns = (Column("colour", "category", ("blue", "red")), Column("size", "number"))
    save_model(model, tmp_path / "model.rdep", schema=Schema(columns, (0, 1)))
    back = load_model(tmp_path / "model.rdep")
    assert np.array_equal(back.estimator.predict(frame), model.predict(frame))


@pytest.mark.parametrize(
    ("columns", "classes", "message"),
    [
        (["a", "b"], (1, 2), "has the classes 1, 2, the model has 0, 1"),
        (["b", "a"], (0, 1), "has the columns 'b', 'a', the model was fitted on 'a', 'b'"),
        (["a"], (0, 1), "has the columns 'a', the model was fitted on 'a', 'b'"),
    ],
)
def test_a_schema_must_be_that_of_the_model(tmp_path, columns, classes, message):
    frame = pd.DataFrame({"a": np.arange(8.0), "b": np.arange(8.0)})
    model = DEPClassifier().fit(frame, np.arange(8) // 4)
    schema = Schema(tuple(Column(name, "number") for name in columns), classes)
    with pytest.raises(ValueError, match=message):
        save_model(model, tmp_path / "model.rdep", schema=schema)


def test_another_classifier_on_the_ordering_tells_less(cancer):
    model = fit_table(cancer[0], "benign", "rdep", dep=LogisticRegression())
    assert model.summary["training_balanced_accuracy"] > 0.95
    assert model.summary["decisions"] == []
    assert model.summary["rules"] is None


def test_rules_are_in_the_units_of_the_table(cancer):
    """Bounds are met by the rows of the table as they are, whoever has standardised them."""
    path, X, _ = cancer
    for parameters in (
        {"estimator": "dep", "beta": 0, "monotonic_cst": "auto"},
        {"estimator": "rdep", "ordering": "signed", "dep__beta": 0},
        {"estimator": "rdep", "ordering": "signed", "dep__beta": 0, "scale_input": False},
    ):
        model = fit_table(path, "benign", **parameters)
        text = model.summary["rules"]
        conditions = re.findall(r"^  (.+) (≥|>|≤|<) (\S+)$", text, re.MULTILINE)
        assert conditions
        inside = np.ones(len(X), dtype=bool)
        for name, relation, bound in conditions:
            compare = {"≥": np.greater_equal, ">": np.greater, "≤": np.less_equal, "<": np.less}
            inside &= compare[relation](X[name].to_numpy(), float(bound))
        assert np.array_equal(inside, model.estimator.predict(X) == 1)


def test_warnings_of_the_fit_are_noted(cancer):
    model = fit_table(cancer[0], "benign", estimator="dep", max_iter=1)
    assert any("max_iter=1" in warning for warning in model.summary["warnings"])
    assert not model.summary["decisions"][0]["converged"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"estimator": "rdep", "class_weight": {"malign": 2.0}},
            "class_weight names classes that y does not have",
        ),
        ({"drop": ("benign",)}, "'benign' is the target and cannot be dropped"),
        ({"drop": ("mean aera",)}, "has no column 'mean aera'; did you mean 'mean area'?"),
    ],
)
def test_mistakes(cancer, parameters, message):
    with pytest.raises(ValueError, match=message):
        fit_table(cancer[0], "benign", **parameters)


def test_a_text_among_numbers_is_told(tmp_path):
    path = tmp_path / "table.csv"
    cells = ["1", "2", "", "x4", "5", "6"]
    path.write_text("age,who,y\n" + "".join(f"{c},a{i % 2},{i % 2}\n" for i, c in enumerate(cells)))
    warnings = fit_table(str(path), "y", "paper").summary["warnings"]
    told = [warning for warning in warnings if "most of its cells are numbers" in warning]
    assert len(told) == 1
    assert "'age'" in told[0]
    assert "row 4 has 'x4'" in told[0]
    told = fit_table(str(path), "y", "paper", categorical=("age",)).summary["warnings"]
    assert not any("most of its cells" in warning for warning in told)


@pytest.mark.parametrize(
    ("header", "cells", "names"),
    [
        ("a=1,a", "2,{a}", "'a=1' and 'a' of {path} both become a feature called 'a=1'"),
        ("a,a is missing", "{gap},3", "'a' and 'a is missing' of {path} both become"),
        ("a=b,a", "{c},{b_c}", "'a=b' and 'a' of {path} both become a feature called 'a=b=c'"),
    ],
)
def test_features_of_one_name_are_refused(tmp_path, header, cells, names):
    path = tmp_path / "table.csv"
    rows = [
        cells.format(a=1 + k % 2, gap="" if k else "x", c="cd"[k % 2], b_c=f"b={'cd'[k % 2]}")
        + f",{k % 2}"
        for k in range(8)
    ]
    path.write_text("\n".join([f"{header},y", *rows]))
    with pytest.raises(ValueError, match=re.escape(names.format(path=path))):
        fit_table(str(path), "y", "dep", categorical=("a",))


@pytest.fixture(scope="module")
def purchases(tmp_path_factory):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "colour": random.choice(["red", "blue", "green"], 60),
            "size": random.normal(size=60),
            "new": random.choice([True, False], 60),
        }
    )
    bought = np.where(frame["size"] + (frame["colour"] == "red") > 0.3, "yes", "no")
    frame["bought"] = np.where(frame["size"].abs() < 0.2, "perhaps", bought)
    path = tmp_path_factory.mktemp("table") / "purchases.csv"
    frame.to_csv(path, index=False)
    return str(path), frame


GIVEN = {
    "pandas": lambda frame: frame[frame.columns[::-1]],
    "polars": pl.from_pandas,
    "arrow": pa.Table.from_pandas,
    "categorical": lambda frame: frame.astype({"colour": "category", "size": "float64"}),
    "array": lambda frame: frame.drop(columns="bought").to_numpy(),
}


@pytest.mark.parametrize("calibrate", [None, "sigmoid", "temperature"])
@pytest.mark.filterwarnings("ignore:Degenerate fit")
def test_a_loaded_model_takes_rows_as_a_program_has_them(purchases, tmp_path, calibrate):
    if calibrate not in (None, *CALIBRATIONS):
        pytest.skip("scikit-learn before 1.8")
    path, frame = purchases
    save_model(fit_table(path, "bought", "dep", calibrate=calibrate), tmp_path / "model.rdep")
    model = load_model(tmp_path / "model.rdep")
    there = ["predict", "explain", "decision_function" if calibrate is None else "predict_proba"]
    asked = ("predict", "explain", "decision_function", "predict_proba", "transform")
    assert {name for name in asked if hasattr(model, name)} == set(there)
    texts = frame.assign(new=frame["new"].map({True: "true", False: "false"}))
    scores = getattr(model.estimator, there[-1])(texts)
    labels = model.estimator.predict(texts)
    assert set(labels) <= {"no", "perhaps", "yes"}
    reasons = explanations(model, texts).drop(
        columns=["prediction", "probability"], errors="ignore"
    )
    for given in GIVEN.values():
        assert np.array_equal(model.predict(given(frame)), labels)
        assert np.array_equal(getattr(model, there[-1])(given(frame)), scores)
        found = model.explain(given(frame)).to_frame()
        assert set(found["prediction"]) <= {"no", "perhaps", "yes"}
        found = found.rename(columns={"prediction": "greatest_decision"})
        pd.testing.assert_frame_equal(found[list(reasons)], reasons)


def test_labels_and_truth_values_are_those_of_the_fit(tmp_path):
    frame = pd.DataFrame({"size": np.arange(20.0), "new": np.arange(20) % 2 == 0})
    fitted = DEPClassifier().fit(frame, frame["size"] > 9)
    save_model(fitted, tmp_path / "model.rdep")
    found = load_model(tmp_path / "model.rdep").predict(frame[["new", "size"]])
    assert found.dtype == bool
    assert np.array_equal(found, fitted.predict(frame))


def test_models_that_do_not_classify_predict_or_transform(tmp_path):
    X = np.random.default_rng(0).normal(size=(30, 2))
    for estimator, method in (
        (MorphologicalELMRegressor(random_state=0).fit(X, X[:, 0]), "predict"),
        (MorphologicalFeatures(random_state=0).fit(X), "transform"),
    ):
        save_model(estimator, tmp_path / "model.rdep")
        model = load_model(tmp_path / "model.rdep")
        assert not hasattr(model, "explain")
        assert np.allclose(getattr(model, method)(X), getattr(estimator, method)(X))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.assign(number=1), "data frame has a column .* ignore_extra=True"),
        (lambda frame: frame[["colour", "new"]], "data frame lacks a column .*: 'size'"),
        (lambda frame: frame.assign(colour="pink"), "not seen, 'pink' .* ignore_new_categories"),
        (lambda frame: frame.assign(size=[{1}, "a"] * 30), "values are of several types"),
        (lambda frame: np.ones((2, 2)), r"'colour', 'size', 'new', in this order; got .*\(2, 2\)"),
    ],
)
@pytest.mark.filterwarnings("ignore:Degenerate fit")
def test_rows_that_do_not_match_are_refused(purchases, change, message):
    path, frame = purchases
    model = fit_table(path, "bought", "dep")
    with pytest.raises(ValueError, match=message):
        model.predict(change(frame))
    for allowed in ({"number": 1}, {"colour": "pink"}):
        changed = frame.assign(**allowed)
        assert len(model.predict(changed, ignore_extra=True, ignore_new_categories=True)) == 60


def test_the_signature_shows_no_function():
    assert " at 0x" not in str(inspect.signature(fit_table))


def test_a_box_score_is_explained_in_the_units_of_the_table(tmp_path):
    draw = np.random.default_rng(0)
    year, rate = draw.integers(1950, 2010, 200), draw.uniform(2, 8, 200)
    frame = pd.DataFrame({"year": year, "rate": rate})
    frame["late"] = np.where((year - 1980) / 10 + 3 * (rate > 5) > 1.5, "yes", "no")
    frame.to_csv(tmp_path / "t.csv", index=False)
    model = fit_table(str(tmp_path / "t.csv"), "late", "box_score", max_conditions=3)
    explained = model.explain(frame[["year", "rate"]])
    printed = str(model.estimator[-1].rules())
    terms = [name for name in explained.names if ">" in name or "≤" in name]
    assert terms
    assert all(f"if {name}" in printed for name in terms)
    # As in (year − 1980): no feature adds hundreds that the intercept takes back.
    np.testing.assert_allclose(explained.decision, model.decision_function(frame), rtol=1e-9)
    assert np.abs(explained.contributions).max() < 30
