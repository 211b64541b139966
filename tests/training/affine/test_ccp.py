"""The convex-concave procedure: descent, certificates, critical points."""

import numpy as np
import pytest

from rdep.training.affine._ccp import convex_concave
from rdep.training.affine._interior import minimise_step

from .problems import random_problem


@pytest.mark.parametrize("is_squared", [True, False])
def test_the_objective_never_rises_and_every_step_has_a_gap(is_squared):
    rng = np.random.default_rng(0)
    for _ in range(10):
        problem, start = random_problem(rng, is_squared=is_squared, C=0.01)
        trace = convex_concave(problem, start, max_iter=50, tol=0.0, gap=1e-7)
        assert (np.diff(trace.history) <= 0).all()
        assert max(trace.gaps) <= 1e-6
        assert trace.objective == pytest.approx(problem.objective(trace.theta), rel=1e-12)


def test_a_converged_point_minimises_its_own_majoriser():
    rng = np.random.default_rng(1)
    for _ in range(5):
        problem, start = random_problem(rng, is_squared=True, C=0.05)
        trace = convex_concave(problem, start, max_iter=200, tol=0.0, gap=1e-7)
        assert trace.status == "converged"
        step = problem.step(problem.deciding(trace.theta))
        far = rng.normal(size=start.shape)
        assert minimise_step(step, far, 1e-8).value >= trace.objective * (1 - 1e-6)


def test_a_choice_among_equal_pieces_cannot_raise_the_objective():
    rng = np.random.default_rng(2)
    problem, start = random_problem(rng, is_squared=True, C=0.05)
    equal = np.tile(start[:1], (len(start), 1))
    any_pieces = (
        rng.integers(0, problem.n_pieces[1], len(problem.negatives)),
        rng.integers(0, problem.n_pieces[0], len(problem.positives)),
    )
    trace = convex_concave(problem, equal, any_pieces, max_iter=1, tol=0.0, gap=1e-7)
    assert trace.objective <= trace.history[0]
    assert trace.status == "iteration limit"
