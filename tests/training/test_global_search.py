"""Global minima and certificates, against all choices of deciding features."""

from itertools import product

import numpy as np
import pytest

from rdep import MorphologicalPerceptron
from rdep.datasets import load_ripley
from rdep.training import (
    DilationProblem,
    Objective,
    Procedure,
    TrainingSet,
    certify_globally,
    train,
)
from rdep.training._global_search import minimise_on_plane
from rdep.training.majoriser._descent import minimise

from ..problems import random_problems


def lowest_of_all_choices(problem):
    """F is the minimum of its majorisers over all choices of what decides each positive."""
    choices = product(range(problem.n_features), repeat=problem.positives.shape[1])
    start = np.zeros(problem.n_features)
    return min(
        problem.at(minimise(problem.convex_step(np.array(chosen)), start).point).objective
        for chosen in choices
    )


def test_no_choice_of_deciding_features_is_better():
    checked = 0
    for case in random_problems(60, seed=11, m=(5, 13), n=(1, 3)):
        problem = case.problem
        if problem.n_features ** problem.positives.shape[1] > 300:
            continue
        found = problem.at(minimise_on_plane(problem)).objective
        assert found == pytest.approx(lowest_of_all_choices(problem), rel=1e-9, abs=1e-14)
        checked += 1
    assert checked > 20


def test_ripleys_erosion_has_a_lower_minimum_than_the_procedure_finds():
    X, _, y, _ = load_ripley()
    results = {
        (operator, solver): MorphologicalPerceptron.paper(operator, margin=0.0, solver=solver)
        .fit(X, y)
        .result_
        for operator in ("dilation", "erosion")
        for solver in ("descent", "global")
    }
    assert results["dilation", "global"].objective == results["dilation", "descent"].objective
    assert results["erosion", "global"].objective == pytest.approx(0.0050010, abs=1e-7)
    assert results["erosion", "descent"].objective == pytest.approx(0.0050798, abs=1e-7)
    for operator in ("dilation", "erosion"):
        assert results[operator, "global"].certified_by == "global search"
        assert results[operator, "global"].converged


def small_problem(seed):
    """Few samples in at most three dimensions, some discrete, some with an outlier."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(4, 11)), int(rng.integers(1, 4))
    X, kind = rng.normal(size=(m, n)), rng.integers(5)
    if kind == 1:
        X = rng.integers(0, 3, size=(m, n)).astype(float)
    elif kind == 2:
        X[0] *= 10 ** rng.uniform(1, 6)
    elif kind == 3:
        X = rng.integers(0, 2, size=(m, n)).astype(float)
    elif kind == 4:
        X *= 10.0 ** rng.uniform(-3, 3, n)
    signs = np.where(rng.random(m) < 0.5, 1.0, -1.0)
    signs[:2] = 1.0, -1.0
    objective = Objective(
        C=float(rng.choice([0.0, 1e-3, 0.01, 0.1])),
        weighting=rng.choice(["distance", None]),
        reference=str(rng.choice(["extreme", "mean", "opposite", "zero"])),
        margin=float(rng.choice([0.0, 1e-6, 0.25])),
    )
    operator = str(rng.choice(["dilation", "erosion"]))
    return TrainingSet.from_samples(X, signs), operator, objective


def check(seeds):
    n_checked = 0
    for seed in seeds:
        samples, operator, objective = small_problem(seed)
        problem = DilationProblem.from_training_set(samples, operator, objective)
        if problem.n_features ** problem.positives.shape[1] > 243:
            continue
        n_checked += 1
        optimum = lowest_of_all_choices(problem) * problem.unit
        weights = train(samples, operator, objective, Procedure()).weights
        certificate = certify_globally(problem, weights, time_limit=60)
        assert certificate.lower_bound <= optimum + certificate.resolution, seed
        # The optimum may be zero up to the rounding of either side.
        assert certificate.best_objective >= optimum * (1 - 1e-9) - certificate.resolution, seed
        if certificate.proven:
            gap = certificate.best_objective - certificate.lower_bound
            assert gap <= certificate.resolution, seed
            assert certificate.best_objective <= optimum + certificate.resolution, seed
    return n_checked


def test_small_problems():
    assert check(range(40)) > 25


@pytest.mark.slow
def test_two_thousand_small_problems():
    assert check(range(2800)) > 2000


def test_separated_whole_numbers_are_proven_optimal():
    """The optimum is 0 on {0, 1, 2}² without (2, 1), positive where a coordinate is 2."""
    X = np.array([[a, b] for a in range(3) for b in range(3) if (a, b) != (2, 1)], dtype=float)
    signs = np.where((X == 2).any(axis=1), 1.0, -1.0)
    samples, objective = TrainingSet.from_samples(X, signs), Objective()
    problem = DilationProblem.from_training_set(samples, "dilation", objective)
    weights = train(samples, "dilation", objective, Procedure()).weights
    certificate = certify_globally(problem, weights, time_limit=60)
    assert certificate.proven
    assert certificate.objective <= certificate.resolution
