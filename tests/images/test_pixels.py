"""What counts as an image, evaluation by blocks, and memory."""

import tracemalloc

import numpy as np
import pytest
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from rdep import RDEPClassifier
from rdep.images import (
    LexicographicOrdering,
    classify,
    dilation,
    gradient,
    labelled_pixels,
    order_values,
)
from rdep.images import (
    _pixels as pixels,
)
from rdep.images._pixels import evaluate, pixel_codes

IMAGE = np.arange(60, dtype=float).reshape(4, 5, 3)


def with_pixel(value, dtype=float):
    image = IMAGE.astype(dtype)
    image[1, 2, 0] = value
    return image


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (IMAGE[0], r"shape \(5, 3\).*grey image .* pass channel_axis=None"),
        (IMAGE[0, 0], r"shape \(3,\), but must have two axes"),
        (IMAGE[:0], "no pixels or no channels"),
        (IMAGE[..., :0], "no pixels or no channels"),
        (IMAGE + 1j, "dtype is complex128"),
        (IMAGE.astype(str), "dtype is <U"),
        (with_pixel(np.nan), "NaN or infinite pixels"),
        (with_pixel(np.nan, np.float16), "NaN or infinite pixels"),
        (with_pixel(np.inf), "NaN or infinite pixels"),
        (with_pixel(2**53 + 1, np.int64), r"beyond 2\*\*53"),
        (with_pixel(-(2**53) - 1, np.int64), r"beyond 2\*\*53"),
        (with_pixel(2**60, np.uint64), r"beyond 2\*\*53"),
    ],
)
def test_what_is_no_image(image, message):
    with pytest.raises(ValueError, match=message):
        dilation(image, ordering=LexicographicOrdering())


def test_masked_arrays_and_dask_arrays_are_not_taken_silently():
    masked = np.ma.MaskedArray(IMAGE, IMAGE > 5)
    with pytest.raises(ValueError, match=r"image is a masked array.*image\.filled\(pixel\)"):
        dilation(masked, ordering=LexicographicOrdering())
    array = pytest.importorskip("dask.array")
    with pytest.raises(ValueError, match="image is a dask array, which would be loaded as a whole"):
        dilation(array.from_array(IMAGE), ordering=LexicographicOrdering())


@pytest.mark.parametrize(("dtype", "full"), [(np.uint8, 255), (np.uint16, 65535), (float, 1)])
def test_alpha_is_noticed_and_other_fourth_channels_are_not(dtype, full):
    rng = np.random.default_rng(0)
    image = (rng.random((20, 30, 4)) * full).astype(dtype)
    dilation(image, ordering=LexicographicOrdering())
    image[..., 3] = full
    image[:4, :, 3] = 0
    with pytest.warns(UserWarning, match=r"looks like alpha.*image\[\.\.\., :3\]") as caught:
        dilation(image, ordering=LexicographicOrdering())
    assert caught[0].filename == __file__
    dilation(image[..., :3], ordering=LexicographicOrdering())


def test_lists_are_images_too():
    result = dilation([[[1, 2], [3, 0]]], np.ones((1, 3)), ordering=LexicographicOrdering())
    assert result.tolist() == [[[3, 0], [3, 0]]]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.zeros((4, 5), dtype=int), "zero everywhere"),
        (np.ones((5, 4), dtype=int), r"shape \(5, 4\).*\(4, 5\)"),
        (np.ones((4, 5)), "booleans or integers"),
        (
            np.ones((4, 5, 3), dtype=int),
            r"a mask saved as a colour image, pass labels\[\.\.\., 0\] > 0",
        ),
    ],
)
def test_bad_labels(labels, message):
    with pytest.raises(ValueError, match=message):
        labelled_pixels(IMAGE, labels)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, bool])
def test_codes_are_ordered_as_the_pixels(dtype):
    rng = np.random.default_rng(0)
    some = rng.integers(0, 2 if dtype is bool else np.iinfo(dtype).max + 1, (200, 4)).astype(dtype)
    some[100:] = some[:100]
    some[100:, -1] = some[:100, 0]
    order = np.argsort(pixel_codes(some), kind="stable")
    assert order.tolist() == sorted(range(200), key=lambda place: tuple(some[place].tolist()))


@pytest.mark.parametrize("dtype", [np.uint16, np.int8, np.float32])
def test_what_has_no_code(dtype):
    assert pixel_codes(np.zeros((2, 5), dtype=dtype)) is None


def test_equal_pixels_are_evaluated_once():
    image = np.random.default_rng(0).integers(0, 2, (50, 50, 3), dtype=np.uint8)
    seen = []

    def function(X):
        seen.append(len(X))
        return X @ [1.0, 10.0, 100.0]

    assert np.array_equal(evaluate(image, function), image @ [1.0, 10.0, 100.0])
    assert sum(seen) == 8


def test_blocks_do_not_show(monkeypatch):
    rng = np.random.default_rng(0)
    image = rng.normal(size=(30, 40, 5)).astype(np.float32)
    image[::2] = image[1::2]
    svc = SVC().fit(image[:2].reshape(-1, 5), rng.integers(0, 2, 80))
    # Nothing depends on the block but the last bits of matrix products.
    expected = order_values(image, svc), classify(image, svc), gradient(image, ordering="marginal")
    rho = rng.integers(0, 9, (30, 40))
    dilated = dilation(image, ordering=rho)
    monkeypatch.setattr(pixels, "_BLOCK_VALUES", 70)
    assert np.allclose(order_values(image, svc), expected[0], rtol=0, atol=1e-12)
    assert np.array_equal(classify(image, svc), expected[1])
    assert np.array_equal(gradient(image, ordering="marginal"), expected[2])
    assert np.array_equal(dilation(image, ordering=rho), dilated)


def peak_memory(function, *arguments):
    tracemalloc.start()
    function(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_is_bounded_by_blocks():
    cube = np.random.default_rng(0).normal(size=(200, 200, 100)).astype(np.float32)
    X, y = cube[:2].reshape(400, 100), np.arange(400) % 2
    svc = SVC(gamma=1.0).fit(X, y)
    classifier = RDEPClassifier("ensemble").fit(X, y)
    assert len(svc.support_) == 400
    for function, model in ((order_values, svc), (classify, classifier)):
        half = peak_memory(function, cube[:100], model)
        whole = peak_memory(function, cube, model)
        # The other half has 16 MB as float64, and its kernel matrix 64 MB.
        assert whole - half < 3e6
        assert whole < 60e6


def test_memory_is_bounded_by_blocks_of_bytes_too():
    image = np.random.default_rng(0).integers(0, 256, (1500, 1000, 3), dtype=np.uint8)
    total = FunctionTransformer(lambda X: X.sum(axis=1, keepdims=True))
    half, whole = (peak_memory(order_values, each, total) for each in (image[:750], image))
    # Values are kept twice, in blocks and joined; the other half has 18 MB as float64.
    assert whole - half < 2.1 * 8 * 750_000
