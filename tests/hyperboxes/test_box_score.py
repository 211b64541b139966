"""A score of features and boxes, against brute force, logistic regression and by its own count."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import BoxScoreClassifier
from rdep.exceptions import DegenerateFitWarning
from rdep.hyperboxes._score_terms import Candidates
from rdep.inspection import n_conditions


def noisy(n_samples=150, n_features=4, seed=0):
    """Whole numbers, so that values are repeated, and classes that a box and a feature make."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(n_samples, n_features)).astype(float)
    y = ((X[:, 0] > 2) & (X[:, 1] <= 3)) | (X[:, 2] + rng.normal(size=n_samples) > 4.5)
    return X, y.astype(int)


def gain(u, residuals, information, prior=1.0):
    """The gain of a term by its definition: the score test with the intercept projected out."""
    mean = information @ u / information.sum()
    variance = information @ (u - mean) ** 2
    return (residuals @ u) ** 2 / (variance + prior) if variance > 1e-9 else 0.0


def test_the_best_condition_is_that_of_brute_force():
    X, y = noisy()
    rng = np.random.default_rng(1)
    residuals = y - y.mean()
    information = rng.uniform(0.1, 0.25, len(X))
    candidates = Candidates.of(X, X.mean(axis=0), X.std(axis=0))
    found, term = candidates.best(residuals, information, [], max_faces=1, room=1)
    conditions = [
        gain((X[:, j] > cut).astype(float), residuals, information)
        for j in range(X.shape[1])
        for cut in np.unique(X[:, j])[:-1]
    ]
    standardised = (X - X.mean(axis=0)) / X.std(axis=0)
    features = [gain(u, residuals, information) for u in standardised.T]
    assert found == pytest.approx(max(conditions + features))
    assert gain(candidates.values(term), residuals, information) == pytest.approx(found)


def test_a_box_grown_by_a_face_is_the_best_of_its_kind():
    X, y = noisy()
    residuals, information = y - y.mean(), np.full(len(X), 0.2)
    candidates = Candidates.of(X, X.mean(axis=0), X.std(axis=0))
    _, seed = candidates.best(residuals, information, [], max_faces=1, room=1)
    assert len(seed) == 1
    found, box = candidates._grown(residuals, information, information.sum(), seed)
    inside = candidates.values(seed) > 0
    (face,) = seed
    sides = [
        gain((inside & side).astype(float), residuals, information)
        for j in range(X.shape[1])
        for cut in np.unique(X[:, j])[:-1]
        for above, side in ((True, X[:, j] > cut), (False, X[:, j] <= cut))
        if (j, above) != (face.feature, face.above)
    ]
    assert found == pytest.approx(max(sides) / np.sqrt(2))
    assert seed < box


@pytest.mark.parametrize("max_faces", [0, 1, 3])
def test_coefficients_are_those_of_a_logistic_regression_on_the_same_terms(max_faces):
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :8]
    model = BoxScoreClassifier(8, max_faces=max_faces, C=0.5, cv=None).fit(X, y)
    weights = len(y) / (2 * np.bincount(y))[y]
    mean = np.average(X, axis=0, weights=weights)
    scale = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weights))
    used = np.flatnonzero(model.coef_)
    boxes = [((lower <= X) & (upper >= X)).all(axis=1) for lower, upper in model.boxes_]
    columns = np.column_stack([(X[:, used] - mean[used]) / scale[used], *boxes])
    other = LogisticRegression(C=2.0, tol=1e-10, max_iter=5000).fit(
        columns, y, sample_weight=weights
    )
    np.testing.assert_allclose(
        model.decision_function(X), other.decision_function(columns), atol=2e-3
    )


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 12), st.integers(0, 4), st.integers(0, 5))
def test_there_are_never_more_conditions_than_asked_for(max_conditions, max_faces, seed):
    X, y = noisy(60, 3, seed)
    model = BoxScoreClassifier(max_conditions, max_faces=max_faces, cv=None).fit(X, y)
    faces = np.isfinite(model.boxes_)
    assert n_conditions(model) == model.n_conditions_ <= max_conditions
    assert model.n_conditions_ == faces.sum() + np.count_nonzero(model.coef_)
    assert model.rules().n_conditions == model.n_conditions_
    assert all(of_box.sum() <= max(max_faces, 1) for of_box in faces)
    # A bound on each side of a feature at most, and never an empty box.
    assert (model.boxes_[:, 0] <= model.boxes_[:, 1]).all()


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 5))
def test_units_of_features_do_not_matter(seed):
    X, y = noisy(80, 3, seed)
    scale, shift = np.array([0.25, 8.0, 512.0]), np.array([1.0, -64.0, 3.0])
    plain = BoxScoreClassifier(6, cv=None).fit(X, y)
    scaled = BoxScoreClassifier(6, cv=None).fit(X * scale + shift, y)
    np.testing.assert_allclose(
        plain.decision_function(X), scaled.decision_function(X * scale + shift), atol=1e-6
    )


def test_it_finds_the_box_that_made_the_classes():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(600, 5))
    y = (X[:, 1] > 0.3) & (X[:, 1] <= 0.7) & (X[:, 3] > 0.4)
    model = BoxScoreClassifier(8, max_faces=3).fit(X, y)
    assert balanced_accuracy_score(y, model.predict(X)) > 0.95
    used = np.flatnonzero(np.isfinite(model.boxes_).any(axis=(0, 1)))
    assert {1, 3} <= set(used)


def test_an_exclusive_or_needs_a_box():
    side = np.linspace(-1, 1, 20)
    X = np.array([[first, second] for first in side for second in side])
    y = X[:, 0] * X[:, 1] > 0
    assert BoxScoreClassifier(12, cv=None, max_faces=2).fit(X, y).score(X, y) > 0.9
    # One condition alone tells nothing, and that is said.
    with pytest.warns(DegenerateFitWarning, match="up to 1 conditions"):
        model = BoxScoreClassifier(1).fit(X, y)
    assert model.n_conditions_ == 0
    assert "max_conditions=2" in str(_warning(lambda: BoxScoreClassifier(1).fit(X, y)))


def _warning(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
    return caught[0].message


def test_noise_gives_no_rule():
    """At 5 % and three candidates: a rule for few of many samples of noise, never for most."""
    rng = np.random.default_rng(0)
    rules = 0
    for _ in range(20):
        X, y = rng.normal(size=(120, 4)), np.arange(120) % 2
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateFitWarning)
            model = BoxScoreClassifier(4).fit(X, y)
        rules += model.n_conditions_ > 0
        if not model.n_conditions_:
            assert len(set(model.predict(X))) == 1
            assert "no signal" in str(model.rules())
    assert rules <= 6


def test_rules_and_explanations_are_the_model():
    data = load_breast_cancer(as_frame=True)
    X, y = data.data.iloc[:, :10], data.target_names[data.target]
    for max_faces in (0, 3):
        model = BoxScoreClassifier(8, max_faces=max_faces).fit(X, y)
        rules = model.rules()
        points = rules.intercept + sum(
            points * box.contains(X.to_numpy()) for points, box in rules.boxes
        )
        points = points + sum(coefficient * X[name] for coefficient, name in rules.features)
        np.testing.assert_allclose(points, model.decision_function(X), atol=1e-9)
        explained = model.explain(X)
        np.testing.assert_allclose(explained.decision, model.decision_function(X), atol=1e-9)
        frame = explained.to_frame()
        assert {f"contribution_{name}" for name in explained.names} < set(frame)
        np.testing.assert_allclose(frame.drop(columns="decision").sum(axis=1), frame["decision"])
        assert f"{model.n_conditions_} conditions" in model.summary()


def test_rules_behind_a_scaler_are_in_the_units_of_the_data():
    data = load_breast_cancer(as_frame=True)
    X, y = data.data.iloc[:, :6], data.target
    pipeline = make_pipeline(StandardScaler(), BoxScoreClassifier(6, max_faces=2)).fit(X, y)
    scaler, model = pipeline
    rules = model._rules(X.columns.to_numpy(), None, (scaler,))
    values = rules.intercept + sum(p * box.contains(X.to_numpy()) for p, box in rules.boxes)
    values = values + sum(c * X[name].to_numpy() for c, name in rules.features)
    np.testing.assert_allclose(values, pipeline.decision_function(X), atol=1e-9)


def test_more_than_two_classes_have_a_score_each():
    X, y = load_iris(return_X_y=True)
    model = BoxScoreClassifier(4).fit(X, y)
    assert model.score(X, y) > 0.9
    assert n_conditions(model) == sum(part.n_conditions_ for part in model.estimators_) <= 12
    assert str(model.rules()).count("Points for") == 3
    assert len(model.explain(X).to_frame()) == len(X)


def test_the_choice_of_faces_is_by_cross_validation():
    X, y = noisy(300)
    model = BoxScoreClassifier(6).fit(X, y)
    assert set(model.scores_) == {0, 1, 4}
    assert model.scores_[model.max_faces_] == max(model.scores_.values())
    assert BoxScoreClassifier(6, max_faces=2).fit(X, y).max_faces_ == 2


def test_many_features_are_screened():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 400)), np.arange(100) % 2
    X[:, 371] += 3 * y
    model = BoxScoreClassifier(2, max_features=10, max_faces=0).fit(X, y)
    assert model.coef_[371] != 0


def test_small_classes_and_folds_without_a_class():
    X, y = noisy(40)
    y = np.arange(40) == 7
    assert BoxScoreClassifier(3).fit(X, y).scores_ == {}  # one sample of a class: no folds
    y = np.arange(40) < 12
    folds = [(np.arange(12, 40), np.arange(12)), (np.arange(0, 40, 2), np.arange(1, 40, 2))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateFitWarning)
        model = BoxScoreClassifier(3, cv=folds).fit(X, y)
    assert len(model.scores_) == 3  # of the other fold
    only = [(np.arange(12, 40), np.arange(12))]
    assert BoxScoreClassifier(3, cv=only).fit(X, y).scores_ == {}


def test_weights_of_zero_are_as_if_samples_were_not_there():
    X, y = noisy()
    weights = (np.arange(len(X)) % 3 > 0).astype(float)
    weighted = BoxScoreClassifier(5).fit(X, y, weights)
    without = BoxScoreClassifier(5).fit(X[weights > 0], y[weights > 0])
    np.testing.assert_array_equal(weighted.decision_function(X), without.decision_function(X))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"max_conditions": 0}, "max_conditions"), ({"max_faces": -1}, "max_faces")],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        BoxScoreClassifier(**parameters).fit(*noisy(20))


def test_it_is_about_as_good_as_a_logistic_regression_on_all_features():
    X, y = load_breast_cancer(return_X_y=True)
    score = cross_val_score(BoxScoreClassifier(8), X, y, scoring="balanced_accuracy").mean()
    assert score > 0.93
