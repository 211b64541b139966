"""The vector median, which needs distances of pixels and no ordering."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._neighbourhood import Neighbourhood
from ._pixels import check_image, pixel_outside, restore_channels
from ._runs import pad_as

__all__ = ["vector_median"]

# Number of channel values in one band of rows.
_BAND_VALUES = 1 << 18


def vector_median(
    image: ArrayLike,
    footprint=None,
    *,
    size=None,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Replace each pixel by the pixel of its neighbourhood that is nearest to all others.

    It is the pixel with the smallest sum of Euclidean distances to the other pixels. Among equals,
    it is the central pixel, or else the first. It removes noise in single channels without false
    colours, where medians in an ordering fail.

    Parameters
    ----------
    image, footprint, size, mode, cval, channel_axis
        The image, the neighbourhood, the border and the axis of the channels, as described in
        :func:`median`.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    References
    ----------
    J. Astola, P. Haavisto and Y. Neuvo, "Vector median filters", Proceedings of the IEEE 78(4),
    1990.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import vector_median
    >>> image = np.array([[[5, 5], [9, 0], [5, 6], [6, 6]]])
    >>> vector_median(image, np.ones((1, 3)))[0].tolist()
    [[5, 5], [5, 5], [6, 6], [6, 6]]
    """
    image = check_image(image, channel_axis)
    neighbourhood = Neighbourhood(footprint, mode, image.ndim - 1, size)
    near = neighbourhood.single()
    if mode not in ("reflect", "nearest", "mirror", "wrap", "constant"):
        raise ValueError(f"mode is {mode!r}, which needs an ordering: choose another mode")
    widths = [(side // 2, side - 1 - side // 2) for side in near.shape]
    outside = pixel_outside(image, mode, cval)
    padded = np.stack(
        [
            pad_as(image[..., c], widths, mode, None if outside is None else outside[c])
            for c in range(image.shape[-1])
        ],
        axis=-1,
    )
    centre = [side // 2 for side in near.shape]
    places = sorted(np.argwhere(near).tolist(), key=lambda place: place != centre)
    result = np.empty_like(image)
    axis = image.ndim - 3  # the rows
    n_rows = max(1, _BAND_VALUES * image.shape[axis] // (image.size * len(places)))
    for start in range(0, image.shape[axis], n_rows):
        rows = slice(start, start + n_rows)
        shape = result[..., rows, :, :].shape[:-1]
        window = [padded[_cut(place, shape, start)] for place in places]
        result[..., rows, :, :] = _nearest(window)
    return restore_channels(result, channel_axis)


def _cut(place: list[int], shape: tuple[int, ...], start: int) -> tuple[slice, ...]:
    first = list(place)
    first[-2] += start
    return tuple(slice(low, low + side) for low, side in zip(first, shape, strict=True))


def _nearest(window: list[NDArray]) -> NDArray:
    numbers = [part.astype(np.float64) for part in window]
    sums = np.zeros((len(window), *window[0].shape[:-1]))
    for i in range(len(window)):
        for j in range(i):
            distance = np.sqrt(((numbers[i] - numbers[j]) ** 2).sum(axis=-1))
            sums[i] += distance
            sums[j] += distance
    chosen = sums.argmin(axis=0)[np.newaxis, ..., np.newaxis]
    return np.take_along_axis(np.stack(window), chosen, axis=0)[0]
