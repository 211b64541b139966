"""Sums over blocks against NumPy and scikit-learn on all rows."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from rdep._base._members import scale_gamma
from rdep._base._moments import Moments, moments, moments_by_class, scaler_by_passes
from rdep._base._passes import ListOfBlocks


def a_table(rng, m=301):
    X = rng.normal(size=(m, 4)) * [1, 1e-3, 1e3, 0] + [0, 1e3, 5, 0.1]
    return X, rng.choice([-1.0, 1.0], m)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_scaler_is_that_of_all_rows(weighted):
    rng = np.random.default_rng(0)
    X, y = a_table(rng)
    weight = rng.integers(0, 3, len(y)).astype(float) if weighted else None
    peer = StandardScaler().fit(X, sample_weight=weight)
    scaler = scaler_by_passes(ListOfBlocks.of_arrays(X, y, weight, n_rows=7))
    assert scaler.n_samples_seen_ == peer.n_samples_seen_
    assert np.allclose(scaler.mean_, peer.mean_, rtol=1e-12)
    assert np.allclose(scaler.scale_, peer.scale_, rtol=1e-9)
    assert scaler.scale_[3] == 1.0
    assert np.allclose(scaler.transform(X), peer.transform(X), rtol=1e-8, atol=1e-8)


def test_sums_by_class_have_ranges_and_gamma():
    rng = np.random.default_rng(1)
    X, y = a_table(rng)
    weight = rng.random(len(y)) * (rng.random(len(y)) < 0.8)
    passes = ListOfBlocks.of_arrays(X, y, weight, n_rows=9)
    both = passes.reduce(moments_by_class, lambda a, b: (a[0] + b[0], a[1] + b[1]))
    for part, mask in zip(both, (y < 0, y > 0), strict=True):
        used = mask & (weight > 0)
        assert part.n_rows == used.sum()
        assert part.weight == pytest.approx(weight[used].sum(), rel=1e-13)
        assert np.array_equal(part.least, X[used].min(axis=0))
        assert np.array_equal(part.greatest, X[used].max(axis=0))
        assert np.allclose(part.means, np.average(X[used], axis=0, weights=weight[used]))
    found = passes.reduce(moments, Moments.__add__)
    assert found.scale_gamma() == pytest.approx(scale_gamma(X, weight), rel=1e-9)
    assert Moments.of(np.ones((3, 2)), np.ones(3)).scale_gamma() == 1.0
