"""Extrema by runs against scipy.ndimage: any footprint, border, band and number of axes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage
from skimage import morphology

from rdep.images import _runs
from rdep.images._runs import maximum_over, minimum_over

IN_SCIPY = {minimum_over: ndimage.grey_erosion, maximum_over: ndimage.grey_dilation}
MODES = ("reflect", "nearest", "mirror", "wrap", "constant")


@given(st.integers(0, 2**32 - 1), st.sampled_from(MODES), st.sampled_from(list(IN_SCIPY)))
def test_any_footprint_and_border(seed, mode, function):
    rng = np.random.default_rng(seed)
    n_axes = rng.integers(2, 4)
    array = rng.integers(0, 50, rng.integers(1, 9, n_axes))
    array = array.astype(rng.choice([np.uint8, np.int32, np.int64, np.float32, np.float64]))
    footprint = rng.random(rng.integers(1, 10, n_axes)) < rng.random()
    footprint.flat[rng.integers(footprint.size)] = True
    result = function(array, footprint, mode, cval=7)
    expected = IN_SCIPY[function](array, footprint=footprint, mode=mode, cval=7)
    assert result.dtype == array.dtype
    assert np.array_equal(result, expected)


@pytest.mark.parametrize(
    "footprint",
    [morphology.disk(6), np.ones((1, 9)), np.ones((9, 1)), np.ones((4, 17)), np.eye(7)],
    ids=["disk", "row", "column", "rectangle", "diagonal"],
)
@pytest.mark.parametrize("function", IN_SCIPY, ids=lambda function: function.__name__)
def test_bands_do_not_show(footprint, function, monkeypatch):
    array = np.random.default_rng(0).integers(0, 256, (67, 31), dtype=np.uint8)
    footprint = footprint.astype(bool)
    expected = IN_SCIPY[function](array, footprint=footprint)
    for n_values in (1, 700, 1 << 18):
        monkeypatch.setattr(_runs, "_BAND_VALUES", n_values)
        assert np.array_equal(function(array, footprint, "reflect"), expected)


def test_the_array_is_left_as_it_was():
    array = np.random.default_rng(0).integers(0, 256, (8, 9))
    before = array.copy()
    for footprint in (np.ones((1, 1), bool), np.eye(3, dtype=bool), np.ones((3, 3), bool)):
        result = minimum_over(array, footprint, "reflect")
        assert not np.shares_memory(result, array)
    assert np.array_equal(array, before)


def test_a_rectangle_takes_as_many_passes_as_its_sides_have_doublings():
    passes = []

    def minimum(*arrays, out=None):
        passes.append(1)
        return np.minimum(*arrays, out=out)

    array = np.random.default_rng(0).integers(0, 256, (99, 99))
    result = _runs._over(array, np.ones((33, 64), dtype=bool), minimum)
    assert np.array_equal(
        result, [[array[i : i + 33, j : j + 64].min() for j in range(36)] for i in range(67)]
    )
    assert len(passes) == 6 + 5 + 1
