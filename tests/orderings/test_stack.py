"""A stack without negative coefficients, against the best of all subsets of members."""

from itertools import combinations

import numpy as np
import pytest
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_sample_weight

from rdep import EnsembleOrdering, MixedOrdering, RDEPClassifier
from rdep._base._passes import ListOfBlocks
from rdep.orderings import _stack, stack_by_passes
from rdep.orderings._stack import fitted_stack


def made(seed, n_samples=60, n_members=4):
    """Values of members that know the class, something else, or its opposite."""
    random = np.random.default_rng(seed)
    y = random.permutation(np.arange(n_samples) % 3 == 0)
    knowledge = random.uniform(-0.7, 1.2, n_members)
    return np.outer(y, knowledge) + random.normal(size=(n_samples, n_members)), y


COSTS = {False: 5.0, True: 0.5}


def objective(coefficients, intercept, values, y, class_weight):
    """The objective of scikit-learn's logistic regression."""
    margins = np.where(y, 1, -1) * (values @ coefficients + intercept)
    weights = compute_sample_weight(class_weight, y)
    return weights @ np.logaddexp(0, -margins) + coefficients @ coefficients / 2


@pytest.mark.parametrize("class_weight", ["balanced", COSTS])
@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_best_of_all_subsets_of_members(seed, class_weight):
    """The optimum is the free one of those members whose coefficients are not at the bound."""
    values, y = made(seed)
    scaled = StandardScaler().fit_transform(values)
    best = objective(np.zeros(4), 0.0, scaled, y, class_weight)  # without any
    for size in range(1, 5):
        for subset in map(list, combinations(range(4), size)):
            free = LogisticRegression(class_weight=class_weight, tol=1e-10, max_iter=1000)
            free.fit(scaled[:, subset], y)
            if (free.coef_ >= 0).all():
                coefficients = np.zeros(4)
                coefficients[subset] = free.coef_[0]
                best = min(
                    best, objective(coefficients, free.intercept_[0], scaled, y, class_weight)
                )
    stack = fitted_stack(values, y, None, positive=True, class_weight=class_weight)
    logistic = stack[-1]
    assert (logistic.coef_ >= 0).all()
    found = objective(logistic.coef_[0], logistic.intercept_[0], scaled, y, class_weight)
    # If no bound is met, it is scikit-learn's at scikit-learn's tolerance.
    assert found == pytest.approx(best, rel=1e-9 if (logistic.coef_ == 0).any() else 1e-6)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_it_is_the_same_if_transformers_give_frames(kind):
    values, y = made(0)
    assert (fitted_stack(values, y, None, positive=False)[-1].coef_ < 0).any()
    expected = fitted_stack(values, y, None, positive=True).decision_function(values)
    with config_context(transform_output=kind):
        found = fitted_stack(values, y, None, positive=True).decision_function(values)
    assert np.array_equal(found, expected)


def test_some_of_these_have_negative_coefficients_when_free():
    signs = [
        (fitted_stack(*made(seed), None, positive=False)[-1].coef_ < 0).any() for seed in range(8)
    ]
    assert 2 < sum(signs) < 8


def test_where_no_coefficient_is_negative_it_is_scikit_learns():
    random = np.random.default_rng(0)
    y = np.arange(90) % 3 == 0
    values = y[:, None] + random.normal(scale=0.5, size=(90, 3))
    theirs = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
    ours = fitted_stack(values, y, None, positive=True)
    assert (ours[-1].coef_ > 0).all()
    np.testing.assert_array_equal(
        ours.decision_function(values), theirs.fit(values, y).decision_function(values)
    )


def test_weights_are_repetitions():
    values, y = made(4)
    times = np.random.default_rng(1).integers(0, 4, len(y))
    assert (fitted_stack(values, y, times.astype(float), positive=False)[-1].coef_ < 0).any()
    weighted = fitted_stack(values, y, times.astype(float), positive=True)
    rows = np.repeat(np.arange(len(y)), times)
    repeated = fitted_stack(values[rows], y[rows], None, positive=True)
    np.testing.assert_allclose(
        weighted.decision_function(values), repeated.decision_function(values), atol=1e-6
    )


def test_without_signal_it_is_zero_and_leaves_decisions_to_the_dep():
    """What rounding leaves of it must not be blown up to a standard deviation of one."""
    random = np.random.default_rng(1)
    X, y = random.normal(size=(40, 3)), random.integers(0, 2, 40)
    ordering = EnsembleOrdering([("svc", SVC())], cv=5, stack="positive", shrinkage=0.5)
    model = RDEPClassifier(ordering).fit(X, y)
    assert model.ordering_.stack_.decision_function(X[:, :1]).tolist() == [0.0] * 40
    assert model.ordering_.stack_scale_ == 1
    assert np.abs(model.decision_function(X)).max() < 100
    plain = RDEPClassifier(EnsembleOrdering([("svc", SVC())], cv=5)).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), plain.decision_function(X), atol=1e-9)


@pytest.mark.parametrize("shrinkage", [0.0, 0.5])
def test_decisions_never_fall_when_a_member_rises(shrinkage):
    """With little signal, where a free stack turns some members around and not all."""
    random = np.random.default_rng(0)
    X = random.normal(size=(100, 5))
    y = X[:, 0] + 2 * random.normal(size=100) > 0
    free = MixedOrdering(stack=True, random_state=0).fit(StandardScaler().fit_transform(X), y)
    assert len(set(np.sign(free.stack_[-1].coef_[0]))) == 2
    model = RDEPClassifier(MixedOrdering(shrinkage=shrinkage), random_state=0)
    model.fit(X, y)
    ordering = model.ordering_
    assert ordering.stack_[-1].coef_.any()

    def decided(values):
        drawn = ordering._with_stack(values)
        drawn = drawn @ ordering.shrinking() if shrinkage else drawn
        return model.dep_.decision_function(model.ordering_scaler_.transform(drawn))

    values = ordering._decision_values(model.input_scaler_.transform(X))
    np.testing.assert_allclose(decided(values), model.decision_function(X), atol=1e-12)
    assert len(np.unique(decided(values))) > 50
    assert np.abs(decided(values)).max() < 100
    risen = values + random.exponential(size=values.shape) * random.integers(0, 2, values.shape)
    assert (decided(risen) >= decided(values) - 1e-12).all()


def test_noise_is_not_learned_the_wrong_way_round():
    """Cross-fitted values of noise fall with the class; samples that are known stay known."""
    right = {True: [], "positive": []}
    for seed in range(4):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(100, 5)), random.integers(0, 2, 100)
        for stack, scores in right.items():
            model = RDEPClassifier(random_state=0).set_params(ordering__stack=stack)
            scores.append(model.fit(X, y).score(X, y))
            assert len(set(model.predict(X))) == 2
    assert min(right["positive"]) > 0.7
    assert min(right[True]) < 0.2


def test_any_ordering_may_have_one():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 4)), random.integers(0, 2, 60)
    free, positive = (
        EnsembleOrdering(cv=5, stack=stack).fit(X, y).stack_[-1].coef_
        for stack in (True, "positive")
    )
    assert (free < 0).any()
    assert (positive >= 0).all()
    with pytest.raises(ValueError, match="'stack' parameter of EnsembleOrdering"):
        EnsembleOrdering(stack="negative").fit(X, y)


@pytest.mark.parametrize("class_weight", ["balanced", COSTS])
@pytest.mark.parametrize("positive", [True, False])
def test_passes_find_the_stack_of_many_samples(positive, class_weight, monkeypatch):
    monkeypatch.setattr(_stack, "PRECISE_FROM", 100)
    for seed in range(4):
        values, y = made(seed, n_samples=500)
        weight = np.random.default_rng(seed).uniform(0.5, 2, len(y))
        peer = fitted_stack(values, y, weight, positive=positive, class_weight=class_weight)
        passes = ListOfBlocks.of_arrays(values, np.where(y, 1.0, -1.0), weight, n_rows=60)
        stack, scale = stack_by_passes(
            passes, [False, True], positive=positive, class_weight=class_weight
        )
        stacked = peer.decision_function(values)
        assert np.allclose(stack.decision_function(values), stacked, atol=1e-8)
        mean = np.average(stacked, weights=weight)
        deviation = np.sqrt(np.average((stacked - mean) ** 2, weights=weight))
        assert scale == pytest.approx(deviation, rel=1e-9)


def test_a_stack_of_passes_without_signal_is_zero():
    values, y = np.zeros((50, 2)), np.arange(50) % 2 > 0
    passes = ListOfBlocks.of_arrays(values, np.where(y, 1.0, -1.0), n_rows=7)
    stack, scale = stack_by_passes(passes, [False, True], positive=True)
    assert (stack.decision_function(values) == 0).all()
    assert scale == 1.0
