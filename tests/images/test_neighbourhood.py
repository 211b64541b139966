"""Footprints and borders that cannot be."""

import numpy as np
import pytest
from skimage.morphology import ball

from rdep.images import dilation, opening_by_reconstruction, reconstruction
from rdep.images._neighbourhood import Neighbourhood

IMAGE = np.zeros((4, 5, 3))
STACK = np.zeros((2, 4, 5, 3))


@pytest.mark.parametrize(
    ("image", "footprint", "message"),
    [
        (IMAGE, np.ones(3), r"shape \(3,\), but must have 2 axes, not counting channels"),
        (IMAGE, ball(1), r"shape \(3, 3, 3\), but must have 2 axes"),
        (IMAGE, 3, r"shape \(\), but must have 2 axes.*; a square is size=3"),
        (IMAGE, np.full((3, 3), np.nan), "must be flat, of zeros and ones"),
        (IMAGE, np.full((3, 3), -1), "must be flat.*such as footprint > 0"),
        (IMAGE, np.array([[0, 255, 0]]), "must be flat"),
        (IMAGE, [(np.full((3, 3), 0.5), 1)], "must be flat"),
        (
            STACK,
            None,
            "3 axes, not counting channels, may be a stack or a volume: pass a footprint",
        ),
        (STACK, np.ones((1, 1, 3, 3)), "2 axes .* to 3"),
        (IMAGE, np.zeros((3, 3)), "footprint is empty"),
        (IMAGE, [(ball(1), 2)], r"shape \(3, 3, 3\)"),
    ],
)
def test_bad_footprints(image, footprint, message):
    with pytest.raises(ValueError, match=message):
        dilation(image, footprint, ordering="marginal")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "size is 0, but must be an integer, 1 or more"),
        ({"size": (3, 1.5)}, "size is"),
        ({"size": 3, "footprint": np.ones((3, 3))}, "pass one"),
        ({"iterations": 0}, "iterations is 0, but must be an integer, 1"),
    ],
)
def test_bad_sizes_and_iterations(options, message):
    with pytest.raises(ValueError, match=message):
        dilation(IMAGE, ordering="marginal", **options)


def test_a_size_of_one_number_does_not_tell_stacks_from_volumes():
    with pytest.raises(ValueError, match="may be a stack or a volume: pass a size"):
        dilation(STACK, size=3, ordering="marginal")
    dilation(STACK, size=(3, 3), ordering="marginal")
    dilation(STACK, size=(3, 3, 3), ordering="marginal")


@pytest.mark.parametrize(
    ("connectivity", "message"),
    [
        (0, "connectivity is 0, but must be a number of axes from 1 to 2"),
        (9, "connectivity is 9"),
        (1.5, "connectivity is 1.5"),
        (np.ones((3, 5)), "symmetric with 3 pixels along each axis"),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 0]], "must be symmetric"),
        (np.full((3, 3), 2), "connectivity must be flat"),
    ],
)
def test_bad_connectivity(connectivity, message):
    for function in (
        lambda **options: reconstruction(IMAGE, IMAGE, **options),
        lambda **options: opening_by_reconstruction(IMAGE, **options),
    ):
        with pytest.raises(ValueError, match=message):
            function(ordering="marginal", connectivity=connectivity)


def test_a_number_of_axes_does_not_tell_stacks_from_volumes():
    for connectivity in (None, 1, 2):
        with pytest.raises(ValueError, match="stack or a volume: pass connectivity as an array"):
            reconstruction(STACK, STACK, ordering="marginal", connectivity=connectivity)


def test_bad_mode():
    with pytest.raises(ValueError, match="mode is 'reflected'"):
        dilation(IMAGE, ordering="marginal", mode="reflected")


def test_pairs_of_numbers_are_an_array_and_pairs_with_an_array_a_sequence():
    assert [array.tolist() for array in Neighbourhood([(1, 0), (1, 1)], "wrap", 2).footprints] == [
        [[True, False], [True, True]]
    ]
    repeated = Neighbourhood(((np.ones((1, 3)), 2), (np.ones((3, 1)), 1)), "wrap", 2).footprints
    assert [array.shape for array in repeated] == [(1, 3), (1, 3), (3, 1)]
