"""Least squares on landmarks, against scikit-learn's ridge regressions."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from rdep.kernels import LandmarkClassifier
from rdep.kernels import _evaluation as kernels
from rdep.kernels import _ridge as ridge


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(600, 6, n_informative=4, n_redundant=0, random_state=0)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 600)
    return X[:400], y[:400], weights[:400], X[400:]


def on_the_same_landmarks(classifier, gamma):
    """scikit-learn's map of the same landmarks and its ridge regression after it."""
    nystroem = Nystroem(
        kernel=classifier.kernel,
        gamma=gamma,
        degree=classifier.degree,
        coef0=classifier.coef0,
        n_components=len(classifier.landmarks_),
    ).fit(classifier.landmarks_)
    return make_pipeline(nystroem, RidgeClassifier(alpha=classifier.alpha))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "parameters",
    [
        {"gamma": 0.1},
        {"gamma": 0.5, "alpha": 10.0},
        {"kernel": "poly", "gamma": 0.2, "coef0": 1.0},
        {"kernel": "poly", "gamma": 0.2, "degree": 2},
    ],
    ids=str,
)
def test_it_is_ridge_regression_on_nystroem_features(data, parameters, weighted):
    X, y, weights, X_test = data
    weights = weights if weighted else None
    classifier = LandmarkClassifier(n_landmarks=25, random_state=0, **parameters)
    classifier.fit(X, y, sample_weight=weights)
    peer = on_the_same_landmarks(classifier, parameters["gamma"])
    peer[0].fit(classifier.landmarks_)
    peer[1].fit(peer[0].transform(X), y, sample_weight=weights)
    expected = peer[1].decision_function(peer[0].transform(X_test))
    values = classifier.decision_function(X_test)
    assert np.abs(values - expected).max() <= 1e-6 * np.abs(expected).max()


def test_a_linear_kernel_is_plain_ridge_regression(data):
    X, y, weights, X_test = data
    classifier = LandmarkClassifier("linear", random_state=0).fit(X, y, sample_weight=weights)
    expected = RidgeClassifier().fit(X, y, sample_weight=weights).decision_function(X_test)
    np.testing.assert_allclose(classifier.decision_function(X_test), expected, rtol=1e-7, atol=1e-9)


def test_gamma_is_that_of_an_svc(data):
    X, y, _, _ = data
    for gamma in ("scale", "auto", 0.3):
        classifier = LandmarkClassifier(gamma=gamma, n_landmarks=10).fit(X, y)
        assert classifier.kernel_.gamma == pytest.approx(SVC(gamma=gamma).fit(X, y)._gamma)


def test_blocks_do_not_matter(data, monkeypatch):
    X, y, weights, X_test = data
    whole = LandmarkClassifier(n_landmarks=50, random_state=0).fit(X, y, sample_weight=weights)
    monkeypatch.setattr(kernels, "_BLOCK_VALUES", 350)
    monkeypatch.setattr(kernels, "_BLOCK_SAMPLES", 1)
    monkeypatch.setattr(ridge, "_FEWEST_ROWS", 1)
    blocks = LandmarkClassifier(n_landmarks=50, random_state=0).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(
        blocks.decision_function(X_test), whole.decision_function(X_test), rtol=1e-6, atol=1e-8
    )


def test_landmarks_are_samples_with_weight(data):
    X, y, _, _ = data
    weights = (np.arange(len(X)) % 2).astype(float)
    classifier = LandmarkClassifier(n_landmarks=1000, random_state=0)
    classifier.fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(classifier.landmarks_, X[1::2])


def test_features_without_any_variation():
    X, y = np.zeros((20, 2)), np.arange(20) % 2
    for kernel in ("rbf", "linear", "poly"):
        classifier = LandmarkClassifier(kernel).fit(X, y)
        assert np.isfinite(classifier.decision_function(X)).all()


def test_mistakes_are_explained(data):
    X = data[0]
    with pytest.raises(ValueError, match="OneVsRestClassifier"):
        LandmarkClassifier().fit(X, np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="one class only"):
        LandmarkClassifier().fit(X, np.zeros(len(X)))


@pytest.mark.parametrize("alpha", [0.01, 10.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_left_out_values_are_those_of_fits_without_the_sample(data, alpha, weighted):
    """scikit-learn's ridge regression is fitted again without each of forty samples."""
    X, y, weights, _ = data
    weights = weights if weighted else np.ones(len(y))
    classifier = LandmarkClassifier(
        n_landmarks=25, gamma=0.1, alpha=alpha, keep_left_out=True, random_state=0
    ).fit(X, y, sample_weight=weights)
    peer = on_the_same_landmarks(classifier, 0.1)
    points = peer[0].transform(X)
    for i in range(0, len(y), 10):
        others = np.arange(len(y)) != i
        peer[1].fit(points[others], y[others], sample_weight=weights[others])
        expected = peer[1].decision_function(points[[i]])[0]
        assert classifier.left_out_values_[i] == pytest.approx(expected, abs=1e-6)


def test_alpha_is_chosen_by_left_out_values(data):
    X, y, weights, X_test = data
    signs = np.where(y == 1, 1.0, -1.0)
    chosen = LandmarkClassifier(n_landmarks=50, gamma=2.0, alpha="auto", random_state=0)
    chosen.fit(X, y, sample_weight=weights)
    assert not hasattr(chosen, "left_out_values_")
    fits = {
        alpha: LandmarkClassifier(
            n_landmarks=50, gamma=2.0, alpha=alpha, keep_left_out=True, random_state=0
        ).fit(X, y, sample_weight=weights)
        for alpha in 10.0 ** np.arange(-6, 3)
    }
    errors = {a: weights @ (fit.left_out_values_ - signs) ** 2 for a, fit in fits.items()}
    assert chosen.alpha_ == min(errors, key=errors.get)
    assert 1e-6 < chosen.alpha_ < 100
    np.testing.assert_allclose(
        chosen.decision_function(X_test), fits[chosen.alpha_].decision_function(X_test), rtol=1e-9
    )
