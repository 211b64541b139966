"""The parts of the objective: penalties, references, margin, the canonical training set."""

from dataclasses import replace

import numpy as np
import pytest

from rdep.training import DilationProblem, Objective, canonical_order
from rdep.training._problem import reference_vector
from rdep.training._samples import TrainingSet, penalty_weights

from ..problems import random_problems, random_samples


def test_penalty_weights_are_nearest_over_distance():
    X = np.array([[0.0], [1.0], [5.0]])  # mean 2
    assert penalty_weights(X, np.ones(3)) == pytest.approx([0.5, 1.0, 1 / 3])


def test_a_sample_at_the_mean_takes_the_smallest_distance():
    X = np.array([[-1.0], [0.0], [1.0], [-3.0], [3.0]])
    assert penalty_weights(X, np.ones(5)) == pytest.approx([1.0, 1.0, 1.0, 1 / 3, 1 / 3])


def test_a_sample_at_the_mean_but_for_rounding():
    X = np.array([[0.1], [0.2], [0.3]])  # the mean is 0.2 and half a rounding error
    assert penalty_weights(X, np.ones(3)) == pytest.approx(np.ones(3))


def test_all_samples_at_the_mean():
    assert penalty_weights(np.full((1, 3), 7.0), np.ones(1)) == pytest.approx([1.0])


@pytest.mark.parametrize("size", [1e-100, 1e100])
def test_penalty_weights_do_not_depend_on_scale(size):
    X = np.random.default_rng(0).normal(size=(20, 3))
    assert penalty_weights(size * X, np.ones(20)) == pytest.approx(penalty_weights(X, np.ones(20)))


def test_references():
    X = np.array([[0.0, 4.0], [2.0, 1.0], [9.0, 9.0]])
    samples = TrainingSet.from_samples(X, np.array([-1.0, -1.0, 1.0]))
    assert reference_vector(samples, "extreme").tolist() == [-2.0, -4.0]
    assert reference_vector(samples, "opposite").tolist() == [0.0, -1.0]
    assert reference_vector(samples, "mean").tolist() == [-1.0, -2.5]
    assert reference_vector(samples, "zero").tolist() == [0.0, 0.0]
    assert reference_vector(samples, [3, 4]).tolist() == [3.0, 4.0]
    with pytest.raises(ValueError, match="known: extreme, mean, opposite, zero"):
        reference_vector(samples, "median")


def test_the_margin_is_relative_to_the_spread():
    X, signs = random_samples(np.random.default_rng(0), 50, 3, "continuous")
    samples = TrainingSet.from_samples(X, signs)
    assert samples.spread == pytest.approx(np.sqrt(X.var(axis=0).mean()))
    objective = Objective(C=0.01, weighting=None, reference="extreme")
    problem = DilationProblem.from_training_set(samples, "dilation", replace(objective, margin=0.5))
    largest = X[signs < 0].max(axis=0)
    assert problem.reference == pytest.approx(-largest - 0.5 * samples.spread)


def test_repeated_rows_are_merged_and_zero_weights_dropped():
    X = np.array([[1.0, 0.0], [1.0, -0.0], [2.0, 2.0], [3.0, 3.0], [9.0, 9.0]])
    signs = np.array([-1.0, -1.0, -1.0, 1.0, -1.0])
    samples = TrainingSet.from_samples(X, signs, np.array([1.0, 2.0, 1.0, 1.0, 0.0]))
    merged = dict(
        zip(map(tuple, samples.negatives.rows.tolist()), samples.negatives.weights, strict=True)
    )
    assert merged == {(1.0, 0.0): 3.0, (2.0, 2.0): 1.0}
    assert samples.positives.rows.tolist() == [[3.0, 3.0]]


@pytest.mark.parametrize("order", ["C", "F"])
def test_equal_rows_are_merged_wherever_they_stand(order):
    # With more samples than are looked at at a time, of which the last one is left alone.
    X = np.random.default_rng(0).normal(size=(1025, 65))
    X[:, 0] = 0.0
    X[-1] = X[0]
    X = np.asarray(X, order=order)
    signs = np.where(np.arange(1025) % 2, 1.0, -1.0)
    for rows in (slice(None), slice(None, None, -1)):
        samples = TrainingSet.from_samples(X[rows], signs[rows], ignore_constant=True)
        assert len(samples.negatives.rows) == 512
    assert len(np.unique(canonical_order(X, signs, np.ones(1025)))) == 1025


def test_rows_that_rounding_does_not_tell_apart_keep_an_order_of_their_own():
    # Next to 1e20 the other feature is lost in any sum.
    X = np.array([[2.0, 1e20], [1.0, 1e20], [-3.0, 1e20], [1.0, 1e20], [-0.0, 1e20], [0.0, 0.0]])
    signs = np.array([-1.0, -1.0, -1.0, -1.0, -1.0, 1.0])
    weights = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 1.0])
    for order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 4, 5, 1, 2]):
        samples = TrainingSet.from_samples(X[order], signs[order], weights[order])
        assert samples.negatives.rows[:, 0].tolist() == [-3.0, 0.0, 1.0, 2.0]
        assert samples.negatives.weights == pytest.approx([0.3, 0.5, 0.6, 0.1])


def test_integer_weights_are_repetitions():
    rng = np.random.default_rng(0)
    X, signs = random_samples(rng, 60, 4, "continuous")
    counts = rng.integers(1, 4, size=60)
    objective = Objective(C=0.01, weighting="distance", reference="mean", margin=0.1)
    weighted, repeated = (
        DilationProblem.from_training_set(samples, "dilation", objective)
        for samples in (
            TrainingSet.from_samples(X, signs, counts.astype(float)),
            TrainingSet.from_samples(np.repeat(X, counts, axis=0), np.repeat(signs, counts)),
        )
    )
    for u in rng.normal(size=(10, 4)):
        assert weighted.at(u).objective == pytest.approx(repeated.at(u).objective, rel=1e-12)


def test_class_costs_multiply_the_losses():
    case = random_problems(1, seed=9)[0]
    samples = case.samples
    costly = replace(samples, negatives=replace(samples.negatives, cost=3.0))
    plain = DilationProblem.from_training_set(samples, "dilation", case.objective)
    weighted = DilationProblem.from_training_set(costly, "dilation", case.objective)
    assert weighted.negative_penalties == pytest.approx(3 * plain.negative_penalties)
    assert weighted.positive_penalties == pytest.approx(plain.positive_penalties)


def test_the_majoriser_touches_and_lies_above():
    rng = np.random.default_rng(0)
    for case in random_problems(12, seed=8):
        problem = case.problem
        u = rng.normal(size=problem.n_features)
        deciding = problem.at(u).deciding_features()
        assert problem.at(u).majoriser(deciding) == pytest.approx(problem.at(u).objective)
        for other in rng.normal(size=(5, problem.n_features)):
            assert problem.at(other).majoriser(deciding) >= problem.at(other).objective - 1e-12


def test_ties_go_to_the_feature_whose_rise_pays_best():
    # Both positives attain their maximum at either feature.
    positives = np.array([[2.0, 2.0], [2.0, 2.0]])
    negatives = np.array([[3.0, 0.0], [1.0, 3.0], [0.0, 3.0 - 1e-3]])
    samples = TrainingSet.from_samples(
        np.vstack([negatives, positives]), np.array([-1.0, -1.0, -1.0, 1.0, 1.0])
    )
    objective = Objective(C=0.0, weighting=None, reference=[0.0, 0.0], margin=0.0)
    problem = DilationProblem.from_training_set(samples, "dilation", objective)
    # At u = 0 the second feature would lift two negatives, the first only one.
    assert problem.at(np.zeros(2)).deciding_features().tolist() == [0]
    swapped = DilationProblem.from_training_set(
        TrainingSet.from_samples(
            np.vstack([negatives, positives])[:, ::-1], np.array([-1.0, -1.0, -1.0, 1.0, 1.0])
        ),
        "dilation",
        objective,
    )
    assert swapped.at(np.zeros(2)).deciding_features().tolist() == [1]


def test_equal_ties_go_to_the_first_feature():
    X = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    samples = TrainingSet.from_samples(X, np.array([-1.0, 1.0]))
    objective = Objective(C=0.0, weighting=None, reference="extreme", margin=0.0)
    problem = DilationProblem.from_training_set(samples, "dilation", objective)
    assert problem.at(np.zeros(3)).deciding_features().tolist() == [0]


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6, 1e8])
def test_penalty_weights_far_from_the_origin(offset):
    grid = np.array([[a, b] for a in (-0.1, 0.0, 0.1) for b in (-0.1, 0.0, 0.1)])
    near = penalty_weights(grid, np.ones(9))
    assert near[4] == 1  # the centre is the mean
    assert penalty_weights(grid + offset, np.ones(9)) == pytest.approx(near, rel=1e-5)


def test_spread_and_references_follow_the_weights():
    rng = np.random.default_rng(0)
    X, signs = random_samples(rng, 50, 3, "continuous")
    weight = rng.random(50)
    samples = TrainingSet.from_samples(X, signs, weight)
    centred = X - np.average(X, axis=0, weights=weight)
    variances = np.average(centred**2, axis=0, weights=weight)
    assert samples.spread == pytest.approx(np.sqrt(variances.mean()))
    mu = 0.5 * samples.spread
    negative = signs < 0
    expected = {
        "mean": -np.average(X[negative], axis=0, weights=weight[negative]) - mu,
        "opposite": -X[negative].min(axis=0) - mu,
        "zero": np.zeros(3),
    }
    for reference, vector in expected.items():
        problem = DilationProblem.from_training_set(
            samples, "dilation", Objective(0.01, None, reference, 0.5)
        )
        assert problem.reference == pytest.approx(vector)


def test_a_costlier_class_has_a_wider_margin():
    X, signs = random_samples(np.random.default_rng(0), 50, 3, "continuous")
    objective = Objective(C=0.01, weighting=None, reference="zero", margin=0.5)
    plain, costly = (
        DilationProblem.from_training_set(
            TrainingSet.from_samples(X, signs, class_costs=costs), "dilation", objective
        )
        for costs in ((1.0, 1.0), (6.0, 2.0))
    )
    mu = 0.5 * TrainingSet.from_samples(X, signs).spread
    shift = {
        name: (getattr(costly, name) * costly.unit - getattr(plain, name) * plain.unit)
        for name in ("negatives", "positives")
    }
    assert shift["negatives"] == pytest.approx(np.log(3) * mu)
    assert shift["positives"] == pytest.approx(0, abs=1e-12)


def test_repeated_rows_do_not_change_the_order():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    signs = np.where(rng.random(30) < 0.5, 1.0, -1.0)
    counts = rng.integers(1, 4, size=30)
    once = TrainingSet.from_samples(X, signs, counts.astype(float))
    often = TrainingSet.from_samples(np.repeat(X, counts, axis=0), np.repeat(signs, counts))
    for one, other in ((once.negatives, often.negatives), (once.positives, often.positives)):
        assert np.array_equal(one.rows, other.rows)
        assert np.array_equal(one.weights, other.weights)


def test_differences_that_overflow_are_named():
    samples = TrainingSet.from_samples(np.array([[-1.7e308], [1.7e308]]), np.array([-1.0, 1.0]))
    with pytest.raises(ValueError, match=r"reach 1\.7e\+308, and differences .* overflow"):
        DilationProblem.from_training_set(samples, "dilation", Objective(reference="opposite"))
