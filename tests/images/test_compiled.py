"""Both forms of the loops over pixels give the same pixels, those of brute force."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage
from scipy.optimize import linprog
from skimage import morphology

from rdep.images import (
    LexicographicOrdering,
    RankedImage,
    _irregularity,
    _ranks,
    _regions,
    _runs,
    irregularity_index,
)
from rdep.images import dilation as dilated
from rdep.images._regions import attribute_opening, grey_reconstruction
from rdep.images._runs import maximum_over, minimum_over

CORE = _runs.core
BUILT = pytest.mark.skipif(CORE is None, reason="the extension was not built")
FORMS = [pytest.param("compiled", marks=BUILT), "pure"]
CODES = ("u1", "u2", "i2", "i4", "i8", "f4", "f8")


def choose(form, patch):
    for module in (_irregularity, _ranks, _regions, _runs):
        patch.setattr(module, "core", CORE if form == "compiled" else None)


@pytest.fixture(params=FORMS)
def form(request, monkeypatch):
    choose(request.param, monkeypatch)
    return request.param


@BUILT
@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_both_forms_have_the_same_extrema(seed):
    rng = np.random.default_rng(seed)
    n_axes = rng.integers(2, 4)
    array = rng.integers(0, 50, rng.integers(1, 9, n_axes)).astype(rng.choice(CODES))
    sides = rng.integers(1, 10, n_axes)
    sides[: n_axes - 2] = rng.choice([1, 2])
    footprint = rng.random(sides) < rng.random()
    footprint.flat[rng.integers(footprint.size)] = True
    for function in (minimum_over, maximum_over):
        results = []
        for form in ("compiled", "pure"):
            with pytest.MonkeyPatch.context() as patch:
                choose(form, patch)
                results.append(function(array, footprint, "reflect"))
        assert np.array_equal(*results)
        assert results[0].dtype == results[1].dtype


@pytest.mark.parametrize("side", [1024, 1025, 2100])
@pytest.mark.parametrize(
    "footprint",
    [morphology.disk(6), np.ones((9, 33)), np.ones((1, 900))],
    ids=lambda f: str(f.shape),
)
def test_tiles_do_not_show(form, footprint, side):
    array = np.random.default_rng(0).integers(0, 1000, (17, side), dtype=np.int32)
    footprint = footprint.astype(bool)
    for function, expected in (
        (minimum_over, ndimage.grey_erosion(array, footprint=footprint)),
        (maximum_over, ndimage.grey_dilation(array, footprint=footprint)),
    ):
        assert np.array_equal(function(array, footprint, "reflect"), expected)


def by_levels(array, threshold, near, diameter):
    """An opening by its definition: regions of every level set that are large enough."""
    result = np.full(array.shape, array.min())
    for level in range(array.min() + 1, array.max() + 1):
        regions, n_regions = ndimage.label(array >= level, near)
        for region in range(1, n_regions + 1):
            places = np.argwhere(regions == region)
            size = np.ptp(places, axis=0).max() + 1 if diameter else len(places)
            if size >= threshold:
                result[regions == region] = level
    return result


@pytest.mark.parametrize("diameter", [False, True])
def test_openings_by_size_are_those_of_their_definition(form, diameter):
    rng = np.random.default_rng(0)
    for _ in range(25):
        shape = rng.integers(1, 7, rng.integers(2, 4))
        array = rng.integers(0, 5, shape)
        near = ndimage.generate_binary_structure(len(shape), rng.integers(1, len(shape) + 1))
        threshold = int(rng.integers(1, 5 if diameter else 12))
        options = {"near": near, "threshold": threshold, "diameter": diameter}
        opened = attribute_opening(array, **options)
        assert np.array_equal(opened, by_levels(array, threshold, near, diameter))
        closed = attribute_opening(array, closing=True, **options)
        assert np.array_equal(closed, 4 - by_levels(4 - array, threshold, near, diameter))


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.int8])
def test_reconstructions_are_repeated_geodesic_dilations(form, dtype):
    rng = np.random.default_rng(0)
    for _ in range(15):
        shape = rng.integers(1, 8, rng.integers(2, 4))
        near = ndimage.generate_binary_structure(len(shape), rng.integers(1, len(shape) + 1))
        low, high = np.sort(rng.integers(-4, 5, (2, *shape)), axis=0).astype(dtype)
        for marker, mask, method in ((low, high, "dilation"), (high, low, "erosion")):
            expected = marker
            for _ in range(high.size):
                if method == "dilation":
                    grown = ndimage.grey_dilation(expected, footprint=near)
                    expected = np.minimum(grown, mask)
                else:
                    expected = np.maximum(ndimage.grey_erosion(expected, footprint=near), mask)
            result = grey_reconstruction(marker, mask, method, near)
            assert np.array_equal(result, expected)
            assert result.dtype == dtype


@BUILT
def test_a_long_queue_and_images_of_a_stack():
    # The marker spreads along a spiral, against both directions of the passes.
    maze = np.zeros((41, 41), dtype=np.int32)
    top, left, bottom, right = 0, 0, 40, 40
    while top <= bottom:
        maze[top, left : right + 1] = maze[top : bottom + 1, right] = 9
        maze[bottom, left + 2 : right + 1] = maze[top + 2 : bottom + 1, left + 2] = 9
        top, left, bottom, right = top + 2, left + 2, bottom - 2, right - 2
    marker = np.zeros_like(maze)
    marker[20, 20] = maze[20, 20]
    near = ndimage.generate_binary_structure(2, 1)
    expected = morphology.reconstruction(marker, maze, footprint=near)
    stack = np.stack([marker, 0 * marker]), np.stack([maze, maze])
    result = grey_reconstruction(*stack, "dilation", near[np.newaxis])
    assert np.array_equal(result, [expected, 0 * marker])


@BUILT
@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_transports_cost_what_highs_finds(seed):
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 9, 2)
    supplies, demands = (rng.multinomial(50, np.full(k, 1 / k)) for k in (m, n))
    costs = rng.random((m, n)) if seed % 2 else rng.integers(0, 4, (m, n)).astype(float)
    flow = CORE.transport(costs, supplies.astype(np.int32), demands.astype(np.int32))
    assert flow.min() >= 0
    assert np.array_equal(flow.sum(axis=0), supplies)
    assert np.array_equal(flow.sum(axis=1), demands)
    sums = np.vstack([np.kron(np.eye(m), np.ones(n)), np.kron(np.ones(m), np.eye(n))])
    exact = linprog(costs.ravel(), A_eq=sums, b_eq=np.concatenate([supplies, demands]))
    assert (flow.T * costs).sum() == pytest.approx(exact.fun, abs=1e-9)


@BUILT
@pytest.mark.parametrize("window", [7, 16])
def test_both_forms_have_the_same_irregularity(window):
    image = np.random.default_rng(0).integers(0, 256, (32, 24, 3), dtype=np.uint8)
    result = dilated(image, size=5, ordering=LexicographicOrdering())
    found = []
    for form in ("compiled", "pure"):
        with pytest.MonkeyPatch.context() as patch:
            choose(form, patch)
            found.append(irregularity_index(image, result, window=window))
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@BUILT
@pytest.mark.parametrize(
    ("runs", "parts", "shape", "message"),
    [
        ([[0, 4]], [[0, 0]], (1, 3), "runs do not lie in the footprint"),
        ([[0, 3]], [[1, 0]], (1, 3), "runs do not lie in the footprint"),
        ([[0, 3]], [[0, 1]], (1, 3), "runs do not lie in the footprint"),
        ([[0, 3]], [[0, 0]], (2, 3), "shapes or dtypes do not fit"),
    ],
)
def test_the_core_refuses_what_does_not_fit(runs, parts, shape, message):
    padded, out = np.zeros((1, 5, 7), np.int32), np.zeros((1, 5, 5), np.int32)
    with pytest.raises(ValueError, match=message):
        CORE.extremum(padded, out, np.array(runs), np.array(parts), shape, False)


@pytest.mark.parametrize("n_channels", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("dtype", [bool, np.uint8, np.uint16, np.float64])
def test_the_look_up_of_colours_is_numpys(form, dtype, n_channels):
    image = np.random.default_rng(0).integers(0, 9, (5, 6, n_channels)).astype(dtype)
    ranked = RankedImage.of(image, LexicographicOrdering())
    for ranks in (ranked.ranks, ranked.ranks.T, ranked.ranks[::2].astype(np.int64)):
        assert np.array_equal(ranked.look_up(ranks), np.take(ranked.colours, ranks, axis=0))
    assert ranked.look_up(ranked.ranks[:0]).shape == (0, 6, n_channels)
    with pytest.raises(IndexError):
        ranked.look_up(ranked.ranks + 30)


@BUILT
@pytest.mark.parametrize("demands", [[3], [1, 1], [1, 1, 0]])
def test_the_core_refuses_transports_that_cannot_be(demands):
    with pytest.raises(ValueError, match="shapes or sums"):
        CORE.transport(np.ones((1, 2)), np.array([3], np.int32), np.array(demands, np.int32))


def test_the_variable_chooses_the_pure_form():
    code = "from rdep.images._runs import core; print(core is None)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "RDEP_PURE_PYTHON": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "True"
    if importlib.util.find_spec("rdep.images._compiled") is not None:
        assert (CORE is None) == (os.environ.get("RDEP_PURE_PYTHON", "0") not in ("", "0"))
