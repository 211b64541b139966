"""Branch and bound: bounds below F, and optima that agree with brute force by HiGHS."""

from itertools import product

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from rdep import DEPClassifier, MorphologicalPerceptron
from rdep.training import Procedure, train
from rdep.training import _branch_and_bound as branch_and_bound
from rdep.training._branch_and_bound import bound_boxes, convex_bound, search
from rdep.training._linear_program import solve_majoriser

from ..problems import random_problems


def lowest_by_highs(problem):
    """F is the minimum of its majorisers over all choices of what decides each positive."""
    choices = product(range(problem.n_features), repeat=problem.positives.shape[1])
    return min(solve_majoriser(problem, np.array(chosen))[1] for chosen in choices)


def check(n_problems):
    """Few positives of three or four features, of all kinds, operators, C, references, margins."""
    cases = (case.problem for case in random_problems(4 * n_problems, seed=7, m=(5, 12), n=(3, 5)))
    tiny = [p for p in cases if p.n_features ** p.positives.shape[1] <= 100][:n_problems]
    assert len(tiny) == n_problems
    n_proven = 0
    for number, problem in enumerate(tiny):
        start = np.zeros(problem.n_features)
        optimum = lowest_by_highs(problem)
        off = 1e-9 * problem.largest  # HiGHS meets each row to 1e-10
        for max_steps in (1, 2, 4, 8):
            found = search(problem, start, max_steps=max_steps)
            assert found.lower_bound <= optimum + found.resolution + off, number
        found = search(problem, start, max_steps=400)
        assert found.best.objective == pytest.approx(optimum, rel=1e-8, abs=off), number
        assert found.lower_bound <= optimum + found.resolution + off, number
        assert found.best.objective - found.lower_bound <= 0.01 * optimum + found.resolution, number
        n_proven += found.status == "optimal"
        assert found.lower_bound == found.best.objective or found.status == "step limit"
    return n_proven


def test_brute_force_agrees():
    assert check(24) == 24


@pytest.mark.slow
def test_brute_force_agrees_on_five_hundred_problems():
    """Optima that form a line or a plane with ties all along it may take too many boxes."""
    assert check(500) >= 495


def random_boxes(problem, rng, n_boxes):
    """Boxes of all sizes, some without width in some coordinate."""
    low, high = branch_and_bound._first_box(problem)[:2]
    ends = np.sort(rng.uniform(low, high, size=(2, n_boxes, problem.n_features)), axis=0)
    lower, upper = ends
    upper = lower + (upper - lower) * rng.choice([1.0, 0.3, 0.01, 0.0], size=(n_boxes, 1))
    return lower, np.where(rng.random(upper.shape) < 0.1, lower, upper)


def test_no_point_of_a_box_is_below_its_bounds():
    rng = np.random.default_rng(0)
    for case in random_problems(24, seed=3, m=(10, 80), n=(2, 11)):
        problem = case.problem
        boxes = bound_boxes(problem, *random_boxes(problem, rng, 12))
        for row, (lower, upper) in enumerate(zip(boxes.lower, boxes.upper, strict=True)):
            share = rng.random((40, problem.n_features))
            share[:20] = np.round(share[:20])  # corners
            points = [*(lower + share * (upper - lower)), boxes.points[row]]
            lowest = min(problem.at(u).objective for u in points)
            convex = convex_bound(problem, boxes, row)
            assert boxes.bounds[row] <= lowest + 1e-12
            assert convex <= lowest + 1e-12
            # The convex function is the larger one, and both are exact at a point.
            assert convex >= boxes.bounds[row] - 1e-12
            if (lower == upper).all():
                assert boxes.bounds[row] == pytest.approx(lowest, abs=1e-12)
            assert boxes.objectives[row] == pytest.approx(
                problem.at(boxes.points[row]).objective, abs=1e-12
            )


def test_the_convex_bound_is_the_optimum_of_a_linear_programme():
    """Without positives that several features may decide, it is the minimum of the majoriser."""
    for case in random_problems(12, seed=8, m=(10, 60), n=(3, 7)):
        problem = case.problem
        point = train(case.samples, case.operator, case.objective, Procedure()).weights
        u = problem.point(point)
        # So small a box around a point without ties that the deciding features stay the same.
        sums = np.sort(problem.positives + u[:, None], axis=0)
        if (sums[-1] - sums[-2]).min() < 1e-5:
            continue
        lower, upper = (u - 1e-6)[None], (u + 1e-6)[None]
        boxes = bound_boxes(problem, lower, upper)
        _, optimum = solve_majoriser(problem, problem.at(u).deciding_features())
        assert convex_bound(problem, boxes, 0) == pytest.approx(optimum, rel=1e-7, abs=1e-9)


@pytest.fixture
def data():
    rng = np.random.default_rng(2)
    y = np.arange(120) % 2
    return rng.normal(size=(120, 4)) + 0.5 * y[:, None], y


def test_a_search_can_be_ended_at_any_time(data, monkeypatch):
    model = MorphologicalPerceptron(escape=False).fit(*data)
    optimum = model.certify(*data)
    assert optimum.proven
    assert optimum.status == "optimal"
    assert 0 < optimum.best_objective < optimum.objective
    near = model.certify(*data, gap=0.05)
    assert near.status == "gap"
    assert near.n_boxes < optimum.n_boxes
    assert near.best_objective * 0.95 <= near.lower_bound <= optimum.best_objective
    none = model.certify(*data, time_limit=0)
    assert (none.status, none.n_boxes, none.lower_bound, none.gap) == ("time limit", 0, 0, 1)

    steps = iter(range(9))

    def interrupted(*arguments):
        if next(steps) == 8:
            raise KeyboardInterrupt
        return bound_boxes(*arguments)

    monkeypatch.setattr(branch_and_bound, "bound_boxes", interrupted)
    stopped = model.certify(*data)
    assert stopped.status == "interrupted"
    assert not stopped.proven
    assert 0 < stopped.lower_bound <= optimum.best_objective <= stopped.best_objective


def test_the_global_solver_trains_to_the_optimum(data):
    X, y = data
    descent, best = (DEPClassifier(solver=s, escape=False).fit(X, y) for s in ("descent", "global"))
    for operator, certificate in best.certify(X, y).items():
        result = getattr(best, f"{operator}_result_")
        assert certificate.proven
        assert certificate.gap == pytest.approx(0, abs=1e-9)
        below = getattr(descent, f"{operator}_result_").objective * (1 + 1e-12)
        assert result.objective <= below
        assert (result.status, result.certified_by) == ("converged", "global search")
        assert result.certificate <= 1e-12
    # Weights are repetitions, and an erosion is the dual of a dilation.
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    weighted = DEPClassifier(solver="global").fit(X, y, weights)
    repeated = DEPClassifier(solver="global").fit(np.repeat(X, weights, 0), np.repeat(y, weights))
    dual = DEPClassifier(solver="global").fit(-X, 1 - y, weights)
    for one, other in (
        (weighted.dilation_result_, repeated.dilation_result_),
        (weighted.erosion_result_, repeated.erosion_result_),
        (weighted.dilation_result_, dual.erosion_result_),
    ):
        assert one.objective == pytest.approx(other.objective, rel=1e-9)


def test_limits_of_the_global_solver(data):
    X, y = data
    with pytest.warns(
        ConvergenceWarning, match=r"dilation ended after 1 steps \(iteration limit\).*% b"
    ):
        model = MorphologicalPerceptron(solver="global", max_iter=1).fit(X, y)
    assert (model.result_.status, model.n_iter_) == ("iteration limit", 1)
    assert model.result_.certificate > 0
    near = MorphologicalPerceptron(solver="global", tol=0.1).fit(X, y).result_
    assert near.status == "tolerance"
    assert near.certificate <= 0.1 * near.objective
    wide = np.hstack([X, X[::-1], X[::2].repeat(2, axis=0)])
    with pytest.raises(ValueError, match="at most 10 features, X has 12: use solver='descent'"):
        MorphologicalPerceptron(solver="global").fit(wide, y)
    certificate = MorphologicalPerceptron().fit(wide, y).certify(wide, y)
    assert certificate.status == "too many features"
    assert 0 < certificate.lower_bound <= certificate.best_objective <= certificate.objective


def test_many_open_boxes_end_the_search(data, monkeypatch):
    X, y = data
    model = MorphologicalPerceptron().fit(X, y)
    monkeypatch.setattr("rdep.training._branch_and_bound._MOST_BOXES", 1)
    certificate = model.certify(X, y)
    assert certificate.status == "box limit"
    assert 0 <= certificate.lower_bound <= certificate.best_objective <= certificate.objective
