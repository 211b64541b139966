"""Small data get one thread; large data keep their team."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_info, threadpool_limits

from rdep import BaggingOrdering, EnsembleOrdering
from rdep._utils import _threads as threads


def openmp_threads():
    return max(library["num_threads"] for library in threadpool_info() if is_openmp(library))


def is_openmp(library):
    return library["user_api"] == "openmp"


class Counting(ClassifierMixin, BaseEstimator):
    """It notes how many threads it may use."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.in_fit_ = openmp_threads()
        return self

    def decision_function(self, X):
        self.in_prediction_ = openmp_threads()
        return X[:, 0]

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


@pytest.mark.skipif(not any(map(is_openmp, threadpool_info())), reason="no OpenMP here")
@pytest.mark.parametrize(
    "ordering",
    [
        EnsembleOrdering([("a", Counting()), ("b", LinearSVC())]),
        BaggingOrdering(Counting(), n_estimators=2, random_state=0),
    ],
    ids=lambda ordering: type(ordering).__name__,
)
@pytest.mark.parametrize(("small", "expected"), [(40, 1), (39, 2)])
def test_members_on_small_data_get_one_thread(monkeypatch, ordering, small, expected):
    monkeypatch.setattr(threads, "_SMALL", small)
    X = np.arange(40.0).reshape(20, 2)
    y = np.repeat([0, 1], 10)
    with threadpool_limits(2, user_api="openmp"):
        ordering.fit(X, y).transform(X)
        assert openmp_threads() == 2
    member = ordering.estimators_[0]
    assert (member.in_fit_, member.in_prediction_) == (expected, expected)
