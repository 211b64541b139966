"""The descent on adversarial problems: against exact arithmetic, and against HiGHS."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from rdep.training import Objective, Procedure, TrainingSet, train
from rdep.training._linear_program import solve_majoriser
from rdep.training.majoriser._descent import minimise

from ..real_data import load
from ..training.majoriser.adversarial import adversarial_problem
from ..training.majoriser.exact import ExactStep


def scale(problem):
    """What rounding is relative to."""
    penalties = problem.negative_penalties.sum() + problem.positive_penalties.sum()
    return float(penalties + problem.C) * problem.largest


def check_exactly(seeds):
    for seed in seeds:
        problem, start = adversarial_problem(seed)
        step = problem.convex_step(problem.at(start).deciding_features())
        minimum = minimise(step, start)
        assert minimum.exact, seed
        exact, reached = ExactStep(step), [Fraction(x) for x in minimum.point.tolist()]
        excess = exact(reached) - exact(exact.minimiser(reached))
        assert excess <= Fraction(1e-13 * scale(problem)), seed


def test_small_problems_in_exact_arithmetic():
    check_exactly(range(25))


@pytest.mark.slow
def test_two_thousand_small_problems_in_exact_arithmetic():
    check_exactly(range(2000))


def check_with_highs(seeds, **sizes):
    for seed in seeds:
        problem, start = adversarial_problem(seed, **sizes)
        deciding = problem.at(start).deciding_features()
        minimum = minimise(problem.convex_step(deciding), start)
        assert minimum.exact, seed
        assert minimum.slope >= -problem.slope_tolerance
        optimum = solve_majoriser(problem, deciding)[1]
        reached = problem.at(minimum.point).majoriser(deciding)
        assert reached <= optimum + 1e-9 * scale(problem), seed


def test_larger_problems_by_certificate_and_highs():
    check_with_highs(range(30), m=(50, 200), n=(9, 40))


@pytest.mark.slow
def test_many_features_by_certificate_and_highs():
    check_with_highs(range(100), m=(50, 300), n=(9, 60))
    check_with_highs(range(10), m=(60, 120), n=(1000, 4000))


def test_the_descent_does_not_crawl_where_it_did(data_dir):
    """Hill-Valley, standardised: a hundred features that all but repeat each other."""
    X, y = load(data_dir, "Hill-Valley")
    samples = TrainingSet.from_samples(
        StandardScaler().fit_transform(X), np.where(y == 1, 1.0, -1.0)
    )
    objective = Objective(margin=0.25, weighting=None)
    for operator in ("dilation", "erosion"):
        result = train(samples, operator, objective, Procedure())
        assert result.fallbacks == 0
        assert result.converged
        assert result.certified_by == "set directions"


def test_scales_that_differ_by_powers_of_ten_need_no_fallback():
    X = np.random.default_rng(3).normal(size=(300, 6)) * 10.0 ** np.arange(6)
    signs = np.where(np.random.default_rng(4).random(300) < 0.5, 1.0, -1.0)
    objective = Objective(margin=0.25, C=1e-3, weighting=None)
    result = train(TrainingSet.from_samples(X, signs), "dilation", objective, Procedure())
    assert result.fallbacks == 0
