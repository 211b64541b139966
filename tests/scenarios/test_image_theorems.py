"""The table of border modes and theorems in the guide, exactly: where each holds, and where not."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage
from sklearn.svm import SVC

from rdep.images import (
    CondorcetOrdering,
    LexicographicOrdering,
    RankedImage,
    closing,
    dilation,
    erosion,
    opening,
    opening_by_reconstruction,
    order_values,
    rank_image,
)

from ..images.random_images import without_false_colours
from ..places import ROOT

FOOTPRINTS = {
    "symmetric": [np.ones((3, 3)), ndimage.generate_binary_structure(2, 1), np.ones((1, 5))],
    "even": [np.ones((2, 2)), np.ones((2, 4))],
    "asymmetric": [[[1, 1, 0], [0, 1, 0], [0, 0, 0]], [[0, 0, 0], [0, 1, 1], [0, 1, 0]]],
}
MODES = ("ignore", "wrap", "reflect", "nearest", "mirror", "min", "max")


def documented():
    """Modes by kind of footprint, where openings and closings are openings and closings."""
    page = (ROOT / "docs/guide/images.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", page, re.MULTILINE)
    return {
        (mode, kind): cell.strip()
        for mode, cells in rows
        if mode in MODES
        for kind, cell in zip(FOOTPRINTS, cells.split("|"), strict=True)
    }


def orderings(rng):
    X = rng.normal(2, 1, (20, 2))
    yield LexicographicOrdering([int(rng.integers(2))])
    yield SVC(C=10.0).fit(X, np.arange(20) % 2)


def small(rng):
    return rng.integers(0, 4, (*rng.integers(3, 7, 2), 2), dtype=np.uint8)


def broken(mode, kind, operator, seeds):
    """Number of images for which an operator is not idempotent, or on the wrong side."""
    count = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        image = small(rng)
        for ordering, footprint in zip(orderings(rng), FOOTPRINTS[kind][:2], strict=True):
            once = operator(image, footprint, ordering=ordering, mode=mode)
            twice = operator(once, footprint, ordering=ordering, mode=mode)
            ranks = rank_image(np.stack([image, once]), ordering)
            low, high = ranks[::-1] if operator is opening else ranks
            count += not np.array_equal(once, twice) or (low > high).any()
    return count


@pytest.mark.parametrize("kind", FOOTPRINTS)
@pytest.mark.parametrize("mode", MODES)
def test_the_table_of_openings_and_closings(mode, kind):
    table = documented()
    assert set(table) == {(mode, kind) for mode in MODES for kind in FOOTPRINTS}
    holds = {
        name: broken(mode, kind, operator, range(25)) == 0
        for name, operator in (("openings", opening), ("closings", closing))
    }
    cell = " and ".join(name for name in holds if holds[name]) or "neither"
    assert cell == table[mode, kind].replace("both", "openings and closings")


@pytest.mark.parametrize("mode", ["reflect", "nearest", "mirror", "wrap"])
def test_scipys_openings_are_the_same_where_they_are_none(mode):
    rng = np.random.default_rng(0)
    for footprints in FOOTPRINTS.values():
        image = rng.integers(0, 9, (6, 7), dtype=np.uint8)
        for footprint in footprints:
            footprint = np.asarray(footprint, dtype=bool)
            expected = ndimage.grey_opening(image, footprint=footprint, mode=mode)
            result = opening(image, footprint, ordering="marginal", channel_axis=None, mode=mode)
            assert np.array_equal(result, expected)


CASES = st.tuples(
    st.integers(0, 2**32 - 1),
    st.sampled_from([np.array(array) for kind in FOOTPRINTS.values() for array in kind]),
    st.sampled_from(MODES),
    st.integers(0, 2),
)


@settings(max_examples=25)
@given(CASES)
def test_theorems_of_every_ordering_mode_and_footprint(case):
    seed, footprint, mode, which = case
    rng = np.random.default_rng(seed)
    image = small(rng)
    ordering = [*orderings(rng), CondorcetOrdering().fit_image(image)][which]
    eroded = erosion(image, footprint, ordering=ordering, mode=mode)
    dilated = dilation(image, footprint, ordering=ordering, mode=mode)
    opened = opening(image, footprint, ordering=ordering, mode=mode)
    ranks = rank_image(np.stack([eroded, image, dilated]), ordering)
    # Every footprint here has its centre.
    assert (ranks[0] <= ranks[1]).all()
    assert (ranks[1] <= ranks[2]).all()
    for result in (eroded, dilated, opened):
        assert without_false_colours(image, result)
    # A ranked image, and ranks as an ordering, give the same pixels.
    ranked = RankedImage.of(image, ordering)
    assert np.array_equal(opening(ranked, footprint, mode=mode), opened)
    assert np.array_equal(opening(image, footprint, ordering=ranked.ranks, mode=mode), opened)
    assert np.array_equal(ranked.image(), image)


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.integers(-2, 6))
def test_thresholds_commute_with_openings_by_reconstruction(seed, threshold):
    image = np.random.default_rng(seed).integers(0, 4, (7, 8, 2), dtype=np.uint8)

    def rho(X):
        return X[:, 0] * 2 - X[:, 1]

    opened = opening_by_reconstruction(image, size=3, ordering=rho)
    mask = order_values(image, rho) > threshold
    eroded = ndimage.grey_erosion(mask, size=(3, 3)).astype(bool)
    expected = ndimage.binary_propagation(eroded, np.ones((3, 3)), mask=mask)
    assert np.array_equal(order_values(opened, rho) > threshold, expected)
