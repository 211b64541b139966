"""The r-DEP regressor: cross-fitting, its parts, and their combination."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GroupKFold, KFold, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeRegressor

from rdep import DEPRegressor, RDEPRegressor
from rdep.model_files import load_model, save_model
from rdep.onnx._classifiers import write_prediction
from rdep.perceptrons._reduced_regressor import _weighted_mean

from ..onnx.running import run_graph

MEMBERS = [("ridge", Ridge()), ("tree", DecisionTreeRegressor(max_depth=3, random_state=0))]


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return X[:150], y[:150]


def test_both_parts_are_trained_on_cross_fitted_predictions(diabetes):
    X, y = diabetes
    model = RDEPRegressor(MEMBERS, shrinkage=0.3).fit(X, y)
    folds = KFold(3, shuffle=True, random_state=0)
    scaled, targets = StandardScaler().fit_transform(X), (y - y.mean()) / y.std()
    values = np.column_stack(
        [cross_val_predict(member, scaled, targets, cv=folds) for _, member in MEMBERS]
    )
    values = values * y.std() + y.mean()
    # On the line between both members, the best place has a closed form.
    ridge, tree = values.T
    share = np.clip((y - tree) @ (ridge - tree) / np.sum((ridge - tree) ** 2), 0, 1)
    np.testing.assert_allclose(model.stack_.coef_, [share, 1 - share], atol=1e-9)
    assert model.stack_.intercept_ == 0
    dep = DEPRegressor().fit(values, y)
    reduced = model.reduced_space(X)
    np.testing.assert_allclose(model.dep_.predict(reduced), dep.predict(reduced), rtol=1e-9)
    own = np.column_stack([member.fit(scaled, targets).predict(scaled) for _, member in MEMBERS])
    np.testing.assert_allclose(reduced, own * y.std() + y.mean(), rtol=1e-9)
    mixture = 0.7 * dep.predict(reduced) + 0.3 * model.stack_.predict(reduced)
    np.testing.assert_allclose(model.predict(X), mixture, rtol=1e-9)


def test_the_default_has_four_members_and_out_of_bag_values(diabetes):
    X, y = diabetes
    model = RDEPRegressor(random_state=0).fit(X, y)
    assert model.member_names_ == ["svr", "forest", "boosting", "ridge"]
    assert (model.stack_.coef_ >= 0).all()
    again = RDEPRegressor(random_state=0).fit(X, y)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    explanation = model.explain(X)
    dep = model.dep_.predict(model.reduced_space(X))
    np.testing.assert_allclose(explanation.decision, dep, rtol=1e-9)
    assert set(explanation.dilation_by) <= set(model.member_names_)


@pytest.mark.parametrize("seed", range(5))
def test_the_stack_has_the_best_weights_with_the_sum_1(seed):
    """Against a general solver, with sample weights."""
    rng = np.random.default_rng(seed)
    y, weights = rng.normal(size=40), rng.uniform(0.1, 3, size=40)
    values = rng.uniform(-1, 1, size=4) * y[:, None] + rng.normal(size=(40, 4))

    def error(c):
        return weights @ (values @ c - y) ** 2 / weights.sum()

    found = _weighted_mean(1e4 * values, 1e4 * y, 1e4, weights).coef_
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1, abs=1e-12)
    best = minimize(
        error, np.full(4, 0.25), bounds=[(0, 1)] * 4, method="SLSQP", tol=1e-12,
        constraints={"type": "eq", "fun": lambda c: c.sum() - 1},
    )  # fmt: skip
    assert error(found) <= best.fun + 1e-9


def test_a_member_that_the_folds_are_too_small_for_gets_no_large_weight():
    """Boosting is a constant on two thirds of 45 samples, and has one split on all of them."""
    rng = np.random.default_rng(0)
    for _ in range(5):
        X = rng.normal(size=(95, 3))
        y = X[:, 0] + 0.3 * rng.normal(size=95)
        model = RDEPRegressor(shrinkage=1.0, random_state=0).fit(X[:45], y[:45])
        reduced, predicted = model.reduced_space(X[45:]), model.predict(X[45:])
        assert (predicted >= reduced.min(axis=1) - 1e-9).all()
        assert (predicted <= reduced.max(axis=1) + 1e-9).all()
        assert np.abs(predicted - y[45:]).mean() < 0.5


def test_any_regressor_can_be_the_dep_and_a_member(diabetes):
    X, y = diabetes
    members = [*MEMBERS, ("neighbours", make_pipeline(StandardScaler(), KNeighborsRegressor()))]
    model = RDEPRegressor(members, LinearRegression(), shrinkage=0.0).fit(X, y)
    assert len(model.dep_.coef_) == 3
    with pytest.raises(ValueError, match="explain needs a DEPRegressor"):
        model.explain(X)


def test_weights_count_rows_and_groups_stay_together(diabetes):
    X, y = diabetes
    weights = np.resize([1.0, 1.0, 0.0], len(y))
    one = RDEPRegressor(MEMBERS).fit(X, y, sample_weight=weights)
    other = RDEPRegressor(MEMBERS).fit(X[weights > 0], y[weights > 0])
    np.testing.assert_allclose(one.predict(X), other.predict(X))
    groups = np.arange(len(y)) // 10
    by_groups = RDEPRegressor(MEMBERS, cv=GroupKFold(3)).fit(X, y, groups=groups)
    by_splits = RDEPRegressor(MEMBERS, cv=list(GroupKFold(3).split(X, y, groups))).fit(X, y)
    np.testing.assert_allclose(by_groups.predict(X), by_splits.predict(X))


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"dep": SVC()}, TypeError, "dep must be a regressor"),
        ({"shrinkage": 1.5}, ValueError, "'shrinkage' parameter"),
        ({"ordering": [("svc", SVC())]}, ValueError, r"list of \(name, regressor\) pairs"),
        ({"ordering": []}, ValueError, "'mixed' or a list"),
        ({"cv": [(np.arange(75), np.arange(75, 100))]}, ValueError, "exactly one test fold"),
    ],
)
def test_bad_parameters(diabetes, given, error, message):
    with pytest.raises(error, match=message):
        RDEPRegressor(**{"ordering": MEMBERS, **given}).fit(*diabetes)


def rising_and_falling(n=250):
    """Targets that grow with the first feature, fall with the second, and wave along the third."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] - X[:, 1] + np.sin(3 * X[:, 2]) + 0.3 * rng.standard_t(2, size=n)


@pytest.mark.parametrize("signs", [[1, -1, 0], [1, -1, 1]])
def test_constraints_hold_for_every_pair(signs):
    X, y = rising_and_falling()
    model = RDEPRegressor(monotonic_cst=signs, random_state=0).fit(X, y)
    rng = np.random.default_rng(1)
    low = rng.normal(scale=2.0, size=(20_000, 3))
    steps = rng.exponential(size=low.shape) * (rng.random(low.shape) < 0.7)
    high = low + np.array(signs) * steps
    rises = model.predict(high) - model.predict(low)
    assert rises.min() >= 0
    assert np.median(rises) > 0.25
    free = RDEPRegressor(random_state=0).fit(X, y)
    assert (free.predict(high) < free.predict(low)).any()  # so the pairs can tell


def test_a_free_feature_may_wave_and_a_constrained_one_may_not():
    X, y = rising_and_falling()
    along = np.zeros((200, 3))
    along[:, 2] = np.linspace(-1.5, 1.5, 200)
    free, increasing = (
        RDEPRegressor(monotonic_cst={"up": 1, "down": -1, "wave": sign}, random_state=0)
        .fit(pd.DataFrame(X, columns=["up", "down", "wave"]), y)
        .predict(pd.DataFrame(along, columns=["up", "down", "wave"]))
        for sign in (0, 1)
    )
    assert np.ptp(free) > 1
    assert np.diff(free).min() < 0
    assert np.diff(increasing).min() >= 0


def test_a_constrained_model_is_the_same_in_files_and_graphs(tmp_path):
    X, y = rising_and_falling()
    model = RDEPRegressor(monotonic_cst=[1, -1, 1], random_state=0).fit(X, y)
    assert model.member_names_ == ["forest", "boosting", "ridge"]
    assert model.orientation_.tolist() == [1, -1, 1]
    save_model(model, tmp_path / "model.rdep")
    loaded = load_model(tmp_path / "model.rdep").predict(X)
    np.testing.assert_allclose(loaded, model.predict(X), rtol=1e-12)
    of_graph = run_graph(lambda graph, rows: write_prediction(model, graph, rows), X)
    np.testing.assert_allclose(of_graph.ravel(), model.predict(X), atol=1e-6)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"monotonic_cst": [1, 0]}, r"shape \(2,\), but X has 3 features"),
        ({"monotonic_cst": [1, 2, 0]}, "and 0 \\(free\\)"),
        ({"monotonic_cst": {"a": 1}}, "no feature names"),
        ({"monotonic_cst": [1, 0, 0], "ordering": MEMBERS}, "members of your own yourself"),
        ({"monotonic_cst": [1, 0, 0], "dep": Ridge()}, "increasing in every member"),
        (
            {"monotonic_cst": [1, 0, 0], "dep": DEPRegressor(monotonic_cst="auto")},
            "increasing in every member",
        ),
    ],
)
def test_bad_constraints(given, message):
    with pytest.raises(ValueError, match=message):
        RDEPRegressor(**given).fit(*rising_and_falling(30))
