"""Set descent on steps of boxes: as low as HiGHS, widths never negative."""

import numpy as np
import pytest

from rdep.training.boxes import _linear_program
from rdep.training.boxes._ccp import train_boxes
from rdep.training.boxes._descent import minimise_step
from rdep.training.boxes._linear_program import solve_step
from rdep.training.boxes._problem import BoxProblem
from rdep.training.boxes._starts import start_boxes


def problem_of(seed, *, gamma, n_samples=None):
    """Noisy boxes, every third problem on whole numbers, with costs, some with a margin."""
    rng = np.random.default_rng(seed)
    m = n_samples or int(rng.integers(20, 90))
    X = rng.normal(size=(m, seed % 4 + 2))
    if seed % 3 == 0:
        X = np.round(2 * X)
    y = (np.abs(X[:, :2]).max(axis=1) < 0.9) ^ (rng.random(m) < 0.2)
    y[:3], y[3] = True, False
    costs = rng.uniform(0.5, 2.0, m)
    return BoxProblem(X[y], X[~y], costs[y], costs[~y], gamma, 0.2 * (seed % 2))


@pytest.mark.parametrize("gamma", [0.0, 0.01, 1.0])
@pytest.mark.parametrize("seed", range(20))
def test_each_step_is_as_low_as_by_highs(seed, gamma):
    problem = problem_of(seed, gamma=gamma)
    boxes = start_boxes(problem.positives, seed % 3 + 1, "k-means++", seed)
    for _ in range(3):
        step = problem.step(boxes)
        found, exact = minimise_step(step, boxes)
        assert exact
        assert (found[:, 0] <= found[:, 1]).all()
        optimum = step.value(solve_step(step))
        assert step.value(found) == pytest.approx(optimum, rel=1e-9, abs=1e-9)
        boxes = found


def test_samples_left_out_change_nothing():
    problem = problem_of(1, gamma=0.01, n_samples=4000)
    boxes = start_boxes(problem.positives, 3, "k-means++", 0)
    step = problem.step(boxes)
    found, exact = minimise_step(step, boxes)
    assert exact
    assert step.value(found) == pytest.approx(step.value(solve_step(step)), rel=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_a_majoriser_touches_the_objective_and_is_nowhere_below(seed):
    problem = problem_of(seed, gamma=0.1)
    rng = np.random.default_rng(seed)
    boxes = start_boxes(problem.positives, 3, "random", seed)
    step = problem.step(boxes)
    assert step.value(boxes) == pytest.approx(problem.objective(boxes), rel=1e-12)
    for _ in range(20):
        others = boxes + rng.normal(scale=0.5, size=boxes.shape)
        assert step.value(others) >= problem.objective(others) - 1e-9


@pytest.mark.parametrize("solver", ["descent", "highs"])
@pytest.mark.parametrize("init", ["k-means++", "dHpC", "random"])
def test_the_objective_never_rises(init, solver):
    problem = problem_of(7, gamma=0.05)
    start = start_boxes(problem.positives, 4, init, 0)
    trained = train_boxes(problem, [start], solver, 50, 1e-9)
    assert trained.history[0] == problem.objective(start)
    assert (np.diff(trained.history) <= 0).all()
    assert trained.objective == problem.objective(trained.boxes) < trained.history[0]
    assert trained.status == "converged"


@pytest.mark.parametrize("gamma", [0.0, 0.01, 0.3])
def test_few_rows_of_a_wide_step_give_its_minimum(gamma, monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(24) % 2 > 0
    X = rng.normal(size=(24, 60)) + 0.3 * y[:, None]
    problem = BoxProblem(X[y], X[~y], np.ones(12), np.ones(12), gamma, 0.1)
    step = problem.step(start_boxes(X[y], 2, "k-means++", 0))
    optimum = step.value(solve_step(step))
    added = []
    solve = _linear_program._solve
    monkeypatch.setattr(
        _linear_program, "_solve", lambda *a: (added.append(a[1].sum()), solve(*a))[1]
    )
    monkeypatch.setattr(_linear_program, "_MANY_ROWS", 0)
    found = solve_step(step)
    assert added[-1] < problem.positives.size  # half of the rows
    assert step.value(found) == pytest.approx(optimum, rel=1e-7)
    assert (found[:, 0] <= found[:, 1] + 1e-7).all()
