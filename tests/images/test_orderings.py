"""Lexicographic and principal-component orderings."""

import joblib
import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from rdep import images
from rdep.images import (
    CondorcetOrdering,
    DistanceOrdering,
    LexicographicOrdering,
    PCAOrdering,
    SupervisedOrdering,
    order_values,
    rank_image,
)

from .every_operator import BY_ORDERING, MEASURES

RNG = np.random.default_rng(0)


@parametrize_with_checks(
    [
        LexicographicOrdering(),
        PCAOrdering(),
        SupervisedOrdering(),
        DistanceOrdering(),
        CondorcetOrdering(),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64])
@pytest.mark.parametrize("priority", [[0], [2], [1, 0], [-1]])
def test_lexicographic_ranks(dtype, priority):
    image = RNG.integers(0, 4, (9, 8, 3)).astype(dtype)
    rows = [
        (*(pixel[channel] for channel in priority), *pixel)
        for pixel in image.reshape(-1, 3).tolist()
    ]
    place = {row: rank for rank, row in enumerate(sorted(set(rows)))}
    ranks = rank_image(image, LexicographicOrdering(priority))
    assert ranks.ravel().tolist() == [place[row] for row in rows]


@pytest.mark.parametrize("priority", [[3], [], [-4]])
def test_channels_that_are_not_there(priority):
    with pytest.raises(ValueError, match="channels among the 3"):
        rank_image(np.zeros((2, 2, 3)), LexicographicOrdering(priority))


@pytest.mark.parametrize("n_components", [1, 4])
@pytest.mark.parametrize("block", [40, 10**6])
def test_principal_components_are_scikit_learns_with_brighter_pixels_greater(
    n_components, block, monkeypatch
):
    monkeypatch.setattr("rdep.images._orderings._BLOCK_VALUES", block)
    image = RNG.normal(size=(13, 7, 4)) @ RNG.normal(size=(4, 4))
    X = image.reshape(-1, 4)
    ordering = PCAOrdering(n_components).fit_image(image)
    expected = PCA(n_components).fit(X)
    signs = np.sign((ordering.components_ * expected.components_).sum(axis=1))
    assert np.allclose(ordering.transform(X), expected.transform(X) * signs, atol=1e-8)
    assert (ordering.components_.sum(axis=1) >= 0).all()


def test_components_of_a_constant_image():
    image = np.full((5, 5, 3), 7, dtype=np.uint8)
    assert (rank_image(image, PCAOrdering().fit_image(image)) == 0).all()


def test_too_many_components():
    with pytest.raises(ValueError, match="3 principal components"):
        PCAOrdering(4).fit_image(np.zeros((2, 3, 3)))


PHOTO = np.random.default_rng(1).integers(0, 256, (7, 8, 3), dtype=np.uint8)
LABELS = 1 + (PHOTO[..., 0] > 127)
PAIRS = ("reconstruction", "geodesic_dilation", "geodesic_erosion")
ORDERINGS = {
    "lexicographic": LexicographicOrdering(),
    "lexicographic, fitted": LexicographicOrdering([1]).fit(PHOTO.reshape(-1, 3)),
    "components": PCAOrdering(2).fit_image(PHOTO),
    "supervised": SupervisedOrdering().fit_labels(PHOTO, LABELS),
    "svc": SVC().fit(PHOTO.reshape(-1, 3), LABELS.ravel()),
    "function": FunctionTransformer(np.negative),
    "array": PHOTO.sum(axis=-1),
}


def test_every_function_with_an_ordering_is_in_the_list():
    functions = set(images.__all__) - {
        *(
            "CondorcetOrdering",
            "DistanceOrdering",
            "LexicographicOrdering",
            "PCAOrdering",
            "RankedImage",
            "SupervisedOrdering",
        ),
        *("classify", "irregularity_index", "labelled_pixels", "vector_median"),
        "filter_blocks",
    }
    assert functions == {*BY_ORDERING, *MEASURES}


@pytest.mark.parametrize("ordering", ORDERINGS.values(), ids=ORDERINGS)
@pytest.mark.parametrize("name", BY_ORDERING)
def test_use_leaves_ordering_and_image_as_they_were(name, ordering):
    if name in PAIRS and isinstance(ordering, np.ndarray):
        ordering = np.stack([ordering, ordering])
    state = ordering if isinstance(ordering, np.ndarray) else vars(ordering)
    before = joblib.hash([state, PHOTO])
    BY_ORDERING[name](PHOTO, ordering=ordering)
    assert joblib.hash([state, PHOTO]) == before


@pytest.mark.parametrize("name", BY_ORDERING)
def test_an_ordering_without_a_fit_serves_images_of_any_channels(name):
    ordering = LexicographicOrdering()
    for n_channels in (1, 3, 2):
        BY_ORDERING[name](PHOTO[..., :n_channels], ordering=ordering)
    assert not hasattr(ordering, "n_features_in_")
    assert ordering.transform(PHOTO[0, :, :1]).tolist() == PHOTO[0, :, :1].tolist()
    with pytest.raises(ValueError, match="expecting 3 features"):
        LexicographicOrdering().fit(PHOTO[0]).transform(PHOTO[0, :, :1])


@pytest.mark.parametrize("metric", ["euclidean", "mahalanobis"])
def test_distances_to_a_colour_are_scipys(metric):
    X = PHOTO.reshape(-1, 3).astype(float)
    ordering = DistanceOrdering(metric).fit_image(PHOTO, LABELS == 2)
    some = X[LABELS.ravel() == 2]
    if metric == "euclidean":
        expected = cdist(X, some.mean(axis=0)[None])
    else:
        inverse = np.linalg.inv(np.cov(some, rowvar=False))
        expected = cdist(X, some.mean(axis=0)[None], "mahalanobis", VI=inverse)
    assert np.allclose(order_values(PHOTO, ordering).ravel(), -expected[:, 0], rtol=1e-8)
    assert ordering.scale_ == (255, "uint8")
    near_black = DistanceOrdering(reference=[0, 0, 0]).fit_image(PHOTO)
    assert np.allclose(order_values(PHOTO, near_black), -np.linalg.norm(PHOTO * 1.0, axis=-1))


@pytest.mark.parametrize(
    ("ordering", "mask", "message"),
    [
        (DistanceOrdering(reference=[0, 0]), None, r"reference has shape \(2,\).* 3 channels"),
        (DistanceOrdering(), LABELS == 9, "the mask is empty"),
        (DistanceOrdering("mahalanobis"), np.arange(56).reshape(7, 8) == 0, "needs 2 pixels"),
    ],
)
def test_bad_references(ordering, mask, message):
    with pytest.raises(ValueError, match=message):
        ordering.fit_image(PHOTO, mask)
