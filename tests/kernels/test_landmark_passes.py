"""Landmarks by passes against the fit to arrays, and against refits without a sample."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from rdep._base._passes import ListOfBlocks
from rdep.kernels import LandmarkClassifier, fit_landmarks_by_passes, left_out_values


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(600, n_features=5, n_informative=3, flip_y=0.1, random_state=0)
    return X, np.where(y > 0, 1.0, -1.0)


@pytest.mark.parametrize("weighted", ["no", "yes", "with zeros"])
@pytest.mark.parametrize(
    "parameters",
    [
        {"alpha": "auto", "random_state": 3},
        {"alpha": 0.1, "gamma": 0.3, "random_state": 0},
        {"kernel": "poly", "gamma": "auto", "coef0": 1.0, "random_state": 0},
        {"n_landmarks": 10_000, "alpha": "auto", "random_state": 0},
    ],
)
def test_it_is_the_fit_to_arrays(data, weighted, parameters):
    X, y = data
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y))
    weight[:60] *= weighted != "with zeros"
    weight = None if weighted == "no" else weight
    parameters = {"n_landmarks": 50, **parameters}
    peer = LandmarkClassifier(keep_left_out=True, **parameters).fit(X, y, sample_weight=weight)
    passes = ListOfBlocks.of_arrays(X, y, weight, n_rows=70)
    ours, ridge = fit_landmarks_by_passes(LandmarkClassifier(**parameters), passes, [-1, 1])
    assert np.array_equal(ours.landmarks_, peer.landmarks_)
    assert ours.kernel_.gamma == pytest.approx(peer.kernel_.gamma, rel=1e-12)
    assert ours.alpha_ == peer.alpha_
    assert np.allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-8)
    left_out = np.concatenate([left_out_values(ridge, block) for block in passes.blocks])
    assert np.allclose(left_out, peer.left_out_values_, atol=1e-8)
    assert np.array_equal(ours.predict(X), peer.predict(X))


def test_left_out_values_are_those_of_refits(data):
    X, y = data
    X, y = X[:60], y[:60]
    classifier = LandmarkClassifier(n_landmarks=60, gamma=0.2, alpha=0.5, random_state=0)
    passes = ListOfBlocks.of_arrays(X, y, n_rows=13)
    _, ridge = fit_landmarks_by_passes(classifier, passes, [-1, 1])
    values = np.concatenate([left_out_values(ridge, block) for block in passes.blocks])
    K = np.exp(-0.2 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    for k in (0, 7, 59):
        rest = np.arange(60) != k
        # Normal equations in the coefficients and the intercept.
        A = np.column_stack([K, np.ones(60)])
        penalty = np.zeros((61, 61))
        penalty[:60, :60] = 0.5 * K
        solution = np.linalg.lstsq(A[rest].T @ A[rest] + penalty, A[rest].T @ y[rest], rcond=1e-13)
        assert values[k] == pytest.approx(float(A[k] @ solution[0]), abs=1e-5)
