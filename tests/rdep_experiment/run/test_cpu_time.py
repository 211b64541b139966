"""CPU time of fits and predictions."""

from types import SimpleNamespace

import numpy as np
from sklearn.dummy import DummyClassifier

from rdep_experiment.run import _cpu_time
from rdep_experiment.run._cpu_time import MANY_ROWS, N_MANY, ONE_ROW, prediction_times


def test_time_is_that_of_the_process_and_of_its_ended_children(monkeypatch):
    own, ended = iter([1.0, 3.5]), iter([(0.0, 0.0), (2.0, 0.25)])

    def times():
        user, system = next(ended)
        return SimpleNamespace(children_user=user, children_system=system)

    monkeypatch.setattr(_cpu_time, "time", SimpleNamespace(process_time=lambda: next(own)))
    monkeypatch.setattr(_cpu_time, "os", SimpleNamespace(times=times))
    assert _cpu_time.seconds_of(lambda: None) == 2.5 + 2.25


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
