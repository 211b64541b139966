"""The mixed-integer programme, and how near training comes to its optimum."""

import numpy as np
import pytest

from rdep.training import (
    DilationProblem,
    Objective,
    Procedure,
    TrainingSet,
    certify_globally,
    train,
)
from rdep.training._linear_program import solve_globally

from ..problems import random_problems


@pytest.fixture(scope="module")
def small_problems():
    return random_problems(30, seed=1, m=(10, 61), n=(1, 4))


def trained(case, **settings):
    return train(case.samples, case.operator, case.objective, Procedure(**settings))


def test_the_global_optimum_is_never_beaten_and_mostly_reached(small_problems):
    reached = 0
    for case in small_problems:
        problem = case.problem
        optimum = solve_globally(problem, time_limit=60)
        assert optimum.proven
        plain = trained(case, escape=False, n_init=1)
        thorough = trained(case, escape=True, n_init=10)
        scale = max(optimum.lower_bound, 1e-6)
        for result in (plain, thorough):
            # HiGHS's own tolerance for integers leaves some 1e-7.
            assert result.objective / problem.unit >= optimum.lower_bound - 1e-7 * scale
        reached += thorough.objective / problem.unit <= optimum.lower_bound + 1e-6 * scale
    assert reached >= 25, reached


def test_brute_force_agrees_on_one_feature():
    """With one feature F is minimised at a kink: try them all."""
    for case in random_problems(20, seed=2, m=(10, 40), n=(1, 2)):
        problem = case.problem
        kinks = np.concatenate([-problem.negatives[0], -problem.positives[0], [0.0]])
        best = min(problem.at(np.array([kink])).objective for kink in kinks)
        optimum = solve_globally(problem, time_limit=60)
        assert optimum.lower_bound == pytest.approx(best, rel=1e-6, abs=1e-9)
        escaped = trained(case, escape=True, n_init=1)
        assert escaped.objective / problem.unit == pytest.approx(best, rel=1e-9, abs=1e-12)


def test_a_certificate_of_a_poor_point_shows_the_gap():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) + np.repeat([[0.0], [1.0]], 20, axis=0)
    samples = TrainingSet.from_samples(X, np.repeat([-1.0, 1.0], 20))
    for operator in ("dilation", "erosion"):
        problem = DilationProblem.from_training_set(samples, operator, Objective(margin=0.0))
        poor = certify_globally(problem, np.array([5.0, 5.0]), time_limit=60)
        assert poor.proven
        assert poor.gap > 0.1
        good = certify_globally(problem, poor.best_weights, time_limit=60)
        assert good.gap == pytest.approx(0, abs=1e-6)
        assert good.objective == pytest.approx(poor.best_objective)
        assert poor.lower_bound <= poor.best_objective <= poor.objective
