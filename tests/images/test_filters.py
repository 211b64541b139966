"""Sequences and rank filters."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from skimage import morphology

from rdep.images import alternating_sequential_filter, closing, median, opening, rank_filter

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
