"""Training by passes over blocks, against training and evaluation on all rows."""

import numpy as np
import pytest

from rdep._base._passes import Block, ListOfBlocks
from rdep.training import (
    OPERATORS,
    DilationProblem,
    Objective,
    Procedure,
    SampledRows,
    TrainingSet,
    _passes,
    descend_by_passes,
)
from rdep.training._descend import descend
from rdep.training._nearest import add_nearest, nearest
from rdep.training._passes import Near

from ..problems import KINDS, random_problems, random_samples

ESCAPING = Procedure(escape=True)


def weighted_rows(rng, m, n, kind):
    X, signs = random_samples(rng, m, n, kind)
    return X, signs, rng.integers(0, 3, m).astype(float)


def problems(count, seed=0):
    """Rows, blocks of them, a sample, and the problem of all rows."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        X, signs, weights = weighted_rows(
            rng, int(rng.integers(300, 900)), int(rng.integers(1, 8)), KINDS[number % 4]
        )
        operator = OPERATORS[number // 4 % 2]
        costs = (1.0, 1.0) if number % 3 else (1.0, 3.0)
        objective = Objective(
            C=float(rng.choice([0.0, 0.001, 0.1])),
            weighting=None,
            reference=str(rng.choice(["extreme", "opposite", "zero"])),
            margin=float(rng.choice([0.0, 0.1, 0.5])),
        )
        passes = ListOfBlocks.of_arrays(X, signs, weights, n_rows=int(rng.integers(20, 200)))
        rows = SampledRows.of(passes, 100, costs, True)
        samples = TrainingSet.from_samples(X, signs, weights, costs, ignore_constant=True)
        problem = DilationProblem.from_training_set(samples, operator, objective)
        yield passes, rows, problem, operator, objective, rng


def near_a_point(rows, problem, operator, objective, u, n_kept):
    some = DilationProblem.from_training_set(rows.samples, operator, objective)
    frame = some.without_samples()
    factors = rows.factors[::-1] if frame.is_dual else rows.factors
    return Near(frame, factors, u, 8.0, n_kept, 10 * n_kept)


def test_a_sample_knows_the_units_of_all_rows():
    for _, rows, problem, operator, objective, _ in problems(12):
        some = DilationProblem.from_training_set(rows.samples, operator, objective)
        assert some.n_samples <= 100
        assert some.unit == problem.unit
        assert some.largest == pytest.approx(problem.largest, rel=1e-13)
        assert np.allclose(some.reference, problem.reference, rtol=1e-12, atol=1e-13)
        assert np.allclose(some.margins, problem.margins, rtol=1e-12)
        for part, of_all in zip(
            (some.negative_penalties, some.positive_penalties),
            (problem.negative_penalties, problem.positive_penalties),
            strict=True,
        ):
            assert part.sum() == pytest.approx(of_all.sum(), rel=1e-12)


@pytest.mark.parametrize("dtype", [float, np.float32])
def test_values_of_rows_are_those_of_the_problem(dtype):
    for case in random_problems(16, seed=5):
        problem, samples = case.problem, case.samples
        way = -1 if problem.is_dual else 1
        classes = (samples.negatives, samples.positives)[::way]
        of_problem = (problem.negatives, problem.positives)
        for part, values, negative in zip(classes, of_problem, (True, False), strict=True):
            rows = part.rows[::way].astype(dtype)
            found = problem.values_of(rows, np.full(len(rows), negative))
            assert found.dtype == float
            assert np.allclose(found, values, rtol=0, atol=0 if dtype is float else 1e-6)


def test_in_the_cube_of_a_pass_the_objective_is_that_of_all_rows():
    n_cubes = 0
    for passes, rows, problem, operator, objective, rng in problems(24, seed=1):
        values = np.hstack([problem.negatives, problem.positives])
        u = -values[:, rng.integers(values.shape[1])] + 0.1 * rng.normal(size=len(values))
        near = near_a_point(rows, problem, operator, objective, u, 40)
        found = passes.reduce(
            lambda b, near=near: nearest(near, b), lambda a, b, near=near: add_nearest(near, a, b)
        )
        if not found.width:
            continue
        n_cubes += 1
        assert len(found.reach) <= (40 if found.width < 8 else 400)
        cube = near.cube(found)
        for size in (0.0, 0.5, 1.0):
            at = u + size * cube.half_width * rng.uniform(-1, 1, size=len(u))
            assert cube.problem.at(at).objective == pytest.approx(
                problem.at(at).objective, rel=1e-11, abs=1e-14
            )
    assert n_cubes >= 12


def test_the_cube_does_not_depend_on_the_blocks():
    for passes, rows, problem, operator, objective, _ in problems(8, seed=2):
        near = near_a_point(rows, problem, operator, objective, np.zeros(problem.n_features), 50)
        found = passes.reduce(
            lambda b, near=near: nearest(near, b), lambda a, b, near=near: add_nearest(near, a, b)
        )
        columns = list(zip(*passes.blocks, strict=True))[:3]
        at_once = nearest(near, Block(*map(np.concatenate, columns)))
        if min(len(found.reach), len(at_once.reach)) <= 50:
            assert found.width == at_once.width
            assert len(found.reach) == len(at_once.reach)


@pytest.mark.parametrize(("count", "seed"), [(16, 3), pytest.param(300, 4, marks=pytest.mark.slow)])
def test_ends_are_critical_for_all_rows_and_never_above_the_start(count, seed, monkeypatch):
    monkeypatch.setattr(_passes, "_FEWEST", 60)
    n_passes, further = [], 0
    for number, case in enumerate(problems(count, seed)):
        passes, rows, problem, operator, objective, _ = case
        ends = descend_by_passes(
            passes,
            rows,
            dict.fromkeys(OPERATORS, objective),
            dict.fromkeys(OPERATORS, ESCAPING),
            600,
        )
        descent = ends[operator]
        n_passes.append(len(descent.kept))
        assert descent.status == "converged"
        assert descent.history[-1] == pytest.approx(
            problem.at(descent.u).objective, rel=1e-11, abs=1e-14
        )
        assert (np.diff(descent.history) <= problem.rounding).all()
        again = descend(problem, descent.u, Procedure())
        goes_on = again.objective < descent.history[-1] - 4 * problem.rounding
        # Rows that a cube leaves out take part in the choice among tied features on all rows.
        assert not goes_on or KINDS[number % 4] in ("rounded", "integer")
        further += goes_on
    assert further <= count / 100
    assert max(n_passes) > 1
