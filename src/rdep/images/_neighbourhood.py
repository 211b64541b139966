"""Grey-level erosion and dilation over a footprint, with footprints and borders of scikit-image.

Footprints are placed as in :mod:`scipy.ndimage`: a dilation reflects the footprint, which makes it
the adjoint of the erosion over the same footprint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from .._utils._typing import Mask
from ._runs import maximum_over, minimum_over

# Beyond the border: pixels of the image, repeated as in scipy.ndimage, or one rank.
REPEATING = ("reflect", "nearest", "mirror", "wrap")
MODES = (*REPEATING, "constant", "ignore", "min", "max")


class Extent(NamedTuple):
    """Ranks that may lie beyond the border: the minimum and maximum of the image, and cval's."""

    least: float
    greatest: float
    outside: float | None


def extent_of(ranks: NDArray, outside: float | None) -> Extent:
    return Extent(ranks.min(), ranks.max(), outside)


class Neighbourhood:
    """The neighbourhood of an operator, inside the image and beyond its border.

    Parameters
    ----------
    footprint : array-like, sequence of (array-like, int) pairs, or None
        Footprint with as many axes as each image. If it has fewer axes than the array, the array
        is a stack of images. The footprints of a sequence are applied one by one, as in
        scikit-image. None is a cross of 3 × 3.
    mode : str
        Border mode, one of ``MODES``. ``min`` and ``max`` extend the image by its smallest and
        largest pixel, ``ignore`` by the one of them that has no effect, ``constant`` by a given
        pixel.
    n_axes : int
        Number of axes of the array, without channels.
    """

    def __init__(self, footprint, mode: str, n_axes: int):
        if mode not in MODES:
            raise ValueError(f"mode is {mode!r}, but must be one of {', '.join(MODES)}")
        self.mode = mode
        footprints = _check_footprint(footprint, n_axes)
        self.image_axes = max(array.ndim for array in footprints)
        self.footprints = [stretched(array, n_axes) for array in footprints]

    def single(self) -> Mask:
        """Return the footprint, which must be a single array."""
        if len(self.footprints) > 1:
            raise ValueError("this filter takes one footprint, not a sequence: pass one array")
        return self.footprints[0]

    def border(self, extent: Extent, ignored: float | None = None) -> dict:
        """Border arguments for a filter of scipy.ndimage."""
        if self.mode in REPEATING:
            return {"mode": self.mode}
        values = {
            "min": extent.least,
            "max": extent.greatest,
            "constant": extent.outside,
            "ignore": ignored,
        }
        if values[self.mode] is None:
            raise ValueError("a rank filter cannot ignore the border: choose another mode")
        return {"mode": "constant", "cval": values[self.mode]}

    def erode(self, ranks: NDArray, extent: Extent) -> NDArray:
        for footprint in self.footprints:
            ranks = minimum_over(ranks, footprint, **self.border(extent, ignored=extent.greatest))
        return ranks

    def dilate(self, ranks: NDArray, extent: Extent) -> NDArray:
        for footprint in self.footprints:
            ranks = maximum_over(ranks, footprint, **self.border(extent, ignored=extent.least))
        return ranks

    def open(self, ranks: NDArray, extent: Extent) -> NDArray:
        return self.dilate(self.erode(ranks, extent), extent)

    def close(self, ranks: NDArray, extent: Extent) -> NDArray:
        return self.erode(self.dilate(ranks, extent), extent)


def stretched(footprint: Mask, n_axes: int) -> Mask:
    """Add axes of length 1, so that each image of a stack has the same footprint."""
    return footprint.reshape((1,) * (n_axes - footprint.ndim) + footprint.shape)


def _check_footprint(footprint, n_axes: int) -> list[Mask]:
    if footprint is None:
        footprint = ndimage.generate_binary_structure(2, 1)
    pairs = footprint if _is_sequence(footprint) else [(footprint, 1)]
    footprints = []
    for array, repeats in pairs:
        footprints += [_check_array(array, n_axes)] * repeats
    return footprints


def _is_sequence(footprint) -> bool:
    return (
        isinstance(footprint, Sequence)
        and len(footprint) > 0
        and all(isinstance(item, tuple) and len(item) == 2 for item in footprint)
        and all(np.ndim(array) > 1 and np.ndim(repeats) == 0 for array, repeats in footprint)
    )


def _check_array(footprint: ArrayLike, n_axes: int) -> Mask:
    array = np.asarray(footprint)
    if not 2 <= array.ndim <= n_axes:
        axes = "2 axes" if n_axes == 2 else f"2 axes (a stack of images) to {n_axes} (a volume)"
        raise ValueError(
            f"footprint has shape {array.shape}, but must have {axes}, not counting channels"
        )
    array = array.astype(bool)
    if not array.any():
        raise ValueError("footprint is empty: it must cover at least one pixel")
    return array
