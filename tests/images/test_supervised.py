"""The supervised ordering: what it learns, from what, and mistakes in masks."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import BaggingOrdering, EnsembleOrdering, RDEPClassifier
from rdep._registry import names_in
from rdep.images import (
    CondorcetOrdering,
    DistanceOrdering,
    LexicographicOrdering,
    PCAOrdering,
    SupervisedOrdering,
    dilation,
    erosion,
    order_values,
)

RNG = np.random.default_rng(0)
IMAGE = RNG.integers(0, 256, (30, 40, 3), dtype=np.uint8)
FOREGROUND = IMAGE[..., 0] > 200
BACKGROUND = IMAGE[..., 0] < 100
PIXELS = IMAGE.reshape(-1, 3).astype(float)


def expected_values():
    X = np.concatenate([IMAGE[BACKGROUND], IMAGE[FOREGROUND]]).astype(float)
    y = np.repeat([0, 1], [BACKGROUND.sum(), FOREGROUND.sum()])
    return SVC().fit(X, y).decision_function(PIXELS).reshape(30, 40)


def test_pixels_masks_and_labels_give_the_svcs_decision_values():
    expected = expected_values()
    labels = np.where(FOREGROUND, 7, np.where(BACKGROUND, 3, 0))
    for ordering in (
        SupervisedOrdering().fit_pixels(IMAGE[FOREGROUND], IMAGE[BACKGROUND]),
        SupervisedOrdering().fit_masks(IMAGE, FOREGROUND, BACKGROUND),
    ):
        assert np.allclose(order_values(IMAGE, ordering), expected, rtol=0, atol=1e-9)
    # Here the samples come in another order, and libsvm stops at its tolerance.
    by_labels = SupervisedOrdering().fit_labels(IMAGE, labels)
    assert np.allclose(order_values(IMAGE, by_labels), expected, rtol=0, atol=1e-2)
    assert by_labels.classes_.tolist() == [3, 7]


def test_dilation_spreads_the_foreground_and_erosion_the_background():
    ordering = SupervisedOrdering().fit_masks(IMAGE, FOREGROUND, BACKGROUND)
    rho = order_values(IMAGE, ordering)
    assert order_values(dilation(IMAGE, ordering=ordering), ordering).mean() > rho.mean() + 0.5
    assert order_values(erosion(IMAGE, ordering=ordering), ordering).mean() < rho.mean() - 0.5


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        RDEPClassifier("ensemble"),
        EnsembleOrdering(),
        BaggingOrdering(n_estimators=3, random_state=0),
        make_pipeline(StandardScaler(), SVC()),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_other_estimators(estimator):
    ordering = SupervisedOrdering(estimator).fit_masks(IMAGE, FOREGROUND, BACKGROUND)
    rho = order_values(IMAGE, ordering)
    assert rho.shape == (30, 40)
    assert rho[FOREGROUND].min() > rho[BACKGROUND].max()


def test_a_draw_of_pixels():
    ordering = SupervisedOrdering(max_pixels=20, random_state=0)
    ordering.fit_masks(IMAGE, FOREGROUND, BACKGROUND)
    assert ordering.estimator_.shape_fit_ == (40, 3)
    again = SupervisedOrdering(max_pixels=20, random_state=0)
    again.fit_masks(IMAGE, FOREGROUND, BACKGROUND)
    assert np.array_equal(order_values(IMAGE, ordering), order_values(IMAGE, again))
    again.set_params(random_state=1).fit_masks(IMAGE, FOREGROUND, BACKGROUND)
    assert not np.allclose(order_values(IMAGE, ordering), order_values(IMAGE, again))


NOTHING = np.zeros((30, 40), dtype=bool)


@pytest.mark.parametrize(
    ("foreground", "background", "message"),
    [
        (NOTHING, BACKGROUND, "foreground is empty"),
        (FOREGROUND, NOTHING, "background is empty"),
        (FOREGROUND, ~BACKGROUND, f"overlap in {FOREGROUND.sum()} pixels"),
        (FOREGROUND[:-1], BACKGROUND, r"foreground has shape \(29, 40\)"),
        (FOREGROUND, BACKGROUND.astype(float), "background must hold booleans"),
    ],
)
def test_bad_masks(foreground, background, message):
    with pytest.raises(ValueError, match=message):
        SupervisedOrdering().fit_masks(IMAGE, foreground, background)


@pytest.mark.parametrize(
    ("foreground", "background", "message"),
    [
        (np.ones((3, 3)), np.ones((3, 4)), "3 channels, background pixels 4"),
        (np.ones((0, 3)), np.ones((3, 3)), r"foreground has shape \(0, 3\).*not empty"),
        (np.ones((3, 3)), np.ones(3), r"background has shape \(3,\)"),
        (np.full((3, 3), np.nan), np.ones((3, 3)), "NaN"),
    ],
)
def test_bad_pixels(foreground, background, message):
    with pytest.raises(ValueError, match=message):
        SupervisedOrdering().fit_pixels(foreground, background)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (NOTHING.astype(int), "zero everywhere"),
        (FOREGROUND.astype(int), "one class only"),
        (np.where(FOREGROUND, 3, np.where(BACKGROUND, 1, 2)), r"3 classes, \[1, 2, 3\]"),
    ],
)
def test_bad_labels(labels, message):
    with pytest.raises(ValueError, match=message):
        SupervisedOrdering().fit_labels(IMAGE, labels)


def test_an_estimator_with_several_values():
    with pytest.raises(ValueError, match="PCA returns several values"):
        SupervisedOrdering(PCA(2)).fit_masks(IMAGE, FOREGROUND, BACKGROUND)


@pytest.mark.parametrize(
    "ordering",
    [
        SupervisedOrdering().fit_masks(IMAGE, FOREGROUND, BACKGROUND),
        PCAOrdering().fit_image(IMAGE),
        LexicographicOrdering([2]),
        DistanceOrdering("mahalanobis").fit_image(IMAGE),
        CondorcetOrdering([PCAOrdering(), LexicographicOrdering()]).fit_image(IMAGE),
    ],
    ids=lambda ordering: type(ordering).__name__,
)
def test_orderings_are_saved_without_code(ordering, tmp_path):
    io = pytest.importorskip("skops.io")
    io.dump(ordering, tmp_path / "ordering.skops")
    trusted = [f"rdep.images.{name}" for name in names_in("rdep.images")]
    loaded = io.load(tmp_path / "ordering.skops", trusted=trusted)
    assert np.array_equal(order_values(IMAGE, loaded), order_values(IMAGE, ordering))
    assert getattr(loaded, "scale_", None) == getattr(ordering, "scale_", None)
