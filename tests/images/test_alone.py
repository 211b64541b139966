"""ρ of a pixel is the same bits alone, in blocks and in the whole; what follows for openings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC, OneClassSVM

from rdep import EnsembleOrdering, RDEPClassifier
from rdep.images import (
    CondorcetOrdering,
    PCAOrdering,
    SupervisedOrdering,
    closing,
    dilation,
    opening,
    order_values,
    rank_image,
)
from rdep.images import _pixels as pixels

RNG = np.random.default_rng(0)
IMAGE = RNG.normal(100, 60, (13, 31, 3)).astype(np.float32)
X = RNG.normal(100, 60, (60, 3))
NOISY = (X.sum(axis=1) + RNG.normal(0, 60, 60) > 300).astype(int)
WEIGHTS = RNG.normal(size=3)

EXACT = {
    "rbf": SVC(C=10.0),
    "poly": SVC(kernel="poly"),
    "sigmoid": SVC(kernel="sigmoid"),
    "linear": SVC(kernel="linear"),
    "nu": NuSVC(nu=0.3),
    "one class": OneClassSVM(),
    "support vector regression": SVR(),
    "linear svc": LinearSVC(),
    "logistic": LogisticRegression(),
    "discriminant": LinearDiscriminantAnalysis(),
    "regression": LinearRegression(),
    "bayes": GaussianNB(),
    "forest": RandomForestClassifier(3, random_state=0),
    "forest regression": RandomForestRegressor(3, random_state=0),
    "components": PCA(2),
    "pipeline": make_pipeline(StandardScaler(), PCA(2), SVC()),
    "supervised": SupervisedOrdering(),
    "pca": PCAOrdering(2),
    "majority": CondorcetOrdering(),
    "frozen": FrozenEstimator(SVC().fit(X, NOISY)),
}
ONE_BY_ONE = {
    "ensemble": EnsembleOrdering(),
    "r-DEP": SupervisedOrdering(RDEPClassifier("ensemble")),
    "network": MLPClassifier((5,), max_iter=30, random_state=0),
    "function": lambda X: X @ WEIGHTS,
}


def fitted(ordering):
    return ordering.fit(X, NOISY) if hasattr(ordering, "fit") else ordering


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", [*EXACT, *ONE_BY_ONE])
def test_a_pixel_has_the_same_bits_alone_in_blocks_and_in_the_whole(name, monkeypatch):
    ordering = fitted({**EXACT, **ONE_BY_ONE}[name])
    image = IMAGE[:, :5] if name in ONE_BY_ONE else IMAGE
    whole = order_values(image, ordering)
    alone = [order_values(image[i : i + 1, :1], ordering)[0, 0] for i in range(len(image))]
    assert np.array_equal(whole[:, 0], alone)
    for columns in (slice(None, None, 3), slice(2, 5)):
        assert np.array_equal(order_values(image[:, columns], ordering), whole[:, columns])
    monkeypatch.setattr(pixels, "_BLOCK_VALUES", 51)
    assert np.array_equal(order_values(image, ordering), whole)


@pytest.mark.parametrize("name", EXACT)
def test_values_are_those_of_the_estimator(name):
    ordering = fitted(EXACT[name])
    pixels = IMAGE.reshape(-1, 3).astype(float)
    values = order_values(IMAGE, ordering).reshape(len(pixels), -1)
    for method in ("decision_function", "predict_proba", "transform", "predict"):
        if hasattr(ordering, method):
            expected = np.asarray(getattr(ordering, method)(pixels))
            expected = expected[:, 1] - 0.5 if method == "predict_proba" else expected
            break
    assert np.allclose(values, expected.reshape(len(pixels), -1), rtol=1e-10, atol=1e-10)


def test_equal_floats_have_one_rank():
    colours = RNG.normal(100, 60, (40, 3))
    image = colours[RNG.integers(0, 40, (30, 30))]
    image[0, 0] = 0.0
    image[0, 1] = -0.0
    ranks = rank_image(image, SVC().fit(X, NOISY))
    assert ranks[0, 0] == ranks[0, 1]
    assert ranks.max() == 40


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["rbf", "sigmoid", "poly"]))
def test_openings_by_a_machine_are_idempotent(seed, kernel):
    rng = np.random.default_rng(seed)
    image = rng.integers(0, 3, (6, 7, 2)).astype(np.uint16) * 97
    svc = SVC(kernel=kernel, C=100.0).fit(rng.normal(80, 60, (40, 2)), np.arange(40) % 2)
    options = {"ordering": svc, "mode": "ignore"}
    opened, closed = opening(image, **options), closing(image, **options)
    assert np.array_equal(opening(opened, **options), opened)
    assert np.array_equal(closing(closed, **options), closed)
    assert (order_values(opened, svc) <= order_values(image, svc)).all()
    assert (order_values(closed, svc) >= order_values(image, svc)).all()


def test_functions_and_regressors_are_orderings():
    image = RNG.integers(0, 256, (9, 8, 3), dtype=np.uint8)
    brightness = dilation(image, ordering=image.sum(axis=-1))
    assert np.array_equal(dilation(image, ordering=lambda X: X.sum(axis=1)), brightness)
    regressor = LinearRegression().fit(X, X.sum(axis=1))
    assert np.allclose(order_values(image, regressor), image.sum(axis=-1))
