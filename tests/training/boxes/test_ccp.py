"""The loop around the steps of boxes: which solver takes them, and how it ends."""

import numpy as np
import pytest

from rdep.training.boxes import _ccp
from rdep.training.boxes._problem import BoxProblem
from rdep.training.boxes._starts import start_boxes


def problem_of(n_samples):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, 4))
    y = np.abs(X).max(axis=1) < 1.2
    return BoxProblem(X[y], X[~y], np.ones(y.sum()), np.ones((~y).sum()), 0.01, 0.0)


@pytest.mark.parametrize(
    ("n_samples", "expected"), [(100, "solve_step"), (12_000, "minimise_step")]
)
def test_the_solver_is_chosen_by_size(monkeypatch, n_samples, expected):
    called = []
    for name in ("solve_step", "minimise_step"):
        solve = getattr(_ccp, name)
        monkeypatch.setattr(
            _ccp, name, lambda *a, name=name, solve=solve: (called.append(name), solve(*a))[1]
        )
    problem = problem_of(n_samples)
    start = start_boxes(problem.positives, 2, "dHpC", 0)
    trained = _ccp.train_boxes(problem, [start], "auto", 1, 0.0)
    assert called == [expected]
    assert trained.status == "iteration limit"
    assert trained.n_iter == 1


def test_highs_finishes_what_the_descent_does_not(monkeypatch):
    problem = problem_of(200)
    start = start_boxes(problem.positives, 2, "dHpC", 0)
    expected = _ccp.train_boxes(problem, [start], "highs", 5, 1e-4)
    monkeypatch.setattr(_ccp, "minimise_step", lambda step, boxes: (boxes, False))
    assert _ccp.train_boxes(problem, [start], "descent", 5, 1e-4).history == expected.history
