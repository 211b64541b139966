"""Filters by bands and by chunks give the pixels of the whole image, in bounded memory."""

import tracemalloc

import numpy as np
import pytest
from skimage.morphology import disk
from sklearn.svm import SVC

from rdep.images import (
    LexicographicOrdering,
    RankedImage,
    alternating_sequential_filter,
    erosion,
    filter_blocks,
    median,
    opening,
    vector_median,
)

RNG = np.random.default_rng(0)
IMAGE = RNG.integers(0, 256, (31, 23, 3), dtype=np.uint8)
SVM = SVC(C=10.0).fit(RNG.normal(128, 60, (60, 3)), np.arange(60) % 2)
FILTERS = {
    "erosion": (lambda block: erosion(block, disk(2), ordering=SVM), 2),
    "opening": (lambda block: opening(block, disk(2), ordering=SVM, mode="mirror"), 4),
    "even": (lambda block: opening(block, size=(4, 2), ordering=SVM, mode="ignore"), 4),
    "median": (lambda block: median(block, disk(1), ordering=LexicographicOrdering()), 1),
    "vector": (lambda block: vector_median(block, size=3), 1),
    "marginal": (lambda block: opening(block, disk(1), ordering="marginal", mode="nearest"), 2),
    "sequence": (
        lambda block: alternating_sequential_filter(block, [disk(1), disk(2)], ordering=SVM),
        12,
    ),
}


@pytest.mark.parametrize("n_rows", [1, 7, 40])
@pytest.mark.parametrize("name", FILTERS)
def test_bands_give_the_pixels_of_the_whole(name, n_rows):
    function, overlap = FILTERS[name]
    expected = function(IMAGE)
    assert np.array_equal(filter_blocks(function, IMAGE, overlap=overlap, n_rows=n_rows), expected)
    floats = IMAGE.astype(np.float32) / 7
    if name == "erosion":
        result = filter_blocks(function, floats, overlap=overlap, n_rows=n_rows)
        assert np.array_equal(result, function(floats))


@pytest.mark.parametrize("name", FILTERS)
def test_chunks_of_a_dask_array_too(name):
    array = pytest.importorskip("dask.array")
    function, overlap = FILTERS[name]
    chunked = array.from_array(IMAGE, chunks=(13, 12, 2))
    result = filter_blocks(function, chunked, overlap=overlap)
    assert hasattr(result, "dask")
    assert np.array_equal(result.compute(scheduler="synchronous"), function(IMAGE))


def test_axes_of_stacks_channels_and_grey_images():
    stack = RNG.integers(0, 256, (3, 2, 17, 9), dtype=np.uint8)

    def function(block):
        return erosion(block, disk(2), ordering=LexicographicOrdering(), channel_axis=0)

    result = filter_blocks(function, stack, overlap=2, n_rows=4, channel_axis=0)
    assert np.array_equal(result, function(stack))

    def grey(block):
        return erosion(block, disk(2), ordering="marginal", channel_axis=None)

    result = filter_blocks(grey, stack[0], overlap=2, n_rows=4, channel_axis=None)
    assert np.array_equal(result, grey(stack[0]))


def peak_memory(function, *arguments, **options):
    tracemalloc.start()
    function(*arguments, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_is_that_of_a_band(tmp_path):
    shape = (4000, 1000, 3)
    image = np.lib.format.open_memmap(tmp_path / "in.npy", "w+", np.uint8, shape)
    for row in range(0, 4000, 500):
        image[row : row + 500] = RNG.integers(0, 256, (500, 1000, 3), dtype=np.uint8)
    out = np.lib.format.open_memmap(tmp_path / "out.npy", "w+", np.uint8, shape)

    def function(block):
        return erosion(block, disk(1), ordering=LexicographicOrdering([1]))

    band, whole = (
        peak_memory(filter_blocks, function, image, overlap=1, n_rows=n_rows, out=out)
        for n_rows in (200, 4000)
    )
    # The band is the twentieth part.
    assert band < whole / 6
    assert np.array_equal(out[1500:1600], function(np.asarray(image[1499:1601]))[1:-1])


def test_ranking_takes_at_most_thirty_bytes_a_pixel():
    # As many colours as a noisy photograph has.
    image = RNG.integers(0, 94, (2000, 2000, 3), dtype=np.uint8)
    peak = peak_memory(RankedImage.of, image, LexicographicOrdering())
    assert peak < 30 * image[..., 0].size


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"overlap": -1}, "overlap is -1"),
        ({"overlap": 1, "n_rows": 0}, "n_rows is 0"),
        ({"overlap": 1, "channel_axis": None, "image": IMAGE[0, 0]}, "two axes of pixels"),
    ],
)
def test_bad_blocks(options, message):
    options = {"image": IMAGE, **options}
    with pytest.raises(ValueError, match=message):
        filter_blocks(lambda block: block, options.pop("image"), **options)
