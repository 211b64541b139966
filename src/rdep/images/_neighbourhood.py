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
from ._pixels import check_count
from ._runs import maximum_over, minimum_over

# Beyond the border: pixels of the image, repeated as in scipy.ndimage, or one rank.
REPEATING = ("reflect", "nearest", "mirror", "wrap")
MODES = (*REPEATING, "constant", "ignore", "min", "max")


class Extent(NamedTuple):
    """Ranks that may lie beyond the border: the minimum and maximum of the image, and cval's."""

    least: float
    greatest: float
    outside: float | None = None


class Neighbourhood:
    """The neighbourhood of an operator, inside the image and beyond its border.

    Parameters
    ----------
    footprint : array-like, sequence of (array-like, int) pairs, or None
        Footprint with as many axes as each image. If it has fewer axes than the array, the array
        is a stack of images. The footprints of a sequence are applied one by one, as in
        scikit-image. None is a cross of 3 × 3, for an array that is one image.
    mode : str
        Border mode, one of ``MODES``. ``min`` and ``max`` extend the image by its smallest and
        largest pixel, ``ignore`` by the one of them that has no effect, ``constant`` by a given
        pixel.
    n_axes : int
        Number of axes of the array, without channels.
    size : int, sequence of int or None
        Sides of a rectangle, in place of a footprint; one number stands for a square.
    iterations : int
        How often each erosion and dilation is applied.
    """

    def __init__(self, footprint, mode: str, n_axes: int, size=None, iterations: int = 1):
        if mode not in MODES:
            raise ValueError(f"mode is {mode!r}, but must be one of {', '.join(MODES)}")
        check_count(iterations, "iterations")
        self.mode = mode
        if size is not None:
            if footprint is not None:
                raise ValueError("footprint and size are two ways to say one thing: pass one")
            footprint = _rectangle(size, n_axes)
        footprints = _check_footprint(footprint, n_axes)
        self.image_axes = max(array.ndim for array in footprints)
        self.footprints = [stretched(array, n_axes) for array in footprints] * int(iterations)

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
        if n_axes > 2:
            raise ValueError(_ambiguous(n_axes, "pass a footprint"))
        footprint = ndimage.generate_binary_structure(2, 1)
    pairs = footprint if _is_sequence(footprint) else [(footprint, 1)]
    footprints = []
    for array, repeats in pairs:
        footprints += [_check_array(array, n_axes)] * repeats
    return footprints


def _ambiguous(n_axes: int, what: str) -> str:
    return (
        f"an image of {n_axes} axes, not counting channels, may be a stack or a volume: {what} of "
        "two axes to filter each image of a stack on its own, such as "
        f"scipy.ndimage.generate_binary_structure(2, 1), or of {n_axes} axes for a volume"
    )


def _rectangle(size, n_axes: int) -> Mask:
    if np.ndim(size) == 0 and n_axes > 2:
        raise ValueError(_ambiguous(n_axes, "pass a size"))
    sides = [size] * 2 if np.ndim(size) == 0 else list(size)
    return np.ones([check_count(side, "size") for side in sides], dtype=bool)


def neighbours(connectivity, n_axes: int, image_axes: int | None = None) -> Mask:
    """Neighbourhood of flat zones and regions, with ``n_axes`` axes.

    Parameters
    ----------
    connectivity : int, array-like or None
        Largest number of axes in which neighbours may differ, by one pixel in each; None means
        all. An array marks the neighbours in 3 × 3 pixels, or 3 × 3 × 3 for a volume.
    n_axes : int
        Number of axes of the array, without channels.
    image_axes : int or None
        Number of axes of each image, if it is known.
    """
    if np.ndim(connectivity) > 0:
        near = _check_array(connectivity, n_axes, "connectivity")
        if set(near.shape) != {3} or not np.array_equal(near, np.flip(near)):
            raise ValueError(
                f"connectivity is an array of shape {near.shape}, but must be symmetric with 3 "
                "pixels along each axis, such as scipy.ndimage.generate_binary_structure(2, 1)"
            )
        return stretched(near, n_axes)
    if image_axes is None:
        if n_axes > 2:
            raise ValueError(_ambiguous(n_axes, "pass connectivity as an array"))
        image_axes = n_axes
    if connectivity is not None and connectivity not in range(1, image_axes + 1):
        raise ValueError(
            f"connectivity is {connectivity!r}, but must be a number of axes from 1 to "
            f"{image_axes}, an array, or None for {image_axes}"
        )
    near = ndimage.generate_binary_structure(image_axes, connectivity or image_axes)
    return stretched(near, n_axes)


def _is_sequence(footprint) -> bool:
    return (
        isinstance(footprint, Sequence)
        and len(footprint) > 0
        and all(isinstance(item, tuple) and len(item) == 2 for item in footprint)
        and all(np.ndim(array) > 1 and np.ndim(repeats) == 0 for array, repeats in footprint)
    )


def _check_array(footprint: ArrayLike, n_axes: int, name: str = "footprint") -> Mask:
    array = np.asarray(footprint)
    if not 2 <= array.ndim <= n_axes:
        axes = "2 axes" if n_axes == 2 else f"2 axes (a stack of images) to {n_axes} (a volume)"
        raise ValueError(
            f"{name} has shape {array.shape}, but must have {axes}, not counting channels"
            + (f"; a square is size={array}" if array.ndim == 0 else "")
        )
    if array.dtype.kind not in "buif" or not ((array == 0) | (array == 1)).all():
        raise ValueError(
            f"{name} must be flat, of zeros and ones, but it has other values: pass the pixels of "
            "the neighbourhood, such as footprint > 0"
        )
    if not array.any():
        raise ValueError(f"{name} is empty: it must cover at least one pixel")
    return array.astype(bool)
