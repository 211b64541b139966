"""The preprocessing against its parts done by hand; the folds and the classifier of calibration."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss

from rdep import DEPClassifier, RDEPClassifier
from rdep.datasets import load_ripley
from rdep.tables import CategoryEncoder, Column, Schema
from rdep.tables._calibration import CALIBRATIONS, calibrated
from rdep.tables._pipeline import encoded_frame, table_pipeline

rng = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "colour": rng.choice(np.array(["red", "blue", np.nan], dtype=object), 60),
        "size": np.where(rng.random(60) < 0.2, np.nan, rng.normal(3, 2, size=60)),
        "shape": rng.choice(np.array(["round", "flat"], dtype=object), 60),
    }
)
SCHEMA = Schema(
    (
        Column("colour", "category", ("blue", "red")),
        Column("size", "number"),
        Column("shape", "category", ("flat", "round")),
    ),
    (0, 1),
)
Y = (FRAME["size"].fillna(3) > 3).to_numpy().astype(int)
NAMES = ["size", "colour is missing", "colour=blue", "colour=red", "shape=flat", "shape=round"]


def by_hand():
    encoded = pd.DataFrame({"size": FRAME["size"].fillna(FRAME["size"].mean())})
    encoded["colour is missing"] = FRAME["colour"].isna().astype(float)
    for column, category in (
        ("colour", "blue"), ("colour", "red"), ("shape", "flat"), ("shape", "round"),
    ):  # fmt: skip
        encoded[f"{column}={category}"] = (FRAME[column] == category).astype(float)
    return (encoded - encoded.mean()) / encoded.std(ddof=0)


def test_the_features_are_those_made_by_hand():
    pipeline = table_pipeline(SCHEMA, DEPClassifier()).fit(FRAME, Y)
    pd.testing.assert_frame_equal(pipeline[:-1].transform(FRAME), by_hand(), rtol=0, atol=1e-12)


@pytest.mark.parametrize("classifier", [DEPClassifier(), RDEPClassifier("boxes")], ids=repr)
def test_the_classifier_knows_the_names(classifier):
    classifier = table_pipeline(SCHEMA, classifier).fit(FRAME, Y)[-1]
    assert classifier.feature_names_in_.tolist() == NAMES
    assert "colour is missing" in classifier.summary(max_features=100)


def test_three_classes_know_the_names_too():
    kinds = np.digitize(FRAME["size"].fillna(3), [2, 4])
    pipeline = table_pipeline(SCHEMA, RDEPClassifier("boxes")).fit(FRAME, kinds)
    for part in pipeline[-1].estimators_:
        assert part.feature_names_in_.tolist() == NAMES


@pytest.mark.parametrize(
    ("classifier", "n_scalers"),
    [
        (DEPClassifier(), 1),
        (RDEPClassifier("boxes"), 0),  # it has one of its own
        (RDEPClassifier("boxes", scale_input=False), 0),  # it is to see the units of the table
    ],
    ids=repr,
)
def test_features_are_standardised_once(classifier, n_scalers):
    pipeline = table_pipeline(SCHEMA, classifier).fit(FRAME, Y)
    assert len(pipeline) == 2 + n_scalers
    seen = pipeline[:-1].transform(FRAME)
    if hasattr(classifier, "scale_input") and classifier.scale_input:
        seen = pipeline[-1].input_scaler_.transform(seen.to_numpy())
    if getattr(classifier, "scale_input", True):
        np.testing.assert_allclose(seen, by_hand(), atol=1e-12)
    else:
        assert set(seen["colour=red"]) == {0.0, 1.0}
        assert seen["size"].max() == FRAME["size"].max()


@pytest.mark.parametrize("columns", [None, ["paint"]])
def test_names_of_categories(columns):
    encoder = CategoryEncoder().fit(FRAME[["colour"]].fillna(""))
    (column,) = columns or ["colour"]
    assert encoder.get_feature_names_out(columns).tolist() == [
        f"{column} is missing", f"{column}=blue", f"{column}=red",
    ]  # fmt: skip


def test_an_encoded_table_has_the_same_features_with_gaps_in_numbers():
    encoded = encoded_frame(FRAME, SCHEMA)
    assert list(encoded.columns) == NAMES
    np.testing.assert_array_equal(encoded["size"], FRAME["size"])
    filled = encoded.fillna(encoded.mean())
    standardised = (filled - filled.mean()) / filled.std(ddof=0)
    np.testing.assert_allclose(standardised, by_hand(), atol=1e-12)


def test_a_new_category_is_none_of_the_known():
    pipeline = table_pipeline(SCHEMA, DEPClassifier()).fit(FRAME, Y)
    new = pd.DataFrame({"colour": ["pink"], "size": [3.0], "shape": ["flat"]})
    features = pipeline[:1].transform(new).loc[0]
    assert features[[name for name in NAMES if name.startswith("colour")]].tolist() == [0, 0, 0]


RIPLEY, RIPLEY_TEST, LABELS, LABELS_TEST = load_ripley()


@pytest.mark.parametrize("method", CALIBRATIONS)
def test_the_classifier_inside_is_the_one_without_calibration(method):
    model = calibrated(DEPClassifier(), method, LABELS).fit(RIPLEY, LABELS)
    (pair,) = model.calibrated_classifiers_
    plain = DEPClassifier().fit(RIPLEY, LABELS).decision_function(RIPLEY_TEST)
    assert np.array_equal(pair.estimator.decision_function(RIPLEY_TEST), plain)
    # Better than the share of each class, whatever the sample.
    base = log_loss(LABELS_TEST, np.full(len(LABELS_TEST), LABELS.mean()))
    assert (
        log_loss(LABELS_TEST, model.predict_proba(RIPLEY_TEST)[:, 1].clip(0.01, 0.99)) < 0.6 * base
    )


@pytest.mark.parametrize(("n_smallest", "n_folds"), [(2, 2), (4, 4), (30, 5)])
def test_no_more_folds_than_the_smallest_class_has_samples(n_smallest, n_folds):
    iris, y = load_iris(return_X_y=True)
    kept = np.r_[:100, 100 : 100 + n_smallest]
    model = calibrated(DEPClassifier(monotonic_cst="auto"), "sigmoid", y[kept])
    assert model.cv.get_n_splits() == n_folds
    for _, held_out in model.cv.split(iris[kept], y[kept]):
        assert set(y[kept][held_out]) == {0, 1, 2}
    assert np.isfinite(model.fit(iris[kept], y[kept]).predict_proba(iris)).all()


def test_a_class_of_one_sample_and_unknown_methods_are_refused():
    with pytest.raises(ValueError, match="two samples of each class, but class rare has one"):
        calibrated(DEPClassifier(), "sigmoid", ["often", "often", "rare"])
    with pytest.raises(ValueError, match="unknown calibration 'platt'; known: sigmoid, isotonic"):
        calibrated(DEPClassifier(), "platt", LABELS)
