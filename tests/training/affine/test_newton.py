"""Newton's method on the objective itself."""

import numpy as np
import pytest

from rdep.training.affine import _newton
from rdep.training.affine._newton import descend

from .problems import random_problem


def test_it_descends_and_both_ways_to_a_direction_agree(monkeypatch):
    rng = np.random.default_rng(0)
    for _ in range(10):
        problem, start = random_problem(rng, is_squared=True, C=0.05)
        reached = descend(problem, start, tol=1e-10)
        assert problem.objective(reached) <= problem.objective(start)
        by_matrix = _newton._direction(problem, start)
        with monkeypatch.context() as patch:
            patch.setattr(_newton, "_LARGE", 0)
            patch.setattr(_newton, "_PRECISION", 1e-10)
            by_products = _newton._direction(problem, start)
        # Pieces that no sample with a loss has may go anywhere: what counts is the descent.
        descents = [
            problem.objective(start) - problem.objective(start + 1e-3 * direction)
            for direction in (by_matrix, by_products)
        ]
        assert descents[1] == pytest.approx(descents[0], rel=1e-4)


def test_without_kinks_it_ends_where_the_gradient_vanishes():
    rng = np.random.default_rng(1)
    problem, _ = random_problem(rng, is_squared=True, C=0.05)
    while problem.n_pieces != (1, 1):
        problem, _ = random_problem(rng, is_squared=True, C=0.05)
    theta = descend(problem, np.zeros(problem.penalties.shape), tol=1e-14)
    for place in np.ndindex(theta.shape):
        step = np.zeros_like(theta)
        step[place] = 1e-5
        slope = (problem.objective(theta + step) - problem.objective(theta - step)) / 2e-5
        assert slope == pytest.approx(0.0, abs=1e-7)
