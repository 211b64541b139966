"""Channels in any axis, or none: every function against itself with the channels last."""

import inspect

import numpy as np
import pytest
from scipy import ndimage
from sklearn.svm import SVC

from rdep import images
from rdep.images import (
    LexicographicOrdering,
    PCAOrdering,
    SupervisedOrdering,
    classify,
    dilation,
    irregularity_index,
    labelled_pixels,
)

from .every_operator import BY_ORDERING, DISTANCES

RNG = np.random.default_rng(0)
PHOTO = RNG.integers(0, 256, (9, 8, 3), dtype=np.uint8)
STACK = RNG.integers(0, 256, (4, 6, 5, 3), dtype=np.uint8)
WITHOUT_CHANNELS = {*DISTANCES, "order_values", "rank_image"}


@pytest.mark.parametrize("image", [PHOTO, STACK], ids=["image", "stack"])
@pytest.mark.parametrize("ordering", [LexicographicOrdering([2]), "marginal"], ids=str)
@pytest.mark.parametrize("name", BY_ORDERING)
def test_any_axis(name, ordering, image):
    if name in ("order_values", "rank_image") and ordering == "marginal":
        pytest.skip("marginal has no values")
    expected = BY_ORDERING[name](image, ordering=ordering)
    for axis in range(-image.ndim, image.ndim):
        moved = np.moveaxis(image, -1, axis)
        result = BY_ORDERING[name](moved, ordering=ordering, channel_axis=axis)
        if name not in WITHOUT_CHANNELS:
            assert result.shape == moved.shape
            result = np.moveaxis(result, axis, -1)
        assert np.array_equal(result, expected)


@pytest.mark.parametrize("image", [PHOTO[..., 0], STACK[..., 0]], ids=["image", "stack"])
@pytest.mark.parametrize("name", BY_ORDERING)
def test_grey_images_have_no_axis_of_channels(name, image):
    ordering = LexicographicOrdering()
    expected = BY_ORDERING[name](image[..., np.newaxis], ordering=ordering)
    result = BY_ORDERING[name](image, ordering=ordering, channel_axis=None)
    assert result.shape == image.shape
    assert np.array_equal(result, expected.reshape(image.shape))


def test_grey_images_as_in_scipy():
    expected = ndimage.grey_dilation(PHOTO[..., 0], footprint=np.ones((3, 3)))
    result = dilation(PHOTO[..., 0], np.ones((3, 3)), ordering="marginal", channel_axis=None)
    assert np.array_equal(result, expected)


def test_functions_around_the_operators():
    first = np.moveaxis(PHOTO, -1, 0)
    labels = 1 + (PHOTO[..., 0] > 127)
    here = {"channel_axis": 0}
    for one, other in zip(
        labelled_pixels(first, labels, **here), labelled_pixels(PHOTO, labels), strict=True
    ):
        assert np.array_equal(one, other)
    svc = SVC().fit(*labelled_pixels(PHOTO, labels))
    assert np.array_equal(classify(first, svc, **here), classify(PHOTO, svc))
    moved = PHOTO[::-1]
    assert irregularity_index(first, first[:, ::-1], **here) == irregularity_index(PHOTO, moved)
    components = PCAOrdering().fit_image(first, **here).components_
    assert np.array_equal(components, PCAOrdering().fit_image(PHOTO).components_)
    high, low = labels == 2, labels == 1
    for one, other in (
        (
            SupervisedOrdering().fit_labels(first, labels, **here),
            SupervisedOrdering().fit_labels(PHOTO, labels),
        ),
        (
            SupervisedOrdering().fit_masks(first, high, low, **here),
            SupervisedOrdering().fit_masks(PHOTO, high, low),
        ),
    ):
        assert np.array_equal(one.transform(PHOTO[0]), other.transform(PHOTO[0]))


def test_every_function_of_an_image_has_the_parameter():
    public = [getattr(images, name) for name in images.__all__]
    functions = [function for function in public if inspect.isfunction(function)]
    assert len(functions) > 15
    for function in functions:
        assert inspect.signature(function).parameters["channel_axis"].default == -1


@pytest.mark.parametrize(("shape", "axis"), [((3, 40, 50), 0), ((7, 3, 40, 50), 1)])
def test_channels_that_seem_to_be_first(shape, axis):
    image = np.zeros(shape, dtype=np.uint8)
    with pytest.warns(UserWarning, match=f"50 channels each.*pass channel_axis={axis}") as caught:
        dilation(image, np.ones((3, 3)), ordering=LexicographicOrdering())
    assert len(caught) == 1
    assert caught[0].filename == __file__
    dilation(image, np.ones((3, 3)), ordering=LexicographicOrdering(), channel_axis=axis)


@pytest.mark.parametrize("shape", [(40, 50, 200), (3, 4, 50), (4, 40, 50, 3), (2, 8, 9, 120)])
def test_what_is_taken_as_it_is(shape):
    dilation(np.zeros(shape, dtype=np.uint8), np.ones((3, 3)), ordering=LexicographicOrdering())


@pytest.mark.parametrize("axis", [3, -4])
def test_an_axis_that_is_not_there(axis):
    message = rf"channel_axis is {axis}, but image of shape \(9, 8, 3\).*from -3 to 2"
    with pytest.raises(ValueError, match=message):
        dilation(PHOTO, ordering="marginal", channel_axis=axis)


def test_an_ordering_of_other_channels_names_the_parameter():
    ordering = PCAOrdering().fit_image(PHOTO)
    with pytest.raises(ValueError, match="3 channels, the image has 8"):
        dilation(np.moveaxis(PHOTO, -1, 0), ordering=ordering)
