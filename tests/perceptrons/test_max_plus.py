"""Max-plus regression against linear programmes and an exhaustive search."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from rdep import MaxPlusRegressor
from rdep.perceptrons._max_plus import principal_solution


def smallest_error(values, targets):
    """The smallest largest error by mixed-integer programming: one feature attains each maximum."""
    m, n = values.shape
    big = 10 * (np.ptp(values) + np.ptp(targets) + 1)
    rows, lows = [], []
    for i in range(m):
        for j in range(n):
            row = np.zeros(n + 1 + m * n)  # w_j + v_ij ≤ y_i + e
            row[j], row[n] = -1, 1
            rows.append(row)
            lows.append(values[i, j] - targets[i])
            row = np.zeros(n + 1 + m * n)  # w_j + v_ij ≥ y_i − e if j attains the maximum of i
            row[j], row[n], row[n + 1 + i * n + j] = 1, 1, -big
            rows.append(row)
            lows.append(targets[i] - values[i, j] - big)
        row = np.zeros(n + 1 + m * n)
        row[n + 1 + i * n : n + 1 + (i + 1) * n] = 1
        rows.append(row)
        lows.append(1)
    cost = np.zeros(n + 1 + m * n)
    cost[n] = 1
    kinds = np.concatenate([np.zeros(n + 1), np.ones(m * n)])
    lower = np.concatenate([np.full(n, -big), np.zeros(1 + m * n)])
    upper = np.concatenate([np.full(n, big), [big], np.ones(m * n)])
    found = milp(
        cost,
        constraints=LinearConstraint(np.array(rows), np.array(lows), np.inf),
        integrality=kinds,
        bounds=Bounds(lower, upper),
    )
    assert found.status == 0
    return found.fun


def test_the_largest_error_is_the_smallest_possible():
    rng = np.random.default_rng(0)
    for _ in range(30):
        m, n = int(rng.integers(2, 7)), int(rng.integers(1, 4))
        values, targets = rng.integers(0, 6, (m, n)).astype(float), rng.normal(size=m)
        weights, error = principal_solution(values, targets)
        reached = (values + weights).max(axis=1)
        assert np.abs(targets - reached).max() == pytest.approx(error, abs=1e-12)
        assert error == pytest.approx(smallest_error(values, targets), abs=1e-7)


def test_the_principal_solution_is_the_largest_below_all_targets():
    """A linear programme: the sum of the weights is largest."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        m, n = int(rng.integers(1, 30)), int(rng.integers(1, 8))
        values, targets = np.round(rng.normal(size=(m, n)), 1), np.round(rng.normal(size=m), 1)
        weights, error = principal_solution(values, targets)
        found = linprog(
            -np.ones(n),
            A_ub=np.repeat(np.eye(n), m, axis=0),
            b_ub=(targets - values.T).ravel(),
            bounds=[(None, None)] * n,
        )
        np.testing.assert_allclose(weights - error, found.x, atol=1e-9)


def test_an_erosion_is_the_dual_and_slopes_scale():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40, 3)), rng.normal(size=40)
    dilation = MaxPlusRegressor(monotonic_cst="auto").fit(X, y)
    erosion = MaxPlusRegressor("erosion", monotonic_cst="auto").fit(-X, -y)
    np.testing.assert_allclose(erosion.predict(-X), -dilation.predict(X), atol=1e-12)
    in_units = MaxPlusRegressor(monotonic_cst="auto").fit(100 * X, 3 * y + 7)
    np.testing.assert_allclose(in_units.predict(100 * X), 3 * dilation.predict(X) + 7, atol=1e-9)
    assert np.abs(y - dilation.predict(X)).max() == pytest.approx(dilation.error_, abs=1e-9)


def test_a_target_of_its_own_form_is_recovered():
    rng = np.random.default_rng(3)
    X = rng.uniform(size=(200, 3))
    y = 4 * (X + np.array([0.1, 0.0, -0.2])).max(axis=1)
    model = MaxPlusRegressor(slope=4.0).fit(X, y)
    assert model.error_ <= 1e-12
    np.testing.assert_allclose(model.predict(X), y, atol=1e-9)


def test_greedy_selection_finds_the_features_in_use():
    rng = np.random.default_rng(4)
    X = rng.uniform(size=(300, 6))
    y = np.maximum(X[:, 1], X[:, 4] + 0.1)
    sparse = MaxPlusRegressor(slope=1.0, max_features=2).fit(X, y)
    assert np.flatnonzero(np.isfinite(sparse.weights_)).tolist() == [1, 4]
    best = min(principal_solution(X[:, list(pair)], y)[1] for pair in combinations(range(6), 2))
    assert sparse.error_ == pytest.approx(best, abs=1e-12)
    errors = [MaxPlusRegressor(slope=1.0, max_features=k).fit(X, y).error_ for k in (1, 2, 6)]
    assert errors == sorted(errors, reverse=True)
