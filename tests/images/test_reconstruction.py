"""Reconstructions against scikit-image's on grey images, and the theory of lattices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage
from skimage import morphology

from rdep.images import (
    LexicographicOrdering,
    _regions,
    closing_by_reconstruction,
    erosion,
    opening,
    opening_by_reconstruction,
    reconstruction,
)

from .random_images import footprints, less_or_equal, linear, weights, without_false_colours
from .random_images import images as random_images


@pytest.mark.parametrize("connectivity", [None, 1])
@pytest.mark.parametrize("method", ["dilation", "erosion"])
@pytest.mark.parametrize("shape", [(20, 30), (6, 7, 8)], ids=["image", "volume"])
def test_grey_markers_and_masks_as_in_scikit_image(method, connectivity, shape):
    rng = np.random.default_rng(0)
    lower, upper = np.sort(rng.integers(0, 256, (2, *shape), dtype=np.uint8), axis=0)
    marker, mask = (lower, upper) if method == "dilation" else (upper, lower)
    near = ndimage.generate_binary_structure(len(shape), connectivity or len(shape))
    expected = morphology.reconstruction(marker, mask, method, footprint=near)
    near_or_axes = near if len(shape) > 2 else connectivity
    options = {"method": method, "connectivity": near_or_axes}
    grey = reconstruction(marker, mask, ordering="marginal", channel_axis=None, **options)
    assert np.array_equal(grey, expected)
    channels = (marker[..., np.newaxis], mask[..., np.newaxis])
    for ordering in (np.stack([marker, mask]), LexicographicOrdering()):
        result = reconstruction(*channels, ordering=ordering, **options)
        assert np.array_equal(result[..., 0], expected)
        assert result.dtype == np.uint8


@given(random_images(), weights)
def test_a_reconstruction_is_between_marker_and_mask_and_idempotent(mask, weights):
    rho = linear(mask, weights)
    marker = erosion(mask, np.ones((3, 3)), ordering=rho)
    values = np.stack([linear(marker, weights), rho])
    result = reconstruction(marker, mask, ordering=values)
    assert less_or_equal(marker, result, weights).all()
    assert less_or_equal(result, mask, weights).all()
    assert without_false_colours(mask, result)
    values = np.stack([linear(result, weights), rho])
    assert np.array_equal(reconstruction(result, mask, ordering=values), result)
    assert np.array_equal(opening_by_reconstruction(mask, np.ones((3, 3)), ordering=rho), result)


MASK = np.zeros((4, 5, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("marker", "method", "message"),
    [
        (MASK[:3], "dilation", r"same shape and dtype, got \(3, 5, 3\)"),
        (MASK.astype(float), "dilation", "of float64 and"),
        (MASK + np.uint8(1), "dilation", "in 20 pixels the marker is on the wrong side"),
        (MASK, "opening", "must be 'dilation' or 'erosion'"),
    ],
)
def test_bad_markers(marker, method, message):
    with pytest.raises(ValueError, match=message):
        reconstruction(marker, MASK, method, ordering=LexicographicOrdering())


@pytest.mark.parametrize("connectivity", [None, 1])
def test_grey_reconstructions_come_out_as_scikit_images(connectivity):
    image = np.random.default_rng(0).integers(0, 256, (30, 40), dtype=np.uint8)
    near = np.ones((3, 3)) if connectivity is None else morphology.diamond(1)
    disk = morphology.disk(2)
    for ours, seed, method in (
        (opening_by_reconstruction, morphology.erosion(image, disk), "dilation"),
        (closing_by_reconstruction, morphology.dilation(image, disk), "erosion"),
    ):
        expected = morphology.reconstruction(seed, image, method, footprint=near)
        result = ours(image[..., np.newaxis], disk, ordering=image, connectivity=connectivity)
        assert np.array_equal(result[..., 0], expected)


# Where a footprint falls apart, one part may rest on what the first pass removes.
CONNECTED = [np.ones((1, 3)), np.ones((2, 2)), np.ones((3, 3)), morphology.disk(1)]


@given(random_images(), st.sampled_from(CONNECTED), weights)
def test_reconstructions_are_idempotent_and_nearer_than_openings(image, footprint, weights):
    rho = linear(image, weights)
    opened = opening_by_reconstruction(image, footprint, ordering=rho, mode="ignore")
    again = opening_by_reconstruction(
        opened, footprint, ordering=linear(opened, weights), mode="ignore"
    )
    assert less_or_equal(opened, image, weights).all()
    plain = opening(image, footprint, ordering=rho, mode="ignore")
    assert less_or_equal(plain, opened, weights).all()
    assert np.array_equal(again, opened)
    closed = closing_by_reconstruction(image, footprint, ordering=rho, mode="ignore")
    assert less_or_equal(image, closed, weights).all()


def test_reconstruction_keeps_each_image_of_a_stack_apart():
    rng = np.random.default_rng(0)
    stack = rng.integers(0, 4, (3, 10, 12, 2), dtype=np.uint8)
    rho = linear(stack, [1, 2])
    one_by_one = [
        opening_by_reconstruction(image, np.ones((1, 3)), ordering=values)
        for image, values in zip(stack, rho, strict=True)
    ]
    result = opening_by_reconstruction(stack, np.ones((1, 3)), ordering=rho)
    assert np.array_equal(result, one_by_one)


def test_reconstruction_from_markers_keeps_each_image_of_a_stack_apart():
    image = np.random.default_rng(0).integers(1, 256, (6, 7, 3), dtype=np.uint8)
    marker, mask = np.stack([0 * image, image]), np.stack([image, image])
    near = np.ones((3, 3))
    apart, joined = (
        reconstruction(marker, mask, ordering=LexicographicOrdering(), connectivity=connectivity)
        for connectivity in (near, np.ones((3, 3, 3)))
    )
    assert np.array_equal(apart, marker)
    assert not np.array_equal(joined, marker)


@given(random_images(), footprints(centred=False), weights)
def test_footprints_without_their_centre_can_be_reconstructed_too(image, footprint, weights):
    rho = linear(image, weights)
    opened = opening_by_reconstruction(image, footprint, ordering=rho)
    closed = closing_by_reconstruction(image, footprint, ordering=rho)
    assert less_or_equal(opened, image, weights).all()
    assert less_or_equal(image, closed, weights).all()


def test_reconstruction_of_a_volume():
    volume = np.random.default_rng(0).integers(0, 256, (6, 7, 8), dtype=np.uint8)
    seed = morphology.erosion(volume, morphology.ball(1))
    expected = morphology.reconstruction(seed, volume)
    result = opening_by_reconstruction(volume[..., np.newaxis], morphology.ball(1), ordering=volume)
    assert np.array_equal(result[..., 0], expected)


def test_without_scikit_image_the_error_names_the_extra(monkeypatch):
    monkeypatch.setattr(_regions, "core", None)
    monkeypatch.setitem(__import__("sys").modules, "skimage.morphology", None)
    with pytest.raises(ImportError, match=r"pip install 'rdep\[images\]'"):
        opening_by_reconstruction(MASK, ordering="marginal")
