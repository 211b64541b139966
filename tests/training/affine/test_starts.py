"""Groups of samples from which pieces start."""

import numpy as np

from rdep.training.affine._starts import groups


def test_clusters_apart_are_found_whatever_the_order_of_rows():
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 30.0]])
    of = np.repeat([0, 1, 2], 20)
    X = centres[of] + rng.normal(size=(60, 2))
    found = groups(X, np.ones(60), 3)
    assert len({(a, b) for a, b in zip(of, found, strict=True)}) == 3
    order = rng.permutation(60)
    np.testing.assert_array_equal(groups(X[order], np.ones(60), 3), found[order])


def test_equal_samples_stay_together():
    assert not groups(np.full((5, 3), 0.1), np.ones(5), 4).any()
    two = groups(np.repeat([[0.0], [1.0]], 3, axis=0), np.ones(6), 4)
    assert sorted(np.bincount(two)) == [3, 3]


def test_random_directions_differ_and_are_repeatable():
    X = np.random.default_rng(1).normal(size=(50, 4))
    draws = [groups(X, np.ones(50), 2, np.random.default_rng(seed)) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(draws[0], draws[1])
    assert (draws[0] != draws[2]).any()
