"""Data of the benchmarks: two Gaussian classes of any size, and real data sets.

A trial run (:mod:`benchmarks.measure`) has few samples of each, and made-up samples instead of
real ones.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import StandardScaler

from rdep.datasets import load_paper_dataset, paper_datasets
from tests.data_folder import data_folder

from .measure import is_trial, sized, some


def gaussian(m, n, *, apart=1.0, seed=0):
    """Two Gaussian classes whose means differ by ``apart`` in every feature."""
    m = sized(m)
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, m)
    return random.normal(size=(m, n)) + apart / 2 * (2 * y - 1)[:, None], y


def noisy(m, n, *, informative=5, flipped=0.2, seed=0):
    """A few features that matter among many that do not, and labels of which some are wrong."""
    m = sized(m)
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, m)
    X = random.normal(size=(m, n))
    X[:, :informative] += (y - 0.5)[:, None]
    return X, np.where(random.random(m) < flipped, 1 - y, y)


def clusters(m, n=20, *, seed=0):
    """Sixteen clusters of two classes in ten of the features: no linear problem."""
    return make_classification(
        sized(m),
        n,
        n_informative=10,
        n_clusters_per_class=8,
        class_sep=0.7,
        flip_y=0.05,
        random_state=seed,
    )


def hard(m, *, seed=0):
    """Interactions, a sine, a circle and steps; skewed and rounded features; a quarter positive."""
    m = sized(m)
    random = np.random.default_rng([seed, 77])
    X = random.standard_normal((m, 20))
    X[:, 5:8] = np.abs(X[:, 5:8]) ** 1.5
    X[:, 8:10] = np.round(X[:, 8:10] * 2)
    smooth = 1.2 * X[:, 0] + 0.8 * X[:, 1] * X[:, 2] + 1.5 * np.sin(2 * X[:, 3])
    smooth += 0.7 * np.maximum(X[:, 10], X[:, 11]) - 0.8 * (X[:, 4] ** 2 - 1)
    smooth -= 0.5 * np.hypot(X[:, 12], X[:, 13])
    steps = 1.0 * ((X[:, 5] > 0.6) & (X[:, 6] > 0.6)) - 1.5 * ((X[:, 8] > 0) & (X[:, 9] < 0))
    chance = 1 / (1 + np.exp(3.2 - 2 * (smooth + steps)))
    return X, (random.random(m) < chance).astype(int)


def data_dir() -> Path:
    """The folder of real data sets, or an error that says how to name it."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("real data sets are needed: set RDEP_DATA_DIR to their folder")
    return folder


def paper_names() -> list[str]:
    """Names of the paper's data sets."""
    return some(entry.name for entry in paper_datasets())


def samples(name):
    """X and y, 0 and 1, of one of the paper's data sets as it is."""
    if is_trial():
        return gaussian(1000, 6)
    dataset = load_paper_dataset(name, data_dir=data_dir())
    return dataset.X, dataset.y


def load(name):
    """One of the paper's data sets with missing values imputed."""
    X, y = samples(name)
    return SimpleImputer(keep_empty_features=True).fit_transform(X), y


def real(name):
    """One of the paper's data sets, imputed and scaled."""
    X, y = load(name)
    return StandardScaler().fit_transform(X), y
