"""Thresholds of scikit-learn around classifiers: the same labels in Python, files and ONNX."""

import numpy as np
import pandas as pd
import pytest
from onnxruntime import InferenceSession
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import BoxScoreClassifier, DEPClassifier, RDEPClassifier
from rdep.datasets import load_ripley
from rdep.model_files import load_model, save_model
from rdep.onnx import to_onnx
from rdep.orderings import EnsembleOrdering
from rdep.tables import TableModel
from rdep.tables._scoring import explanations, predictions

X, X_TEST, Y, _ = load_ripley()
TEXTS = np.array(["ill", "well"])[Y]
CALIBRATED = CalibratedClassifierCV(DEPClassifier(), cv=2, ensemble=False)
BY_VALUE = {"response_method": "decision_function"}
MODELS = {
    "fixed": FixedThresholdClassifier(DEPClassifier(), threshold=0.1),
    "of the first class": FixedThresholdClassifier(
        DEPClassifier(), threshold=-0.1, pos_label="ill", **BY_VALUE
    ),
    "of a probability": FixedThresholdClassifier(CALIBRATED, threshold=0.8),
    "of the first class's probability": FixedThresholdClassifier(
        CALIBRATED, threshold=0.2, pos_label="ill"
    ),
    "in a pipeline": make_pipeline(
        StandardScaler(), FixedThresholdClassifier(DEPClassifier(), threshold=-0.2)
    ),
    "around a pipeline": FixedThresholdClassifier(
        make_pipeline(StandardScaler(), DEPClassifier()), threshold=0.2
    ),
    "around a search": FixedThresholdClassifier(
        GridSearchCV(DEPClassifier(), {"C": [0.1]}, cv=2), threshold=0.1
    ),
    "in a search": GridSearchCV(
        FixedThresholdClassifier(DEPClassifier()), {"threshold": [0.3]}, cv=2
    ),
    "tuned": TunedThresholdClassifierCV(DEPClassifier(), cv=2, **BY_VALUE),
    "tuned probability": TunedThresholdClassifierCV(CALIBRATED, cv=2),
    "tuned, in a pipeline": make_pipeline(
        StandardScaler(), TunedThresholdClassifierCV(DEPClassifier(), cv=2)
    ),
}


def run(model, feed):
    return InferenceSession(model.SerializeToString()).run(None, feed)


@pytest.mark.parametrize("name", MODELS)
def test_labels_are_the_same_everywhere(name, tmp_path):
    frame, test = (pd.DataFrame(rows, columns=["a", "b"]) for rows in (X, X_TEST))
    model = MODELS[name].fit(frame, TEXTS)
    expected = model.predict(test)
    inner = CALIBRATED if "probability" in name else DEPClassifier()
    assert (expected != inner.fit(X, TEXTS).predict(X_TEST)).any()
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep")
    assert np.array_equal(back.predict(test), expected)
    assert np.array_equal(predictions(back, test)["prediction"], expected)
    assert np.array_equal(explanations(back, test)["prediction"], expected)
    for given in (model, back):
        found = run(to_onnx(given), {"X": X_TEST})
        assert np.array_equal(found[0], expected)
    scores = back.scores(test)
    assert np.allclose(found[1], scores.reshape(len(scores), -1), atol=1e-9)


def test_what_a_tuned_threshold_becomes():
    tuned = MODELS["tuned"].fit(X, Y)
    made = TableModel.of(tuned).estimator
    assert isinstance(made, FixedThresholdClassifier)
    assert made.threshold == tuned.best_threshold_
    assert made.estimator_ is tuned.estimator_
    told = to_onnx(tuned).doc_string
    assert f"1 if its score is at least {float(tuned.best_threshold_)!r}, else 0" in told


def test_calibration_around_a_threshold_decides_by_probabilities():
    inner = FixedThresholdClassifier(DEPClassifier(), threshold=0.3)
    model = CalibratedClassifierCV(inner, cv=2, ensemble=False).fit(X, Y)
    assert TableModel.of(model).threshold is None
    assert np.array_equal(run(to_onnx(model), {"X": X_TEST})[0], model.predict(X_TEST))


@pytest.mark.parametrize("threshold", ["high", np.nan, [0.1], None])
def test_a_threshold_that_is_no_number_is_refused(tmp_path, threshold):
    model = FixedThresholdClassifier(DEPClassifier(), threshold=0.1).fit(X, Y)
    model.threshold = threshold
    with pytest.raises(ValueError, match="a threshold must be a finite number or 'auto'"):
        save_model(model, tmp_path / "model.rdep")


@pytest.mark.parametrize(
    "model",
    [BoxScoreClassifier(4), RDEPClassifier(EnsembleOrdering(cv=2))],
    ids=["box score", "r-DEP"],
)
@pytest.mark.parametrize("how", ["fixed", "tuned", "of the first class"])
def test_thresholds_of_a_models_own_probabilities(tmp_path, model, how):
    """The default response of both is the probability, if a classifier has one."""
    made = {
        "fixed": FixedThresholdClassifier(model, threshold=0.8),
        "tuned": TunedThresholdClassifierCV(model, cv=2, scoring="accuracy"),
        "of the first class": FixedThresholdClassifier(model, threshold=0.9, pos_label="ill"),
    }[how].fit(X, TEXTS)
    expected, inner = made.predict(X_TEST), clone(model).fit(X, TEXTS)
    assert (expected != inner.predict(X_TEST)).any()
    save_model(made, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep")
    assert np.array_equal(back.predict(X_TEST), expected)
    np.testing.assert_allclose(back.predict_proba(X_TEST), made.predict_proba(X_TEST), rtol=1e-12)
    labels, probabilities = run(to_onnx(back), {"X": X_TEST})
    assert np.array_equal(labels, expected)
    np.testing.assert_allclose(probabilities, inner.predict_proba(X_TEST), atol=1e-12)
