"""Images as arrays of pixels: validation, masks and labels, evaluation by blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..exceptions import warn_caller

__all__ = ["labelled_pixels"]

# Channel values of one block: some megabytes as float64, independent of the size of the image.
_BLOCK_VALUES = 1_000_000

# For pixels of at most _TABLE_BITS, a table of all codes is faster than sorting _TABLE_PIXELS.
_TABLE_BITS, _TABLE_PIXELS = 24, 1 << 18

# Orderings and distances compute in float64, which holds integers up to here exactly.
_LARGEST_INTEGER = 2**53


# If two axes longer than _MANY follow one of at most _FEW, the channels may be the first of them.
_FEW, _MANY = 4, 16


def check_image(image: ArrayLike, channel_axis: int | None, name: str = "image") -> NDArray:
    """Validate an image and return it as an array with its channels last."""
    if isinstance(image, np.ma.MaskedArray):
        raise ValueError(
            f"{name} is a masked array, whose mask would be lost: fill it with image.filled(pixel),"
            " or pass image.data if all pixels count"
        )
    if hasattr(image, "dask"):
        raise ValueError(
            f"{name} is a dask array, which would be loaded as a whole: use filter_blocks, or "
            "pass image.compute() if it fits into memory"
        )
    image = _channels_last(np.asarray(image), channel_axis, name)
    if image.size == 0:
        raise ValueError(f"{name} of shape {image.shape} has no pixels or no channels")
    if image.dtype.kind not in "buif":
        raise ValueError(
            f"{name} must hold real numbers, but its dtype is {image.dtype}: convert it first, "
            "for example with image.astype(float)"
        )
    if image.shape[-1] in (2, 4) and min(image.shape[-3:-1]) > _MANY:
        _warn_of_alpha(image, name)
    if image.dtype.kind == "f" and not np.isfinite([image.min(), image.max()]).all():
        raise ValueError(
            f"{name} holds NaN or infinite pixels, which cannot be ordered: replace them, "
            "for example with np.nan_to_num, or crop them"
        )
    if image.dtype.kind in "iu" and image.itemsize == 8:
        largest = max(int(image.max()), -int(image.min()))
        if largest > _LARGEST_INTEGER:
            raise ValueError(
                f"{name} holds integers up to {largest}, beyond 2**53, which float64 cannot "
                "represent exactly: subtract an offset or divide first"
            )
    return image


def check_count(value, name: str, least: int = 1) -> int:
    """Validate a number of things."""
    if not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} is {value!r}, but must be an integer, {least} or more")
    return int(value)


def _warn_of_alpha(image: NDArray, name: str) -> None:
    last = image[..., -1]
    full = np.iinfo(image.dtype).max if image.dtype.kind == "u" else 1
    opaque = last == full
    if image.dtype.kind in "uf" and opaque.mean() > 0.5 and (last[~opaque] < full).all():
        warn_caller(
            f"the last of the {image.shape[-1]} channels of {name} looks like alpha (opacity) and "
            f"is compared like a colour: leave it out with image[..., :{image.shape[-1] - 1}]",
            UserWarning,
        )


def _channels_last(image: NDArray, channel_axis: int | None, name: str) -> NDArray:
    if image.ndim < (2 if channel_axis is None else 3):
        raise ValueError(
            f"{name} has shape {image.shape}, but must have two axes or more and one for channels, "
            "which channel_axis names: (H, W, C) by default, or (N, H, W, C) for a stack or "
            "volume. For a grey image of shape (H, W) pass channel_axis=None"
        )
    if channel_axis is None:
        return image[..., np.newaxis]
    if not -image.ndim <= channel_axis < image.ndim:
        raise ValueError(
            f"channel_axis is {channel_axis}, but {name} of shape {image.shape} has "
            f"{image.ndim} axes: choose one from {-image.ndim} to {image.ndim - 1}, or None for a "
            "grey image"
        )
    image = np.moveaxis(image, channel_axis, -1)
    before, *sides = image.shape[-3:]
    if 0 < before <= _FEW and min(sides) > _MANY and channel_axis in (-1, image.ndim - 1):
        axis = image.ndim - 3
        warn_caller(
            f"{name} of shape {image.shape} is taken as {' × '.join(map(str, image.shape[:-1]))} "
            f"pixels of {image.shape[-1]} channels each. If its channels are axis {axis}, pass "
            f"channel_axis={axis}; if it has none, channel_axis=None",
            UserWarning,
        )
    return image


def restore_channels(image: NDArray, channel_axis: int | None) -> NDArray:
    """Move the channels from the last axis back to ``channel_axis``."""
    if channel_axis is None:
        return image[..., 0]
    return np.moveaxis(image, -1, channel_axis)


class Pixels(Protocol):
    """An image, or one with ranks."""

    @property
    def dtype(self) -> np.dtype: ...
    @property
    def shape(self) -> tuple[int, ...]: ...


def pixel_outside(image: Pixels, mode: str, cval: ArrayLike) -> NDArray | None:
    """Validate ``cval`` and return the pixel beyond the border; None unless mode is "constant"."""
    if mode != "constant":
        return None
    given = np.asarray(cval)
    if given.shape not in ((), image.shape[-1:]) or given.dtype.kind not in "buif":
        raise ValueError(
            f"cval is {cval!r}, but must be one number, or one for each of the "
            f"{image.shape[-1]} channels"
        )
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise ValueError(f"cval is {cval!r}, but must be finite")
    with np.errstate(invalid="ignore", over="ignore"):
        pixel = np.broadcast_to(given.astype(image.dtype), image.shape[-1:])
    # Only floats may change, by rounding to the image's precision.
    if image.dtype.kind != "f" and not np.array_equal(pixel, np.broadcast_to(given, pixel.shape)):
        raise ValueError(f"cval is {cval!r}, which the image's dtype {image.dtype} cannot hold")
    return pixel


def check_mask(mask: ArrayLike, image: NDArray, name: str) -> NDArray:
    mask = np.asarray(mask)
    if mask.shape != image.shape[:-1]:
        is_coloured = mask.shape[:-1] == image.shape[:-1]
        raise ValueError(
            f"{name} has shape {mask.shape}, but must have one value for each pixel of the image: "
            f"{image.shape[:-1]}"
            + (f"; of a mask saved as a colour image, pass {name}[..., 0] > 0" * is_coloured)
        )
    if mask.dtype.kind not in "bui":
        raise ValueError(f"{name} must hold booleans or integers, but its dtype is {mask.dtype}")
    return mask


def labelled_pixels(
    image: ArrayLike, labels: ArrayLike, *, channel_axis: int | None = -1
) -> tuple[NDArray, NDArray]:
    """Get the labelled pixels as samples and classes for scikit-learn.

    Parameters
    ----------
    image : array-like of shape (..., H, W, C)
        Image, stack or volume.
    labels : array-like of int or bool, of shape (..., H, W)
        Class of each pixel; zero for pixels without a label.
    channel_axis : int or None, default=-1
        Axis of the image that holds the channels; None for a grey image without such an axis.

    Returns
    -------
    X : ndarray of shape (n_labelled, C)
        The labelled pixels, in the image's dtype.
    y : ndarray of shape (n_labelled,)
        Their labels.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import labelled_pixels
    >>> image = np.arange(12).reshape(2, 2, 3)
    >>> X, y = labelled_pixels(image, [[0, 1], [0, 2]])
    >>> X
    array([[ 3,  4,  5],
           [ 9, 10, 11]])
    >>> y
    array([1, 2])
    """
    image = check_image(image, channel_axis)
    labels = check_mask(labels, image, "labels")
    labelled = labels != 0
    if not labelled.any():
        raise ValueError("labels is zero everywhere: label some pixels of each class")
    return image[labelled], labels[labelled]


def pixel_codes(pixels: NDArray) -> NDArray[Any] | None:
    """Encode each pixel as an integer in lexicographic order, if 64 bits suffice."""
    n_channels = pixels.shape[1]
    bits = 8 * pixels.itemsize
    if pixels.dtype.kind not in "bu" or n_channels * bits > 64:
        return None
    codes: NDArray[Any] = pixels[:, 0].astype(np.uint32 if n_channels * bits <= 32 else np.uint64)
    for channel in range(1, n_channels):
        codes <<= codes.dtype.type(bits)
        codes |= pixels[:, channel]
    return codes


def distinct_colours(pixels: NDArray) -> tuple[NDArray, Callable[[NDArray], NDArray]] | None:
    """Different pixels in lexicographic order, if 64 bits hold one.

    Also returns a function that spreads an array over these colours to one over the pixels.
    """
    codes = pixel_codes(pixels)
    if codes is None:
        return None
    n_channels, bits = pixels.shape[1], 8 * pixels.itemsize
    if n_channels * bits <= _TABLE_BITS and len(codes) >= _TABLE_PIXELS:
        occurs = np.zeros(1 << (n_channels * bits), dtype=bool)
        occurs[codes] = True
        distinct, n_codes = np.flatnonzero(occurs).astype(np.uint32), len(occurs)
        del occurs

        def spread(table):
            places = np.empty(n_codes, dtype=table.dtype)
            places[distinct] = table
            result = np.empty(len(codes), dtype=table.dtype)
            for rows in blocks(len(codes), 16):  # indices of 64 bits only for a block
                np.take(places, codes[rows], out=result[rows], mode="clip")
            return result

    else:
        distinct, position = np.unique(codes, return_inverse=True)

        def spread(table):
            return np.take(table, position)

    colours = np.empty((len(distinct), n_channels), dtype=pixels.dtype)
    unsigned = np.uint8 if pixels.dtype.kind == "b" else pixels.dtype
    for channel in range(n_channels):
        shifted = distinct >> distinct.dtype.type(bits * (n_channels - 1 - channel))
        colours[:, channel] = shifted.astype(unsigned)
    return colours, spread


def evaluate(
    image: NDArray, function: Callable[[NDArray], NDArray], *, distinct: bool = False
) -> NDArray:
    """Apply a function from (n, C) float64 samples to (n,) or (n, k) to all pixels, in blocks.

    If 64 bits hold a pixel, as in 8-bit photographs, equal pixels of a block are evaluated once;
    ``distinct`` means that there are none.
    """
    pixels = image.reshape(-1, image.shape[-1])
    values = np.concatenate(
        [_evaluate_block(pixels[rows], function, distinct) for rows in blocks(*pixels.shape)]
    )
    return values.reshape(*image.shape[:-1], *values.shape[1:])


def _evaluate_block(
    pixels: NDArray, function: Callable[[NDArray], NDArray], distinct: bool
) -> NDArray:
    found = None if distinct else distinct_colours(pixels)
    if found is None:
        # Adding 0 turns −0 into 0: equal pixels are the same bits.
        return np.asarray(function(pixels.astype(np.float64) + 0.0))
    colours, spread = found
    values = np.asarray(function(colours.astype(np.float64)))
    return spread(values) if values.ndim == 1 else np.stack([spread(c) for c in values.T], axis=-1)


def blocks(n_pixels: int, n_channels: int) -> Iterator[slice]:
    """Slices of pixels, each with a bounded number of values."""
    n_rows = max(1, _BLOCK_VALUES // n_channels)
    for start in range(0, n_pixels, n_rows):
        yield slice(start, min(start + n_rows, n_pixels))


def pixel_distance(one: NDArray, other: NDArray) -> NDArray[np.float64]:
    """Euclidean distance between the pixels of two images at each place, without overflow."""
    pixels, others = (image.reshape(-1, image.shape[-1]) for image in (one, other))
    distances = np.empty(len(pixels))
    for rows in blocks(*pixels.shape):
        difference = pixels[rows].astype(np.float64) - others[rows]
        distances[rows] = np.hypot.reduce(difference, axis=1)
    return distances.reshape(one.shape[:-1])
