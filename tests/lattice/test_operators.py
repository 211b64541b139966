"""Dilation and erosion as operators on the complete lattice of extended real vectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rdep import dilation, erosion

EXTENDED = st.one_of(
    st.floats(-1e6, 1e6), st.integers(-3, 3).map(float), st.sampled_from([np.inf, -np.inf])
)
FINITE = st.floats(-1e6, 1e6)


def vectors(elements):
    """X of shape (m, n) and weights of shape (n,)."""
    return st.tuples(st.integers(1, 6), st.integers(1, 5)).flatmap(
        lambda shape: st.tuples(
            arrays(float, shape, elements=elements), arrays(float, shape[1], elements=elements)
        )
    )


def test_definition():
    X = np.array([[0.0, 3.0], [5.0, 1.0]])
    assert dilation(X, [1, -1]).tolist() == [2.0, 6.0]
    assert erosion(X, [1, -1]).tolist() == [1.0, 0.0]


@given(vectors(EXTENDED))
def test_dilation_commutes_with_suprema(data):
    X, w = data
    assert dilation(X.max(axis=0, keepdims=True), w)[0] == dilation(X, w).max()


@given(vectors(EXTENDED))
def test_erosion_commutes_with_infima(data):
    X, m = data
    assert erosion(X.min(axis=0, keepdims=True), m)[0] == erosion(X, m).min()


@given(vectors(EXTENDED))
def test_both_preserve_the_empty_bounds(data):
    """The supremum of no vector is −∞ everywhere, its infimum +∞."""
    _, w = data
    lowest, highest = np.full((1, len(w)), -np.inf), np.full((1, len(w)), np.inf)
    assert dilation(lowest, w)[0] == -np.inf
    assert erosion(highest, w)[0] == np.inf


@given(vectors(EXTENDED))
def test_duality(data):
    X, m = data
    assert np.array_equal(erosion(X, m), -dilation(-X, -m))


@given(vectors(EXTENDED), st.integers(0, 2**32 - 1))
def test_both_are_increasing(data, seed):
    X, w = data
    above = np.maximum(X, np.random.default_rng(seed).permutation(X.ravel()).reshape(X.shape))
    assert (dilation(X, w) <= dilation(above, w)).all()
    assert (erosion(X, w) <= erosion(above, w)).all()


@given(vectors(FINITE))
def test_erosion_and_dilation_are_adjoint(data):
    """δ_w(x) ≤ t if and only if x lies below the vector t − w, whose dual statement is ε's."""
    X, w = data
    values = dilation(X, w)
    for t in values:
        assert np.array_equal(values <= t, (X + w <= t).all(axis=1))


def test_opposite_infinities():
    assert dilation([[np.inf, 0.0]], [-np.inf, 1.0]).tolist() == [1.0]
    assert erosion([[-np.inf, 0.0]], [np.inf, 1.0]).tolist() == [1.0]
    assert dilation([[-np.inf]], [np.inf]).tolist() == [-np.inf]
    assert erosion([[np.inf]], [-np.inf]).tolist() == [np.inf]


def test_no_feature_at_all():
    assert dilation(np.empty((2, 0)), []).tolist() == [-np.inf, -np.inf]
    assert erosion(np.empty((2, 0)), []).tolist() == [np.inf, np.inf]


def test_nan_stays_nan():
    assert np.isnan(dilation([[np.nan, 0.0]], [-np.inf, 1.0])).all()
    assert np.isnan(erosion([[np.nan, 0.0]], [1.0, 1.0])).all()


def test_input_is_left_alone_and_kinds_of_numbers_are_kept():
    X = np.array([[1, 2], [3, 4]])
    X.flags.writeable = False
    assert dilation(X, [0, 0]).dtype == float
    assert dilation(np.ones((1, 2), np.float32), np.ones(2, np.float32)).dtype == np.float32


@pytest.mark.parametrize(("X", "w"), [([1.0, 2.0], [1.0, 2.0]), ([[1.0, 2.0]], [1.0])])
def test_wrong_shapes_are_explained(X, w):
    with pytest.raises(ValueError, match=r"\(n_samples, n_features\)"):
        dilation(X, w)
    with pytest.raises(ValueError, match="got"):
        erosion(X, w)
