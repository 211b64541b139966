"""The set descent against HiGHS, which shares nothing with it but the problem."""

from itertools import pairwise

import numpy as np
import pytest

from rdep.training._ccp import _minimise
from rdep.training._linear_program import solve_majoriser
from rdep.training.majoriser._descent import minimise

from ...problems import random_problems

# Objectives are compared relative to the optimum, or to this share of the largest possible loss
# where the optimum is zero.
FLOOR = 1e-6


def relative(difference, optimum):
    return difference / max(abs(optimum), FLOOR)


def ccp_path(problem, max_steps=100):
    """Points of the plain convex-concave procedure from the reference, with j* at each."""
    u = np.zeros(problem.n_features)
    for _ in range(max_steps):
        deciding = problem.at(u).deciding_features()
        minimum = minimise(problem.convex_step(deciding), u)
        yield u, deciding, minimum
        if minimum.n_steps == 0:
            return
        u = minimum.point
    raise AssertionError("no fixed point")


@pytest.mark.slow
def test_the_minimum_of_highs_on_more_problems():
    check_subproblems(random_problems(240, seed=1))


def test_every_subproblem_has_the_minimum_of_highs(problems):
    check_subproblems(problems)


def check_subproblems(problems):
    compared = 0
    for case in problems:
        problem = case.problem
        for _, deciding, minimum in ccp_path(problem):
            _, optimum = solve_majoriser(problem, deciding)
            reached = problem.at(minimum.point).majoriser(deciding)
            assert minimum.exact
            assert relative(abs(reached - optimum), optimum) <= 1e-9, case
            compared += 1
    assert compared > 2 * len(problems)


def test_the_objective_never_rises_along_the_path(problems):
    for case in problems:
        problem = case.problem
        objectives = [problem.at(u).objective for u, _, _ in ccp_path(problem)]
        assert all(later < earlier for earlier, later in pairwise(objectives))


def test_the_last_point_is_a_fixed_point_of_the_linear_programme(problems):
    for case in problems:
        problem = case.problem
        *_, (u, deciding, _) = ccp_path(problem)
        _, optimum = solve_majoriser(problem, deciding)
        assert relative(problem.at(u).objective - optimum, optimum) <= 1e-9, case


def test_the_problems_cover_what_they_should(problems):
    assert {case.problem.n_features for case in problems} >= {1, 2, 12}
    assert {case.objective.C for case in problems} >= {0.0, 0.01}
    tied = [case for case in problems if has_ties(case.problem)]
    assert len(tied) >= 20


def has_ties(problem):
    values = problem.negatives
    top = values >= values.max(axis=0) - problem.tie_tolerance
    return bool((top.sum(axis=0) > 1).any())


def test_minimisers_are_told_from_other_points(problems):
    """The certificate is not always granted: at a random point some set direction descends."""
    rng = np.random.default_rng(0)
    descending = 0
    for case in problems[:40]:
        problem = case.problem
        u = rng.normal(size=problem.n_features)
        minimum = minimise(problem.convex_step(problem.at(u).deciding_features()), u, max_steps=0)
        assert minimum.n_steps == 0
        descending += not minimum.exact
    assert descending >= 35


def test_a_step_limit_is_admitted_and_highs_steps_in(problems, monkeypatch):
    monkeypatch.setattr("rdep.training._ccp.STEP_LIMIT", 1)
    stepped_in = 0
    for case in problems[:20]:
        problem = case.problem
        u = np.zeros(problem.n_features)
        deciding = problem.at(u).deciding_features()
        limited = minimise(problem.convex_step(deciding), u, max_steps=1)
        point, certified_by, _ = _minimise(problem.at(u), "descent")
        assert certified_by == ("set directions" if limited.exact else "linear programme")
        stepped_in += not limited.exact
        full = minimise(problem.convex_step(deciding), u)
        assert problem.at(point).majoriser(deciding) == pytest.approx(
            problem.at(full.point).majoriser(deciding), rel=1e-9, abs=1e-12
        )
    assert stepped_in >= 5
