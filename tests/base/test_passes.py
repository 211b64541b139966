"""Sums over blocks: their tree, changed blocks, rows by their positions."""

import pickle
from functools import partial

import numpy as np
import pytest

from rdep._base._passes import (
    Block,
    Changed,
    ListOfBlocks,
    added,
    reduce_each,
    rows_at,
)


def in_brackets(a, b):
    return f"({a}{b})"


@pytest.mark.parametrize(
    ("n", "tree"),
    [
        (1, "0"),
        (2, "(01)"),
        (3, "((01)2)"),
        (5, "(((01)(23))4)"),
        (7, "(((01)(23))((45)6))"),
    ],
)
def test_neighbours_are_added_in_a_balanced_tree(n, tree):
    assert added(map(str, range(n)), in_brackets) == tree


@pytest.mark.parametrize("n", range(1, 40))
def test_the_tree_is_that_of_adding_neighbours_level_by_level(n):
    level = [str(k) for k in range(n)]
    while len(level) > 1:
        pairs = [level[k : k + 2] for k in range(0, len(level), 2)]
        level = [in_brackets(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    assert added(map(str, range(n)), in_brackets) == level[0]


def test_no_rows_are_an_error():
    with pytest.raises(ValueError, match="no rows"):
        added([], in_brackets)


@pytest.fixture
def arrays():
    rng = np.random.default_rng(0)
    return rng.normal(size=(103, 3)), rng.choice([-1.0, 1.0], 103), rng.random(103)


def total(block):
    return block.weight @ block.X


def count(block):
    return len(block.y)


def plus(a, b):
    return a + b


def doubled(factor, block):
    return Block(block.X, block.y, factor * block.weight, block.start)


def test_sums_over_blocks_are_those_of_all_rows(arrays):
    X, y, weight = arrays
    passes = ListOfBlocks.of_arrays(X, y, weight, n_rows=10)
    assert passes.n_rows == 103
    sums, n_rows = reduce_each(passes, (total, plus), (count, plus))
    assert np.allclose(sums, weight @ X, rtol=1e-13)
    assert n_rows == 103
    twice = Changed(passes, partial(doubled, 2.0))
    assert np.allclose(twice.reduce(total, plus), 2 * weight @ X, rtol=1e-13)
    assert pickle.loads(pickle.dumps(twice)).n_rows == 103


def test_rows_are_found_by_their_positions(arrays):
    X, y, weight = arrays
    passes = ListOfBlocks.of_arrays(X, y, weight, n_rows=10)
    positions = np.array([99, 0, 10, 9, 102, 50])
    found = rows_at(passes, positions)
    for part, of_all in zip(found, arrays, strict=True):
        assert np.array_equal(part, of_all[np.sort(positions)])
