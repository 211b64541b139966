"""Small data sets: the two of the paper's worked examples, and a time series."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

import numpy as np
from sklearn.datasets import make_moons

from .._utils._typing import Array, Indices


class TrainTestSplit(NamedTuple):
    """Training and test samples, in the order of scikit-learn's ``train_test_split``.

    Attributes
    ----------
    X_train, X_test : ndarray of shape (n_samples, 2)
        Training samples and test samples.
    y_train, y_test : ndarray of shape (n_samples,)
        Classes of the samples, 0 and 1.
    """

    X_train: Array
    X_test: Array
    y_train: Indices
    y_test: Indices


TrainTestSplit.__module__ = "rdep.datasets"  # cannot be set in the body of a NamedTuple


def load_ripley() -> TrainTestSplit:
    """Load Ripley's synthetic two-class problem: 250 training and 1000 test points in the plane.

    The points are those distributed with R's MASS package (``synth.tr``, ``synth.te``). The Bayes
    accuracy is about 0.92.

    Returns
    -------
    TrainTestSplit
        The named tuple ``(X_train, X_test, y_train, y_test)``.

    References
    ----------
    B. D. Ripley, "Pattern Recognition and Neural Networks", Cambridge University Press, 1996.
    """
    parts = [_read_points(f"ripley_{part}.csv") for part in ("train", "test")]
    return TrainTestSplit(parts[0][0], parts[1][0], parts[0][1], parts[1][1])


def make_double_moon(n_train=1000, n_test=2000, *, noise=0.1, random_state=0) -> TrainTestSplit:
    """Make the paper's double-moon problem: two interleaving half circles with Gaussian noise.

    The points are those of scikit-learn's ``make_moons``, but the upper moon is the positive class.
    With this orientation, a DEP has the accuracies of the paper's Example 5.

    Parameters
    ----------
    n_train : int, default=1000
        Number of training samples.
    n_test : int, default=2000
        Number of test samples.
    noise : float, default=0.1
        Standard deviation of the noise.
    random_state : int or RandomState instance, default=0
        Seed of the samples; the paper does not state its own.

    Returns
    -------
    TrainTestSplit
        The named tuple ``(X_train, X_test, y_train, y_test)``.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """
    random = np.random.RandomState(random_state) if isinstance(random_state, int) else random_state
    X_train, y_train = make_moons(n_train, noise=noise, random_state=random)
    X_test, y_test = make_moons(n_test, noise=noise, random_state=random)
    return TrainTestSplit(X_train, X_test, 1 - y_train, 1 - y_test)


def load_sunspots() -> tuple[Indices, Array]:
    """Load the yearly numbers of sunspots from 1700 to 2008, a time series with 309 values.

    The numbers are those that statsmodels has from the National Geophysical Data Center of the
    United States. They are in the public domain.

    Returns
    -------
    years : ndarray of shape (309,)
        The years.
    sunspots : ndarray of shape (309,)
        Mean number of sunspots of each year.
    """
    table = _read("sunspots.csv")
    return table[:, 0].astype(np.intp), table[:, 1]


def _read_points(name: str) -> tuple[Array, Indices]:
    table = _read(name)
    return table[:, :2], table[:, 2].astype(np.intp)


def _read(name: str) -> Array:
    with files(__package__).joinpath(name).open() as lines:
        return np.loadtxt(lines, delimiter=",", skiprows=1)
