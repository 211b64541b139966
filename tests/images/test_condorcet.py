"""The ordering by votes, against counts by Python and theorems on majorities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.frozen import FrozenEstimator

from rdep.images import (
    CondorcetOrdering,
    LexicographicOrdering,
    PCAOrdering,
    SupervisedOrdering,
    order_values,
)

RNG = np.random.default_rng(0)
X = RNG.integers(0, 9, (60, 3)).astype(float)
seeds = st.integers(0, 2**32 - 1)


def majorities(voters, one, other):
    """How many voters put one pixel above the other, less those that put it below."""
    pairs = [(voter(one), voter(other)) for voter in voters]
    return sum(a > b for a, b in pairs) - sum(a < b for a, b in pairs)


VOTERS = (lambda x: 2 * x[0] - x[1], lambda x: x[2], lambda x: -x[0] * x[2])


def columns(voters):
    return [lambda P, voter=voter: np.array([voter(x) for x in P]) for voter in voters]


def test_scores_are_counted_votes():
    ordering = CondorcetOrdering(columns(VOTERS)).fit(X)
    sample = np.unique(X, axis=0)
    for x, rho in zip(X[:20], ordering.transform(X[:20]), strict=True):
        votes = [majorities(VOTERS, x, y) for y in sample]
        assert 0 <= rho[0] - np.sign(votes).sum() <= 1


@given(seeds)
def test_majorities_without_cycles_are_kept(seed):
    # By Black's theorem, preferences with a single peak have no cycle of majorities.
    rng = np.random.default_rng(seed)
    places = np.sort(rng.normal(size=(9, 1)), axis=0)
    voters = [lambda x, peak=peak: -abs(x[0] - peak) for peak in rng.normal(size=5)]
    rho = CondorcetOrdering(columns(voters)).fit_transform(places)[:, 0]
    for i, j in np.argwhere(np.ones((9, 9), dtype=bool)):
        if majorities(voters, places[i], places[j]) > 0:
            assert rho[i] > rho[j]


@given(seeds)
def test_what_all_voters_say_holds_for_pixels_outside_the_sample_too(seed):
    rng = np.random.default_rng(seed)
    ordering = CondorcetOrdering(max_pixels=10, random_state=seed).fit(rng.normal(size=(40, 3)))
    low = rng.normal(size=(30, 3))
    high = low + rng.random((30, 3))
    assert (ordering.transform(low) <= ordering.transform(high)).all()


def test_one_voter_decides_alone_and_several_are_the_channels_by_default():
    alone = CondorcetOrdering([LexicographicOrdering([1])]).fit_transform(X)[:, 0]
    assert np.array_equal(
        np.sign(np.subtract.outer(alone, alone)), np.sign(np.subtract.outer(X[:, 1], X[:, 1]))
    )
    channels = [LexicographicOrdering([k]) for k in range(3)]
    expected = CondorcetOrdering(channels).fit_transform(X)
    assert np.array_equal(CondorcetOrdering().fit_transform(X), expected)


def test_voters_are_fitted_unless_frozen():
    labels = (X[:, 0] > 4).astype(int)
    learned = SupervisedOrdering().fit(X[::2], labels[::2])
    voters = [PCAOrdering(), FrozenEstimator(learned)]
    ordering = CondorcetOrdering([*voters, SupervisedOrdering()]).fit(X, labels)
    first, second, third = ordering.values_.T
    sample = np.unique(X, axis=0)
    assert np.array_equal(first, PCAOrdering().fit(X).transform(sample)[:, 0])
    assert np.array_equal(second, learned.transform(sample)[:, 0])
    assert np.array_equal(third, SupervisedOrdering().fit(X, labels).transform(sample)[:, 0])
    assert not hasattr(voters[0], "mean_")


def test_values_are_the_same_bits_in_blocks(monkeypatch):
    image = RNG.normal(size=(20, 10, 4))
    ordering = CondorcetOrdering(random_state=0, max_pixels=50).fit_image(image)
    whole = order_values(image, ordering)
    monkeypatch.setattr("rdep.images._pixels._BLOCK_VALUES", 70)
    assert np.array_equal(order_values(image, ordering), whole)
    assert np.array_equal(order_values(image[3:4, 5:6], ordering), whole[3:4, 5:6])


@pytest.mark.parametrize(
    ("voters", "message"),
    [([], "orderings is empty"), ([PCAOrdering(2)], "PCAOrdering has 2 values for a pixel")],
)
def test_bad_voters(voters, message):
    with pytest.raises(ValueError, match=message):
        CondorcetOrdering(voters).fit(X)
