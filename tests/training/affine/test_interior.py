"""Convex steps against a linear programme, a quadratic one, and their own lower bounds."""

import numpy as np
import pytest
from scipy.optimize import linprog

from rdep.training.affine._interior import lower_bound, minimise_step

from .problems import by_clarabel, constraint_matrix, random_problem


def by_highs(step):
    """The hinge without penalty as a linear programme."""
    D, owners, costs, levels = constraint_matrix(step)
    n = D.shape[1]
    slack = -np.eye(len(costs))[owners]
    result = linprog(
        np.concatenate([np.zeros(n), costs]),
        A_ub=np.hstack([D, slack]),
        b_ub=-levels,
        bounds=[(None, None)] * n + [(0, None)] * len(costs),
        method="highs",
    )
    assert result.status == 0
    return result.fun


@pytest.mark.parametrize("is_regression", [False, True])
def test_steps_without_penalty_equal_highs(is_regression):
    rng = np.random.default_rng(0)
    for _ in range(25):
        problem, theta = random_problem(rng, is_squared=False, C=0.0, is_regression=is_regression)
        step = problem.step(problem.deciding(theta))
        minimum = minimise_step(step, theta, 1e-8)
        optimum = by_highs(step)
        size = max(optimum, 1e-6 * problem.scale)
        assert abs(minimum.value - optimum) <= 1e-6 * size
        assert minimum.lower_bound <= optimum + 1e-8 * size
        assert minimum.gap <= 1e-6 * size


@pytest.mark.parametrize("is_squared", [True, False])
@pytest.mark.parametrize("penalize_intercept", [True, False])
def test_gaps_of_random_steps(is_squared, penalize_intercept):
    rng = np.random.default_rng(1)
    for _ in range(15):
        C = float(rng.choice([1e-3, 1e-2, 0.1]))
        problem, theta = random_problem(
            rng, is_squared=is_squared, C=C, penalize_intercept=penalize_intercept
        )
        step = problem.step(problem.deciding(theta))
        minimum = minimise_step(step, theta, 1e-8)
        assert minimum.value == pytest.approx(step.value(minimum.theta), rel=1e-12)
        assert minimum.gap <= 1e-6 * minimum.value
        # The bound is one: no other point is below it.
        for _ in range(20):
            other = minimum.theta + rng.normal(scale=0.05, size=theta.shape)
            assert step.value(other) >= minimum.lower_bound


def test_the_bound_holds_for_any_multipliers():
    """Weak duality, and not only where the iterates lie."""
    rng = np.random.default_rng(2)
    for is_squared in (True, False):
        for penalize_intercept in (True, False):
            problem, theta = random_problem(
                rng, is_squared=is_squared, C=0.1, penalize_intercept=penalize_intercept
            )
            step = problem.step(problem.deciding(theta))
            optimum = minimise_step(step, theta, 1e-9).value
            bounds = [
                lower_bound(
                    step,
                    [
                        rng.random((len(side.samples), side.n_free))
                        * side.costs[:, None]
                        * 10.0 ** rng.uniform(-4, 0)
                        for side in step.sides
                    ],
                )
                for _ in range(30)
            ]
            assert max(bounds) <= optimum * (1 + 1e-9)
            if penalize_intercept:  # otherwise few multipliers can be balanced
                assert max(bounds) > 0


@pytest.mark.parametrize("is_regression", [False, True])
@pytest.mark.parametrize("is_squared", [True, False])
def test_l2_equals_clarabel(is_squared, is_regression):
    rng = np.random.default_rng(3)
    for _ in range(25):
        problem, theta = random_problem(
            rng, is_squared=is_squared, C=0.02, is_regression=is_regression
        )
        step = problem.step(problem.deciding(theta))
        minimum = minimise_step(step, theta, 1e-8)
        assert minimum.value == pytest.approx(by_clarabel(step), rel=1e-6)
        assert minimum.gap <= 1e-6 * minimum.value


def test_separable_classes_without_penalty_end_at_zero():
    rng = np.random.default_rng(4)
    problem, theta = random_problem(rng, is_squared=True, C=0.0)
    problem.negatives[:, 0] -= 100.0
    step = problem.step(problem.deciding(theta))
    assert minimise_step(step, theta, 1e-8).value <= 1e-12 * problem.scale
