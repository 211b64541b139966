"""The single morphological perceptron."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_blobs
from sklearn.exceptions import ConvergenceWarning

from rdep import DEPClassifier, MorphologicalPerceptron, dilation, erosion
from rdep.datasets import load_ripley
from rdep.exceptions import DegenerateFitWarning

from ..problems import random_samples


@pytest.fixture(scope="module")
def ripley():
    return load_ripley()


@pytest.mark.parametrize(("operator", "limit"), [("dilation", 0.00602), ("erosion", 0.00509)])
def test_the_objective_on_ripley_is_below_the_papers(ripley, operator, limit):
    X, _, y, _ = ripley
    model = MorphologicalPerceptron.paper(operator, margin=0.0).fit(X, y)
    assert model.result_.objective <= limit
    assert model.result_.converged
    assert model.n_iter_ == model.result_.n_iter


def test_the_decision_value_is_the_operator(ripley):
    X, X_test, y, _ = ripley
    for operator, operate in (("dilation", dilation), ("erosion", erosion)):
        model = MorphologicalPerceptron(operator).fit(X, y)
        assert np.array_equal(model.decision_function(X_test), operate(X_test, model.weights_))
        assert np.array_equal(model.predict(X_test), (operate(X_test, model.weights_) >= 0) * 1)


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
def test_a_value_of_zero_is_positive_under_any_threshold():
    X, y = [[0.0], [1.0]], ["no", "yes"]
    model = MorphologicalPerceptron(margin=0.0).fit(X, y)
    assert dilation([[0.0]], model.weights_)[0] == 0
    assert model.predict([[0.0]]) == ["yes"]
    assert 0 < model.decision_function([[0.0]])[0] < 1e-300


def test_certify_on_ripley(ripley):
    X, _, y, _ = ripley
    paper = MorphologicalPerceptron.paper("erosion", margin=0.0)
    model = clone(paper).fit(X, y)
    certificate = model.certify(X, y, time_limit=60)
    assert certificate.proven
    assert certificate.objective == pytest.approx(model.result_.objective)
    assert 0.01 < certificate.gap < 0.03
    better = paper.set_params(escape=True).fit(X, y)
    assert better.result_.objective == pytest.approx(certificate.lower_bound, rel=1e-6)
    with pytest.raises(ValueError, match="samples and classes"):
        model.certify(X, y + 5)


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
def test_the_reference_vector_and_stiffness():
    X, y = random_samples(np.random.default_rng(0), 50, 3, "continuous")
    stiff = MorphologicalPerceptron(C=1e3, reference=[1.0, 2.0, 3.0]).fit(X, y)
    assert stiff.weights_ == pytest.approx([1.0, 2.0, 3.0])
    for reference in ("extreme", "mean", "opposite", "zero"):
        MorphologicalPerceptron(reference=reference).fit(X, y)


def test_the_limit_of_iterations_warns():
    X, y = random_samples(np.random.default_rng(0), 200, 5, "continuous")
    with pytest.warns(ConvergenceWarning, match="max_iter=1 steps"):
        model = MorphologicalPerceptron(max_iter=1).fit(X, y)
    assert model.result_.status == "iteration limit"


def test_one_class_for_all_warns():
    X = np.random.default_rng(0).normal(size=(40, 1))
    y = (X[:, 0] < 0).astype(int)  # decreasing
    with pytest.warns(
        DegenerateFitWarning,
        match="every training sample is predicted as class 1[.].*monotonic_cst",
    ):
        MorphologicalPerceptron("erosion", C=10.0).fit(X, y)


def test_samples_at_the_boundary_warn():
    X = np.repeat([[0.0], [1.0]], 20, axis=0)
    y = np.repeat([0, 1], 20)
    with pytest.warns(DegenerateFitWarning, match="50% of the training"):
        MorphologicalPerceptron(margin=0.0).fit(X, y)
    assert MorphologicalPerceptron().fit(X, y).score(X, y) == 1.0


def test_more_than_two_classes():
    X, y = make_blobs(centers=[[0, 0], [5, 5], [10, 10]], random_state=0)
    labels = np.array(["a", "b", "c"])[y]
    model = MorphologicalPerceptron("dilation").fit(X, labels)
    assert model.decision_function(X).shape == (100, 3)
    assert len(model.estimators_) == 3
    assert set(model.predict(X)) <= {"a", "b", "c"}
    assert not hasattr(model, "weights_")
    with pytest.raises(ValueError, match="one of `estimators_`"):
        model.certify(X, labels)
    model.fit(X[y < 2], labels[y < 2])
    assert not hasattr(model, "estimators_")


def test_unusual_but_valid_input():
    rng = np.random.default_rng(0)
    X, y = random_samples(rng, 60, 3, "continuous")
    expected = MorphologicalPerceptron().fit(X, y).predict(X)
    read_only = X.copy()
    read_only.flags.writeable = False
    assert np.array_equal(MorphologicalPerceptron().fit(read_only, y).predict(X), expected)
    MorphologicalPerceptron().fit(X.astype(np.float32), y)
    MorphologicalPerceptron().fit(np.round(10 * X).astype(int), y)
    assert (
        MorphologicalPerceptron()
        .fit([[1.0, 2.0], [3.0, 4.0]], [0, 1])
        .score([[1.0, 2.0], [3.0, 4.0]], [0, 1])
    )
    constant = np.hstack([X, np.full((60, 1), 7.0)])
    kept = MorphologicalPerceptron(ignore_constant=False).fit(constant, y)
    assert np.isfinite(kept.weights_).all()


@pytest.mark.parametrize("size", [1e-100, 1e-30, 1e30, 1e100])
@pytest.mark.parametrize("operator", ["dilation", "erosion"])
def test_any_scale(size, operator):
    X, y = random_samples(np.random.default_rng(1), 80, 3, "continuous")
    model = MorphologicalPerceptron(operator).fit(X, y)
    scaled = MorphologicalPerceptron(operator).fit(size * X, y)
    assert scaled.weights_ / size == pytest.approx(model.weights_, rel=1e-6)
    assert np.array_equal(scaled.predict(size * X), model.predict(X))


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
def test_wholly_tied_data():
    X, y = np.ones((10, 3)), np.repeat([0, 1], 5)
    model = MorphologicalPerceptron().fit(X, y)
    assert np.isfinite(model.weights_).all()
    assert len(set(model.predict(X))) == 1


def test_wide_data_at_the_boundary_warn_too():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (200, 300)).astype(float), rng.integers(0, 2, 200)
    X[y == 1, 0] = 2
    with pytest.warns(DegenerateFitWarning, match="on its wrong side"):
        MorphologicalPerceptron(margin=0.0).fit(X, y)


def test_unequal_scales_do_not_slow_the_descent_down():
    """Sets that take turns going up and down must not zigzag along a valley."""
    X, y = load_breast_cancer(return_X_y=True)
    model = DEPClassifier(monotonic_cst="auto", margin=0.1, C=1e-3).fit(X, y)
    for result in (model.dilation_result_, model.erosion_result_):
        assert result.fallbacks == 0
        assert result.converged
