"""Filters of images larger than memory, by bands of rows or by the chunks of a dask array."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ._pixels import check_count

__all__ = ["filter_blocks"]

# Channel values of one band.
_BAND_VALUES = 1 << 24


def filter_blocks(
    function: Callable[[NDArray], NDArray],
    image,
    *,
    overlap: int,
    out: NDArray | None = None,
    n_rows: int | None = None,
    channel_axis: int | None = -1,
):
    """Filter an image by bands of rows, or by the chunks of a dask array, with the same pixels.

    Only a band is in memory, if the image and ``out`` are on disk (:class:`numpy.memmap`). The
    result equals ``function(image)`` if a pixel of the result depends on the pixels within
    ``overlap`` only, and on the border of the image in no other way. This does not hold for
    reconstructions, openings by area, extrema, and the modes "min", "max" and "wrap".

    Parameters
    ----------
    function : callable
        Filter of an array, such as
        ``lambda block: opening(block, disk(3), ordering=ordering)``. Its ordering must be an
        estimator or a function, not an array.
    image : ndarray, memmap or dask array of shape (..., H, W, C)
        Image or stack.
    overlap : int
        Farthest pixel that a result depends on: the radius of the footprint for an erosion, a
        dilation or a median, twice the radius for an opening or a closing, and the sum over all
        steps for a sequence.
    out : ndarray, memmap or None, default=None
        Array to write the result to; None creates one. Not used for dask arrays.
    n_rows : int or None, default=None
        Number of rows of a band; None chooses bands of some tens of megabytes.
    channel_axis : int or None, default=-1
        Axis of the image that holds the channels; None for a grey image without such an axis.

    Returns
    -------
    ndarray, memmap or dask array
        The result; a dask array is computed when it is asked for.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, erosion, filter_blocks
    >>> image = np.random.default_rng(0).integers(0, 256, (50, 20, 3), dtype=np.uint8)
    >>> def eroded(block):
    ...     return erosion(block, size=5, ordering=LexicographicOrdering())
    >>> by_bands = filter_blocks(eroded, image, overlap=2, n_rows=10)
    >>> bool((by_bands == eroded(image)).all())
    True
    """
    check_count(overlap, "overlap", least=0)
    axes = [
        axis
        for axis in range(image.ndim)
        if channel_axis is None or axis != (channel_axis % image.ndim)
    ]
    if len(axes) < 2:
        raise ValueError(
            f"image has shape {image.shape}, but must have two axes of pixels: set channel_axis"
        )
    if hasattr(image, "dask"):
        return _by_chunks(function, image, overlap, axes, channel_axis)
    rows_axis = axes[-2]
    height = image.shape[rows_axis]
    if n_rows is None:
        n_rows = max(1, _BAND_VALUES * height // max(1, image.size))
    check_count(n_rows, "n_rows")
    for start in range(0, height, n_rows):
        stop = min(start + n_rows, height)
        low, high = max(0, start - overlap), min(height, stop + overlap)
        block = function(np.asarray(image[_rows(rows_axis, low, high)]))
        if out is None:
            shape = list(block.shape)
            shape[rows_axis] = height
            out = np.empty(shape, dtype=block.dtype)
        out[_rows(rows_axis, start, stop)] = block[_rows(rows_axis, start - low, stop - low)]
    return out


def _rows(axis: int, start: int, stop: int) -> tuple[slice, ...]:
    return (slice(None),) * axis + (slice(start, stop),)


def _by_chunks(function, image, overlap: int, axes: list[int], channel_axis: int | None):
    if channel_axis is not None:
        image = image.rechunk({channel_axis % image.ndim: -1})
    depth = {axis: overlap if axis in axes[-2:] else 0 for axis in range(image.ndim)}
    return image.map_overlap(function, depth=depth, boundary="none", dtype=image.dtype)
