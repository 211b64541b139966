"""The operators against brute force, scipy.ndimage, scikit-image and the theory of lattices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage
from skimage import morphology

from rdep import images
from rdep.images import closing, dilation, erosion, gradient, opening

from .random_images import (
    footprints,
    less_or_equal,
    linear,
    weights,
    without_false_colours,
)
from .random_images import images as random_images

MODES = ("reflect", "nearest", "mirror", "wrap", "ignore", "min", "max")
GREY_DTYPES = (np.uint8, np.uint16, np.int16, np.int32, np.int64, np.float32, np.float64)
CROSS = ndimage.generate_binary_structure(2, 1)
IN_NUMPY = {"reflect": "symmetric", "nearest": "edge", "mirror": "reflect", "wrap": "wrap"}


def brute_force(image, footprint, rho, choose, mode):
    """Erosion (``choose=min``) or, with the footprint turned around, dilation (``max``)."""
    places = np.arange(rho.size).reshape(rho.shape)
    by_place = [
        (value, *pixel)
        for value, pixel in zip(
            rho.ravel().tolist(), image.reshape(-1, image.shape[-1]).tolist(), strict=True
        )
    ]
    room = [(side // 2, side - 1 - side // 2) for side in footprint.shape]
    if choose is max:
        footprint = footprint[::-1, ::-1]
        room = [pair[::-1] for pair in room]
    if mode == "ignore":
        places = np.pad(places, room, constant_values=-1)
    else:
        places = np.pad(places, room, mode=IN_NUMPY[mode])
    result = np.empty_like(image)
    for i, j in np.ndindex(rho.shape):
        window = places[i : i + footprint.shape[0], j : j + footprint.shape[1]]
        result[i, j] = choose(by_place[place] for place in window[footprint] if place >= 0)[1:]
    return result


@given(random_images(), footprints(), weights, st.sampled_from([*IN_NUMPY, "ignore"]))
def test_against_brute_force(image, footprint, weights, mode):
    rho = linear(image, weights)
    for operator, choose in ((erosion, min), (dilation, max)):
        result = operator(image, footprint, ordering=rho, mode=mode)
        assert np.array_equal(result, brute_force(image, footprint, rho, choose, mode))


@given(random_images(), footprints(), weights, st.sampled_from(MODES))
def test_erosion_is_below_and_dilation_above_the_image(image, footprint, weights, mode):
    rho = linear(image, weights)
    assert less_or_equal(erosion(image, footprint, ordering=rho, mode=mode), image, weights).all()
    assert less_or_equal(image, dilation(image, footprint, ordering=rho, mode=mode), weights).all()


@given(random_images(), footprints(odd=True, centred=False), st.integers(0, 2**32 - 1))
def test_duality(image, footprint, seed):
    pixels, position = np.unique(image.reshape(-1, image.shape[-1]), axis=0, return_inverse=True)
    # Different pixels have different values: nothing is left to the breaking of ties.
    rho = np.random.default_rng(seed).permutation(len(pixels))[position].reshape(image.shape[:-1])
    for one, other in ((erosion, dilation), (dilation, erosion), (opening, closing)):
        assert np.array_equal(
            one(image, footprint, ordering=rho, mode="ignore"),
            other(image, footprint[::-1, ::-1], ordering=-rho, mode="ignore"),
        )


@given(random_images(), footprints(odd=True, centred=False), weights)
def test_duality_of_values_where_pixels_tie(image, footprint, weights):
    rho = linear(image, weights)
    eroded = erosion(image, footprint, ordering=rho)
    dilated = dilation(image, footprint[::-1, ::-1], ordering=-rho)
    assert np.array_equal(linear(eroded, weights), linear(dilated, weights))


@given(random_images(n_images=2, shape=(5, 6, 2)), footprints(), weights, st.booleans())
def test_adjunction(pair, footprint, weights, above):
    one, other = pair
    options = {"footprint": footprint, "mode": "ignore"}
    dilated = dilation(one, ordering=linear(one, weights), **options)
    if above:
        # Above the dilation but for one pixel, perhaps: both sides of the equivalence come up.
        lower = less_or_equal(other, dilated, weights)
        lower[2, 3] = False
        other = np.where(lower[..., np.newaxis], dilated, other)
    eroded = erosion(other, ordering=linear(other, weights), **options)
    assert less_or_equal(dilated, other, weights).all() == less_or_equal(one, eroded, weights).all()


@given(random_images(), footprints(), weights)
def test_openings_and_closings_are_idempotent(image, footprint, weights):
    for operator in (opening, closing):
        once = operator(image, footprint, ordering=linear(image, weights), mode="ignore")
        twice = operator(once, footprint, ordering=linear(once, weights), mode="ignore")
        assert np.array_equal(twice, once)
        below, above = (once, image) if operator is opening else (image, once)
        assert less_or_equal(below, above, weights).all()


@given(random_images(), weights, st.sampled_from(["reflect", "ignore", "wrap"]))
def test_symmetric_footprints_keep_idempotence_at_repeating_borders(image, weights, mode):
    for operator in (opening, closing):
        once = operator(image, morphology.disk(1), ordering=linear(image, weights), mode=mode)
        twice = operator(once, morphology.disk(1), ordering=linear(once, weights), mode=mode)
        assert np.array_equal(twice, once)


@given(random_images(), footprints(centred=False), weights, st.integers(0, 2**32 - 1))
def test_only_the_order_of_the_values_matters(image, footprint, weights, seed):
    rho = linear(image, weights)
    values, position = np.unique(rho, return_inverse=True)
    increasing = np.cumsum(np.random.default_rng(seed).exponential(size=len(values)) + 1e-9) - 3
    other = increasing[position].reshape(rho.shape)
    for operator in (erosion, dilation, opening, closing, gradient, images.white_tophat):
        assert np.array_equal(
            operator(image, footprint, ordering=rho), operator(image, footprint, ordering=other)
        )


ORDER_PRESERVING = {
    "erosion": erosion,
    "dilation": dilation,
    "opening": opening,
    "closing": closing,
    "median": images.median,
    "rank filter": lambda image, footprint, **options: images.rank_filter(
        image, 4, footprint, **options
    ),
    "alternating": lambda image, footprint, **options: images.alternating_sequential_filter(
        image, [np.ones((3, 3)), footprint], **options
    ),
    "opening by reconstruction": images.opening_by_reconstruction,
    "closing by reconstruction": images.closing_by_reconstruction,
}


@pytest.mark.parametrize("operator", ORDER_PRESERVING.values(), ids=ORDER_PRESERVING)
def test_no_false_colours_on_100_random_images(operator):
    rng = np.random.default_rng(0)
    for _ in range(100):
        n_channels = int(rng.integers(1, 6))
        image = rng.integers(0, 256, (12, 15, n_channels), dtype=np.uint8)
        result = operator(image, morphology.disk(2), ordering=rng.normal(size=(12, 15)))
        assert result.dtype == image.dtype
        assert without_false_colours(image, result)


def test_marginal_filters_each_channel_and_makes_false_colours():
    image = np.random.default_rng(0).integers(0, 256, (12, 15, 3), dtype=np.uint8)
    result = dilation(image, np.ones((3, 3)), ordering="marginal")
    for channel in range(3):
        expected = ndimage.grey_dilation(image[..., channel], size=(3, 3))
        assert np.array_equal(result[..., channel], expected)
    assert not without_false_colours(image, result)


IN_SCIPY = {
    erosion: ndimage.grey_erosion,
    dilation: ndimage.grey_dilation,
    opening: ndimage.grey_opening,
    closing: ndimage.grey_closing,
    images.gradient: ndimage.morphological_gradient,
    images.median: ndimage.median_filter,
}
SHAPES = {
    "disk": morphology.disk(2),
    "even": np.ones((2, 4)),
    "asymmetric": np.array([[1, 1, 0], [0, 1, 0], [0, 0, 0]]),
}


@pytest.mark.parametrize("operator", IN_SCIPY, ids=lambda operator: operator.__name__)
@pytest.mark.parametrize("footprint", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("mode", ["reflect", "nearest", "mirror", "wrap"])
def test_grey_images_come_out_as_scipys(operator, footprint, mode):
    rng = np.random.default_rng(0)
    for dtype in GREY_DTYPES:
        image = (rng.integers(0, 200, (13, 17)) / (2 if dtype is np.float32 else 1)).astype(dtype)
        expected = IN_SCIPY[operator](image, footprint=footprint.astype(bool), mode=mode)
        for ordering in (image, images.LexicographicOrdering()):
            result = operator(image[..., np.newaxis], footprint, ordering=ordering, mode=mode)
            assert np.array_equal(np.reshape(result, image.shape), expected)


@pytest.mark.parametrize("rank", [0, 3, -1])
def test_grey_rank_filters_come_out_as_scipys(rank):
    image = np.random.default_rng(0).normal(size=(13, 17))
    footprint = SHAPES["even"].astype(bool)
    expected = ndimage.rank_filter(image, rank, footprint=footprint)
    result = images.rank_filter(image[..., np.newaxis], rank, footprint, ordering=image)
    assert np.array_equal(result[..., 0], expected)


IN_SKIMAGE = {
    erosion: morphology.erosion,
    dilation: morphology.dilation,
    opening: morphology.opening,
    closing: morphology.closing,
}


@pytest.mark.parametrize("operator", IN_SKIMAGE, ids=lambda operator: operator.__name__)
@pytest.mark.parametrize("mode", ["reflect", "ignore"])
@pytest.mark.parametrize(
    "footprint",
    [
        None,
        morphology.diamond(2),
        morphology.disk(3, decomposition="sequence"),
        morphology.footprint_rectangle((5, 3), decomposition="separable"),
    ],
    ids=["default", "diamond", "sequence", "separable"],
)
def test_grey_images_come_out_as_scikit_images(operator, mode, footprint):
    image = np.random.default_rng(0).integers(0, 256, (20, 30), dtype=np.uint8)
    expected = IN_SKIMAGE[operator](image, footprint, mode=mode)
    result = operator(image[..., np.newaxis], footprint, ordering=image, mode=mode)
    assert np.array_equal(result[..., 0], expected)


@pytest.mark.parametrize("mode", ["min", "max"])
def test_beyond_the_border_lies_the_least_or_greatest_pixel(mode):
    image = np.random.default_rng(0).integers(0, 256, (9, 7), dtype=np.uint8)
    outside = {"min": image.min(), "max": image.max()}[mode]
    for operator in (erosion, dilation, opening, closing):
        expected = IN_SCIPY[operator](image, footprint=CROSS, mode="constant", cval=outside)
        result = operator(image[..., np.newaxis], ordering=image, mode=mode)
        assert np.array_equal(result[..., 0], expected)


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int8, np.uint64, np.float16, np.float64])
def test_dtypes_are_kept(dtype):
    image = np.random.default_rng(0).integers(0, 2, (4, 5, 3)).astype(dtype)
    for ordering in ("marginal", images.LexicographicOrdering()):
        assert dilation(image, ordering=ordering).dtype == dtype
    assert gradient(image, ordering="marginal").dtype == np.float64


def test_images_of_a_stack_are_filtered_alone_and_volumes_as_a_whole():
    rng = np.random.default_rng(0)
    stack = rng.integers(0, 256, (4, 9, 8, 3), dtype=np.uint8)
    rho = rng.permutation(stack[..., 0].size).reshape(stack.shape[:-1])
    one_by_one = [
        dilation(image, morphology.disk(1), ordering=values)
        for image, values in zip(stack, rho, strict=True)
    ]
    assert np.array_equal(dilation(stack, morphology.disk(1), ordering=rho), one_by_one)
    greatest = ndimage.grey_dilation(rho, footprint=morphology.ball(1))
    place = np.argsort(rho, axis=None)[greatest]
    volume = dilation(stack, morphology.ball(1), ordering=rho)
    assert np.array_equal(volume, stack.reshape(-1, 3)[place])


def test_hundreds_of_channels():
    cube = np.random.default_rng(0).normal(size=(20, 20, 300)).astype(np.float32)
    rho = cube.mean(axis=-1)
    opened = opening(cube, ordering=rho)
    assert np.array_equal(opened.mean(axis=-1), ndimage.grey_opening(rho, footprint=CROSS))


@pytest.mark.parametrize("operator", IN_SCIPY, ids=lambda operator: operator.__name__)
@pytest.mark.parametrize("cval", [0, 90, 255])
def test_a_constant_beyond_the_border_as_in_scipy(operator, cval):
    image = np.random.default_rng(0).integers(60, 120, (9, 7), dtype=np.uint8)
    footprint = SHAPES["even"].astype(bool)
    beyond = {"mode": "constant", "cval": cval}
    expected = IN_SCIPY[operator](image, footprint=footprint, **beyond)
    if operator is images.gradient:
        dilated = ndimage.grey_dilation(image, footprint=footprint, **beyond)
        expected = np.abs(
            dilated - ndimage.grey_erosion(image, footprint=footprint, **beyond) * 1.0
        )
    for ordering in ("marginal", images.LexicographicOrdering()):
        result = operator(image, footprint, ordering=ordering, channel_axis=None, **beyond)
        assert np.array_equal(result, expected)


@pytest.mark.parametrize("dtype", [bool, np.float16, np.float32])
def test_a_constant_colour_beyond_the_border(dtype):
    image = np.random.default_rng(0).integers(0, 2, (5, 6, 3)).astype(dtype)
    colour = np.array([1, 0, 1])
    padded = np.concatenate([image, np.broadcast_to(colour.astype(dtype), (5, 1, 3))], axis=1)
    for ordering in ("marginal", images.LexicographicOrdering([2, 0])):
        expected = dilation(padded, np.ones((1, 3)), ordering=ordering, mode="ignore")[:, 4:6]
        result = dilation(image, np.ones((1, 3)), ordering=ordering, mode="constant", cval=colour)
        assert np.array_equal(result[:, 4:], expected[:, :2])
        assert result.dtype == dtype


@pytest.mark.parametrize(
    ("cval", "ordering", "message"),
    [
        (300, "marginal", "cval is 300, which the image's dtype uint8 cannot hold"),
        (0.5, "marginal", "cannot hold"),
        (np.nan, "marginal", "must be finite"),
        ([1, 2], "marginal", "one for each of the 3 channels"),
        ("black", "marginal", "one for each of the 3 channels"),
        (0, np.zeros((4, 5)), "an ordering given as an array has no value for cval"),
    ],
)
def test_bad_constants(cval, ordering, message):
    image = np.zeros((4, 5, 3), dtype=np.uint8)
    with pytest.raises(ValueError, match=message):
        dilation(image, ordering=ordering, mode="constant", cval=cval)
