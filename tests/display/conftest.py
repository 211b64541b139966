"""Fitted models for the displays."""

import matplotlib
import pytest
from sklearn.datasets import load_breast_cancer

from rdep import DEPClassifier, MorphologicalPerceptron, RDEPClassifier
from rdep.datasets import load_ripley

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


@pytest.fixture(scope="session")
def ripley():
    X, _, y, _ = load_ripley()
    return X, y


@pytest.fixture(scope="session")
def dep(ripley):
    return DEPClassifier.paper(beta=0.4, escape=True).fit(*ripley)


@pytest.fixture(scope="session")
def dilation(ripley):
    return MorphologicalPerceptron("dilation").fit(*ripley)


@pytest.fixture(scope="session")
def erosion(ripley):
    return MorphologicalPerceptron("erosion").fit(*ripley)


@pytest.fixture(scope="session")
def rdep(ripley):
    return RDEPClassifier.paper().fit(*ripley)


@pytest.fixture(scope="session")
def cancer():
    """Five features with names, some of them turned around."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X.iloc[:, :5], y


@pytest.fixture(scope="session")
def wide_dep(cancer):
    return DEPClassifier(monotonic_cst="auto", beta=0.3).fit(*cancer)
