"""Footprints and borders that cannot be."""

import numpy as np
import pytest
from skimage.morphology import ball

from rdep.images import dilation
from rdep.images._neighbourhood import Neighbourhood

IMAGE = np.zeros((4, 5, 3))
STACK = np.zeros((2, 4, 5, 3))


@pytest.mark.parametrize(
    ("image", "footprint", "message"),
    [
        (IMAGE, np.ones(3), r"shape \(3,\), but must have 2 axes, not counting channels"),
        (IMAGE, ball(1), r"shape \(3, 3, 3\), but must have 2 axes"),
        (IMAGE, 3, r"shape \(\), but must have 2 axes"),
        (STACK, np.ones((1, 1, 3, 3)), "2 axes .* to 3"),
        (IMAGE, np.zeros((3, 3)), "footprint is empty"),
        (IMAGE, [(ball(1), 2)], r"shape \(3, 3, 3\)"),
    ],
)
def test_bad_footprints(image, footprint, message):
    with pytest.raises(ValueError, match=message):
        dilation(image, footprint, ordering="marginal")


def test_bad_mode():
    with pytest.raises(ValueError, match="mode is 'reflected'"):
        dilation(IMAGE, ordering="marginal", mode="reflected")


def test_pairs_of_numbers_are_an_array_and_pairs_with_an_array_a_sequence():
    assert [array.tolist() for array in Neighbourhood([(1, 0), (1, 1)], "wrap", 2).footprints] == [
        [[True, False], [True, True]]
    ]
    repeated = Neighbourhood(((np.ones((1, 3)), 2), (np.ones((3, 1)), 1)), "wrap", 2).footprints
    assert [array.shape for array in repeated] == [(1, 3), (1, 3), (3, 1)]
