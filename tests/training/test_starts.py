"""Starts from a subsample: what it is, what the record says, and on what it does not depend."""

import numpy as np
import pytest

from rdep import DEPClassifier, MorphologicalPerceptron
from rdep.training import DilationProblem, Objective, Procedure, TrainingSet, _starts, train
from rdep.training._starts import best_end, spread_starts, subsample

from ..problems import random_problems, random_samples

AUTO = Procedure(n_init="auto")


@pytest.fixture(scope="module")
def many():
    return random_samples(np.random.default_rng(5), 9000, 4, "continuous")


def test_large_classes_are_thinned_and_weigh_the_same(many):
    X, signs = many
    samples = TrainingSet.from_samples(X, signs)
    problem = DilationProblem.from_training_set(samples, "erosion", Objective())
    some = subsample(problem)
    for values, penalties, all_values, all_penalties in (
        (some.negatives, some.negative_penalties, problem.negatives, problem.negative_penalties),
        (some.positives, some.positive_penalties, problem.positives, problem.positive_penalties),
    ):
        every = max(1, len(all_penalties) // 1000)
        assert np.array_equal(values, all_values[:, ::every])
        assert penalties.sum() == pytest.approx(all_penalties.sum(), rel=1e-12)
    assert some.n_samples < problem.n_samples / 2
    for name in ("reference", "unit", "margins", "largest", "tie_tolerance"):
        assert np.array_equal(getattr(some, name), getattr(problem, name))


def test_small_classes_are_not():
    for case in random_problems(8):
        assert subsample(case.problem).n_samples == case.problem.n_samples


@pytest.mark.parametrize("operator", ["dilation", "erosion"])
def test_the_record_says_what_was_done(many, operator):
    samples = TrainingSet.from_samples(*many)
    result = train(samples, operator, Objective(), AUTO)
    problem = DilationProblem.from_training_set(samples, operator, Objective())
    some = subsample(problem)
    point, start = best_end(problem, some, spread_starts(some, AUTO), AUTO)
    assert (result.start, result.start_samples) == (start, some.n_samples)
    assert result.history[0] == pytest.approx(problem.at(point).objective * problem.unit, rel=1e-12)
    # The certificate is of all samples: from there on CCP on all of them does not descend.
    again = train(samples, operator, Objective(), Procedure(start=result.weights))
    assert again.objective == pytest.approx(result.objective, rel=1e-12)
    assert result.converged
    assert result.certificate >= -1e-12
    assert again.start_samples == len(many[1])


def test_where_all_samples_take_part_it_is_never_above_the_run_from_r():
    lowered = 0
    for case in random_problems(30, seed=9, m=(20, 150), n=(2, 8)):
        plain = train(case.samples, case.operator, case.objective, Procedure())
        auto = train(case.samples, case.operator, case.objective, AUTO)
        assert auto.objective <= plain.objective * (1 + 1e-12)
        lowered += auto.objective < plain.objective * (1 - 1e-9)
    assert lowered >= 5


def test_neither_rows_nor_chance_matter(many):
    X, signs = many
    y = signs > 0
    rows = np.random.default_rng(0).permutation(len(X))
    model = DEPClassifier(n_init="auto").fit(X, y)
    shuffled = DEPClassifier(n_init="auto", random_state=1).fit(X[rows], y[rows])
    assert np.array_equal(model.dilation_weights_, shuffled.dilation_weights_)
    assert np.array_equal(model.erosion_weights_, shuffled.erosion_weights_)
    assert model.beta_ == shuffled.beta_


def test_where_all_samples_take_part_the_order_of_features_does_not_matter(many):
    X, signs = many[0][:1500], many[1][:1500]
    columns = np.random.default_rng(0).permutation(X.shape[1])
    model = MorphologicalPerceptron(n_init="auto").fit(X, signs)
    permuted = MorphologicalPerceptron(n_init="auto").fit(X[:, columns], signs)
    assert permuted.weights_ == pytest.approx(model.weights_[columns])


def test_a_given_start_is_the_start(many):
    samples = TrainingSet.from_samples(*many)
    given = train(samples, "dilation", Objective(), Procedure()).weights
    once = train(samples, "dilation", Objective(), Procedure(start=given, n_init="auto"))
    assert once.start == 0
    assert once.start_samples == len(many[1])
    assert once.history[0] == once.objective


def test_the_paper_has_one_start():
    assert DEPClassifier.paper().n_init == 1
    assert MorphologicalPerceptron.paper().n_init == 1


def test_no_start_follows_one_without_a_loss(monkeypatch):
    called = []
    descend = _starts.descend
    monkeypatch.setattr(_starts, "descend", lambda *a: (called.append(a), descend(*a))[1])
    X = np.random.default_rng(0).normal(size=(20, 300))
    result = train(
        TrainingSet.from_samples(X, np.where(np.arange(20) % 2, 1.0, -1.0)),
        "dilation",
        Objective(),
        AUTO,
    )
    assert (len(called), result.start) == (1, 0)
