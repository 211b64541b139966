"""Images on another scale than an ordering was fitted on, as scikit-image converts them."""

import numpy as np
import pytest
from skimage import util

from rdep.images import LexicographicOrdering, PCAOrdering, SupervisedOrdering, order_values

from .every_operator import BY_ORDERING, FILTERS

PHOTO = np.random.default_rng(0).integers(0, 256, (12, 10, 3), dtype=np.uint8)
PHOTO[0, 0], PHOTO[0, 1] = 0, 255
LABELS = 1 + (PHOTO[..., 0] > 127)
CONVERSIONS = {
    "uint8": util.img_as_ubyte,
    "uint16": util.img_as_uint,
    "float32": util.img_as_float32,
    "float64": util.img_as_float64,
}
FIT = {
    "supervised": lambda image: SupervisedOrdering().fit_labels(image, LABELS),
    "components": lambda image: PCAOrdering().fit_image(image),
}


def scale(dtype):
    return 1 if np.dtype(dtype).kind == "f" else np.iinfo(dtype).max


@pytest.mark.parametrize("fit", FIT.values(), ids=FIT)
@pytest.mark.parametrize("fitted", CONVERSIONS)
@pytest.mark.parametrize("used", CONVERSIONS)
def test_another_scale_is_refused_with_the_remedy_and_the_remedy_helps(fit, fitted, used):
    ordering = fit(CONVERSIONS[fitted](PHOTO))
    image = CONVERSIONS[used](PHOTO)
    expected = order_values(CONVERSIONS[fitted](PHOTO), ordering)
    if scale(fitted) != scale(used):
        advice = f"dtype {fitted}.*dtype {used}.*skimage.util.{CONVERSIONS[fitted].__name__}"
        with pytest.raises(ValueError, match=advice):
            order_values(image, ordering)
        image = CONVERSIONS[fitted](image)
    assert np.allclose(order_values(image, ordering), expected, rtol=0, atol=1e-3)


@pytest.mark.parametrize("name", BY_ORDERING)
def test_no_function_takes_another_scale(name):
    ordering = SupervisedOrdering().fit_labels(PHOTO, LABELS)
    with pytest.raises(ValueError, match="pixels of dtype uint8"):
        BY_ORDERING[name](util.img_as_float(PHOTO), ordering=ordering)


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("dtype", ["uint16", "float32", "float64"])
def test_orderings_by_value_alone_give_the_same_image_on_every_scale(name, dtype):
    image = CONVERSIONS[dtype](PHOTO)
    for ordering in ("marginal", LexicographicOrdering([1]), PHOTO.sum(axis=-1)):
        expected = FILTERS[name](PHOTO, ordering=ordering)
        result = FILTERS[name](image, ordering=ordering)
        assert result.dtype == dtype
        assert np.array_equal(util.img_as_ubyte(result), expected)


@pytest.mark.parametrize("name", FILTERS)
def test_an_ordering_fitted_on_each_scale_gives_the_same_image(name):
    # Of the SVC, gamma="scale" follows the variance of the pixels.
    as_float = util.img_as_float(PHOTO)
    expected = FILTERS[name](PHOTO, ordering=FIT["supervised"](PHOTO))
    result = FILTERS[name](as_float, ordering=FIT["supervised"](as_float))
    assert np.array_equal(util.img_as_ubyte(result), expected)


@pytest.mark.parametrize(
    "same",
    [
        PHOTO.astype(float),
        PHOTO.astype(np.int64),
        PHOTO // 2,
        np.zeros_like(PHOTO),
        np.zeros(PHOTO.shape),
        PHOTO * 1.02,
    ],
    ids=["float", "int64", "darker", "black", "black float", "brighter"],
)
def test_the_same_scale_in_another_dtype_is_taken(same):
    ordering = SupervisedOrdering().fit_labels(PHOTO, LABELS)
    expected = ordering.transform(same.reshape(-1, 3)).reshape(12, 10)
    assert np.allclose(order_values(same, ordering), expected, rtol=0, atol=1e-10)


def test_floats_of_another_brightness_are_warned_of_once():
    reflectance = PHOTO / 255
    ordering = SupervisedOrdering().fit_labels(reflectance, LABELS)
    order_values(1.3 * reflectance, ordering)
    with pytest.warns(UserWarning, match="where full intensity is 1, .* with 255") as caught:
        order_values(PHOTO.astype(float), ordering)
    assert len(caught) == 1


@pytest.mark.parametrize("bits", [10, 12, 14])
def test_cameras_fill_sixteen_bits_in_part(bits):
    full = 2**bits - 1
    camera = np.round(PHOTO / 255 * full).astype(np.uint16)
    ordering = PCAOrdering().fit_image(camera)
    assert ordering.scale_ == (full, "uint16")
    order_values(camera // 2, ordering)
    with pytest.raises(ValueError, match=f"full intensity is {full}, but .* with 255"):
        order_values(PHOTO, ordering)
    sixteen = PHOTO.astype(np.uint16) * 257
    with pytest.warns(UserWarning, match=f"full intensity is {full}, but .* with 65535"):
        order_values(sixteen, ordering)
    with pytest.raises(ValueError, match="full intensity is 255"):
        order_values(camera, PCAOrdering().fit_image(PHOTO))


def test_the_scale_is_that_of_the_pixels_as_given():
    assert SupervisedOrdering().fit_labels(PHOTO, LABELS).scale_ == (255, "uint8")
    assert PCAOrdering().fit_image(PHOTO > 9).scale_ == (1, "bool")
    assert PCAOrdering().fit([[0, 3], [700, 1]]).scale_ == (700, "int64")
    colours = np.array([[[1, 0, 0]], [[0, 0, 200]]], dtype=np.uint16)
    assert SupervisedOrdering().fit_pixels(*colours).scale_ == (65535, "uint16")
