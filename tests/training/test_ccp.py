"""The loop around the subproblem: records, escapes, starts, determinism."""

from dataclasses import fields

import numpy as np
import pytest

from rdep.training import Objective, Procedure, TrainingSet, train

from ..problems import random_problems, random_samples


def trained(samples, operator="dilation", objective=None, **settings):
    """Settings are fields of either record."""
    own = {field.name for field in fields(Procedure)} & settings.keys()
    procedure = Procedure(**{name: settings.pop(name) for name in own})
    return train(samples, operator, objective or Objective(**settings), procedure)


def objective_by_definition(X, signs, weights, operator, samples, C, mu):
    """J of the paper's eq:objective, written down anew."""
    value = (X + weights).max(axis=1) if operator == "dilation" else (X + weights).min(axis=1)
    total = 0.0
    for sign, rows in ((-1, signs < 0), (1, signs > 0)):
        distances = np.linalg.norm(X[rows] - X[rows].mean(axis=0), axis=1)
        nu = distances.min() / distances
        total += np.mean(nu * np.maximum(0, mu - sign * value[rows]))
    if operator == "dilation":
        r = -(X[signs < 0].max(axis=0) + mu)
    else:
        r = -(X[signs > 0].min(axis=0) - mu)
    return total + C * np.abs(weights - r).sum()


@pytest.mark.parametrize("operator", ["dilation", "erosion"])
@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_the_objective_is_the_papers(operator, margin):
    X, signs = random_samples(np.random.default_rng(3), 80, 4, "continuous")
    samples = TrainingSet.from_samples(X, signs)
    result = trained(samples, operator, margin=margin)
    mu = margin * np.sqrt(X.var(axis=0).mean())
    expected = objective_by_definition(X, signs, result.weights, operator, samples, 0.01, mu)
    assert result.objective == pytest.approx(expected, rel=1e-12)


def test_the_record():
    for case in random_problems(24, seed=3):
        result = trained(case.samples, case.operator, case.objective)
        assert result.converged
        assert result.status == "converged"
        assert result.history[-1] == result.objective
        assert (np.diff(result.history) < 0).all()
        assert result.n_iter >= len(result.history) - 1
        assert result.escapes == ()
        assert result.certified_by == "set directions"
        assert result.certificate >= -1e-12
        assert 0 <= result.boundary_share <= 1
        assert result.start == 0


def test_an_iteration_limit_is_said():
    X, signs = random_samples(np.random.default_rng(0), 200, 5, "continuous")
    samples = TrainingSet.from_samples(X, signs)
    assert trained(samples).n_iter > 3
    short = trained(samples, max_iter=2)
    assert short.status == "iteration limit"
    assert not short.converged
    assert short.n_iter == 2
    assert len(short.history) == 3


def test_tol_stops_earlier():
    X, signs = random_samples(np.random.default_rng(0), 200, 5, "continuous")
    samples = TrainingSet.from_samples(X, signs)
    early = trained(samples, tol=0.5)
    assert early.status == "tolerance"
    assert not early.converged
    assert early.n_iter < trained(samples).n_iter


def _margins_in_the_ratio_of_costs(samples, margin):
    costs = samples.negatives.cost, samples.positives.cost
    return tuple(margin * samples.spread * cost / min(costs) for cost in costs)


def test_a_small_decrease_is_no_convergence(monkeypatch):
    """A step lowers the objective by less than 1e-12 of it, and the next one by a quarter."""
    first = np.array(
        [2087511708195, 3222338716246, 3459831377757, -13137292970343, -945743351843,
         -4378246367042, -4561739870573, -1743891378113, -5474983046715, -5927081608905,
         -9945764111428, -4750570096204, -154511272076]
    )  # fmt: skip
    apart = [-5, 1, 2, 2, 3, 3, 6, -8, -3, 5, 12, 6, 9]
    X = np.column_stack([first, first + apart]) * 1e-13
    signs = np.where(np.array([0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1]) == 1, 1.0, -1.0)
    samples = TrainingSet.from_samples(X, signs, class_costs=(1.9, 1.0))
    monkeypatch.setattr(TrainingSet, "margins", _margins_in_the_ratio_of_costs)
    settings = {"C": 0.5, "margin": 1.0, "weighting": None}
    result = trained(samples, "erosion", **settings)
    assert result.converged
    assert result.objective == pytest.approx(2.73915, abs=1e-5)
    assert result.certificate >= -1e-12
    stopped = trained(samples, "erosion", **settings, tol=1e-12)
    assert stopped.status == "tolerance"
    assert stopped.certificate < -0.1


def test_highs_reaches_the_same_objective_on_untied_data():
    for case in random_problems(24, seed=5, m=(20, 100)):
        if case.kind != "continuous" or case.objective.C == 0:
            continue
        ours = trained(case.samples, case.operator, case.objective)
        theirs = trained(case.samples, case.operator, case.objective, solver="highs")
        assert theirs.certified_by == "linear programme"
        assert theirs.certificate == pytest.approx(0, abs=1e-9)
        assert theirs.objective == pytest.approx(ours.objective, rel=1e-9)


def test_escape_and_starts_never_raise_the_objective():
    lowered = 0
    for case in random_problems(40, seed=6, m=(20, 150), n=(2, 8)):
        plain = trained(case.samples, case.operator, case.objective)
        escaped = trained(case.samples, case.operator, case.objective, escape=True)
        many = trained(case.samples, case.operator, case.objective, n_init=5)
        assert escaped.objective <= plain.objective
        assert many.objective <= plain.objective
        lowered += escaped.objective < plain.objective * (1 - 1e-9)
        for position in escaped.escapes:
            assert escaped.history[position] < escaped.history[position - 1]
        assert bool(escaped.escapes) == (escaped.objective < plain.objective)
    assert lowered >= 5


def test_random_starts_follow_the_seed():
    X, signs = random_samples(np.random.default_rng(4), 60, 3, "continuous")
    samples = TrainingSet.from_samples(X, signs)
    first, again = (trained(samples, n_init=10, seed=1) for _ in range(2))
    assert np.array_equal(first.weights, again.weights)


@pytest.mark.parametrize("kind", ["continuous", "integer", "rounded", "duplicated"])
@pytest.mark.parametrize("operator", ["dilation", "erosion"])
def test_row_order_does_not_matter_to_the_last_bit(kind, operator):
    rng = np.random.default_rng(7)
    for _ in range(10):
        X, signs = random_samples(rng, 120, 4, kind)
        weight = rng.random(len(X)) + 0.1
        order = rng.permutation(len(X))
        results = [
            trained(TrainingSet.from_samples(X[rows], signs[rows], weight[rows]), operator)
            for rows in (np.arange(len(X)), order)
        ]
        assert np.array_equal(results[0].weights, results[1].weights)
        assert results[0].objective == results[1].objective


def test_the_boundary_share_counts_samples_at_zero():
    X = np.array([[0.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [3.0, 3.0]])
    samples = TrainingSet.from_samples(X, np.array([-1.0, -1.0, -1.0, 1.0]))
    assert trained(samples, margin=0.0).boundary_share == 0.75
    assert trained(samples, margin=1e-6).boundary_share == 0.0


@pytest.mark.parametrize("operator", ["dilation", "erosion"])
@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_the_boundary_share_is_that_of_the_decision_values(operator, margin):
    rng = np.random.default_rng(4)
    X, signs = random_samples(rng, 90, 3, "integer")
    weight = rng.uniform(1, 3, size=90)
    result = trained(TrainingSet.from_samples(X, signs, weight), operator, margin=margin)
    operate = np.max if operator == "dilation" else np.min
    at_zero = np.abs(operate(X + result.weights, axis=1)) < 1e-12
    assert result.boundary_share == pytest.approx(weight @ at_zero / weight.sum())
    assert at_zero.any() == (margin == 0)


@pytest.mark.parametrize("solver", ["descent", "highs"])
def test_the_certificate_tells_fixed_points_from_others(solver):
    X, signs = random_samples(np.random.default_rng(0), 120, 4, "continuous")
    samples = TrainingSet.from_samples(X, signs)
    converged = trained(samples, solver=solver)
    assert converged.certificate == pytest.approx(0, abs=1e-9)
    stopped = trained(samples, solver=solver, max_iter=1)
    if solver == "descent":
        assert stopped.certificate < -1e-4  # a direction still descends
    else:
        assert stopped.certificate > 1e-6  # the optimum is still lower
    assert stopped.certified_by == converged.certified_by


def test_more_starts_find_lower_objectives():
    better = 0
    for case in random_problems(24, seed=11, m=(30, 120), n=(2, 6)):
        one = trained(case.samples, case.operator, case.objective)
        many = trained(case.samples, case.operator, case.objective, n_init=10)
        assert (many.start > 0) == (many.objective < one.objective)
        better += many.objective < one.objective * (1 - 1e-9)
    assert better >= 5


def test_escapes_go_on_until_none_helps():
    counts = [
        len(trained(case.samples, case.operator, case.objective, escape=True).escapes)
        for case in random_problems(40, seed=3, m=(20, 150), n=(2, 8))
    ]
    assert max(counts) >= 2
