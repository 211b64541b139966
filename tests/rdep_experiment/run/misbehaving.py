"""Classifiers that fail in all the ways a run must survive."""

import os
import time
from pathlib import Path

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin
from threadpoolctl import threadpool_info


class Constant(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Failing(Constant):
    def fit(self, X, y):
        raise RuntimeError("on <purpose>")


class Counting(Constant):
    """Fails with what it may use."""

    def fit(self, X, y):
        threads = {pool["num_threads"] for pool in threadpool_info()}
        raise RuntimeError(f"jobs: {effective_n_jobs(None)}, threads: {threads}")


class Hanging(Constant):
    def fit(self, X, y):
        time.sleep(60)


class Waiting(Constant):
    """Waits while the file is there that RDEP_TEST_GATE names."""

    def fit(self, X, y):
        gate = os.environ.get("RDEP_TEST_GATE")
        while gate and Path(gate).exists():
            time.sleep(0.02)
        return super().fit(X, y)


class Dying(Constant):
    def fit(self, X, y):
        os._exit(3)


class DyingOnce(Constant):
    """Dies if the file that a subclass names is not there, and makes it."""

    mark: Path

    def fit(self, X, y):
        if not self.mark.exists():
            self.mark.touch()
            os._exit(3)
        return super().fit(X, y)


class NoNumbers(Constant):
    def predict_proba(self, X):
        return np.full((len(X), 2), np.nan)
