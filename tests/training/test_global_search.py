"""The global minimum for one and two features, against all choices of deciding features."""

from itertools import product

import numpy as np
import pytest

from rdep import MorphologicalPerceptron
from rdep.datasets import load_ripley
from rdep.training._global_search import minimise_globally
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
        found = problem.at(minimise_globally(problem)).objective
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


def test_more_features_are_refused():
    X, y = np.eye(4)[:, :3], [0, 1, 0, 1]
    with pytest.raises(ValueError, match="at most 2 features, X has 3: use solver='descent'"):
        MorphologicalPerceptron(solver="global").fit(X, y)
