"""Minimum or maximum over a footprint, computed from the runs of pixels in its rows.

The extremum over a run of any length is the extremum over two overlapping runs whose length is a
power of two, and runs of these lengths follow from each other by doubling. Rows of the footprint
with the same run are combined in the same way along the next axis. Each step is one pass over the
array. The number of passes is logarithmic in the sides of a rectangle, and for a disk little more
than the number of its rows. The compiled form takes these steps for one row of the image after
another, if the footprint has two axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._utils._compiled import compiled_core
from .._utils._typing import Mask

# The only place of this room that chooses a form; None is the NumPy form.
core = compiled_core("rdep.images._compiled")

# Number of values in one band of rows, which then stays in the cache.
_BAND_VALUES = 1 << 18

# Border modes of scipy.ndimage and their names in NumPy.
_PADDING: dict[str, Any] = {
    "reflect": "symmetric",
    "nearest": "edge",
    "mirror": "reflect",
    "wrap": "wrap",
}


def minimum_over(array: NDArray, footprint: Mask, mode: str, cval=None) -> NDArray:
    """Minimum as in :func:`scipy.ndimage.grey_erosion`, in the dtype of the array."""
    return _extremum(
        array, footprint, [side // 2 for side in footprint.shape], np.minimum, mode, cval
    )


def maximum_over(
    array: NDArray, footprint: Mask, mode: str, cval=None, *, reflected: bool = True
) -> NDArray:
    """Maximum over the reflected footprint, as in :func:`scipy.ndimage.grey_dilation`."""
    if not reflected:
        middle = [side // 2 for side in footprint.shape]
        return _extremum(array, footprint, middle, np.maximum, mode, cval)
    before = [(side - 1) // 2 for side in footprint.shape]
    return _extremum(array, np.flip(footprint), before, np.maximum, mode, cval)


def _extremum(array, footprint: Mask, before, choose: np.ufunc, mode: str, cval) -> NDArray:
    """Extremum of each pixel; ``before`` counts the footprint's pixels before its centre."""
    widths = [(low, side - 1 - low) for low, side in zip(before, footprint.shape, strict=True)]
    padded = pad_as(array, widths, mode, cval)
    result = np.empty(array.shape, dtype=array.dtype)
    flat = max(footprint.shape[:-2], default=1) == 1
    if core is not None and flat and array.dtype.isnative and array.dtype.str[1:] in core.CODES:
        _compiled(core, padded, footprint, choose is np.maximum, result)
        return result
    height = footprint.shape[-2]
    n_rows = max(2 * height, _BAND_VALUES * array.shape[-2] // array.size)
    for start in range(0, array.shape[-2], n_rows):
        band = padded[..., start : start + n_rows + height - 1, :]
        result[..., start : start + n_rows, :] = _over(band, footprint, choose)
    return result


def pad_as(array: NDArray, widths: list[tuple[int, int]], mode: str, cval=None) -> NDArray:
    """Extend an array beyond its border by a mode of scipy.ndimage."""
    if mode == "constant":
        return np.pad(array, widths, constant_values=cval)
    return np.pad(array, widths, mode=_PADDING[mode])


def _compiled(
    core: ModuleType, padded: NDArray, footprint: Mask, maximum: bool, result: NDArray
) -> None:
    flat = footprint.reshape(footprint.shape[-2:])
    runs: list[tuple[int, int]] = []
    parts: list[tuple[int, int]] = []
    for start, stop, rows in _runs(flat):
        parts += [(row, len(runs)) for row in np.flatnonzero(rows).tolist()]
        runs.append((start, stop - start))
    core.extremum(
        padded.reshape(-1, *padded.shape[-2:]),
        result.reshape(-1, *result.shape[-2:]),
        np.array(runs),
        np.array(parts),
        flat.shape,
        maximum,
    )


def _over(array: NDArray, footprint: Mask, choose: np.ufunc) -> NDArray:
    """Extremum at all positions at which the footprint lies within the array."""
    if footprint.ndim == 0:
        return array
    axis = footprint.ndim - 1
    length = array.shape[axis] - footprint.shape[axis] + 1
    doubled = [array]  # extrema over 1, 2, 4 … pixels, starting at each pixel
    result, own = None, False
    for start, stop, rows in _runs(footprint):
        power = (stop - start).bit_length() - 1
        while len(doubled) <= power:
            half, last = 1 << (len(doubled) - 1), doubled[-1]
            here = last.shape[axis] - half
            doubled.append(choose(_cut(last, axis, 0, here), _cut(last, axis, half, here)))
        run = _cut(doubled[power], axis, start, length)
        if (rest := stop - (1 << power)) > start:
            run = choose(run, _cut(doubled[power], axis, rest, length))
        part = _over(run, rows, choose)
        if result is None:
            result = part
        else:
            result, own = choose(result, part, out=result if own else None), True
    assert result is not None  # a footprint is not empty
    return result


def _runs(footprint: Mask) -> Iterator[tuple[int, int, Mask]]:
    """Runs along the last axis: start and end of each, and the rows that contain it."""
    rows_of: dict[tuple[int, int], Mask] = {}
    for row in np.ndindex(footprint.shape[:-1]):
        edges = np.flatnonzero(np.diff(footprint[row].astype(np.int8), prepend=0, append=0))
        for start, stop in edges.reshape(-1, 2).tolist():
            rows = rows_of.setdefault((start, stop), np.zeros(footprint.shape[:-1], dtype=bool))
            rows[row] = True
    for (start, stop), rows in rows_of.items():
        yield start, stop, rows


def _cut(array: NDArray, axis: int, start: int, length: int) -> NDArray:
    return array[(slice(None),) * axis + (slice(start, start + length),)]
