"""The convex-concave procedure: descent, certificates, critical points."""

import numpy as np
import pytest

from rdep import LinearDEPClassifier
from rdep.training import (
    AffineObjective,
    AffineProcedure,
    TrainingSet,
    rough_path,
    train_affine,
)
from rdep.training.affine._ccp import convex_concave
from rdep.training.affine._interior import minimise_step
from rdep.training.affine._space import Space
from rdep.training.affine._train import _from, _groups_of_both, _linear

from .problems import by_clarabel, random_problem


@pytest.mark.parametrize("is_regression", [False, True])
@pytest.mark.parametrize("is_squared", [True, False])
def test_the_objective_never_rises_and_every_step_has_a_gap(is_squared, is_regression):
    rng = np.random.default_rng(0)
    for _ in range(10):
        problem, start = random_problem(
            rng, is_squared=is_squared, C=0.01, is_regression=is_regression
        )
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


@pytest.mark.parametrize("seed", [25, 28, 40, 42])
def test_no_tied_piece_of_a_converged_point_leads_lower(seed):
    rng = np.random.default_rng(seed)
    X = np.round(1.5 * rng.normal(size=(15, 3)))
    signs = np.where(rng.random(15) < 0.5, 1.0, -1.0)
    signs[:2] = 1, -1
    samples = TrainingSet.from_samples(X, signs)
    objective = AffineObjective(C=0.1, loss=("hinge", "squared_hinge")[seed % 2])
    space, procedure = Space.of(samples, False), AffineProcedure(tol=0.0, max_iter=300)
    linear = _linear(space.problem(samples, objective, (1, 1)), procedure)
    problem = space.problem(samples, objective, (2, 2))
    start = np.tile(linear.theta.sum(axis=0) / 2, (4, 1))
    trace = _from(problem, start, _groups_of_both(problem, None), procedure)
    assert trace.status == "converged"
    others = list(problem.other_choices(trace.theta))
    assert all(by_clarabel(problem.step(fixed)) >= trace.objective * (1 - 1e-5) for fixed in others)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("shape", [(60, 3), (12, 30)])
def test_features_whose_squares_are_no_numbers(loss, shape):
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape)
    y = X[:, 0] > 0
    large = LinearDEPClassifier((2, 2), loss=loss).fit(1e160 * X, y)
    # Coefficients of size 1e-160 separate the classes, and cost nothing.
    assert large.score(1e160 * X, y) == 1.0
    assert large.result_.status == "converged"
    assert large.result_.objective < 1e-20
    # Coefficients of size 1e160 cost all that they are worth.
    small = LinearDEPClassifier((2, 2), loss=loss).fit(1e-160 * X, y).result_
    assert small.status == "converged"
    assert small.objective == pytest.approx(2.0, rel=1e-7)


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_a_rough_path_descends_from_the_linear_classifier(loss):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 2))
    signs = np.where((X**2).sum(axis=1) > 1.2, 1.0, -1.0)
    samples, objective = TrainingSet.from_samples(X, signs), AffineObjective(C=0.1, loss=loss)
    path = [(1, 1), (2, 1), (1, 2), (2, 2), (3, 3)]
    found = list(rough_path(samples, objective, path))
    assert [result.n_pieces for result in found] == path
    linear = train_affine(samples, objective, (1, 1))
    assert found[0].objective == pytest.approx(linear.objective, rel=1e-2)
    assert all(result.objective <= found[0].objective for result in found)
    exact = train_affine(samples, objective, (3, 3))
    assert found[-1].objective <= 1.5 * exact.objective
