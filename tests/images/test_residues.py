"""Gradients and top-hats against SciPy's on grey images."""

import numpy as np
import pytest
from scipy import ndimage

from rdep.images import (
    LexicographicOrdering,
    black_tophat,
    dilation,
    erosion,
    external_gradient,
    gradient,
    internal_gradient,
    white_tophat,
)

SHAPES = {
    "square": np.ones((3, 3)),
    "even": np.ones((2, 4)),
    "asymmetric": np.array([[1, 1, 0], [0, 1, 0], [0, 0, 0]]),
}


@pytest.mark.parametrize("footprint", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("mode", ["reflect", "wrap"])
def test_grey_half_gradients_are_differences(footprint, mode):
    image = np.random.default_rng(0).integers(0, 200, (13, 17), dtype=np.uint8)
    options = {"footprint": footprint, "mode": mode}
    in_scipy = {"footprint": footprint.astype(bool), "mode": mode}
    inner = internal_gradient(image, ordering="marginal", channel_axis=None, **options)
    outer = external_gradient(image, ordering="marginal", channel_axis=None, **options)
    assert np.array_equal(inner, image - ndimage.grey_erosion(image, **in_scipy))
    assert np.array_equal(outer, ndimage.grey_dilation(image, **in_scipy) - image)
    assert np.array_equal(inner + outer, ndimage.morphological_gradient(image, **in_scipy))


def test_gradients_of_colours_are_distances_between_operators():
    image = np.random.default_rng(0).integers(0, 256, (9, 11, 3), dtype=np.uint8)
    order = {"ordering": LexicographicOrdering([1])}
    eroded, dilated = erosion(image, **order).astype(int), dilation(image, **order).astype(int)
    for function, one, other in (
        (gradient, dilated, eroded),
        (internal_gradient, image, eroded),
        (external_gradient, dilated, image),
    ):
        expected = np.linalg.norm(one - other, axis=-1)
        assert np.allclose(function(image, **order), expected, rtol=1e-14)


@pytest.mark.parametrize("footprint", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("mode", ["reflect", "nearest", "mirror", "wrap"])
@pytest.mark.parametrize(
    ("tophat", "change", "in_scipy"),
    [
        (white_tophat, ndimage.grey_opening, ndimage.white_tophat),
        (black_tophat, ndimage.grey_closing, ndimage.black_tophat),
    ],
)
def test_grey_tophats(footprint, mode, tophat, change, in_scipy):
    image = np.random.default_rng(0).integers(0, 200, (13, 17), dtype=np.uint8)
    result = tophat(image[..., np.newaxis], footprint, ordering=image, mode=mode)
    options = {"footprint": footprint.astype(bool), "mode": mode}
    assert np.array_equal(result, np.abs(change(image, **options).astype(int) - image))
    # At repeating borders, asymmetric footprints may open upwards; SciPy's bytes overflow there.
    if np.array_equal(footprint, footprint[::-1, ::-1]) and footprint.shape[0] % 2:
        assert np.array_equal(result, in_scipy(image, **options))


def test_distances_do_not_overflow():
    image = np.array([[[0, 0], [255, 255]]], dtype=np.uint8)
    assert np.allclose(gradient(image, np.ones((1, 3)), ordering="marginal"), np.hypot(255, 255))
    image = np.array([[[-128], [127]]], dtype=np.int8)
    assert np.array_equal(gradient(image, np.ones((1, 3)), ordering="marginal"), [[255, 255]])
    image = np.array([[[0.0, 0.0], [1e200, 1e200]]])
    assert np.allclose(
        gradient(image, np.ones((1, 3)), ordering="marginal") / 1e200, np.sqrt(2), rtol=1e-15
    )
