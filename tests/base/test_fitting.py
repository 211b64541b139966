"""A fit succeeds as a whole, or changes nothing."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from rdep import DEPClassifier, EnsembleOrdering
from rdep._base._fitting import unchanged_on_error
from rdep.datasets import load_ripley


class Estimator(BaseEstimator):
    def __init__(self, parameter=1):
        self.parameter = parameter


@pytest.fixture
def fitted():
    estimator = Estimator(parameter=2)
    estimator.learned_ = [1, 2]
    estimator._private = "kept"
    return estimator


def test_an_earlier_fit_is_forgotten(fitted):
    with unchanged_on_error(fitted):
        assert not hasattr(fitted, "learned_")
        fitted.other_ = 3
    assert vars(fitted) == {"parameter": 2, "_private": "kept", "other_": 3}


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_restores_it(fitted, error):
    before = dict(vars(fitted))

    def fit():
        with unchanged_on_error(fitted):
            fitted.other_ = 3
            fitted.learned_ = [9]
            raise error

    with pytest.raises(error):
        fit()
    assert vars(fitted) == before
    assert fitted.learned_ is before["learned_"]


@pytest.mark.parametrize("estimator", [DEPClassifier(), EnsembleOrdering()], ids=str)
def test_a_failed_fit_leaves_an_estimator_as_it_was(estimator):
    X, X_test, y, _ = load_ripley()
    compute = "transform" if hasattr(estimator, "transform") else "decision_function"
    expected = getattr(estimator.fit(X, y), compute)(X_test)
    with pytest.raises(ValueError, match="one class|two classes"):
        estimator.fit(X[:, :1], np.zeros(len(X)))
    assert np.array_equal(getattr(estimator, compute)(X_test), expected)
    assert estimator.n_features_in_ == 2
