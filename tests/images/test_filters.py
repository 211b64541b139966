"""Sequences, reconstructions and rank filters."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from skimage import morphology

from rdep.images import (
    alternating_sequential_filter,
    closing,
    closing_by_reconstruction,
    median,
    opening,
    opening_by_reconstruction,
    rank_filter,
)

from .random_images import footprints, less_or_equal, linear, weights
from .random_images import images as random_images


@pytest.mark.parametrize("mode", ["reflect", "ignore"])
@pytest.mark.parametrize("first", ["opening", "closing"])
def test_an_alternating_sequential_filter_is_its_steps(first, mode):
    rng = np.random.default_rng(0)
    image = rng.integers(0, 256, (20, 30, 3), dtype=np.uint8)
    weights = [3, 2, 1]
    expected = image
    for footprint in (morphology.disk(1), morphology.disk(2)):
        for operator in (opening, closing) if first == "opening" else (closing, opening):
            rho = linear(expected, weights)
            expected = operator(expected, footprint, ordering=rho, mode=mode)
    result = alternating_sequential_filter(
        image,
        [morphology.disk(1), morphology.disk(2)],
        ordering=linear(image, weights),
        first=first,
        mode=mode,
    )
    assert np.array_equal(result, expected)


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


@given(random_images(), footprints(), weights)
def test_the_median_is_between_the_extremes_and_a_middle_rank(image, footprint, weights):
    rho = linear(image, weights)
    middle = median(image, footprint, ordering=rho)
    size = int(footprint.sum())
    ranked = [rank_filter(image, rank, footprint, ordering=rho) for rank in range(size)]
    assert np.array_equal(middle, ranked[size // 2])
    for lower, upper in pairwise(ranked):
        assert less_or_equal(lower, upper, weights).all()


IMAGE = np.zeros((4, 4, 3))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rank_filter(IMAGE, 5, ordering="marginal"), "covers 5 pixels: choose one from -5"),
        (lambda: median(IMAGE, ordering="marginal", mode="ignore"), "cannot ignore the border"),
        (
            lambda: median(IMAGE, [(np.ones((2, 2)), 2)], ordering="marginal"),
            "one footprint, not a sequence",
        ),
        (
            lambda: alternating_sequential_filter(IMAGE, [], ordering="marginal"),
            "footprints is empty",
        ),
        (
            lambda: alternating_sequential_filter(IMAGE, np.ones((3, 3)), ordering="marginal"),
            r"footprint has shape \(3,\)",
        ),
        (
            lambda: alternating_sequential_filter(
                IMAGE, [np.ones((3, 3))], ordering="marginal", first="dilation"
            ),
            "must be 'opening' or 'closing'",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_without_scikit_image_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "skimage.morphology", None)
    with pytest.raises(ImportError, match=r"pip install 'rdep\[images\]'"):
        opening_by_reconstruction(IMAGE, ordering="marginal")
