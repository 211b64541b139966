"""Calibrated classifiers in ONNX Runtime against scikit-learn's probabilities."""

import numpy as np
import onnx
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, RDEPClassifier, RitterSussnerClassifier
from rdep._utils._sklearn_fitted import MAPS
from rdep.datasets import load_ripley
from rdep.onnx import to_onnx
from rdep.onnx._calibration import _isotonic
from rdep.tables import CALIBRATIONS, calibrated, fit_table

from ..real_tables import TARGETS, column_feeds, run_onnx, thousand_rows, write_sample
from .running import run_graph

RIPLEY, RIPLEY_TEST, RIPLEY_Y, _ = load_ripley()
IRIS, IRIS_Y = load_iris(return_X_y=True)
# Between the classes and outside of them as well.
IRIS_TEST = np.random.RandomState(0).uniform(IRIS.min() - 1, IRIS.max() + 1, size=(500, 4))


def assert_same(classifier, X, atol=1e-12):
    labels, found = run_onnx(classifier, {"X": X})
    expected = classifier.predict_proba(X)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)
    assert np.array_equal(labels, classifier.predict(X))


@pytest.mark.parametrize("method", list(MAPS))
@pytest.mark.parametrize("ensemble", [False, True])
@pytest.mark.parametrize(
    "classifier",
    [
        RDEPClassifier("ensemble"),
        make_pipeline(StandardScaler(), DEPClassifier(monotonic_cst="auto")),
        RitterSussnerClassifier(),
    ],
    ids=["r-DEP", "pipeline", "one operator"],
)
@pytest.mark.filterwarnings("ignore:Degenerate fit")
def test_probabilities_and_labels(method, ensemble, classifier):
    model = CalibratedClassifierCV(classifier, method=method, cv=2, ensemble=ensemble)
    assert_same(model.fit(RIPLEY, np.array(["no", "yes"])[RIPLEY_Y]), RIPLEY_TEST)
    assert_same(model.fit(IRIS, IRIS_Y), np.vstack([IRIS, IRIS_TEST]))


@pytest.mark.parametrize("method", CALIBRATIONS)
def test_a_table_with_categories_and_gaps(data_dir, tmp_path, method):
    name = "credit-g-1"
    path = write_sample(data_dir, name, tmp_path / "table.csv", n_rows=500)
    model = fit_table(str(path), TARGETS[name], "paper", calibrate=method)
    frame = thousand_rows(data_dir, name, model.schema)
    labels, found = run_onnx(model, column_feeds(model.schema, frame))
    np.testing.assert_allclose(found, model.estimator.predict_proba(frame), rtol=0, atol=1e-12)
    assert labels.tolist() == model.estimator.predict(frame).tolist()


def test_a_whole_pipeline_calibrated_by_columns(data_dir, tmp_path):
    """Calibration around the preprocessing as well, each copy with its own."""
    name = "credit-g-1"
    path = write_sample(data_dir, name, tmp_path / "table.csv", n_rows=300)
    plain = fit_table(str(path), TARGETS[name], "paper")
    frame = thousand_rows(data_dir, name, plain.schema)[:300]
    y = np.where(np.arange(300) % 3, "good", "bad")
    model = CalibratedClassifierCV(plain.estimator, cv=2).fit(frame, y)
    labels, found = run_onnx(model, column_feeds(plain.schema, frame), schema=plain.schema)
    np.testing.assert_allclose(found, model.predict_proba(frame), rtol=0, atol=1e-12)
    assert labels.tolist() == model.predict(frame).tolist()


def test_a_classifier_that_was_fitted_before():
    fitted = DEPClassifier().fit(RIPLEY[::2], RIPLEY_Y[::2])
    model = CalibratedClassifierCV(FrozenEstimator(fitted)).fit(RIPLEY[1::2], RIPLEY_Y[1::2])
    assert_same(model, RIPLEY_TEST)


@pytest.mark.parametrize("thresholds", [[0.5], [-1.0, 2.0], [-1.0, -0.5, 0.0, 1.0, 3.0]])
def test_an_isotonic_map_is_exact_at_thresholds_and_outside(thresholds):
    """Where a block of it is one half, the last digit would decide the label."""
    x = np.array(thresholds)
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(x, np.linspace(0.5, 1, len(x)))
    values = np.concatenate([x, x + 1e-9, x - 1e-9, [-1e300, 1e300]]).reshape(-1, 1)
    found = run_graph(lambda graph, X: _isotonic(graph, isotonic, X), values)
    np.testing.assert_allclose(found[:, 0], isotonic.predict(values[:, 0]), rtol=1e-15)
    assert np.array_equal(found[: len(x), 0], isotonic.predict(x))


def test_no_class_with_any_probability():
    """scikit-learn then calls all classes equally probable."""
    model = calibrated(RDEPClassifier("ensemble"), "isotonic", IRIS_Y).fit(IRIS, IRIS_Y)
    for calibrator in model.calibrated_classifiers_[0].calibrators:
        calibrator.y_thresholds_ = np.where(calibrator.y_thresholds_ > 0.9, 1.0, 0.0)
        calibrator._build_f(calibrator.X_thresholds_, calibrator.y_thresholds_)
    expected = model.predict_proba(IRIS_TEST)
    assert (expected == 1 / 3).all(axis=1).any()
    assert_same(model, IRIS_TEST)


def test_what_the_graph_says_about_itself():
    proto = to_onnx(calibrated(DEPClassifier(), "sigmoid", RIPLEY_Y).fit(RIPLEY, RIPLEY_Y))
    onnx.checker.check_model(proto, full_check=True)
    assert [item.name for item in proto.graph.output] == ["prediction", "probability"]
    assert "the class with the largest probability" in proto.doc_string


def test_a_search_is_what_it_found():
    search = GridSearchCV(DEPClassifier(), {"C": [0.001, 1.0]}, cv=3)
    for model in (
        search.fit(RIPLEY, RIPLEY_Y),
        make_pipeline(StandardScaler(), search).fit(RIPLEY, RIPLEY_Y),
    ):
        labels, scores = run_onnx(model, {"X": RIPLEY_TEST})
        assert np.array_equal(labels, model.predict(RIPLEY_TEST))
        np.testing.assert_allclose(scores[:, 0], model.decision_function(RIPLEY_TEST), atol=1e-12)
    assert_same(calibrated(search, "sigmoid", RIPLEY_Y).fit(RIPLEY, RIPLEY_Y), RIPLEY_TEST)


def test_folds_without_a_class_are_refused():
    """Each copy of the classifier knows some of the classes only."""
    model = CalibratedClassifierCV(DEPClassifier(), cv=PredefinedSplit(IRIS_Y), ensemble=True)
    model.fit(IRIS, IRIS_Y)
    with pytest.raises(ValueError, match="some of the classes"):
        to_onnx(model)
