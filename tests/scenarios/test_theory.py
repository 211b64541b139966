"""Theorems about the trained classifiers, on random data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from rdep import BaggingOrdering, DEPClassifier, MorphologicalPerceptron, RDEPClassifier

from ..problems import KINDS, random_samples

pytestmark = pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")

seeds = st.integers(0, 2**32 - 1)
operators = st.sampled_from(["dilation", "erosion"])


def draw(seed, kind="continuous", m=60, n=4):
    rng = np.random.default_rng(seed)
    X, signs = random_samples(rng, int(rng.integers(10, m)), int(rng.integers(1, n + 1)), kind)
    return rng, X, signs


@given(seeds, st.sampled_from([None, "auto", "random"]))
def test_the_decision_value_is_monotone(seed, constraint):
    rng, X, y = draw(seed)
    if constraint == "random":
        constraint = rng.choice([-1, 1], size=X.shape[1])
    dep = DEPClassifier(monotonic_cst=constraint).fit(X, y)
    step = rng.random(X.shape) * (rng.random(X.shape) < 0.5) * dep.orientation_
    assert (dep.decision_function(X + step) >= dep.decision_function(X)).all()
    if constraint is None:
        assert (dep.orientation_ == 1).all()


@given(seeds, operators)
def test_permuting_features_permutes_weights(seed, operator):
    rng, X, y = draw(seed)
    order = rng.permutation(X.shape[1])
    first, second = (MorphologicalPerceptron(operator).fit(data, y) for data in (X, X[:, order]))
    assert second.weights_ == pytest.approx(first.weights_[order], rel=1e-9, abs=1e-9)


@given(seeds, operators)
def test_translating_features_translates_weights_back(seed, operator):
    rng, X, y = draw(seed)
    shift = rng.normal(size=X.shape[1])
    first, second = (MorphologicalPerceptron(operator).fit(data, y) for data in (X, X + shift))
    assert second.weights_ == pytest.approx(first.weights_ - shift, rel=1e-9, abs=1e-9)
    assert second.result_.objective == pytest.approx(first.result_.objective, rel=1e-9)


@given(seeds, operators, st.integers(-40, 40), st.sampled_from(KINDS))
def test_scaling_by_a_power_of_two_scales_exactly(seed, operator, exponent, kind):
    _, X, y = draw(seed, kind)
    scale = 2.0**exponent
    first, second = (MorphologicalPerceptron(operator).fit(data, y) for data in (X, scale * X))
    assert np.array_equal(second.weights_, scale * first.weights_)
    assert second.result_.objective == scale * first.result_.objective


@given(seeds, operators, st.sampled_from(KINDS))
def test_on_any_data_permuting_features_keeps_the_objective(seed, operator, kind):
    rng, X, y = draw(seed, kind)
    order = rng.permutation(X.shape[1])
    # With even weights, tied features are taken in their order.
    perceptron = MorphologicalPerceptron(operator, weighting="distance")
    first, second = (clone(perceptron).fit(data, y).result_ for data in (X, X[:, order]))
    assert second.objective == pytest.approx(first.objective, rel=1e-9, abs=1e-15)


@given(seeds, st.sampled_from(KINDS), st.sampled_from(["hinge", "squared_hinge"]))
def test_row_order_does_not_matter_to_the_last_bit(seed, kind, loss):
    rng, X, y = draw(seed, kind)
    rows = rng.permutation(len(X))
    options = {"beta_loss": loss, "beta_holdout": 0.3, "random_state": 0, "monotonic_cst": "auto"}
    try:
        first = DEPClassifier(**options).fit(X, y)
    except ValueError:  # too few samples of a class to hold some out
        options["beta_holdout"] = None
        first = DEPClassifier(**options).fit(X, y)
    second = DEPClassifier(**options).fit(X[rows], y[rows])
    assert second.beta_ == first.beta_
    assert np.array_equal(second.orientation_, first.orientation_)
    assert np.array_equal(second.decision_function(X), first.decision_function(X))


@given(seeds, operators, st.sampled_from(KINDS))
def test_integer_weights_are_repetitions_and_zero_is_absence(seed, operator, kind):
    rng, X, y = draw(seed, kind)
    counts = rng.integers(0, 3, size=len(X))
    counts[:2] = 1  # one sample of each class stays
    weighted = MorphologicalPerceptron(operator).fit(X, y, counts)
    repeated = MorphologicalPerceptron(operator).fit(
        np.repeat(X, counts, axis=0), np.repeat(y, counts)
    )
    assert weighted.result_.objective == pytest.approx(
        repeated.result_.objective, rel=1e-9, abs=1e-15
    )


@given(seeds)
def test_exchanging_classes_and_negating_features_is_the_dual(seed):
    _, X, y = draw(seed)
    first, second = DEPClassifier().fit(X, y), DEPClassifier().fit(-X, -y)
    assert second.dilation_weights_ == pytest.approx(-first.erosion_weights_)
    assert second.erosion_weights_ == pytest.approx(-first.dilation_weights_)
    assert second.beta_ == pytest.approx(1 - first.beta_, abs=1e-6)


@given(seeds, st.sampled_from(["ensemble", "bagging"]))
def test_an_r_dep_is_r_increasing(seed, ordering):
    """σφʳ = φρ: where ρ(x) ≤ ρ(y), φʳ(x) ≤ φʳ(y)."""
    rng, X, y = draw(seed)
    if ordering == "bagging":
        ordering = BaggingOrdering(n_estimators=2, random_state=0)
    model = RDEPClassifier(ordering).fit(X, y)
    points = np.vstack([X, rng.normal(scale=2.0, size=(60, X.shape[1]))])
    rho, classes = model.reduced_space(points), model.predict(points)
    values = model.dep_.decision_function(rho)
    assert np.array_equal(classes, np.where(values >= -model.rounding_, 1, -1))
    below = (rho[:, None, :] <= rho[None, :, :]).all(axis=2)
    assert (classes[:, None] <= classes[None, :])[below].all()


def test_the_reduced_order_relates_many_points():
    """So that the theorem above does not hold for want of points to compare."""
    _, X, y = draw(1, m=61, n=2)
    rho = RDEPClassifier("ensemble").fit(X, y).reduced_space(X)
    below = (rho[:, None, :] <= rho[None, :, :]).all(axis=2)
    assert below.mean() > 0.25
