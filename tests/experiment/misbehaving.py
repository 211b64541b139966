"""Classifiers that fail in all the ways a run must survive."""

import os
import time
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Constant(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Failing(Constant):
    def fit(self, X, y):
        raise RuntimeError("on <purpose>")


class Hanging(Constant):
    def fit(self, X, y):
        time.sleep(60)


class Dying(Constant):
    def fit(self, X, y):
        os._exit(3)


class DyingOnce(Constant):
    def fit(self, X, y):
        mark = Path(os.environ["RDEP_TEST_MARK"])
        if not mark.exists():
            mark.touch()
            os._exit(3)
        return super().fit(X, y)
