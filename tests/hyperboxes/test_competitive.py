"""The classifier of boxes: what it decides and says, published scores, data that is not easy."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, KFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import CompetitiveClassifier, RDEPClassifier
from rdep.datasets import load_ripley
from rdep.model_files import load_model, save_model

from ..real_data import load
from ..real_tables import run_onnx

WINE = pd.read_csv(Path(__file__).with_name("published_mpcl_ccp_wine.csv"), comment="#")
TRAININGS = pytest.mark.parametrize("training", ["greedy", "greedy-published", "ccp"])
SMALL_SETS = (
    "Australian", "Banknote", "Blood Transfusion", "Breast Cancer Wisconsin", "Colic",
    "Credit Approval", "Credit-g", "Cylinder Bands", "Diabetes", "Haberman", "Hill-Valley", "Ilpd",
    "Ionosphere", "MOFN-3-7-10", "Monks-2", "Sonar", "Thoracic Surgery", "Tic-Tac-Toe",
)  # fmt: skip


def depths(X, boxes):
    """From the definition, with an array of samples, boxes, faces."""
    distances = np.concatenate([X[:, None] - boxes[:, 0], boxes[:, 1] - X[:, None]], axis=2)
    return distances.min(axis=2).max(axis=1)


@TRAININGS
def test_the_deepest_class_is_predicted(training):
    X, y = load_iris(return_X_y=True)
    model = CompetitiveClassifier(training, random_state=0).fit(X, y)
    values = np.column_stack([depths(X, boxes) for boxes in model.boxes_])
    assert np.allclose(model.decision_function(X), values, rtol=1e-11, atol=1e-11)
    two_largest = np.sort(values, axis=1)[:, -2:]
    clear = two_largest[:, 1] - two_largest[:, 0] > 1e-9  # ties are tested on their own
    assert clear.mean() > 0.5
    assert np.array_equal(model.predict(X)[clear], values.argmax(axis=1)[clear])
    two = CompetitiveClassifier(training, random_state=0).fit(X[50:], y[50:])
    first, second = (depths(X, boxes) for boxes in two.boxes_)
    assert np.allclose(two.decision_function(X), second - first, rtol=1e-11, atol=1e-11)


@pytest.mark.filterwarnings("ignore:.*duplicates:UserWarning")
@pytest.mark.parametrize("name", SMALL_SETS)
def test_training_samples_are_right_but_for_contradictions(data_dir, name):
    X, y = load(data_dir, name)
    model = CompetitiveClassifier().fit(X, y)
    assert np.count_nonzero(model.predict(X) != y) == model.n_contradictory_
    _, place = np.unique(X, axis=0, return_inverse=True)
    votes = np.zeros((place.max() + 1, 2))
    np.add.at(votes, (place.ravel(), y), 1)
    assert model.n_contradictory_ == votes.min(axis=1).sum()


@pytest.mark.filterwarnings("ignore:.*duplicates:UserWarning")
@given(
    arrays(float, (12, 2), elements=st.integers(0, 3).map(float)),
    arrays(int, 12, elements=st.integers(0, 2)),
    st.randoms(),
)
def test_the_order_of_rows_does_not_matter(X, y, random):
    y[:2] = [0, 1]
    order = random.sample(range(len(y)), len(y))
    first = CompetitiveClassifier(max_boxes=2).fit(X, y)
    second = CompetitiveClassifier(max_boxes=2).fit(X[order], y[order])
    for one, other in zip(first.boxes_, second.boxes_, strict=True):
        assert np.array_equal(one, other)
    for one, other in zip(first.inside_, second.inside_, strict=True):
        assert np.array_equal(one, other)


def wine_split(split):
    X, y = load_wine(return_X_y=True)
    return train_test_split(X, y, test_size=0.3, random_state=41 + split, stratify=y)


def wine_model(**parameters):
    return make_pipeline(
        StandardScaler(),
        CompetitiveClassifier(
            "ccp", gamma=0.0, solver="highs", ties="first", random_state=42, **parameters
        ),
    )


@pytest.mark.parametrize("row", list(WINE.itertuples()), ids=lambda row: f"split {row.split}")
def test_the_published_accuracy_with_the_published_boxes(row):
    X, X_test, y, y_test = wine_split(row.split)
    model = wine_model(n_boxes=row.boxes).fit(X, y)
    assert model.score(X_test, y_test) == pytest.approx(row.accuracy, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("row", list(WINE.itertuples()), ids=lambda row: f"split {row.split}")
def test_the_published_choice_of_boxes(row):
    X, X_test, y, y_test = wine_split(row.split)
    grid = {"competitiveclassifier__n_boxes": [2, 4, 8, 16]}
    # The authors' class is not known to scikit-learn as a classifier: their folds are plain.
    search = GridSearchCV(wine_model(), grid, cv=KFold(5), scoring="f1_weighted").fit(X, y)
    assert list(search.best_params_.values()) == [row.boxes]
    assert accuracy_score(y_test, search.predict(X_test)) == pytest.approx(row.accuracy, abs=1e-12)


def test_every_start_descends_and_the_best_is_kept():
    X, _, y, _ = load_ripley()
    ends = []
    for seed in range(4):
        model = CompetitiveClassifier("ccp", random_state=seed).fit(X, y)
        assert all((np.diff(history) <= 0).all() for history in model.histories_)
        ends.append([history[-1] for history in model.histories_])
    best = CompetitiveClassifier("ccp", random_state=0, n_init=4).fit(X, y)
    assert np.array_equal([history[-1] for history in best.histories_], np.min(ends, axis=0))


@pytest.mark.parametrize("init", ["k-means++", "dHpC", "random"])
def test_starts(init):
    X, _, y, _ = load_ripley()
    model = CompetitiveClassifier("ccp", n_boxes=4, init=init, random_state=0).fit(X, y)
    assert [boxes.shape for boxes in model.boxes_] == [(4, 2, 2), (4, 2, 2)]
    assert all((boxes[:, 0] <= boxes[:, 1] + 1e-9).all() for boxes in model.boxes_)
    assert model.score(X, y) > 0.8


def test_weights_of_classes_move_the_boundary():
    X, _, y, _ = load_ripley()
    calls = [
        CompetitiveClassifier("ccp", class_weight={1: cost}, random_state=0).fit(X, y).predict(X)
        for cost in (0.1, 1.0, 10.0)
    ]
    assert calls[0].sum() < calls[1].sum() < calls[2].sum()


def test_samples_with_zero_weight_are_ignored():
    X, _, y, _ = load_ripley()
    weight = (np.arange(len(y)) % 3 > 0) * 1.0
    for training in ("greedy", "ccp"):
        model = CompetitiveClassifier(training, init="dHpC", gamma=0.0)
        weighted = model.fit(X, y, sample_weight=weight).boxes_
        without = model.fit(X[weight > 0], y[weight > 0]).boxes_
        for one, other in zip(weighted, without, strict=True):
            assert np.array_equal(one, other)


def test_pruning_keeps_the_boxes_that_cover_the_most():
    X, X_test, y, y_test = load_ripley()
    whole = CompetitiveClassifier().fit(X, y)
    few = CompetitiveClassifier(max_boxes=3).fit(X, y)
    assert [len(boxes) for boxes in few.boxes_] == [3, 3]
    assert max(map(len, whole.boxes_)) > 20
    large = CompetitiveClassifier(min_samples=5).fit(X, y)
    assert all(weights[:, k].min() >= 5 for k, weights in enumerate(large.inside_))
    assert large.score(X_test, y_test) > whole.score(X_test, y_test)
    # More than any box covers: one of each class is left.
    assert [len(b) for b in CompetitiveClassifier(min_samples=999).fit(X, y).boxes_] == [1, 1]


def test_contradictory_duplicates_go_to_the_majority_and_are_counted():
    X, y = [[0.0], [0.0], [0.0], [1.0], [2.0]], [0, 0, 1, 1, 0]
    with pytest.warns(UserWarning, match="samples have duplicates"):
        model = CompetitiveClassifier().fit(X, y)
    assert model.n_contradictory_ == 1
    assert model.predict([[0.0], [1.0], [2.0]]).tolist() == [0, 1, 0]
    assert "another class: 1 sample" in model.summary()
    with pytest.warns(UserWarning, match="2 of 5"):
        weighted = CompetitiveClassifier().fit(X, y, sample_weight=[1, 1, 3, 1, 1])
    assert weighted.predict([[0.0]]).tolist() == [1]


def test_a_class_that_is_outvoted_everywhere_is_never_predicted():
    X, y = [[0.0], [0.0], [0.0], [1.0], [1.0]], ["a", "a", "b", "a", "c"]
    with pytest.warns(UserWarning, match="duplicates"):
        model = CompetitiveClassifier().fit(X, y)
    assert [len(boxes) for boxes in model.boxes_] == [1, 0, 0]
    assert np.isfinite(model.decision_function([[9.0]])).all()
    assert set(model.predict([[-5.0], [0.5], [7.0]])) == {"a"}
    assert "'b': no box, never predicted" in str(model.rules())
    assert "'b'" in model.summary()
    assert model.explain([[0.0]]).to_frame()["runner_up_feature"].isna().all()
    labels, _ = run_onnx(model, {"X": np.array([[0.5]])})
    assert labels.tolist() == ["a"]


@TRAININGS
def test_constant_features_take_no_part(training):
    X, _, y, _ = load_ripley()
    model = CompetitiveClassifier(training, random_state=0)
    plain = model.fit(X, y).decision_function(X)
    wider = np.column_stack([X, np.full(len(X), 3.0)])
    model.fit(wider, y)
    wider[:, 2] = 99.0
    assert np.array_equal(model.decision_function(wider), plain)
    assert all(np.isinf(boxes[:, :, 2]).all() for boxes in model.boxes_)
    assert "x2" not in str(model.rules(max_boxes=99))
    labels, _ = run_onnx(model, {"X": wider})
    assert np.array_equal(labels, model.predict(wider))


@pytest.mark.filterwarnings("ignore:.*duplicates:UserWarning")
@TRAININGS
def test_only_constant_features(training):
    X, y = np.ones((5, 2)), [0, 1, 1, 1, 0]
    model = CompetitiveClassifier(training, n_boxes=1, random_state=0).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()


@TRAININGS
def test_a_class_of_one_sample(training):
    X, y = [[0.0, 0.0], [1.0, 1.0], [1.0, 3.0], [2.0, 2.0]], [0, 1, 1, 1]
    model = CompetitiveClassifier(training, n_boxes=1, gamma=0.0, random_state=0).fit(X, y)
    assert model.predict([[0.0, 0.0]]).tolist() == [0]


def test_more_boxes_than_samples():
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "b", "b", "b"]
    model = CompetitiveClassifier("ccp", n_boxes=2, random_state=0)
    with pytest.raises(ValueError, match="class 'a' has only 1"):
        model.fit(X, y)
    model.set_params(init="random").fit(X, y)


def test_halving_needs_a_power_of_two():
    X, _, y, _ = load_ripley()
    with pytest.raises(ValueError, match="power of two, got 3"):
        CompetitiveClassifier("ccp", init="dHpC", n_boxes=3).fit(X, y)


def test_too_few_steps_are_told():
    X, _, y, _ = load_ripley()
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        CompetitiveClassifier("ccp", max_iter=1, tol=0, random_state=0).fit(X, y)


def test_rules_are_the_boxes_in_the_units_of_the_data():
    frame = load_iris(as_frame=True)
    X, y = frame.data, frame.target_names[frame.target]
    model = CompetitiveClassifier().fit(X, y)
    rules = model.rules()
    assert list(rules.by_class) == ["setosa", "versicolor", "virginica"]
    for k, (label, of_class) in enumerate(rules.by_class.items()):
        assert sorted(rule.index for rule in of_class) == list(range(len(model.boxes_[k])))
        for rule in of_class:
            inside = rule.box.contains(X)
            assert rule.covered == inside.sum() > 0
            assert rule.purity == (y[inside] == label).mean() == 1.0
    assert "Box 0: 50 training samples, 100% of them of this class" in str(rules)
    assert "4.3 ≤ sepal length (cm) ≤ 5.8" in str(rules)
    scaler = StandardScaler().fit(X)
    scaled = CompetitiveClassifier().fit(scaler.transform(X), y)
    before = scaled._rules(X.columns, 10, (scaler,))
    for k, of_class in enumerate(before.by_class.values()):
        for rule in of_class:  # exact, also for samples on a face
            low, high = scaled.boxes_[k][rule.index]
            inside = ((scaler.transform(X) >= low) & (scaler.transform(X) <= high)).all(axis=1)
            assert np.array_equal(rule.box.contains(X), inside)
    assert "4.3 ≤ sepal length (cm) ≤ 5.8" in str(before)


def test_explanations_lead_to_the_depth():
    X, y = load_iris(return_X_y=True)
    model = CompetitiveClassifier(min_samples=3).fit(X, y)
    explanation = model.explain(X)
    assert np.array_equal(explanation.prediction, model.predict(X))
    assert np.array_equal(explanation.decision, model.decision_function(X))
    assert (explanation.runner_up != explanation.prediction).all()
    frame = explanation.to_frame()
    names = {name: j for j, name in enumerate(explanation.names)}
    for i, row in enumerate(frame.itertuples()):
        side, feature = int(row.side == "upper"), names[row.feature]
        bound = model.boxes_[row.prediction][row.box, side, feature]
        assert bound == explanation.bound[i, row.prediction]
        assert row.depth == (X[i, feature] - bound) * (1 - 2 * side)
        assert row.runner_up_depth <= row.depth


@TRAININGS
@pytest.mark.parametrize("n_classes", [2, 3])
def test_onnx_and_model_files_give_the_same_labels(training, n_classes, tmp_path):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < n_classes], y[y < n_classes]
    model = CompetitiveClassifier(training, random_state=0).fit(X[::2], y[::2])
    labels, _ = run_onnx(model, {"X": X})
    assert np.array_equal(labels, model.predict(X))
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep").estimator
    assert isinstance(back, CompetitiveClassifier)
    assert np.array_equal(back.decision_function(X), model.decision_function(X))
    assert str(back.rules()) == str(model.rules())


def test_in_the_reduced_space_of_an_r_dep():
    X, X_test, y, y_test = load_ripley()
    model = RDEPClassifier("ensemble", dep=CompetitiveClassifier("ccp", random_state=0)).fit(X, y)
    alone = CompetitiveClassifier("ccp", random_state=0).fit(model.reduced_space(X), y)
    values = alone.decision_function(model.reduced_space(X_test))
    assert np.allclose(model.decision_function(X_test), values, atol=1e-9)
    assert model.score(X_test, y_test) > 0.8


def test_the_summary_counts_boxes():
    X, y = load_iris(return_X_y=True)
    lines = CompetitiveClassifier().fit(X, y).summary().splitlines()
    assert lines[0] == "CompetitiveClassifier on 4 features, training 'greedy'"
    assert lines[4].split() == ["0", "1", "50", "100%", "50"]
    ccp = CompetitiveClassifier("ccp", random_state=0).fit(X, y)
    assert f"{ccp.histories_[2][-1]:.6g}" in ccp.summary()
