"""Blocks of rows cover an array once."""

import numpy as np
import pytest

from rdep._utils._blocks import _SIZE, row_blocks


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (10, 7), (_SIZE + 1, 1), (3, _SIZE), (5, 0)])
def test_every_row_is_in_one_block(shape):
    values = np.zeros(shape)
    blocks = list(row_blocks(values))
    rows = [row for block in blocks for row in range(*block.indices(len(values)))]
    assert rows == list(range(len(values)))
    assert all(values[block].size <= max(_SIZE, shape[1]) for block in blocks)
