"""The loop around the steps of boxes: which solver takes them, and how it ends."""

import numpy as np
import pytest

from rdep import CompetitiveClassifier
from rdep.datasets import load_ripley
from rdep.training.boxes import _ccp
from rdep.training.boxes._problem import BoxProblem, BoxUnits
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


def test_the_descent_is_not_for_more_faces_than_samples(monkeypatch):
    monkeypatch.setattr(_ccp, "minimise_step", lambda *_: pytest.fail("too many faces"))
    monkeypatch.setattr(_ccp, "solve_step", lambda step: start)
    X = np.random.default_rng(0).normal(size=(20, 3000))
    problem = BoxProblem(X[:10], X[10:], np.ones(10), np.ones(10), 0.01, 0.0)
    start = start_boxes(problem.positives, 2, "dHpC", 0)
    assert _ccp.train_boxes(problem, [start], "auto", 1, 0.0).n_iter == 1


def test_a_stop_by_tolerance_is_not_called_converged():
    problem = problem_of(200)
    start = start_boxes(problem.positives, 2, "k-means++", 0)
    exact = _ccp.train_boxes(problem, [start], "highs", 100, 0.0)
    early = _ccp.train_boxes(problem, [start], "highs", 100, 50.0)
    assert (exact.status, early.status) == ("converged", "tolerance")
    assert exact.objective < early.objective
    # By definition no step from converged boxes lowers F.
    again = _ccp.train_boxes(problem, [exact.boxes], "highs", 1, 0.0)
    assert again.objective == pytest.approx(exact.objective, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e-6, 1e150])
@pytest.mark.parametrize("solver", ["highs", "descent"])
def test_an_integer_gamma_and_any_scale(scale, solver):
    X = np.random.default_rng(3).normal(size=(60, 2))
    y = np.abs(X).max(axis=1) < 1
    for gamma in (0, 1):
        expected, found = (
            CompetitiveClassifier("ccp", gamma=gamma, solver=solver, random_state=0).fit(s * X, y)
            for s in (1.0, scale)
        )
        for one, other in zip(expected.histories_, found.histories_, strict=True):
            assert other / scale == pytest.approx(one, rel=1e-7, abs=1e-7)
    assert np.array_equal(found.predict(scale * X), expected.predict(X))


def test_units_lose_no_bit():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 4)) * [1.0, 1e-3, 1e-5, 1e-8] + [0.0, 2000.0, -1e6, 1e12]
    units = BoxUnits.of(X)
    assert units.centre.astype(bool).tolist() == [False, True, True, True]
    assert np.array_equal(units.back(units.into(X)), X)
    assert np.array_equal(np.diff(units.into(X), axis=0), np.diff(X, axis=0) / units.unit)


def test_boxes_of_shifted_samples_are_shifted():
    X, X_test, y, y_test = load_ripley()
    plain = CompetitiveClassifier("ccp", random_state=0).fit(X, y)
    far = CompetitiveClassifier("ccp", random_state=0).fit(X + 1e12, y)
    ends = [[history[-1] for history in model.histories_] for model in (plain, far)]
    assert ends[1] == pytest.approx(ends[0], rel=1e-3)  # X + 1e12 is rounded to 1e-4
    assert far.score(X_test + 1e12, y_test) == pytest.approx(plain.score(X_test, y_test), abs=2e-3)
