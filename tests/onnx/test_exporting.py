"""Exported models in ONNX Runtime against our own."""

import json
from itertools import cycle

import numpy as np
import onnx
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import linear_kernel
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.svm import SVC, NuSVC

from rdep import (
    BaggingOrdering,
    DEPClassifier,
    EnsembleOrdering,
    MixedOrdering,
    MorphologicalPerceptron,
    RDEPClassifier,
)
from rdep.datasets import load_ripley
from rdep.onnx import to_onnx
from rdep.tables import Column, Schema, fit_table
from rdep.tables._pipeline import table_pipeline
from rdep.tables._scoring import predictions
from rdep.tables._training_table import read_training_table

from ..real_tables import TARGETS, column_feeds, run_onnx, thousand_rows, write_sample

KINDS = {
    "dep": {"estimator": "dep", "monotonic_cst": "auto"},
    "linear_dep": {"estimator": "linear_dep"},
    "ensemble": {"ordering": "ensemble"},
    "bagging": {"ordering": "bagging", "random_state": 0},
    "large": {"ordering": MixedOrdering(max_svc_samples=0), "random_state": 0},
    "signed": {"ordering": "signed"},
    "boxes": {"ordering": "boxes"},
    "stack": {"ordering": EnsembleOrdering(cv=3, stack=True)},
    "shrinkage": {"ordering": EnsembleOrdering(cv=3, stack=True, shrinkage=0.5)},
    "positive": {"ordering": EnsembleOrdering(cv=3, stack="positive", shrinkage=0.5)},
    "mixed": {"random_state": 0},
}


@pytest.fixture(scope="module")
def samples(data_dir, tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    return {name: write_sample(data_dir, name, folder / f"{name}.csv", 700) for name in TARGETS}


# Each kind on one table, the tables in turn.
@pytest.mark.parametrize(("kind", "name"), zip(KINDS, cycle(TARGETS), strict=False))
def test_labels_and_scores_on_1000_real_rows(data_dir, samples, name, kind):
    model = fit_table(str(samples[name]), TARGETS[name], **KINDS[kind])
    frame = thousand_rows(data_dir, name, model.schema)
    labels, scores = run_onnx(model, column_feeds(model.schema, frame))
    ours = predictions(model, frame)
    assert labels.tolist() == ours["prediction"].tolist()
    assert len(set(labels)) == 2
    np.testing.assert_allclose(scores[:, 0], ours["score"], rtol=0, atol=1e-9)


def test_the_real_rows_have_gaps_in_numbers_and_in_categories(data_dir, samples):
    gaps = {"number": 0, "category": 0}
    for name, path in samples.items():
        schema = read_training_table(str(path), TARGETS[name]).schema
        frame = thousand_rows(data_dir, name, schema)
        for column in schema.columns:
            gaps[column.kind] += frame[column.name].isna().sum()
    assert min(gaps.values()) > 50


@pytest.mark.parametrize(
    "classifier",
    [
        DEPClassifier(monotonic_cst="auto"),
        MorphologicalPerceptron("erosion"),
        RDEPClassifier("ensemble"),
        RDEPClassifier("bagging", random_state=0),
        RDEPClassifier(MixedOrdering(max_svc_samples=0), random_state=0),
        RDEPClassifier("signed"),
        RDEPClassifier("boxes"),
        RDEPClassifier(random_state=0),
    ],
    ids=["dep", "perceptron", "ensemble", "bagging", "large", "signed", "boxes", "mixed"],
)
@pytest.mark.filterwarnings("ignore:Degenerate fit")
def test_more_than_two_classes(classifier):
    X, y = load_iris(return_X_y=True)
    classifier.fit(X, y)
    labels, scores = run_onnx(classifier, {"X": X})
    assert labels.dtype == np.int64
    assert np.array_equal(labels, classifier.predict(X))
    np.testing.assert_allclose(scores, classifier.decision_function(X), rtol=0, atol=1e-9)


MEMBERS = [
    ("sigmoid", SVC(kernel="sigmoid")),
    ("nu", NuSVC(nu=0.2)),
    ("poly4", SVC(kernel="poly", degree=4, coef0=0.5)),
    ("logistic", LogisticRegression()),
    ("curved", make_pipeline(PolynomialFeatures(3), StandardScaler(), LogisticRegression())),
    ("dep", DEPClassifier(monotonic_cst="auto")),
    ("forest", make_pipeline(StandardScaler(), RandomForestClassifier(9, random_state=0))),
]


@pytest.mark.parametrize(
    "ordering",
    [
        EnsembleOrdering(MEMBERS),
        BaggingOrdering(SVC(), n_estimators=4, max_features=0.5, random_state=0),
        BaggingOrdering(LogisticRegression(), n_estimators=3, random_state=0),
        BaggingOrdering(RandomForestClassifier(5), n_estimators=3, random_state=0, stack=True),
        PolynomialFeatures(2, include_bias=False),
    ],
    ids=["ensemble", "feature bagging", "linear bagging", "stacked forests", "any transformer"],
)
@pytest.mark.parametrize("scale_ordering", [False, True])
@pytest.mark.filterwarnings("ignore:Degenerate fit")
def test_other_members(ordering, scale_ordering):
    X, X_test, y, _ = load_ripley()
    classifier = RDEPClassifier(ordering, scale_ordering=scale_ordering).fit(X, y)
    labels, scores = run_onnx(classifier, {"X": X_test})
    assert np.array_equal(labels, classifier.predict(X_test))
    expected = classifier.decision_function(X_test)
    np.testing.assert_allclose(scores[:, 0], expected, rtol=1e-9, atol=1e-9)


def test_members_through_skl2onnx():
    """These compute in single precision: a tree next to a threshold may see the other side."""
    X, X_test, y, _ = load_ripley()
    members = [
        ("boosting", GradientBoostingClassifier(n_estimators=5, random_state=0)),
        ("bayes", GaussianNB()),
        ("rbf", SVC()),
    ]
    classifier = RDEPClassifier(EnsembleOrdering(members), scale_input=False).fit(X, y)
    _, scores = run_onnx(classifier, {"X": X_test})
    difference = np.abs(scores[:, 0] - classifier.decision_function(X_test))
    assert np.quantile(difference, 0.99) < 1e-5


def test_what_the_graph_says_about_itself(samples):
    model = fit_table(str(samples["credit-g-1"]), "class")
    proto = to_onnx(model)
    onnx.checker.check_model(proto, full_check=True)
    assert {node.domain for node in proto.graph.node} <= {"", "ai.onnx.ml"}
    inputs = {item.name: item for item in proto.graph.input}
    assert list(inputs) == model.schema.names
    assert inputs["duration"].doc_string == "number, 4 to 72 in training; NaN if missing"
    assert "'no checking'" in inputs["checking_status"].doc_string
    types = {name: item.type.tensor_type.elem_type for name, item in inputs.items()}
    assert types["duration"] == onnx.TensorProto.DOUBLE
    assert types["checking_status"] == onnx.TensorProto.STRING
    assert "'good' if the score is positive" in proto.doc_string
    (schema,) = [item.value for item in proto.metadata_props if item.key == "rdep.schema"]
    assert Schema.from_dict(json.loads(schema)) == model.schema


def test_columns_may_have_the_names_of_outputs_and_nodes():
    rng = np.random.default_rng(0)
    schema = Schema((Column("score", "number"), Column("_constant_1", "number")), (0, 1))
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(int)
    frame = pd.DataFrame(X, columns=schema.names)
    pipeline = table_pipeline(schema, DEPClassifier()).fit(frame, y)
    proto = to_onnx(pipeline, schema=schema)
    assert [item.name for item in proto.graph.output] == ["prediction", "score_"]
    labels, _ = run_onnx(pipeline, column_feeds(schema, frame), schema=schema)
    assert np.array_equal(labels, pipeline.predict(frame))


def test_precomputed_kernels_are_refused():
    X, _, y, _ = load_ripley()
    ordering = EnsembleOrdering([("kernel", SVC(kernel="precomputed"))])
    classifier = RDEPClassifier(ordering).fit(X @ X.T, y)
    with pytest.raises(ValueError, match="precomputed kernel"):
        to_onnx(classifier)


def test_kernels_that_are_functions_are_refused():
    X, _, y, _ = load_ripley()
    for svc in (SVC(kernel=linear_kernel), NuSVC(kernel=linear_kernel)):
        for member in (svc, make_pipeline(StandardScaler(), svc)):
            classifier = RDEPClassifier(EnsembleOrdering([("own", member)])).fit(X, y)
            with pytest.raises(ValueError, match="a Python function"):
                to_onnx(classifier)


def test_classifiers_of_others_are_refused():
    X, _, y, _ = load_ripley()
    with pytest.raises(ValueError, match="convert it with skl2onnx"):
        to_onnx(LogisticRegression().fit(X, y))
