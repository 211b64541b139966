"""The perceptron of Ritter and Sussner: the rule of 1996, its theorems, the published scores."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import RDEPClassifier, RitterSussnerClassifier, dilation
from rdep._base._classifier import equal_if_rounded
from rdep.datasets import load_ripley
from rdep.exceptions import DegenerateFitWarning
from rdep.model_files import load_model, save_model
from rdep_experiment.family import published_scores

from ..real_data import load
from ..real_tables import run_onnx

pytestmark = pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
BOXES = pytest.mark.parametrize("boxes", [False, True], ids=["perceptron", "boxes"])

# Whole numbers, so that samples share coordinates, and sums are exact.
NUMBERS = st.integers(-5, 5).map(float)


@st.composite
def samples(draw):
    n_samples, n_features = draw(st.integers(2, 12)), draw(st.integers(1, 4))
    X = draw(arrays(float, (n_samples, n_features), elements=NUMBERS))
    y = draw(arrays(int, n_samples, elements=st.integers(0, 1)))
    y[:2] = [0, 1]
    return X, y


def incremental_weights(X, y):
    """The rule as it was published: one negative pattern after the other."""
    w = np.full(X.shape[1], np.inf)
    for x in X[y == 0]:
        w = np.minimum(w, -x)
    return w


@given(samples())
def test_the_weights_are_those_of_the_incremental_rule(drawn):
    X, y = drawn
    w = RitterSussnerClassifier().fit(X, y).weights_
    assert np.array_equal(w, incremental_weights(X, y))
    assert np.array_equal(w, -X[y == 0].max(axis=0))


@given(samples())
def test_boxes_are_the_incremental_rule_on_both_directions(drawn):
    X, y = drawn
    model = RitterSussnerClassifier(boxes=True).fit(X, y)
    both = np.hstack([X, -X])
    assert np.array_equal(model.weights_, incremental_weights(both, y))
    plain = RitterSussnerClassifier().fit(both, y)
    assert np.array_equal(model.decision_function(X), plain.decision_function(both))


@given(samples(), arrays(float, (20, 4), elements=NUMBERS))
def test_with_boxes_the_negative_class_is_its_bounding_box(drawn, points):
    X, y = drawn
    points = points[:, : X.shape[1]]
    low, high = X[y == 0].min(axis=0), X[y == 0].max(axis=0)
    inside = ((points >= low) & (points <= high)).all(axis=1)
    model = RitterSussnerClassifier(boxes=True).fit(X, y)
    assert np.array_equal(model.predict(points) == 0, inside)


@BOXES
@given(samples())
def test_no_negative_training_sample_is_wrong(boxes, drawn):
    X, y = drawn
    model = RitterSussnerClassifier(boxes=boxes).fit(X, y)
    assert not model.predict(X[y == 0]).any()


@BOXES
@given(samples(), st.randoms())
def test_the_order_of_the_samples_does_not_matter(boxes, drawn, random):
    X, y = drawn
    order = random.sample(range(len(y)), len(y))
    first = RitterSussnerClassifier(boxes=boxes).fit(X, y)
    second = RitterSussnerClassifier(boxes=boxes).fit(X[order], y[order])
    assert np.array_equal(first.weights_, second.weights_)


@given(samples(), arrays(float, (12, 4), elements=st.integers(0, 3).map(float)))
def test_the_decision_value_is_increasing(drawn, steps):
    X, y = drawn
    model = RitterSussnerClassifier().fit(X, y)
    higher = X + steps[: len(X), : X.shape[1]]
    assert (model.decision_function(higher) >= model.decision_function(X)).all()


def test_the_decision_value_is_the_dilation_and_zero_is_negative():
    X, y = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 3.0]]), [0, 0, 1]
    model = RitterSussnerClassifier().fit(X, y)
    points = np.array([[1.0, 1.0], [1.0, -7.0], [np.nextafter(1.0, 2.0), 0.0], [0.0, 0.0]])
    values = model.decision_function(points)
    assert np.allclose(values, dilation(points, [-1.0, -1.0]), rtol=0, atol=1e-15)
    assert (values[:2] < 0).all()
    assert model.predict(points).tolist() == [0, 0, 1, 0]


@BOXES
def test_three_classes_are_one_against_the_rest(boxes):
    X, y = load_iris(return_X_y=True)
    model = RitterSussnerClassifier(boxes=boxes).fit(X, y)
    assert len(model.estimators_) == 3
    values = [
        RitterSussnerClassifier(boxes=boxes).fit(X, y == label).decision_function(X)
        for label in range(3)
    ]
    # Values that are equal up to rounding are equal.
    assert np.allclose(model.decision_function(X), np.column_stack(values), rtol=1e-11, atol=1e-11)
    places = equal_if_rounded(np.column_stack(values), 0.0).argmax(axis=1)
    assert np.array_equal(model.predict(X), places)


@BOXES
def test_samples_with_zero_weight_are_ignored(boxes):
    X, _, y, _ = load_ripley()
    weight = (np.arange(len(y)) % 3 > 0) * 2.0
    weighted = RitterSussnerClassifier(boxes=boxes).fit(X, y, sample_weight=weight)
    without = RitterSussnerClassifier(boxes=boxes).fit(X[weight > 0], y[weight > 0])
    everything = RitterSussnerClassifier(boxes=boxes).fit(X, y)
    assert np.array_equal(weighted.weights_, without.weights_)
    assert not np.array_equal(weighted.weights_, everything.weights_)


@BOXES
def test_a_model_file_gives_the_same_model(boxes, tmp_path):
    X, X_test, y, _ = load_ripley()
    model = RitterSussnerClassifier(boxes=boxes).fit(X, y)
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep").estimator
    assert isinstance(back, RitterSussnerClassifier)
    assert np.array_equal(back.decision_function(X_test), model.decision_function(X_test))


@BOXES
@pytest.mark.parametrize("n_classes", [2, 3])
def test_onnx_gives_the_same_labels(boxes, n_classes):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < n_classes], y[y < n_classes]
    model = RitterSussnerClassifier(boxes=boxes).fit(X[::2], y[::2])
    labels, _ = run_onnx(model, {"X": X})
    assert np.array_equal(labels, model.predict(X))
    assert len(set(labels)) > 1


def test_the_summary_names_features_and_bounds():
    X = pd.DataFrame({"age": [20.0, 30.0, 50.0], "income": [1.5, 0.5, 4.0]})
    lines = RitterSussnerClassifier().fit(X, [0, 0, 1]).summary().splitlines()
    assert [line.split() for line in lines[-2:]] == [
        ["age", "-30", "≤", "30"],
        ["income", "-1.5", "≤", "1.5"],
    ]
    lines = RitterSussnerClassifier(boxes=True).fit(X, [0, 0, 1]).summary().splitlines()
    assert [line.split() for line in lines[-2:]] == [
        ["age", "20", "≥", "20"],
        ["income", "0.5", "≥", "0.5"],
    ]


@BOXES
def test_in_the_reduced_space_of_an_r_dep(boxes):
    X, y = load_breast_cancer(return_X_y=True)
    model = RDEPClassifier("ensemble", dep=RitterSussnerClassifier(boxes=boxes)).fit(X, y)
    alone = RitterSussnerClassifier(boxes=boxes).fit(model.reduced_space(X), y)
    assert isinstance(model.dep_, RitterSussnerClassifier)
    assert np.array_equal(model.dep_.weights_, alone.weights_)
    values = alone.decision_function(model.reduced_space(X))
    differs = np.flatnonzero(model.predict(X) != alone.predict(model.reduced_space(X)))
    assert (np.abs(values[differs]) <= model.rounding_).all()
    assert len(set(model.predict(X))) == 2


@BOXES
def test_in_an_r_dep_zero_is_negative_too(boxes):
    X, y = load_breast_cancer(return_X_y=True)
    model = RDEPClassifier("ensemble", dep=RitterSussnerClassifier(boxes=boxes)).fit(X, y)
    assert not model.predict(X[y == 0]).any()


# Thousands of features or ten thousands of samples take seconds.
LARGE = {"Arsene", "Internet Advertisements"}


@BOXES
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in LARGE else [])
        for name in published_scores().index
    ],
)
def test_the_published_balanced_accuracy(data_dir, name, boxes):
    X, y = load(data_dir, name)
    scores = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(X, y):
        model = make_pipeline(StandardScaler(), RitterSussnerClassifier(boxes=boxes))
        predicted = model.fit(X[train], y[train]).predict(X[test])
        scores.append(balanced_accuracy_score(y[test], predicted))
    expected = published_scores().loc[name, "slmp_box" if boxes else "slmp"]
    assert np.mean(scores) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("positives", "told", "boxes_help"),
    [
        ([[0, 1], [1, 0]], "every training sample is predicted as class 'no'", False),
        ([[-1, 0], [0, -1]], "every training sample is predicted as class 'no'", True),
        ([[1, 0], [1, 1], [2, 2]], "29% of the training samples lie at the decision", False),
    ],
)
def test_a_degenerate_fit_is_told(positives, told, boxes_help):
    X = np.array([[0, 0], [1, 1], [0, 1], [1, 0], *positives])
    y = np.array(["no"] * 4 + ["yes"] * len(positives))
    with pytest.warns(DegenerateFitWarning, match=told) as caught:
        RitterSussnerClassifier().fit(X, y)
    assert ("boxes=True" in str(caught[0].message)) == boxes_help
    weights = np.append(np.ones(4), np.zeros(len(positives)))
    weights[-1] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if boxes_help:
            RitterSussnerClassifier(boxes=True).fit(X, y)
        elif len(positives) == 3:  # those at the boundary have no weight
            RitterSussnerClassifier().fit(X, y, sample_weight=weights)
