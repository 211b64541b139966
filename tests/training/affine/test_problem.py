"""The objective and its convex majorisers, against their definitions."""

import numpy as np

from .problems import constraint_matrix, random_problem


def test_steps_lie_above_the_objective_and_touch_it():
    rng = np.random.default_rng(0)
    for is_squared in (True, False):
        for _ in range(20):
            problem, theta = random_problem(rng, is_squared=is_squared, C=0.1)
            step = problem.step(problem.deciding(theta))
            np.testing.assert_allclose(step.value(theta), problem.objective(theta), rtol=1e-12)
            other = rng.normal(size=theta.shape)
            assert step.value(other) >= problem.objective(other) - 1e-12


def test_products_with_the_constraint_matrix():
    rng = np.random.default_rng(1)
    for _ in range(10):
        problem, theta = random_problem(rng, is_squared=True, C=0.1)
        step = problem.step(problem.deciding(theta))
        D, *_ = constraint_matrix(step)
        applied = np.concatenate([side.apply(theta).ravel() for side in step.sides])
        np.testing.assert_allclose(applied, D @ theta.ravel(), atol=1e-12)
        weights = [rng.random((len(side.samples), side.n_free)) for side in step.sides]
        gathered = np.zeros_like(theta)
        curvature = np.zeros((*theta.shape, *theta.shape))
        expected = np.zeros((theta.size, theta.size))
        first = 0
        for side, part in zip(step.sides, weights, strict=True):
            side.gather(part, gathered)
            ratio = 0.5 / part.sum(axis=1)
            side.add_curvature(part, ratio, curvature)
            for w, r in zip(part, ratio, strict=True):
                block = D[first : first + side.n_free]
                expected += block.T @ (np.diag(w) - r * np.outer(w, w)) @ block
                first += side.n_free
        together = np.concatenate([part.ravel() for part in weights])
        np.testing.assert_allclose(gathered.ravel(), D.T @ together, atol=1e-10)
        np.testing.assert_allclose(
            curvature.reshape(expected.shape), expected, rtol=1e-9, atol=1e-9
        )


def test_intercepts_come_back_without_a_change_of_values():
    rng = np.random.default_rng(2)
    for _ in range(10):
        problem, theta = random_problem(rng, is_squared=True, C=0.1)
        drifted = theta + 50.0 * np.outer(problem.opposite, np.eye(theta.shape[1])[-1])
        drifted[0, -1] -= 1e6 * (problem.n_pieces[0] > 1)
        settled = problem.without_drift(drifted)
        np.testing.assert_allclose(
            problem.objective(settled), problem.objective(drifted), rtol=1e-9
        )
        assert np.abs(settled[:, -1]).max() < 50
