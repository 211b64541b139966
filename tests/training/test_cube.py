"""Descent on many samples: cubes in which few samples stand for all, and what training reports."""

import numpy as np
import pytest

from rdep import DEPClassifier, MorphologicalPerceptron
from rdep.training import (
    OPERATORS,
    DilationProblem,
    Objective,
    Procedure,
    TrainingSet,
    _cube,
    _starts,
    train,
)
from rdep.training._cube import Cube, descend_by_cubes
from rdep.training._descend import descend
from rdep.training._starts import descend_on_many, is_large, thinned

from ..problems import random_problems, random_samples

ESCAPING = Procedure(escape=True)


@pytest.fixture
def few_are_many(monkeypatch):
    """Problems of some hundreds of samples are treated as those of millions."""
    monkeypatch.setattr(_starts, "MANY", 200)
    monkeypatch.setattr(_cube, "_FEWEST", 20)


def problems(count, seed=3):
    for case in random_problems(count, seed=seed, m=(300, 900), n=(1, 9)):
        if case.problem.n_samples > 250:
            yield case


def a_point(problem, rng):
    """Some sample at zero, up to noise."""
    values = np.hstack([problem.negatives, problem.positives])
    return -values[:, rng.integers(values.shape[1])] + 0.1 * rng.normal(size=problem.n_features)


def test_in_a_cube_the_objective_is_that_of_all_samples():
    rng = np.random.default_rng(0)
    n_cubes = 0
    for case in problems(40):
        problem = case.problem
        centre = a_point(problem, rng)
        cube = Cube.around(problem, centre, problem.n_samples // 10)
        if cube is None:
            continue
        n_cubes += 1
        assert cube.problem.n_samples < problem.n_samples / 5 + 4 * problem.n_features
        for _ in range(5):
            u = centre + cube.half_width * rng.uniform(-1, 1, size=len(centre))
            assert cube.problem.at(u).objective == pytest.approx(problem.at(u).objective, rel=1e-12)
        corner = centre + cube.half_width * rng.choice([-1, 1], size=len(centre))
        assert cube.problem.at(corner).objective == pytest.approx(
            problem.at(corner).objective, rel=1e-12
        )
        assert not cube.contains(corner)
        assert cube.contains(centre)
    assert n_cubes >= 15


def test_a_descent_does_not_pass_a_wall():
    rng = np.random.default_rng(1)
    at_a_wall = 0
    for case in problems(24, seed=4):
        problem = case.problem
        centre = a_point(problem, rng)
        cube = Cube.around(problem, centre, problem.n_samples // 10)
        if cube is None:
            continue
        end = descend(cube.problem, centre, Procedure()).at.u
        assert np.abs(end - centre).max() <= cube.half_width + 2 * problem.tie_tolerance
        assert problem.at(end).objective <= problem.at(centre).objective
        at_a_wall += not cube.contains(end)
    assert at_a_wall >= 5


def test_ends_are_critical_for_all_samples(monkeypatch):
    monkeypatch.setattr(_cube, "_FEWEST", 20)
    rng = np.random.default_rng(2)
    for case in problems(24, seed=5):
        problem = case.problem
        trace = descend_by_cubes(problem, a_point(problem, rng), Procedure())
        assert trace.status == "converged"
        assert trace.objective == pytest.approx(problem.at(trace.at.u).objective, rel=1e-12)
        assert (np.diff(trace.history) <= problem.rounding).all()
        assert trace.certificate >= -problem.slope_tolerance
        again = descend(problem, trace.at.u, Procedure())
        assert again.n_iter == 1
        assert again.objective >= trace.objective - problem.rounding


def test_if_all_samples_are_tied_there_is_no_cube():
    rng = np.random.default_rng(0)
    X, signs = random_samples(rng, 400, 6, "integer")
    problem = DilationProblem.from_training_set(
        TrainingSet.from_samples(X, signs), "dilation", Objective(margin=0.25)
    )
    start = np.zeros(6)
    assert Cube.around(problem, start, problem.n_samples // 20) is None
    assert np.array_equal(
        descend_by_cubes(problem, start, Procedure()).at.u,
        descend(problem, start, Procedure()).at.u,
    )


@pytest.mark.parametrize("n_init", [1, 3, "auto"])
@pytest.mark.parametrize("operator", OPERATORS)
def test_the_record_says_on_what_the_starts_descended(few_are_many, operator, n_init):
    X, signs = random_samples(np.random.default_rng(7), 4000, 4, "continuous")
    samples = TrainingSet.from_samples(X, signs)
    procedure = Procedure(escape=True, n_init=n_init)
    objective = Objective(weighting=None, margin=0.5)
    result = train(samples, operator, objective, procedure)
    assert result.start_samples < 400
    assert 0 <= result.start < (5 if n_init == "auto" else n_init)
    assert result.converged
    assert result.escapes == ()
    assert len(result.history) == result.n_iter + 1
    again = train(samples, operator, objective, Procedure(start=result.weights))
    assert again.objective == pytest.approx(result.objective, rel=1e-12)
    assert again.n_iter == 1


def test_escapes_on_a_subsample_do_about_as_much(few_are_many):
    above = []
    for case in problems(12, seed=6):
        plain = descend(case.problem, np.zeros(case.problem.n_features), ESCAPING).objective
        large = train(case.samples, case.operator, case.objective, ESCAPING).objective
        if plain > 1e-3:
            above.append(large / (plain * case.problem.unit) - 1)
    assert np.median(above) < 0.01


def test_subsamples_grow_to_all_samples(few_are_many, monkeypatch):
    X, signs = random_samples(np.random.default_rng(7), 4000, 3, "continuous")
    problem = DilationProblem.from_training_set(
        TrainingSet.from_samples(X, signs), "dilation", Objective()
    )
    sizes = []
    monkeypatch.setattr(
        _starts,
        "descend_by_cubes",
        lambda some, u, procedure: (
            sizes.append(some.n_samples),
            descend_by_cubes(some, u, procedure),
        )[1],
    )
    descend_on_many(problem, thinned(problem, 200), np.zeros(3), Procedure())
    assert sizes[-1] == 4000
    assert (np.diff([200, *sizes]) > 0).all()
    assert (np.divide(sizes, [200, *sizes[:-1]]) <= 5.1).all()


def test_only_training_with_escapes_has_a_size_from_which_it_differs(few_are_many):
    problem = random_problems(1, m=(400, 401))[0].problem
    assert is_large(problem, ESCAPING)
    assert is_large(problem, Procedure(n_init="auto"))
    assert not is_large(problem, Procedure())
    assert not is_large(problem, Procedure(escape=True, solver="highs"))


def test_many_samples_are_more_than_twenty_thousand():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_001, 2))
    y = X.sum(axis=1) + rng.normal(size=len(X)) > 0
    perceptron = MorphologicalPerceptron().fit(X, y)
    assert perceptron.result_.start_samples <= 20_000
    assert MorphologicalPerceptron().fit(X[1:], y[1:]).result_.start_samples == 20_000
    assert MorphologicalPerceptron.paper().fit(X, y).result_.start_samples == 20_001
    rows = rng.permutation(len(X))
    shuffled = MorphologicalPerceptron().fit(X[rows], y[rows])
    assert np.array_equal(shuffled.weights_, perceptron.weights_)


def test_max_iter_bounds_the_steps(few_are_many):
    X, signs = random_samples(np.random.default_rng(7), 3000, 5, "continuous")
    with pytest.warns(UserWarning, match="max_iter=2"):
        dep = DEPClassifier(max_iter=2).fit(X, signs)
    assert dep.n_iter_ <= 2
