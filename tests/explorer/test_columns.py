import base64

import numpy as np
import pytest

from rdep.explorer._columns import packed


def unpacked(content):
    kinds = {"f8": "<f8", "i1": "<i1", "i2": "<i2", "i4": "<i4"}
    values = np.frombuffer(base64.b64decode(content["data"]), kinds[content["type"]])
    if content["type"] == "f8":
        return values
    found = values / content["by"]
    found[values == np.iinfo(values.dtype).min] = np.nan
    return found


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2, np.nan, -127], "i1"),
        ([0.1, 0.25, 3.99], "i2"),
        ([-128.0, 0], "i2"),
        ([2_147_483.647], "i4"),
        ([np.pi, 1e300, -np.inf], "f8"),
        ([-0.0, 1], "f8"),
        ([1e-300], "f8"),
        ([], "i1"),
        ([np.nan], "i1"),
    ],
)
def test_packed_numbers_are_exact(values, kind):
    content = packed(np.array(values, dtype=float))
    assert content["type"] == kind
    np.testing.assert_array_equal(unpacked(content), np.array(values, dtype=float))
    assert (np.signbit(unpacked(content)) == np.signbit(values)).all() or np.isnan(values).any()
