"""Max-plus and min-plus products: by definition, as a lattice has it, and in all shapes."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rdep import dilation, erosion
from rdep.lattice import max_plus, min_plus

INTEGERS = st.integers(-9, 9).map(float)
EXTENDED = st.one_of(INTEGERS, st.sampled_from([np.inf, -np.inf]))


def matrices(elements, *, square=False):
    """A of shape (m, n), B of shape (n, k) and C of shape (k, m)."""

    def of_shapes(shape):
        m, n, k = (shape[0],) * 3 if square else shape
        return st.tuples(*(arrays(float, s, elements=elements) for s in ((m, n), (n, k), (k, m))))

    return st.tuples(*[st.integers(1, 5)] * 3).flatmap(of_shapes)


def by_definition(A, B, extreme, opposites):
    made = np.empty((len(A), B.shape[1]))
    for i, row in enumerate(A):
        for k, column in enumerate(B.T):
            terms = [
                opposites if np.isinf(a) and a == -b else a + b
                for a, b in zip(row, column, strict=True)
            ]
            made[i, k] = extreme(terms)
    return made


@given(matrices(EXTENDED))
def test_definition(factors):
    A, B, _ = factors
    assert np.array_equal(max_plus(A, B), by_definition(A, B, max, -np.inf))
    assert np.array_equal(min_plus(A, B), by_definition(A, B, min, np.inf))


@given(matrices(EXTENDED))
def test_products_are_associative(factors):
    A, B, C = factors
    for product in (max_plus, min_plus):
        assert np.array_equal(product(product(A, B), C), product(A, product(B, C)))


@given(matrices(EXTENDED))
def test_duality(factors):
    A, B, _ = factors
    assert np.array_equal(min_plus(A, B), -max_plus(-A, -B))
    assert np.array_equal(max_plus(A, B), max_plus(B.T, A.T).T)


@given(matrices(EXTENDED))
def test_the_two_products_are_adjoint(factors):
    """A ⊞ B ≤ C if and only if B ≤ (−Aᵀ) ⊟ C, infinite or not."""
    A, B, _ = factors
    for C in (max_plus(A, B), max_plus(A, B) - 1, np.zeros((len(A), B.shape[1]))):
        assert (max_plus(A, B) <= C).all() == (min_plus(-A.T, C) >= B).all()


@given(matrices(EXTENDED, square=True))
def test_products_distribute_over_suprema_and_infima(factors):
    A, B, C = factors
    both = max_plus(A, np.maximum(B, C))
    assert np.array_equal(both, np.maximum(max_plus(A, B), max_plus(A, C)))
    both = min_plus(A, np.minimum(B, C))
    assert np.array_equal(both, np.minimum(min_plus(A, B), min_plus(A, C)))


def test_the_neutral_matrix():
    A = np.array([[1.0, -np.inf, np.inf], [0.0, 2.0, -5.0]])
    neutral = np.where(np.eye(3, dtype=bool), 0.0, -np.inf)
    assert np.array_equal(max_plus(A, neutral), A)
    assert np.array_equal(min_plus(A, -neutral), A)


# Blocks that end within a matrix, few and many columns, few and many terms.
SHAPES = [(300, 70, 3), (300, 70, 9), (3, 70, 300), (40, 5, 5000), (5000, 5, 40), (1, 200, 1),
          (4200, 3, 5)]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("infinite", [False, True])
def test_every_shape_and_order_gives_the_same(shape, order, infinite):
    m, n, k = shape
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(m, n)), rng.normal(size=(n, k))
    if infinite:
        A[rng.random(A.shape) < 0.1] = np.inf
        B[rng.random(B.shape) < 0.1] = -np.inf
    with np.errstate(invalid="ignore"):
        for product, reduce in ((max_plus, np.fmax.reduce), (min_plus, np.fmin.reduce)):
            expected = np.column_stack([reduce(A + column, axis=1) for column in B.T])
            made = product(np.asarray(A, order=order), np.asarray(B, order=order))
            assert np.array_equal(made, expected)


def test_one_column_is_a_dilation_or_an_erosion():
    rng = np.random.default_rng(1)
    X, w = rng.normal(size=(50, 7)), rng.normal(size=7)
    assert np.array_equal(max_plus(X, w[:, None])[:, 0], dilation(X, w))
    assert np.array_equal(min_plus(X, w[:, None])[:, 0], erosion(X, w))


def test_no_array_of_all_sums_is_made():
    rng = np.random.default_rng(2)
    A, B = rng.normal(size=(300, 300)), rng.normal(size=(300, 300))
    tracemalloc.start()
    max_plus(A, B)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * A.nbytes  # all sums would be 300 times as large


def test_no_term_at_all():
    assert max_plus(np.empty((2, 0)), np.empty((0, 1))).tolist() == [[-np.inf], [-np.inf]]
    assert min_plus(np.empty((1, 0)), np.empty((0, 2))).tolist() == [[np.inf, np.inf]]
    assert max_plus(np.empty((0, 3)), np.empty((3, 2))).shape == (0, 2)


def test_nan_stays_nan():
    A, B = [[np.nan, np.inf], [0.0, np.inf]], [[0.0, 1.0], [-np.inf, 1.0]]
    assert np.isnan(max_plus(A, B)).tolist() == [[True, True], [False, False]]
    assert np.isnan(min_plus(np.transpose(B), np.transpose(A))).tolist() == [[True, False]] * 2


def test_kinds_of_numbers_are_kept():
    assert max_plus([[1, 2]], [[3], [4]]).dtype == float
    single = np.ones((2, 2), np.float32)
    assert min_plus(single, single).dtype == np.float32
    assert min_plus(single, np.ones((2, 2))).dtype == float


@pytest.mark.parametrize(("A", "B"), [([1.0, 2.0], [[1.0]]), ([[1.0, 2.0]], [[1.0]])])
def test_wrong_shapes_are_explained(A, B):
    with pytest.raises(ValueError, match=r"\(m, n\) and \(n, k\)"):
        max_plus(A, B)
    with pytest.raises(ValueError, match="got"):
        min_plus(A, B)
