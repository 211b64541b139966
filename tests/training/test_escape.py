"""The search along a coordinate against trying every kink."""

from dataclasses import replace

import numpy as np
import pytest

from rdep.training import DilationProblem, Objective, Procedure, TrainingSet
from rdep.training._descend import descend
from rdep.training._escape import best_coordinate

from ..problems import random_problems
from .test_descend import CORE, FORMS, form, use

__all__ = ["form"]  # a fixture


@pytest.fixture(params=FORMS)
def search(request, monkeypatch):
    """A function from a problem and a point to where the search in one of both forms leads."""
    use(request.param, monkeypatch)

    def moved(problem, u):
        if request.param == "NumPy":
            best, distance = best_coordinate(problem, u)
        else:
            penalties = problem.negative_penalties, problem.positive_penalties
            best, distance = CORE.best_coordinate(
                np.ascontiguousarray(problem.negatives),
                np.ascontiguousarray(problem.positives),
                *map(np.ascontiguousarray, penalties),
                u,
                problem.C,
                problem.rounding,
            )
        u = u.copy()
        u[best] += distance
        return problem.at(u)

    return moved


def test_no_kink_along_any_coordinate_is_lower(search):
    rng = np.random.default_rng(0)
    for case in random_problems(24, seed=4, m=(10, 40), n=(1, 5)):
        problem = case.problem
        u = rng.normal(size=problem.n_features)
        found = search(problem, u)
        for j in range(problem.n_features):
            values = np.concatenate([problem.negatives[j], problem.positives[j]]) + u[j]
            others = np.concatenate(
                [
                    np.delete(part, j, axis=0).max(axis=0, initial=-np.inf)
                    for part in (
                        problem.negatives + u[:, None],
                        problem.positives + u[:, None],
                    )
                ]
            )
            kinks = np.concatenate(
                [-values, (others - values)[np.isfinite(others)], [-u[j], 0.0, -50.0, 50.0]]
            )
            best = min(moved_objective(problem, u, j, kink) for kink in kinks)
            assert found.objective <= best + 1e-12


def moved_objective(problem, u, j, t):
    moved = u.copy()
    moved[j] += t
    return problem.at(moved).objective


def test_a_search_never_raises_the_objective(search):
    rng = np.random.default_rng(1)
    for case in random_problems(24, seed=5, m=(10, 60)):
        problem = case.problem
        u = rng.normal(size=problem.n_features)
        found = search(problem, u)
        assert found.objective < problem.at(u).objective
        order = rng.permutation(problem.n_features)
        permuted = replace(
            problem,
            negatives=problem.negatives[order],
            positives=problem.positives[order],
            reference=problem.reference[order],
        )
        assert search(permuted, u[order]).u == pytest.approx(found.u[order])


def test_an_objective_within_rounding_is_not_lowered_further(form):
    """All losses of few samples with many features are zero up to rounding."""
    rng = np.random.default_rng(0)
    signs = np.where(np.arange(20) % 2, 1.0, -1.0)
    samples = TrainingSet.from_samples(rng.normal(size=(20, 300)), signs)
    problem = DilationProblem.from_training_set(samples, "dilation", Objective(margin=0.5))
    for start in (np.zeros(300), -problem.negatives[:, 3]):
        trace = descend(problem, start, Procedure(escape=True))
        assert trace.objective <= problem.rounding
        assert trace.escapes == ()
