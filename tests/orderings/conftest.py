"""Samples for the tests of orderings."""

import pytest
from sklearn.datasets import load_breast_cancer, make_moons


@pytest.fixture(scope="package")
def moons():
    """Samples, their classes, and other samples to transform."""
    X, y = make_moons(120, noise=0.2, random_state=0)
    return X, y, make_moons(50, noise=0.2, random_state=1)[0]


@pytest.fixture(scope="package")
def cancer():
    return load_breast_cancer(return_X_y=True, as_frame=True)
