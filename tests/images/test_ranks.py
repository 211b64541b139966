"""Ranks against sorting tuples in Python, and what may serve as an ordering."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC, OneClassSVM

from rdep import BaggingOrdering, EnsembleOrdering, RDEPClassifier
from rdep.images import dilation, order_values, rank_image

from .random_images import images as random_images
from .random_images import linear, weights

RNG = np.random.default_rng(0)
IMAGE = RNG.integers(0, 256, (12, 10, 3), dtype=np.uint8)
X = RNG.normal(128, 60, (80, 3))
Y = (X[:, 0] + X[:, 1] > 256).astype(int)
PIXELS = IMAGE.reshape(-1, 3).astype(float)


@given(random_images(), weights, st.booleans())
def test_ranks_are_places_in_the_sorted_list_of_different_pixels(image, weights, two_columns):
    columns = [linear(image, weights)]
    if two_columns:
        columns.append(linear(image, weights[::-1]))
    values = np.stack(columns, axis=-1)
    keys = [
        (*rho, *pixel)
        for rho, pixel in zip(
            values.reshape(-1, len(columns)).tolist(),
            image.reshape(-1, image.shape[-1]).tolist(),
            strict=True,
        )
    ]
    place = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    ordering = columns[0]
    if two_columns:
        ordering = FunctionTransformer(
            lambda X: np.stack([linear(X, weights), linear(X, weights[::-1])], axis=-1)
        )
    assert rank_image(image, ordering).ravel().tolist() == [place[key] for key in keys]


@pytest.mark.parametrize("n_channels", [3, 4])
def test_ties_of_pixels_that_fill_64_bits_and_that_do_not(n_channels):
    image = RNG.choice([0, 1, 2**15, 2**16 - 1], (9, 8, n_channels)).astype(np.uint16)
    rho = RNG.integers(0, 3, (9, 8))
    keys = [
        (value, *pixel)
        for value, pixel in zip(
            rho.ravel().tolist(), image.reshape(-1, n_channels).tolist(), strict=True
        )
    ]
    place = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    assert rank_image(image, rho).ravel().tolist() == [place[key] for key in keys]


@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_where_equal_pixels_are_given_different_values(dtype):
    image = np.zeros((1, 3, 2), dtype=dtype)
    assert rank_image(image, np.array([[2.0, 1.0, 2.0]])).tolist() == [[1, 0, 1]]


def test_ranks_serve_as_an_ordering():
    ordering = SVC().fit(X, Y)
    ranks = rank_image(IMAGE, ordering)
    expected = dilation(IMAGE, ordering=ordering)
    assert np.array_equal(dilation(IMAGE, ordering=ranks), expected)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint16, np.int8])
@pytest.mark.parametrize("step", [1, 2])
def test_given_ranks_are_not_sorted(dtype, step, monkeypatch):
    image = RNG.integers(0, 6, (9, 8, 3), dtype=np.uint8)[:5]
    ranks = rank_image(image, image.sum(axis=-1))
    expected = dilation(image, ordering=ranks.astype(float))
    given = (ranks.astype(dtype) * step) - (7 if dtype is np.int8 else 0)

    def refuse(*_, **__):
        raise AssertionError("the ranks were sorted again")

    monkeypatch.setattr(np, "argsort", refuse)
    monkeypatch.setattr(np, "lexsort", refuse)
    assert np.array_equal(dilation(image, ordering=given), expected)
    assert np.array_equal(rank_image(image, given), ranks)


def close(values, expected):
    return np.allclose(values, np.reshape(expected, IMAGE.shape[:-1]), rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    "classifier",
    [
        SVC(),
        SVC(kernel="linear"),
        LinearDiscriminantAnalysis(),
        RDEPClassifier("ensemble"),
        make_pipeline(StandardScaler(), PCA(2), SVC()),
        OneClassSVM(),
    ],
    ids=lambda classifier: type(classifier).__name__,
)
def test_classifiers_count_by_their_decision_function(classifier):
    classifier.fit(X, Y)
    assert close(order_values(IMAGE, classifier), classifier.decision_function(PIXELS))


@pytest.mark.parametrize("svc", [SVC(), make_pipeline(StandardScaler(), SVC())])
def test_svcs_are_evaluated_by_matrix_products(svc, monkeypatch):
    svc.fit(X, Y)
    expected = svc.decision_function(PIXELS)
    monkeypatch.setattr(SVC, "decision_function", None)
    assert close(order_values(IMAGE, svc), expected)


@pytest.mark.parametrize(
    "classifier", [GaussianNB(), RandomForestClassifier(5)], ids=["bayes", "forest"]
)
def test_classifiers_count_by_their_probability_otherwise(classifier):
    classifier.fit(X, Y)
    values = order_values(IMAGE, classifier)
    assert close(values + 0.5, classifier.predict_proba(PIXELS)[:, 1])


@pytest.mark.parametrize("ordering", [EnsembleOrdering(), BaggingOrdering(random_state=0)])
def test_orderings_of_this_library_count_by_the_mean_of_their_members(ordering):
    ordering.fit(X, Y)
    assert close(order_values(IMAGE, ordering), ordering.transform(PIXELS).mean(axis=1))


def test_other_transformers_count_by_their_columns():
    pca = PCA(2).fit(X)
    values = order_values(IMAGE, pca)
    assert np.allclose(values, pca.transform(PIXELS).reshape(12, 10, 2), atol=1e-10)


@pytest.mark.parametrize(
    ("ordering", "error", "message"),
    [
        ("lexicographic", ValueError, "pass 'marginal'"),
        (None, ValueError, "an ordering is missing: pass ordering='marginal'"),
        ([[1, 2], [3, 4]], ValueError, "type list defines no total ordering.*NumPy array"),
        (LinearDiscriminantAnalysis, ValueError, r"pass LinearDiscriminantAnalysis\(…\), fitted"),
        (np.zeros((10, 12)), ValueError, r"shape \(10, 12\).*\(12, 10\)"),
        (np.zeros((12, 10), dtype=str), ValueError, "real numbers"),
        (np.full((12, 10), np.nan), ValueError, "NaN for some pixels"),
        (SVC(), NotFittedError, "not fitted"),
        (SVC().fit(X[:, :2], Y), ValueError, "2 channels, the image has 3"),
        (SVC().fit(X, np.arange(80) % 3), ValueError, "3 classes.*needs two"),
        (LinearDiscriminantAnalysis().fit(X, np.arange(80) % 3), ValueError, "3 classes"),
        (FunctionTransformer(lambda X: X * np.nan), ValueError, "NaN for some pixels"),
    ],
    ids=lambda case: repr(case)[:40],
)
def test_what_is_no_ordering(ordering, error, message):
    with pytest.raises(error, match=message):
        dilation(IMAGE, ordering=ordering)


def test_marginal_has_no_ranks():
    with pytest.raises(ValueError, match="no total ordering"):
        rank_image(IMAGE, "marginal")


@pytest.mark.parametrize(
    "extremes",
    [
        np.array([-128, 127], dtype=np.int8),
        np.array([0, 255], dtype=np.uint8),
        np.array([-(2**62), 2**62]),
        np.array([0, 2**64 - 1], dtype=np.uint64),
        np.array([False, True]),
        np.array([7, 7]),
    ],
    ids=lambda extremes: f"{extremes.dtype} from {extremes[0]} to {extremes[1]}",
)
@pytest.mark.parametrize("n_channels", [1, 3, 8, 9])
def test_whole_values_of_any_size(extremes, n_channels):
    random = np.random.default_rng(0)
    image = random.integers(0, 3, (6, 7, n_channels), dtype=np.uint8)
    rho = random.choice(extremes, (6, 7))
    pixels = image.reshape(42, -1).tolist()
    pairs = [(int(r), *pixel) for r, pixel in zip(rho.ravel(), pixels, strict=True)]
    places = {pair: rank for rank, pair in enumerate(sorted(set(pairs)))}
    expected = np.reshape([places[pair] for pair in pairs], (6, 7))
    np.testing.assert_array_equal(rank_image(image, rho), expected)
