"""The search along a coordinate against trying every kink."""

from dataclasses import replace

import numpy as np
import pytest

from rdep.training._escape import _Runners, coordinate_minimum, search_coordinates

from ..problems import random_problems


def test_no_kink_along_a_coordinate_is_lower():
    rng = np.random.default_rng(0)
    for case in random_problems(24, seed=4, m=(10, 40), n=(1, 5)):
        problem = case.problem
        u = rng.normal(size=problem.n_features)
        negatives, positives = _Runners(problem.negatives, u), _Runners(problem.positives, u)
        for j in range(problem.n_features):
            t, gain = coordinate_minimum(problem, u, j, negatives.without(j), positives.without(j))
            values = np.concatenate([problem.negatives[j], problem.positives[j]]) + u[j]
            others = np.concatenate([negatives.without(j), positives.without(j)])
            kinks = np.concatenate(
                [-values, (others - values)[np.isfinite(others)], [-u[j], 0.0, -50.0, 50.0]]
            )
            best = min(moved_objective(problem, u, j, kink) for kink in kinks)
            lowest = moved_objective(problem, u, j, t)
            assert lowest <= best + 1e-12
            assert gain == pytest.approx(problem.at(u).objective - lowest, abs=1e-9)


def moved_objective(problem, u, j, t):
    moved = u.copy()
    moved[j] += t
    return problem.at(moved).objective


def test_a_search_never_raises_the_objective():
    rng = np.random.default_rng(1)
    for case in random_problems(24, seed=5, m=(10, 60)):
        problem = case.problem
        u = rng.normal(size=problem.n_features)
        found = search_coordinates(problem.at(u))
        assert found.objective < problem.at(u).objective
        order = rng.permutation(problem.n_features)
        permuted = replace(
            problem,
            negatives=problem.negatives[order],
            positives=problem.positives[order],
            reference=problem.reference[order],
        )
        assert search_coordinates(permuted.at(u[order])).u == pytest.approx(found.u[order])
