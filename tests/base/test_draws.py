"""Draws that do not depend on the blocks, and that are uniform."""

import numpy as np
import pytest

from rdep._base._draws import add_drawn, drawn, random_numbers
from rdep._base._passes import ListOfBlocks


def draw(X, y, weight, n_rows, seed=0):
    return ListOfBlocks.of_arrays(X, y, weight, n_rows=n_rows).reduce(
        lambda block: drawn(40, seed, block), lambda a, b: add_drawn(40, a, b)
    )


def test_a_draw_does_not_depend_on_the_blocks():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 2)), rng.choice([-1.0, 1.0], 500)
    weight = rng.integers(0, 2, 500).astype(float)
    whole = draw(X, y, weight, 500)
    for n_rows in (7, 100):
        for part, of_all in zip(draw(X, y, weight, n_rows), whole, strict=True):
            assert np.array_equal(part.X, of_all.X)
    for part, sign in zip(whole, (-1, 1), strict=True):
        assert len(part.X) == 40
        assert part.weight.all()
        known = {tuple(row) for row in X[(y == sign) & (weight > 0)]}
        assert {tuple(row) for row in part.X} <= known
        assert len({tuple(row) for row in part.X}) == 40
    other = draw(X, y, weight, 500, seed=1)
    assert not np.array_equal(other[0].X, whole[0].X)


def test_numbers_are_those_of_splitmix64():
    # The first outputs of Vigna's C code for the state 0.
    assert random_numbers(np.arange(3)).tolist() == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


@pytest.mark.parametrize("seed", [0, 1])
def test_numbers_are_uniform_and_differ_between_seeds(seed):
    numbers = random_numbers(np.arange(100_000), seed) / 2.0**64
    assert np.abs(np.histogram(numbers, 20, (0, 1))[0] / 5000 - 1).max() < 0.07
    others = random_numbers(np.arange(100_000), seed + 1) / 2.0**64
    for lag in (0, 1, 2):
        n = len(numbers) - lag
        assert abs(np.corrcoef(numbers[:n], others[lag:])[0, 1]) < 0.015
