"""The irregularity index against brute force and theorems."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from rdep.images import LexicographicOrdering, dilation, erosion, irregularity_index

from .random_images import images as random_images

seeds = st.integers(0, 2**32 - 1)


@given(seeds)
def test_against_all_matchings(seed):
    rng = np.random.default_rng(seed)
    before, after = rng.integers(0, 3, (2, 2, 3, 2))
    flat, others = before.reshape(6, 2), after.reshape(6, 2)
    sums = [
        np.linalg.norm(flat - others[list(order)], axis=1).sum() for order in permutations(range(6))
    ]
    moved = np.linalg.norm(flat - others, axis=1).sum()
    expected = 1 - min(sums) / moved if moved else 0.0
    assert irregularity_index(before, after, window=None) == pytest.approx(expected, abs=1e-12)


@given(seeds)
def test_grey_images_against_the_wasserstein_distance(seed):
    before, after = np.random.default_rng(seed).integers(0, 256, (2, 7, 8, 1), dtype=np.uint8)
    moved = np.abs(before.astype(int) - after).mean()
    expected = 1 - wasserstein_distance(before.ravel(), after.ravel()) / moved
    assert irregularity_index(before, after) == pytest.approx(expected, abs=1e-12)


@given(seeds)
def test_grey_dilations_and_erosions_are_regular(seed):
    image = np.random.default_rng(seed).integers(0, 256, (9, 8, 1), dtype=np.uint8)
    for operator in (dilation, erosion):
        result = operator(image, ordering=LexicographicOrdering())
        assert irregularity_index(image, result) == 0.0


@given(random_images(n_images=2, shape=(9, 10, 3)))
def test_windows_are_a_lower_bound_between_zero_and_one(pair):
    whole = irregularity_index(*pair, window=None)
    for window in (1, 3, 5):
        assert 0 <= irregularity_index(*pair, window=window) <= whole + 1e-12 <= 1 + 1e-12
    assert irregularity_index(*pair, window=1) == 0.0


def test_it_is_one_where_pixels_only_change_places():
    image = np.array([[[0, 0], [9, 9], [4, 1]]])
    assert irregularity_index(image, image[:, ::-1]) == 1.0
    assert irregularity_index(image, image) == 0.0


def test_a_stack_adds_up_its_images():
    before, after = np.random.default_rng(0).normal(size=(2, 3, 5, 6, 2))
    gaps = [irregularity_index(*pair) for pair in zip(before, after, strict=True)]
    weights = np.linalg.norm(before - after, axis=-1).sum(axis=(1, 2))
    assert irregularity_index(before, after) == pytest.approx(np.average(gaps, weights=weights))


def test_bad_input():
    image = np.zeros((4, 4, 3))
    with pytest.raises(ValueError, match="the same shape"):
        irregularity_index(image, image[:3])
    with pytest.raises(ValueError, match="window is 0"):
        irregularity_index(image, image, window=0)
    with pytest.raises(ValueError, match="result holds NaN"):
        irregularity_index(image, image * np.nan)
