"""The two data sets of the paper's worked examples."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

import numpy as np
from sklearn.datasets import make_moons

from .._utils._typing import Array, Indices


class TrainTestSplit(NamedTuple):
    """Training and test samples, in the order of scikit-learn's ``train_test_split``."""

    X_train: Array
    X_test: Array
    y_train: Indices
    y_test: Indices


def load_ripley() -> TrainTestSplit:
    """Ripley's synthetic two-class problem: 250 training and 1000 test points in the plane.

    From B. D. Ripley, *Pattern Recognition and Neural Networks*, Cambridge University Press, 1996,
    as distributed with R's MASS package (``synth.tr``, ``synth.te``). The best possible accuracy is
    about 0.92.

    Returns
    -------
    X_train, X_test, y_train, y_test : ndarrays
    """
    parts = [_read_points(f"ripley_{part}.csv") for part in ("train", "test")]
    return TrainTestSplit(parts[0][0], parts[1][0], parts[0][1], parts[1][1])


def make_double_moon(n_train=1000, n_test=2000, *, noise=0.1, random_state=0) -> TrainTestSplit:
    """The paper's double-moon problem: two interleaving half circles with Gaussian noise.

    The points are those of scikit-learn's ``make_moons``, but the upper moon is the positive class:
    the orientation in which a DEP has the accuracies of the paper's Example 5.

    Parameters
    ----------
    n_train, n_test : int, default=1000 and 2000
    noise : float, default=0.1
        Standard deviation.
    random_state : int or RandomState instance, default=0
        The paper does not say its own.

    Returns
    -------
    X_train, X_test, y_train, y_test : ndarrays
    """
    random = np.random.RandomState(random_state) if isinstance(random_state, int) else random_state
    X_train, y_train = make_moons(n_train, noise=noise, random_state=random)
    X_test, y_test = make_moons(n_test, noise=noise, random_state=random)
    return TrainTestSplit(X_train, X_test, 1 - y_train, 1 - y_test)


def _read_points(name: str) -> tuple[Array, Indices]:
    with files(__package__).joinpath(name).open() as lines:
        table = np.loadtxt(lines, delimiter=",", skiprows=1)
    return table[:, :2], table[:, 2].astype(np.intp)
