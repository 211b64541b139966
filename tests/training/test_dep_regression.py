"""Training of a DEP regressor against linear programmes and an exhaustive search."""

import numpy as np
import pytest
from scipy.optimize import linprog

from rdep.training import TargetSet, train_dep_regression
from rdep.training._dep_regression import PinballProblem, _best_shift
from rdep.training.majoriser._descent import minimise


def random_problem(rng, most_features=6, most_samples=30):
    """Targets that nearly have this form; half of the problems have ties."""
    n, m = int(rng.integers(1, most_features)), int(rng.integers(2, most_samples))
    X = rng.normal(size=(m, n))
    y = X.max(axis=1) + X.min(axis=1) + 0.3 * rng.normal(size=m)
    if rng.random() < 0.5:
        X, y = np.round(X), np.round(y)
    weights = rng.integers(1, 4, m).astype(float)
    quantile = float(rng.choice([0.5, 0.5, 0.1, 0.8]))
    problem = PinballProblem(X.T.copy(), y, weights / weights.sum(), quantile)
    return problem, problem.scaled(float(rng.uniform()), float(rng.uniform(0.5, 2)))


def by_highs(problem, values, point):
    """The majoriser at a point as a linear programme, from the definition of the loss."""
    n, m = problem.columns.shape
    j = (values[:n] + point[:n, None]).argmax(axis=0)
    k = (values[n:] + point[n:, None]).argmax(axis=0)
    cost, constant = np.concatenate([np.zeros(2 * n), problem.weights]), 0.0
    for i, weight in enumerate(problem.weights):
        for row, share in ((j[i], problem.quantile), (n + k[i], 1 - problem.quantile)):
            cost[row] -= weight * share
            constant -= weight * share * values[row, i]
    above = np.zeros((2 * n * m, 2 * n + m))
    rows = np.arange(2 * n * m)
    above[rows, rows // m], above[rows, 2 * n + rows % m] = 1, -1
    # A number added to all unknowns changes nothing: the first one is fixed.
    bounds = [(0, 0)] + [(None, None)] * (2 * n + m - 1)
    found = linprog(cost, A_ub=above, b_ub=-values.ravel(), bounds=bounds)
    assert found.status == 0
    return found.fun + constant


def majoriser(problem, values, at, point):
    """The pinball loss as max{g, h + y} − τ g − (1 − τ)(h + y), with both last terms fixed."""
    n = len(problem.columns)
    j = (values[:n] + at[:n, None]).argmax(axis=0)
    k = (values[n:] + at[n:, None]).argmax(axis=0) + n
    samples = np.arange(values.shape[1])
    reached = values + point[:, None]
    fixed = problem.quantile * reached[j, samples] + (1 - problem.quantile) * reached[k, samples]
    return float(problem.weights @ (reached.max(axis=0) - fixed))


def test_steps_equal_highs():
    rng = np.random.default_rng(0)
    for number in range(300):
        problem, values = random_problem(rng, 4 if number % 10 else 31, 20)
        at = rng.normal(size=len(values))
        minimum = minimise(problem.step(values, at), at)
        reached = majoriser(problem, values, at, minimum.point)
        assert reached == pytest.approx(by_highs(problem, values, at), abs=1e-9)
        assert problem.objective(values, minimum.point) <= reached + 1e-12
        assert problem.objective(values, at) == pytest.approx(majoriser(problem, values, at, at))


def test_the_end_is_a_fixed_point_and_no_step_rises():
    rng = np.random.default_rng(1)
    for _ in range(40):
        problem, values = random_problem(rng)
        trace = problem.descended(values, np.zeros(len(values)), 100)
        assert trace.status == "converged"
        assert (np.diff(trace.history) < 0).all()
        assert trace.history[-1] == pytest.approx(problem.objective(values, trace.point))
        assert by_highs(problem, values, trace.point) >= trace.history[-1] - 1e-9


def test_a_coordinate_is_searched_globally():
    rng = np.random.default_rng(2)
    for _ in range(100):
        m = int(rng.integers(1, 12))
        values, others, goals = np.round(rng.normal(size=(3, m)), 1)
        if rng.random() < 0.2:
            others[:] = -np.inf
        weights, quantile = rng.uniform(0.5, 2, m), float(rng.uniform(0.1, 0.9))

        def loss(t, values=values, others=others, goals=goals, weights=weights, q=quantile):
            residuals = goals - np.maximum(others, values + t)
            return weights @ np.where(residuals > 0, q * residuals, (q - 1) * residuals)

        now = float(rng.normal())
        best = _best_shift(values, others, goals, weights, quantile, now)
        tries = [now, *rng.uniform(-8, 8, 100), *(goals - values), *(others - values)]
        assert loss(best) <= min(loss(t) for t in tries if np.isfinite(t)) + 1e-12


@pytest.mark.parametrize("beta", [None, 0.0, 1.0, 0.3])
def test_weights_are_those_of_the_data(beta):
    """Also with many samples, and features and targets far from zero."""
    rng = np.random.default_rng(3)
    for m in (60, 5000):
        X = 40 + 3 * rng.normal(size=(m, 2))
        y = 1e4 + 100 * X.max(axis=1) + rng.normal(size=m)
        samples = TargetSet.from_samples(X, y)
        found = train_dep_regression(samples, beta=beta, quantile=0.3)
        dilated = (X + found.dilation_weights).max(axis=1)
        eroded = (X + found.erosion_weights).min(axis=1)
        residuals = y - found.slope * (found.beta * dilated + (1 - found.beta) * eroded)
        losses = np.maximum(0.3 * residuals, -0.7 * residuals)
        assert found.objective == pytest.approx(losses.mean(), rel=1e-6)
        assert (np.diff(found.history) <= 0).all()
        assert beta in (None, found.beta)
        assert found.certificate >= -1e-12
