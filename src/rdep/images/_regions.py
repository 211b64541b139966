"""Operators on connected regions of numbers: reconstruction, openings by area and by diameter.

The compiled form works on whole numbers with a border of −1; scikit-image does the same work where
nothing is compiled.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._utils._imports import optional
from .._utils._typing import Mask
from ._runs import core


def grey_reconstruction(marker: NDArray, mask: NDArray, method: str, near: Mask) -> NDArray:
    """Reconstruct numbers, in the dtype of the mask; ``near`` has as many axes as the arrays."""
    if core is None:
        skimage = optional("skimage.morphology", "reconstruction", "images")
        grown = skimage.reconstruction(marker, mask, method=method, footprint=near)
        return grown.astype(mask.dtype)
    (marker, mask), values = _whole_numbers(np.stack([marker, mask]))
    if method == "erosion":
        marker, mask = len(values) - 1 - marker, len(values) - 1 - mask
    low, high = (_bordered(array, near) for array in (marker, mask))
    grown = low.ravel()
    core.reconstruct(grown, high.ravel(), _before(near, high.shape))
    result = _inner(grown.reshape(high.shape), near)
    return values[len(values) - 1 - result if method == "erosion" else result]


def attribute_opening(
    array: NDArray, threshold: int, near: Mask, *, diameter: bool = False, closing: bool = False
) -> NDArray:
    """Lower the maxima whose region is smaller than the threshold; raise the minima in a closing.

    The size of a region is its number of pixels, or the longest side of its bounding box.
    """
    if core is None:
        skimage = optional("skimage.morphology", "an opening by area or diameter", "images")
        work = skimage.diameter_opening if diameter else skimage.area_opening
        turned, values = _whole_numbers(array)
        turned = len(values) - 1 - turned if closing else turned
        result = np.empty_like(turned)
        image_axes = sum(side > 1 for side in near.shape)
        shape = near.shape[near.ndim - image_axes :]
        for place in np.ndindex(array.shape[: array.ndim - image_axes]):
            # Without a border, images of two rows or columns come out wrong in scikit-image 0.26.
            image = np.pad(turned[place] + 1, 1)
            changed = work(image, threshold, connectivity=near.reshape(shape))
            inside = changed[(slice(1, -1),) * image_axes] - 1
            result[place] = np.maximum(inside, turned[place].min())
    else:
        turned, values = _whole_numbers(array)
        bordered = _bordered(len(values) - 1 - turned if closing else turned, near)
        strides = _strides(bordered.shape) if diameter else ()
        flat = core.attribute_opening(
            bordered.ravel(), _before(near, bordered.shape), strides, threshold
        )
        result = _inner(flat.reshape(bordered.shape), near)
    return values[len(values) - 1 - result if closing else result]


def _whole_numbers(array: NDArray) -> tuple[NDArray[np.int32], NDArray]:
    """Places of the values among all values; the second array looks them up."""
    if array.dtype.kind in "iu" and array.min() >= 0 and array.max() <= 2 * array.size + 65535:
        return array.astype(np.int32), np.arange(int(array.max()) + 1).astype(array.dtype)
    values, places = np.unique(array, return_inverse=True)
    return places.reshape(array.shape).astype(np.int32), values


def _bordered(array: NDArray[np.int32], near: Mask) -> NDArray[np.int32]:
    return np.pad(array, [(side // 2, side // 2) for side in near.shape], constant_values=-1)


def _inner(array: NDArray, near: Mask) -> NDArray:
    return array[tuple(slice(1, -1) if side > 1 else slice(None) for side in near.shape)]


def _strides(shape: tuple[int, ...]) -> list[int]:
    return np.cumprod([1, *shape[:0:-1]])[::-1].tolist()


def _before(near: Mask, shape: tuple[int, ...]) -> NDArray[np.intp]:
    """Steps in a flat array to the neighbours that come before a pixel."""
    steps = (np.argwhere(near) - np.array(near.shape) // 2) @ _strides(shape)
    return np.ascontiguousarray(steps[steps < 0], dtype=np.intp)
