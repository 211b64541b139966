"""Regressors, transformers and memories in ONNX Runtime and in model files, against our own."""

import numpy as np
import pandas as pd
import pytest
from onnxruntime import InferenceSession
from sklearn.datasets import load_diabetes, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import (
    AssociativeMemory,
    MorphologicalELMClassifier,
    MorphologicalELMRegressor,
    MorphologicalFeatures,
    all_estimators,
)
from rdep.model_files import load_model, save_model
from rdep.onnx import to_onnx
from rdep.tables._scoring import predictions
from rdep.tables._unwrapping import output

X, Y = load_diabetes(return_X_y=True)
X_INFINITE = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.inf, np.round(100 * X))

OTHERS = [
    *(
        kind()
        for name in ("regressor", "transformer", "memory")
        for _, kind in all_estimators(name)
    ),
    MorphologicalFeatures(3, 0),
    MorphologicalFeatures(0, 3, draw="range"),
    MorphologicalELMRegressor.hlm_elm(),
    AssociativeMemory("M"),
    AssociativeMemory("pamm"),
    make_pipeline(StandardScaler(), MorphologicalELMRegressor()),
]


def in_onnx(model, X):
    session = InferenceSession(to_onnx(model).SerializeToString())
    assert [item.name for item in session.get_outputs()] == ["prediction"]
    return session.run(None, {"X": X})[0]


@pytest.mark.parametrize("model", OTHERS, ids=str)
def test_onnx_gives_the_same_values(model):
    model.fit(X[::2], Y[::2])
    ours = output(model, X)
    np.testing.assert_allclose(in_onnx(model, X), ours.reshape(len(X), -1), rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", ["W", "M", "pamm"])
def test_infinite_values_of_memories_in_onnx(kind):
    model = AssociativeMemory(kind).fit(X_INFINITE[:40], -X_INFINITE[:40, :3])
    assert np.array_equal(in_onnx(model, X_INFINITE), model.predict(X_INFINITE))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_extreme_learning_machines_in_onnx(n_classes):
    X, y = load_wine(return_X_y=True)
    X, y = X[y < n_classes], y[y < n_classes]
    model = MorphologicalELMClassifier(random_state=0).fit(X[::2], y[::2])
    session = InferenceSession(to_onnx(model).SerializeToString())
    labels, scores = session.run(None, {"X": X})
    assert np.array_equal(labels, model.predict(X))
    values = model.decision_function(X).reshape(len(X), -1)
    np.testing.assert_allclose(scores, values, rtol=0, atol=1e-9)


@pytest.mark.parametrize("model", OTHERS, ids=str)
def test_a_model_file_gives_the_same_values(model, tmp_path):
    model.fit(X[::2], Y[::2])
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep")
    assert back.schema.classes == ()
    assert np.array_equal(output(back.estimator, X), output(model, X))


def test_a_model_file_of_an_infinite_memory(tmp_path):
    model = AssociativeMemory().fit(X_INFINITE[:5])
    save_model(model, tmp_path / "memory.rdep")
    back = load_model(tmp_path / "memory.rdep").estimator
    assert np.array_equal(back.predict(X_INFINITE), model.predict(X_INFINITE))


def test_the_table_of_predictions(tmp_path):
    model = MorphologicalELMRegressor(random_state=0)
    save_model(model.fit(X, Y), tmp_path / "one.rdep")
    save_model(model.fit(X, np.column_stack([Y, -Y])), tmp_path / "two.rdep")
    one, two = (load_model(tmp_path / f"{name}.rdep") for name in ("one", "two"))
    frame = pd.DataFrame(X, columns=one.schema.names)
    assert list(predictions(one, frame)) == ["prediction"]
    assert list(predictions(two, frame)) == ["prediction_0", "prediction_1"]
