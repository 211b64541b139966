"""One convention for ties: the second of two classes, the first of several."""

from importlib.util import find_spec

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier

from rdep import (
    CompetitiveClassifier,
    DendriteClassifier,
    RDEPClassifier,
    RitterSussnerClassifier,
    all_estimators,
)
from rdep.lattice import dilation

pytestmark = pytest.mark.filterwarnings("ignore")

CLASSIFIERS = [
    model
    for name, kind in all_estimators("classifier")
    if name != "MorphologicalNetworkClassifier" or find_spec("torch")
    for model in (
        [RDEPClassifier("signed"), RDEPClassifier("boxes"), RDEPClassifier("ensemble")]
        if name == "RDEPClassifier"
        else [kind(training) for training in ("greedy", "greedy-published", "ccp")]
        if name == "CompetitiveClassifier"
        else [kind(training) for training in ("elimination", "divide", "evolution", "incremental")]
        if name == "DendriteClassifier"
        else [kind()]
    )
]
of_every_classifier = pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)


def whole_numbers(n_classes=2, seed=0, n_samples=150):
    """Answers from 1 to 5, on which many samples are at the boundary."""
    rng = np.random.default_rng(seed)
    X = rng.integers(1, 6, (n_samples, 4)).astype(float)
    value = X[:, 0] - 0.7 * X[:, 1] + 0.4 * X[:, 2] + rng.logistic(size=n_samples)
    return X, np.searchsorted(np.quantile(value, np.arange(1, n_classes) / n_classes), value)


def on_a_grid():
    return np.stack(np.meshgrid(*[np.arange(1.0, 6.0)] * 4), axis=-1).reshape(-1, 4)[::3]


def fitted(model, X, y):
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    return model.fit(X, y)


@of_every_classifier
def test_a_threshold_of_zero_is_the_classifier_itself(model):
    X, y = whole_numbers()
    fitted(model, X, np.where(y == 1, "yes", "no"))
    at_zero = FixedThresholdClassifier(
        FrozenEstimator(model), threshold=0, response_method="decision_function", pos_label="yes"
    ).fit(X, y)
    for samples in (X, on_a_grid()):
        values = model.decision_function(samples)
        assert (values != 0).all()
        assert np.array_equal(model.predict(samples), np.where(values >= 0, "yes", "no"))
        assert np.array_equal(at_zero.predict(samples), model.predict(samples))


@of_every_classifier
def test_of_several_classes_the_first_of_those_with_the_largest_value(model):
    X, y = whole_numbers(3)
    fitted(model, X, y)
    for samples in (X, on_a_grid()):
        values = model.decision_function(samples)
        largest = values.max(axis=1, keepdims=True)
        apart = np.where(largest == 0, 0.0, (largest - values) / np.abs(largest))
        assert not ((apart > 0) & (apart < 1e-13)).any()
        assert np.array_equal(model.predict(samples), model.classes_[values.argmax(axis=1)])


def test_only_the_perceptron_of_1996_counts_zero_as_negative():
    X, y = whole_numbers()
    model = RitterSussnerClassifier().fit(X, y)
    at_zero = dilation(X, model.weights_) == 0
    assert at_zero.sum() > 20
    assert not model.predict(X)[at_zero].any()


@pytest.mark.parametrize("seed", range(3))
def test_boxes_by_ccp_on_whole_numbers_do_not_leave_the_class_to_the_alphabet(seed):
    X, y = whole_numbers(seed=seed, n_samples=300)
    model = CompetitiveClassifier("ccp", random_state=0).fit(X, y)
    depth = model._depths(X)
    assert (depth[:, 0] == depth[:, 1]).mean() > 0.3
    assert (np.abs(model.decision_function(X)) == np.finfo(float).tiny).mean() <= 0.01
    exchanged = CompetitiveClassifier("ccp", random_state=0).fit(X, 1 - y)
    assert (exchanged.predict(X) == model.predict(X)).mean() <= 0.01


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("training", ["greedy", "greedy-published", "ccp"])
def test_of_equal_depths_the_faces_of_the_box_decide(training, n_classes):
    """Computed again, sample by sample."""
    X, y = whole_numbers(n_classes)
    model = CompetitiveClassifier(training, random_state=0).fit(X, y)
    for x, label in zip(on_a_grid(), model.predict(on_a_grid()), strict=True):
        keys = []
        for boxes in model.boxes_:
            if not len(boxes):
                keys.append((-np.inf, 0.0))
                continue
            depth = max(np.minimum(x - low, high - x).min() for low, high in boxes)
            inside = sum(
                1 / np.exp(-np.concatenate([x - low, high - x]) / np.tile(model.scale_, 2)).sum()
                for low, high in boxes
            )
            keys.append((depth, float(f"{inside:.9g}")))
        best = [k for k, key in enumerate(keys) if key == max(keys)]
        assert label == (best[-1] if n_classes == 2 else best[0])


def test_explanations_name_the_class_that_wins_a_tie():
    for n_classes in (2, 3):
        X, y = whole_numbers(n_classes)
        for model in (CompetitiveClassifier("ccp", random_state=0), DendriteClassifier("divide")):
            explanation = model.fit(X, y).explain(on_a_grid())
            assert np.array_equal(explanation.prediction, model.predict(on_a_grid()))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "model",
    [
        CompetitiveClassifier("ccp"),
        CompetitiveClassifier("greedy-published"),
        DendriteClassifier("divide"),
        RitterSussnerClassifier(),
    ],
    ids=repr,
)
def test_onnx_decides_ties_in_the_same_way(model, n_classes):
    runtime = pytest.importorskip("onnxruntime")
    from rdep.onnx import to_onnx

    X, y = whole_numbers(n_classes)
    fitted(model, X, y)
    session = runtime.InferenceSession(to_onnx(model).SerializeToString())
    rows = np.vstack([X, on_a_grid()])
    inputs = session.get_inputs()
    if len(inputs) == 1:
        given = {inputs[0].name: rows}
    else:
        given = {each.name: rows[:, [k]] for k, each in enumerate(inputs)}
    labels = session.run(None, given)[0]
    assert np.array_equal(labels, model.predict(rows))
