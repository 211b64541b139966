"""The DEP regressor: monotone, without units, and its own definition."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from rdep import DEPRegressor, MaxPlusRegressor


def diabetes():
    return load_diabetes(return_X_y=True)


def test_monotone_in_the_directions_of_the_signs():
    X, y = diabetes()
    signs = np.resize([1, -1], X.shape[1])
    model = DEPRegressor(monotonic_cst=signs).fit(X, y)
    rng = np.random.default_rng(0)
    for j, sign in enumerate(signs):
        moved = X.copy()
        moved[:, j] += rng.exponential(0.1, len(X))
        assert (sign * (model.predict(moved) - model.predict(X)) >= -1e-9).all()


def test_automatic_signs_are_those_of_the_covariance():
    X, y = diabetes()
    weights = np.random.default_rng(0).uniform(size=len(y))
    for model in (DEPRegressor(beta=0.5, slope=100.0), MaxPlusRegressor()):
        model.set_params(monotonic_cst="auto").fit(X, y, sample_weight=weights)
        covariance = np.cov(X.T, y, aweights=weights)[-1, :-1]
        assert model.orientation_.tolist() == np.sign(covariance).tolist()


def test_units_do_not_matter():
    """On data without ties, which rounding would break."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    y = X.max(axis=1) + rng.normal(size=100)
    one = DEPRegressor().fit(X, y)
    other = DEPRegressor().fit(60 * X + 7, 100 * y + 1000)
    np.testing.assert_allclose(other.predict(60 * X + 7), 100 * one.predict(X) + 1000, rtol=1e-9)


def test_the_objective_is_the_mean_loss_and_better_than_the_median():
    X, y = diabetes()
    signed = {"monotonic_cst": "auto"}
    model = DEPRegressor(**signed).fit(X, y)
    assert model.objective_ == pytest.approx(np.abs(y - model.predict(X)).mean(), rel=1e-9)
    assert model.objective_ < 0.8 * np.abs(y - np.median(y)).mean()
    assert model.n_iter_ == len(model.history_)
    high = DEPRegressor("quantile", quantile=0.9, **signed).fit(X, y)
    assert np.mean(y <= high.predict(X)) == pytest.approx(0.9, abs=0.04)


def test_its_own_form_is_recovered():
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(300, 3))
    w, m = np.array([0.0, 0.2, -0.1]), np.array([0.1, 0.0, 0.0])
    y = 5 * (0.75 * (X + w).max(axis=1) + 0.25 * (X + m).min(axis=1))
    fixed = DEPRegressor(beta=0.75, slope=5.0).fit(X, y)
    assert fixed.objective_ <= 1e-3 * y.std()
    searched = DEPRegressor().fit(X, y)
    assert searched.beta_ == pytest.approx(0.75, abs=0.1)
    assert searched.score(X, y) >= 0.99


def test_explanations_add_up():
    X, y = diabetes()
    model = DEPRegressor(monotonic_cst="auto").fit(X, y)
    explanation = model.explain(X)
    np.testing.assert_allclose(explanation.decision, model.predict(X), rtol=1e-9)
    moved = X.copy()
    rows = np.arange(len(X))
    moved[rows, explanation.dilation_index] += 1e-6 * model.orientation_[explanation.dilation_index]
    assert (model.predict(moved) > model.predict(X)).all()


def test_equal_weights_equal_none_and_zero_weights_absent_rows():
    X, y = diabetes()
    weights = np.resize([1.0, 1.0, 0.0], len(y))
    one = DEPRegressor().fit(X, y, sample_weight=weights)
    other = DEPRegressor().fit(X[weights > 0], y[weights > 0])
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


@pytest.mark.parametrize("given", [{"beta": 1.5}, {"quantile": 0}, {"slope": -1.0}])
def test_bad_parameters(given):
    with pytest.raises(ValueError, match=f"'{next(iter(given))}' parameter"):
        DEPRegressor(**given).fit([[0.0], [1.0]], [0.0, 1.0])
