"""The linear DEP regressor against linear models, its own definition and data of a known form."""

import numpy as np
import pytest
from sklearn.linear_model import QuantileRegressor, Ridge
from sklearn.model_selection import GroupKFold

from rdep import LinearDEPRegressor
from rdep.training import AffineRegression, TargetSet


def noisy(seed=0, m=120, n=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n))
    return X, X @ rng.normal(size=n) + 0.5 * rng.standard_t(3, size=m)


def known_form(seed, noise=0.0, m=1000):
    """Difference of two maxima of three affine functions of five features."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 5))
    A, B = rng.normal(size=(2, 3, 5))
    a, b = rng.normal(size=(2, 3))
    f = (X @ A.T + a).max(axis=1) - (X @ B.T + b).max(axis=1)
    return X, f, f + noise * f.std() * rng.normal(size=m)


@pytest.mark.parametrize("C", [1.0, 0.01])
def test_one_piece_of_each_kind_with_squared_loss_is_ridge(C):
    """(C/2)(‖A‖² + ‖B‖²) = (C/4)‖A + B‖² beside a mean of squares."""
    X, y = noisy()
    ours = LinearDEPRegressor((1, 1), C=C, loss="squared_error").fit(X, y)
    ridge = Ridge(alpha=C * len(y) / 4, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), ridge.predict(X), atol=1e-6)
    mean_of_squares = ((y - ridge.predict(X)) ** 2).mean()
    expected = (mean_of_squares + C / 4 * ridge.coef_ @ ridge.coef_) / y.var()
    assert ours.result_.objective == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("quantile", [0.1, 0.5, 0.8])
def test_one_piece_of_each_kind_is_a_quantile_regression(quantile):
    X, y = noisy()
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y))
    given = {"loss": "quantile", "quantile": quantile}
    ours = LinearDEPRegressor((1, 1), C=0, **given).fit(X, y, sample_weight=weights)
    theirs = QuantileRegressor(quantile=quantile, alpha=0).fit(X, y, sample_weight=weights)

    def pinball(model):
        residual = y - model.predict(X)
        losses = np.maximum(quantile * residual, (quantile - 1) * residual)
        return np.average(losses, weights=weights)

    assert pinball(ours) == pytest.approx(pinball(theirs), rel=1e-6)
    mean = np.average(y, weights=weights)
    deviation = np.sqrt(np.average((y - mean) ** 2, weights=weights))
    assert ours.result_.objective * deviation == pytest.approx(pinball(ours), rel=1e-9)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
def test_data_of_its_own_form(loss):
    for seed in range(2):
        X, f, y = known_form(seed)
        model = LinearDEPRegressor((3, 3), C=1e-4, loss=loss).fit(X, y)
        assert model.score(X, f) >= 0.999
        assert (np.diff(model.result_.history) <= 0).all()


def test_pieces_are_chosen_on_data_of_its_own_form():
    X, f, y = known_form(1, noise=0.1)
    model = LinearDEPRegressor(C=1e-4, loss="squared_error").fit(X, y)
    assert model.n_pieces_ == (3, 3)
    assert model.score(X, f) >= 0.97
    assert model.scores_.shape == (5, len(model.candidates_))


def test_the_objective_is_that_of_the_predictions():
    """From the definition alone: also its unit, and the order of the two costs."""
    X, y = noisy(2)
    penalty = 0.05
    for loss, own in (
        ("squared_error", lambda r: r**2),
        ("absolute_error", np.abs),
        ("quantile", lambda r: np.maximum(0.9 * r, -0.1 * r)),
        ("epsilon_insensitive", lambda r: np.maximum(np.abs(r) - 0.3, 0)),
    ):
        model = LinearDEPRegressor((2, 1), C=penalty, loss=loss, quantile=0.9, epsilon=0.3)
        model.fit(X, y)
        squares = (model.dilation_coef_**2).sum() / 2 + (model.erosion_coef_**2).sum()
        residuals = (y - model.predict(X)) / y.std()
        expected = own(residuals).mean() + penalty / 2 * squares / y.var()
        assert model.result_.objective == pytest.approx(expected, rel=1e-9)


def test_units_of_the_target_do_not_matter():
    X, y = noisy()
    given = {"loss": "epsilon_insensitive", "n_pieces": (2, 2)}
    one, other = (LinearDEPRegressor(**given).fit(X, target) for target in (y, 1000 * y - 5000))
    np.testing.assert_allclose(other.predict(X), 1000 * one.predict(X) - 5000, rtol=1e-5, atol=0.1)


def test_sorted_quantiles_cover_their_share():
    X, y = noisy(m=400)
    both = np.column_stack(
        [
            LinearDEPRegressor((2, 2), loss="quantile", quantile=q).fit(X, y).predict(X)
            for q in (0.1, 0.9)
        ]
    )
    low, high = np.sort(both, axis=1).T
    assert np.mean((low <= y) & (y <= high)) == pytest.approx(0.8, abs=0.05)


def test_an_extreme_quantile_of_a_bent_line():
    """From the linear model alone, training ends far above: at a lower quantile without bends."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-3, 3, 300))
    truth = np.maximum(1 - x, 0.5 * x) - np.maximum(0, 3 * x - 5)
    y = truth + 0.1 * rng.normal(size=300)
    model = LinearDEPRegressor((2, 2), C=1e-4, loss="quantile", quantile=0.05)
    predicted = model.fit(x[:, None], y).predict(x[:, None])
    np.testing.assert_allclose(predicted, truth - 1.645 * 0.1, atol=0.25)


def test_explanations_add_up_and_the_summary_names_pieces():
    X, y = noisy()
    model = LinearDEPRegressor((2, 1)).fit(X, y)
    explanation = model.explain(X)
    total = explanation.intercepts + explanation.contributions.sum(axis=1)
    np.testing.assert_allclose(total, model.predict(X), atol=1e-9)
    text = model.summary()
    assert "prediction: the maximum" in text
    assert "dilation 2" in text
    assert "negative" not in text


def test_groups_stay_together():
    X, y = noisy()
    groups = np.arange(len(y)) % 6
    model = LinearDEPRegressor(cv=GroupKFold(3)).fit(X, y, groups=groups)
    assert len(model.scores_) == 3
    with pytest.raises(ValueError, match="LinearDEPRegressor does not split by them"):
        LinearDEPRegressor().fit(X, y, groups=groups)


@pytest.mark.parametrize(
    ("given", "y", "message"),
    [
        ({}, ["yes", "no", "yes", "no"], "y holds text, but LinearDEPRegressor predicts numbers"),
        ({}, [2.0, 2.0, 2.0, 2.0], "all values of y are equal, with the value 2"),
        ({}, [1.0, 2.0, np.inf, 0.0], "infinity"),
        ({"quantile": 1.0}, [1.0, 2.0, 3.0, 0.0], "'quantile' parameter"),
        ({"n_pieces": (5, 1)}, [1.0, 2.0, 3.0, 0.0], "5 pieces, but there are only 4 distinct"),
    ],
)
def test_bad_input(given, y, message):
    with pytest.raises(ValueError, match=message):
        LinearDEPRegressor(**given).fit(np.arange(4.0)[:, None], y)


def test_weights_that_are_all_zero():
    with pytest.raises(ValueError, match="positive weight to at least one sample$"):
        LinearDEPRegressor().fit(np.eye(3), [1, 2, 3], sample_weight=np.zeros(3))


def test_targets_are_standardised_by_weight():
    X = np.array([[0.0], [1.0], [1.0], [2.0]])
    y, weights = np.array([1e200, 2e200, 2e200, 5e200]), np.array([1.0, 1.0, 2.0, 0.0])
    samples = TargetSet.from_samples(X, y, weights)
    assert samples.rows.tolist() == [[0.0], [1.0]]
    assert samples.weights.tolist() == [0.25, 0.75]
    assert samples.weights @ samples.targets == pytest.approx(0, abs=1e-12)
    assert samples.weights @ samples.targets**2 == pytest.approx(1)
    assert samples.centre == pytest.approx(1.75e200)


def test_costs_of_the_pinball_loss():
    below, above = AffineRegression(loss="quantile", quantile=0.9).costs(np.ones(1))
    assert (below[0], above[0]) == (pytest.approx(0.1), pytest.approx(0.9))


@pytest.mark.slow
@pytest.mark.parametrize(("noise", "at_least"), [(0.0, 0.99), (0.1, 0.97)])
def test_the_defaults_find_data_of_its_own_form(noise, at_least):
    for seed in range(5):
        X, f, y = known_form(seed, noise)
        assert LinearDEPRegressor().fit(X, y).score(X, f) >= at_least


def test_a_start_from_the_squared_error_is_never_worse():
    """From the linear model alone, training ends at 0.038."""
    X, f, y = known_form(4)
    model = LinearDEPRegressor((3, 3)).fit(X, y)
    assert model.result_.objective < 0.01
    assert model.score(X, f) >= 0.99
