"""Sizes of memory as people write them."""

import pytest

from rdep.blocks._memory import parse_memory, rows_for_trees, rows_per_block


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [
        ("2GB", 2 * 10**9),
        ("1.5 GiB", 3 << 29),
        ("1500M", 15 * 10**8),
        (2**31, 2**31),
        ("1t", 10**12),
    ],
)
def test_sizes(text, n_bytes):
    assert parse_memory(text) == n_bytes


@pytest.mark.parametrize("text", ["", "two", "2XB", "-2GB", None, True])
def test_no_sizes(text):
    with pytest.raises(ValueError, match="is no size: write it as '2GB'"):
        parse_memory(text)


@pytest.mark.parametrize("text", ["2", "512MB", 0])
def test_too_little(text):
    with pytest.raises(ValueError, match="too little"):
        parse_memory(text)


def test_more_memory_is_for_more_rows():
    assert rows_for_trees(2 * 10**9, 20) * 20 * 8 < 2 * 10**9
    assert rows_for_trees(4 * 10**9, 20) > 2 * rows_for_trees(2 * 10**9, 20)
    assert rows_per_block(1) * 8 <= 2**23
    assert rows_per_block(10**8) == 1
