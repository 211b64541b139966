"""Models of others that contain ours, converted by skl2onnx, against the models themselves."""

import numpy as np
import pytest
from onnxruntime import InferenceSession
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from rdep import (
    AssociativeMemory,
    BoxScoreClassifier,
    CompetitiveClassifier,
    DEPClassifier,
    EnsembleOrdering,
    LinearDEPClassifier,
    MorphologicalELMClassifier,
    MorphologicalELMRegressor,
    MorphologicalFeatures,
    RDEPClassifier,
    RitterSussnerClassifier,
    all_estimators,
)
from rdep.datasets import load_ripley
from rdep.onnx import register_converters

skl2onnx = pytest.importorskip("skl2onnx")
data_types = pytest.importorskip("skl2onnx.common.data_types")

X, X_TEST, Y, _ = load_ripley()
X, Y = X[::3], Y[::3]
THREE = Y + (X[:, 0] > 0.3)
DOUBLE, SINGLE = data_types.DoubleTensorType, data_types.FloatTensorType
pytestmark = pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")


@pytest.fixture(autouse=True, scope="module")
def _registered():
    register_converters()


def converted(model, kind=DOUBLE, options=None, **more):
    """Outputs of the converted model on the test samples."""
    made = skl2onnx.convert_sklearn(
        model, initial_types=[("X", kind([None, X.shape[1]]))], options=options, **more
    )
    session = InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"X": X_TEST.astype(np.float64 if kind is DOUBLE else np.float32)})


CLASSIFIERS = [
    DEPClassifier(),
    RitterSussnerClassifier(),
    LinearDEPClassifier((2, 1)),
    BoxScoreClassifier(4),
    CompetitiveClassifier(max_boxes=2),
    MorphologicalELMClassifier(random_state=0),
    RDEPClassifier("ensemble"),
    RDEPClassifier("signed"),
]


@pytest.mark.parametrize("y", [Y, THREE, np.array(["no", "yes"])[Y], Y > 0],
                         ids=["two", "three", "texts", "truth values"])  # fmt: skip
@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda model: type(model).__name__)
def test_pipelines_with_a_classifier(classifier, y):
    model = make_pipeline(StandardScaler(), classifier).fit(X, y)
    label, scores = converted(model, options={"zipmap": False})
    assert np.array_equal(label, model.predict(X_TEST))
    values = model.decision_function(X_TEST)
    if values.ndim == 1:
        values = np.column_stack([-values, values])
    if hasattr(model, "predict_proba"):
        assert np.allclose(scores, model.predict_proba(X_TEST), atol=1e-9)
        label, scores = converted(
            model, options={id(model[-1]): {"raw_scores": True, "zipmap": False}}
        )
    assert np.allclose(scores, values, atol=1e-9)


def test_input_in_single_precision_is_predicted_as_such_numbers():
    model = make_pipeline(MinMaxScaler(), RDEPClassifier("boxes")).fit(X, Y)
    label, scores = converted(model, SINGLE)
    rows = X_TEST.astype(np.float32)
    sure = np.abs(model.decision_function(rows)) > 1e-4
    assert sure.mean() > 0.9
    assert np.array_equal(label[sure], model.predict(rows)[sure])
    assert set(scores[0]) == {0, 1}  # a ZipMap by default


def test_a_positive_zero_stays_positive_in_single_precision():
    rows = np.array([[0.0, 0.0], [1.0, 1.0]])
    classifier = DEPClassifier().fit(rows, [0, 1])
    classifier.dilation_weights_ = classifier.erosion_weights_ = np.array([-0.5, -0.5])
    made = skl2onnx.convert_sklearn(
        classifier, initial_types=[("X", SINGLE([None, 2]))], options={"zipmap": False}
    )
    session = InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    label, scores = session.run(None, {"X": np.full((1, 2), 0.5, np.float32)})
    assert label[0] == classifier.predict([[0.5, 0.5]])[0] == 1
    assert scores.argmax() == 1


MODELS = {
    "stack": StackingClassifier(
        [("dep", DEPClassifier()), ("boxes", RDEPClassifier("boxes"))], cv=2
    ),
    "stack of probabilities": StackingClassifier(
        [("score", BoxScoreClassifier(4)), ("linear", LogisticRegression())], cv=2
    ),
    "stack of decisions": StackingClassifier(
        [("score", BoxScoreClassifier(4)), ("dep", DEPClassifier())],
        cv=2,
        stack_method="decision_function",
    ),
    "soft vote": VotingClassifier(
        [("score", BoxScoreClassifier(4)), ("linear", LogisticRegression())],
        voting="soft",
        flatten_transform=False,
    ),
    "calibrated score": CalibratedClassifierCV(BoxScoreClassifier(4), cv=2),
    "vote": VotingClassifier(
        [
            ("dep", DEPClassifier()),
            ("boxes", RDEPClassifier("boxes")),
            ("linear", LogisticRegression()),
        ],
        flatten_transform=False,
    ),
    "calibrated": CalibratedClassifierCV(RDEPClassifier("signed"), cv=2),
    "columns": make_pipeline(
        make_column_transformer((StandardScaler(), [1]), (MinMaxScaler(), [0])), DEPClassifier()
    ),
    "features": make_pipeline(MorphologicalFeatures(20, random_state=0), LogisticRegression()),
    "ordering": make_pipeline(EnsembleOrdering(), LogisticRegression()),
    "two of a kind": StackingClassifier(
        [("one", DEPClassifier(beta=0)), ("two", DEPClassifier(beta=1))], cv=2
    ),
}


@pytest.mark.parametrize("y", [Y, THREE], ids=["two", "three"])
@pytest.mark.parametrize("name", MODELS)
def test_models_of_others(name, y):
    if name == "ordering" and y is THREE:
        pytest.skip("an ordering is for two classes")
    model = MODELS[name].fit(X, y)
    options = {id(model): {"zipmap": False}}
    label, scores = converted(model, options=options)
    assert np.mean(label == model.predict(X_TEST)) > 0.999  # others compute in single precision
    if hasattr(model, "predict_proba"):
        assert np.allclose(scores, model.predict_proba(X_TEST), atol=1e-4)


def test_regressors_and_memories():
    elm = make_pipeline(StandardScaler(), MorphologicalELMRegressor(20, random_state=0))
    elm.fit(X, X[:, 0] ** 2)
    assert np.allclose(converted(elm)[0].ravel(), elm.predict(X_TEST))
    memory = AssociativeMemory().fit(X[:5])
    assert np.allclose(converted(memory)[0], memory.predict(X_TEST))


def test_all_but_networks_are_registered():
    known = skl2onnx.supported_converters()
    names = [
        name
        for kind in ("classifier", "regressor", "transformer", "memory", "ordering")
        for name, estimator in all_estimators(kind)
        if not hasattr(estimator, "predict_proba")
    ]
    assert {f"Rdep{name}" for name in names} <= set(known)


def test_an_old_opset_is_refused():
    with pytest.raises(RuntimeError, match="DEPClassifier need target_opset=19 or higher, not 12"):
        converted(DEPClassifier().fit(X, Y), target_opset=12)
