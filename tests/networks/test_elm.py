"""Extreme learning machines: ridge on the features, and the published numbers."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifierCV, RidgeCV
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import MorphologicalELMClassifier, MorphologicalELMRegressor, MorphologicalFeatures
from rdep.datasets import load_ripley
from rdep_experiment.family import published_scores
from rdep_experiment.family._random_units import elm_row

from ..real_data import load

ALPHAS = np.logspace(-3, 3, 7)


def features(X, **parameters):
    return MorphologicalFeatures(random_state=0, **parameters).fit_transform(X)


def test_the_regressor_equals_ridge_on_the_features():
    X, y = load_diabetes(return_X_y=True)
    elm = MorphologicalELMRegressor(30, 20, alphas=0.5, random_state=0).fit(X, y)
    H = features(X, n_boxes=30, n_linear=20)
    np.testing.assert_allclose(elm.predict(X), Ridge(0.5).fit(H, y).predict(H), rtol=1e-9)
    # The normal equations, without any solver of ridge regression.
    centred, target = H - H.mean(axis=0), y - y.mean()
    beta = np.linalg.solve(centred.T @ centred + 0.5 * np.eye(50), centred.T @ target)
    np.testing.assert_allclose(elm.predict(X), centred @ beta + y.mean(), rtol=1e-9)


def test_primal_and_dual_are_the_same():
    """More units than samples: β = Hᵀ(HHᵀ + αI)⁻¹t, the authors' second form."""
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:60], y[:60]
    elm = MorphologicalELMRegressor(100, 100, alphas=0.1, fit_intercept=False, random_state=0)
    H = features(X)
    dual = H @ H.T @ np.linalg.solve(H @ H.T + 0.1 * np.eye(60), y)
    np.testing.assert_allclose(elm.fit(X, y).predict(X), dual, rtol=1e-8)


def test_many_units_without_a_penalty_interpolate():
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:60], y[:60]
    elm = MorphologicalELMRegressor(200, 200, alphas=1e-10, random_state=0).fit(X, y)
    np.testing.assert_allclose(elm.predict(X), y, rtol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_classifier_equals_ridge_classification_on_the_features(n_classes):
    X, y = load_wine(return_X_y=True)
    X, y = X[y < n_classes], np.array(["red", "rosé", "white"])[y[y < n_classes]]
    elm = MorphologicalELMClassifier(random_state=0).fit(X, y)
    H = features(X)
    ridge = RidgeClassifierCV(ALPHAS).fit(H, y)
    assert elm.alpha_ == ridge.alpha_
    np.testing.assert_allclose(elm.decision_function(X), ridge.decision_function(H))
    assert elm.predict(X).tolist() == ridge.predict(H).tolist()


def test_the_penalty_is_that_of_the_least_leave_one_out_error():
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:40], y[:40]
    elm = MorphologicalELMRegressor(20, 20, random_state=0).fit(X, y)
    H = features(X, n_boxes=20, n_linear=20)
    errors = [
        sum(
            (Ridge(alpha).fit(np.delete(H, i, 0), np.delete(y, i)).predict(H[[i]])[0] - y[i]) ** 2
            for i in range(len(y))
        )
        for alpha in ALPHAS
    ]
    assert elm.alpha_ == ALPHAS[np.argmin(errors)]
    assert isinstance(elm.ridge_, RidgeCV)


def test_several_targets():
    X, y = load_diabetes(return_X_y=True)
    both = MorphologicalELMRegressor(alphas=1.0, random_state=0).fit(X, np.column_stack([y, -y]))
    one = MorphologicalELMRegressor(alphas=1.0, random_state=0).fit(X, y)
    np.testing.assert_allclose(both.predict(X), np.column_stack([one.predict(X), -one.predict(X)]))


def test_samples_without_weight_do_not_count():
    X, _, y, _ = load_ripley()
    far = np.vstack([X, [[1e6, -1e6]]])
    weights = np.append(np.ones(len(X)), 0.0)
    elm = MorphologicalELMClassifier(random_state=0)
    values = elm.fit(X, y).decision_function(X)
    elm.fit(far, np.append(y, 0), sample_weight=weights)
    np.testing.assert_allclose(elm.decision_function(X), values)


def test_settings_by_name():
    theirs = MorphologicalELMClassifier.hmlp(n_boxes=300).get_params()
    expected = {"n_boxes": 300, "n_linear": 100, "draw": "unit", "fit_intercept": False}
    assert theirs.items() >= expected.items()
    assert theirs["alphas"] == (1e-3, 1e-2, 1e-1, 1.0)
    valles = MorphologicalELMRegressor.hlm_elm(random_state=1).get_params()
    expected = {"n_boxes": 10, "n_linear": 10, "draw": "range", "fit_intercept": True}
    assert valles.items() >= expected.items()
    assert valles["random_state"] == 1


def test_least_squares_by_name():
    X, y = load_diabetes(return_X_y=True)
    elm = MorphologicalELMRegressor.hlm_elm(random_state=0).fit(X, y)
    H = features(X, n_boxes=10, n_linear=10, draw="range")
    np.testing.assert_allclose(elm.predict(X), LinearRegression().fit(H, y).predict(H), rtol=1e-5)


def test_ripley_with_50_boxes_and_a_penalty_of_a_tenth():
    """0.898 ± 0.005 over 50 draws, as the authors' program gives."""
    X, X_test, y, y_test = load_ripley()
    scores = [
        MorphologicalELMClassifier.hmlp(n_boxes=50, n_linear=0, alphas=0.1, random_state=seed)
        .fit(X, y)
        .score(X_test, y_test)
        for seed in range(50)
    ]
    assert np.mean(scores) == pytest.approx(0.898, abs=0.005)
    assert np.std(scores) < 0.01


@pytest.mark.slow
def test_the_published_scores_are_in_the_range_of_ten_seeds(data_dir):
    """On four cells of five of the column HLM_ELM; the table has one draw for each."""
    rows = [elm_row(name, data_dir) for name in published_scores().index]
    assert len(rows) >= 10
    inside = {row["data"]: row["note"].endswith("inside") for row in rows}
    assert np.mean(list(inside.values())) >= 0.8, inside


def test_the_mean_of_ten_seeds_in_other_words(data_dir):
    X, y = load(data_dir, "Haberman")
    row = elm_row("Haberman", data_dir)
    ours = [five_folds(X, y, seed) for seed in range(10)]
    assert row["ours"] == pytest.approx(np.mean(ours), abs=1e-4)
    assert f"from {min(ours):.3f} to {max(ours):.3f}" in row["note"]
    assert row["published"] == published_scores()["hlm_elm"]["Haberman"]


def five_folds(X, y, seed):
    """Mean balanced accuracy over the folds of the published table."""
    scores = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(X, y):
        elm = MorphologicalELMClassifier.hlm_elm(random_state=seed)
        model = make_pipeline(StandardScaler(), elm).fit(X[train], y[train])
        scores.append(balanced_accuracy_score(y[test], model.predict(X[test])))
    return np.mean(scores)
