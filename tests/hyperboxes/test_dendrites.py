"""Neurons with dendrites: what they decide and say, rejection, data that is not easy."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from rdep import DendriteClassifier
from rdep.datasets import load_ripley
from rdep.display import BoxesDisplay
from rdep.model_files import load_model, save_model
from rdep.tables._scoring import explanations, predictions

from ..real_data import load
from ..real_tables import run_onnx
from .test_competitive import SMALL_SETS

NAMES = ["elimination", "divide", "evolution", "incremental"]
TRAININGS = pytest.mark.parametrize("training", NAMES)
EXACT = ["elimination", "incremental"]


def depth(x, boxes):
    """The depth of one sample, from the definition."""
    return max((min(min(x - low), min(high - x)) for low, high in boxes), default=-np.inf)


def neuron(x, boxes, excluded):
    return min(depth(x, boxes), -depth(x, excluded))


def fitted(training, X, y, **parameters):
    return DendriteClassifier(training, max_depth=3, random_state=0, **parameters).fit(X, y)


def ripley():
    X, _, y, _ = load_ripley()
    return X, y


def flowers(n_classes):
    X, y = load_iris(return_X_y=True)
    return X[y < n_classes], y[y < n_classes]


@TRAININGS
@pytest.mark.parametrize("reject", [False, True])
def test_decisions_follow_from_the_definition(training, reject):
    X, y = load_iris(return_X_y=True)
    for classes in ([1, 2], [0, 1, 2]):
        used = np.isin(y, classes)
        model = fitted(training, X[used][::2], y[used][::2], reject=reject)
        expected = np.array(
            [
                [
                    neuron(x, boxes, excluded)
                    for boxes, excluded in zip(model.boxes_, model.excluded_, strict=True)
                ]
                for x in X
            ]
        )
        sizes = [len(b) + len(e) for b, e in zip(model.boxes_, model.excluded_, strict=True)]
        values = model.decision_function(X)
        if len(classes) == 3 or reject:
            assert model.n_dendrites_.tolist() == sizes
            rejected = (expected < 0).all(axis=1)
            assert np.array_equal(model.rejected(X), rejected)
            places = expected.argmax(axis=1)
            labels = [
                None if r and reject else classes[k] for r, k in zip(rejected, places, strict=True)
            ]
        else:
            assert model.n_dendrites_.tolist() == [sum(sizes)]
            if training in EXACT:
                assert not len(model.boxes_[0])
                assert np.array_equal(values > 0, expected[:, 1] >= 0)
                labels = np.where(expected[:, 1] >= 0, 2, 1).tolist()
            else:
                difference = expected[:, 1] - expected[:, 0]
                assert np.allclose(values, difference, rtol=1e-11, atol=1e-11)
                labels = np.array(classes)[expected.argmax(axis=1)].tolist()
        if len(classes) == 3:
            assert np.allclose(values, expected, rtol=1e-11, atol=1e-11)
        # Ties are tested on their own.
        two_largest = np.sort(expected, axis=1)[:, -2:]
        clear = two_largest[:, 1] - two_largest[:, 0] > 1e-9
        found = zip(model.predict(X).tolist(), labels, clear, strict=True)
        assert all(label == expected for label, expected, is_clear in found if is_clear)


@pytest.mark.filterwarnings("ignore:.*duplicates:UserWarning")
@pytest.mark.parametrize("training", EXACT)
@given(
    arrays(float, (14, 2), elements=st.integers(0, 4).map(float)),
    arrays(int, 14, elements=st.integers(0, 2)),
    st.booleans(),
    st.sampled_from([0.0, 0.2, 1.0]),
)
def test_training_samples_are_right_but_for_contradictions(training, X, y, reject, tolerance):
    y[:2] = [0, 1]
    model = DendriteClassifier(training, reject=reject, tolerance=tolerance).fit(X, y)
    wrong = model.predict(X) != y
    assert np.count_nonzero(wrong) == model.n_contradictory_
    duplicates = (X[wrong][:, None] == X).all(axis=2) & (y[wrong][:, None] != y)
    assert duplicates.any(axis=1).all()


@pytest.mark.parametrize("training", EXACT)
@pytest.mark.parametrize("name", SMALL_SETS[::3])
def test_real_training_samples_are_right_but_for_contradictions(data_dir, training, name):
    X, y = load(data_dir, name)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*duplicates")
        model = DendriteClassifier(training).fit(X, y)
    assert np.count_nonzero(model.predict(X) != y) == model.n_contradictory_


def test_dendrites_depend_on_the_order_but_training_samples_stay_right():
    X, y = ripley()
    numbers = set()
    for seed in range(5):
        model = DendriteClassifier(shuffle=True, random_state=seed).fit(X, y)
        numbers.add(int(model.n_dendrites_[0]))
        assert model.score(X, y) == 1.0
    assert len(numbers) > 1
    again = DendriteClassifier(shuffle=True, random_state=4).fit(X, y)
    assert np.array_equal(again.excluded_[1], model.excluded_[1])


@TRAININGS
def test_contradictory_duplicates_go_to_the_majority_and_are_counted(training):
    X, y = [[0.0], [0.0], [0.0], [1.0], [2.0]], [0, 0, 1, 1, 0]
    with pytest.warns(UserWarning, match="samples have duplicates"):
        model = DendriteClassifier(training, random_state=0).fit(X, y)
    assert model.n_contradictory_ == 1
    assert model.predict([[0.0], [1.0], [2.0]]).tolist() == [0, 1, 0]
    assert "another class: 1 sample" in model.summary()
    with pytest.warns(UserWarning, match="2 of 5"):
        weighted = model.fit(X, y, sample_weight=[1, 1, 3, 1, 1])
    assert weighted.predict([[0.0]]).tolist() == [1]


@TRAININGS
@pytest.mark.parametrize("labels", [["a", "b", "c"], [3, 5, 9], [False, True], [1.0, 2.0]])
def test_rejected_samples_have_no_label_of_any_type(training, labels):
    X, y = flowers(len(labels))
    y = np.array(labels)[y]
    model = fitted(training, X, y, reject=True)
    inside, far = X[:1], X[:1] + 1000
    assert model.predict(inside).dtype == y.dtype
    mixed = model.predict(np.concatenate([inside, far]))
    assert mixed.dtype == object
    assert mixed.tolist() == [y[0].item(), None]
    assert model.rejected(np.concatenate([inside, far])).tolist() == [False, True]
    assert model.score(np.concatenate([inside, far]), [y[0], y[0]]) == 0.5
    with pytest.raises(ValueError, match="rejected samples"):
        run_onnx(model, {"X": X})


def test_rejected_rows_of_a_table_have_no_class(tmp_path):
    frame = load_iris(as_frame=True)
    y = frame.target_names[frame.target]
    save_model(fitted("elimination", frame.data, y, reject=True), tmp_path / "model.rdep")
    model = load_model(tmp_path / "model.rdep")
    rows = frame.data.iloc[[0, 60]].copy()
    rows.iloc[1] += 10
    for scored in (predictions(model, rows), explanations(model, rows)):
        assert scored["prediction"].isna().tolist() == [False, True]
    assert explanations(model, rows.iloc[:1])["box"].tolist() == [0]


def test_one_neuron_rejects_nothing():
    X, y = ripley()
    model = DendriteClassifier().fit(X, y)
    with pytest.raises(ValueError, match="fit with reject=True"):
        model.rejected(X)


@TRAININGS
def test_the_number_of_dendrites_is_bounded(training):
    X, y = ripley()
    model = DendriteClassifier(training, max_dendrites=3, reject=True, random_state=0).fit(X, y)
    assert model.n_dendrites_.tolist() == [3, 3]
    if training == "divide":  # those that cover the most
        whole = DendriteClassifier("divide").fit(X, y)
        assert model.inside_[1][:, 1].min() >= np.sort(whole.inside_[1][:, 1])[-3]


@TRAININGS
@pytest.mark.parametrize("n_classes", [2, 3])
def test_onnx_and_model_files_give_the_same_labels(training, n_classes, tmp_path):
    X, y = flowers(n_classes)
    model = fitted(training, X[::2], y[::2])
    labels, scores = run_onnx(model, {"X": X})
    assert np.array_equal(labels, model.predict(X))
    assert np.array_equal(np.squeeze(scores), model.decision_function(X))
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep").estimator
    assert isinstance(back, DendriteClassifier)
    assert np.array_equal(back.decision_function(X), model.decision_function(X))
    assert str(back.rules()) == str(model.rules())
    assert back.summary() == model.summary()


@TRAININGS
@pytest.mark.parametrize("n_classes", [2, 3])
def test_explanations_lead_to_the_depth(training, n_classes):
    X, y = flowers(n_classes)
    model = fitted(training, X[1::2], y[1::2])
    explanation = model.explain(X)
    assert np.array_equal(explanation.prediction, model.predict(X))
    frame = explanation.to_frame()
    names = {name: j for j, name in enumerate(explanation.names)}
    codes = {label: k for k, label in enumerate(model.classes_.tolist())}
    for x, row in zip(X, frame.itertuples(), strict=True):
        k = codes[row.prediction] if model.competes_ else 1
        dendrites = np.concatenate([model.boxes_[k], model.excluded_[k]])
        side, feature = int(row.side == "upper"), names[row.feature]
        distance = (x[feature] - dendrites[row.box, side, feature]) * (1 - 2 * side)
        if row.box >= len(model.boxes_[k]):
            distance = -distance
        if not model.competes_ and row.prediction == model.classes_[0]:
            distance = -distance
        assert row.depth == pytest.approx(distance, abs=1e-300)


@TRAININGS
def test_rules_hold_the_samples_that_are_inside(training):
    X, y = ripley()
    scaler = StandardScaler().fit(X)
    for scalers in ((), (scaler,)):
        seen = scaler.transform(X) if scalers else X
        model = fitted(training, seen, y)
        rules = model._rules(np.array(["x0", "x1"]), 10, scalers)
        predicted = np.zeros(len(X), dtype=bool)
        for rule in rules.by_class[1]:
            inside = rule.box.contains(X)
            assert rule.covered == inside.sum()
            predicted |= inside
        for rule in rules.excluded.get(1, ()):
            inside = rule.box.contains(X)
            assert rule.covered == inside.sum()
            assert rule.purity == 0
            predicted &= ~inside
        if not model.competes_:
            assert np.array_equal(predicted, model.predict(seen) == 1)
            assert "0 everywhere else" in str(rules)


@TRAININGS
def test_constant_features_take_no_part(training):
    X, y = ripley()
    plain = fitted(training, X, y).decision_function(X)
    wider = np.column_stack([X, np.full(len(X), 3.0)])
    model = fitted(training, wider, y)
    wider[:, 2] = 99.0
    assert np.array_equal(model.decision_function(wider), plain)
    labels, _ = run_onnx(model, {"X": wider})
    assert np.array_equal(labels, model.predict(wider))


@pytest.mark.filterwarnings("ignore:.*duplicates:UserWarning")
@TRAININGS
def test_only_constant_features(training):
    X, y = np.ones((5, 2)), [0, 1, 1, 1, 0]
    model = fitted(training, X, y)
    assert model.predict(X).tolist() == [1] * 5


@pytest.mark.filterwarnings("ignore:.*duplicates:UserWarning")
@TRAININGS
def test_a_class_that_is_outvoted_everywhere_is_never_predicted(training):
    X, y = [[0.0], [0.0], [0.0], [1.0], [1.0]], ["a", "a", "b", "a", "c"]
    model = fitted(training, X, y)
    assert set(model.predict([[-5.0], [0.5], [7.0]])) == {"a"}
    assert "'b': no box, never predicted" in str(model.rules())


def test_divisions_that_do_not_separate_are_told():
    X, y = [[0.0], [1e-300], [1.0]], [0, 1, 0]
    with pytest.warns(UserWarning, match="samples of several classes"):
        DendriteClassifier("divide").fit(X, y)


@TRAININGS
def test_values_too_large_for_distances_are_refused(training):
    X, y = [[0.0, 1e308], [0.0, -1e308], [1.0, 0.0]], [0, 1, 0]
    with pytest.raises(ValueError, match=r"up to 1e\+308, too large"):
        fitted(training, X, y)
    model = fitted(training, np.array(X) / 1e3, y)
    assert model.predict(np.array(X) / 1e3).tolist() == y


@pytest.mark.parametrize("training", EXACT)
def test_what_is_drawn_is_what_is_predicted(training):
    X, y = ripley()
    model = fitted(training, X, y)
    display = BoxesDisplay.from_estimator(model, X, y)
    assert len(display.boxes[1]) + len(display.excluded[1]) == model.n_dendrites_[0]
    assert display.n_missed == 0
    if training == "elimination":
        (mesh,) = display.ax_.collections[:1]
        edges = mesh.get_coordinates()
        low, high = edges[:-1, :-1].reshape(-1, 2), edges[1:, 1:].reshape(-1, 2)
        shaded = ~np.ma.getmaskarray(mesh.get_array()).ravel()
        assert np.array_equal(model.predict((low + high) / 2) == 1, shaded)
