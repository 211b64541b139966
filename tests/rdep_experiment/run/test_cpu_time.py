"""CPU time of fits and predictions: waiting does not count, work does."""

import time

import numpy as np
from sklearn.dummy import DummyClassifier

from rdep_experiment.run._cpu_time import MANY_ROWS, N_MANY, ONE_ROW, prediction_times, seconds_of


def work():
    sum(k * k for k in range(100_000))


def test_waiting_takes_no_cpu_time_and_work_does():
    working = seconds_of(lambda: [work() for _ in range(5)])
    assert seconds_of(lambda: time.sleep(0.4)) < 0.2
    assert working > 0


def test_predictions_are_of_one_row_and_of_ten_thousand():
    seen = []

    class Counting(DummyClassifier):
        def predict(self, X):
            seen.append(len(X))
            return super().predict(X)

    X = np.arange(14.0).reshape(7, 2)
    model = Counting().fit(X, [0, 0, 0, 1, 1, 1, 1])
    times = prediction_times(model, X)
    assert set(times) == {ONE_ROW, MANY_ROWS}
    assert set(seen[:-1]) == {1}
    assert seen[-1] == N_MANY == 10_000
