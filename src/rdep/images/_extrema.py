"""Masks of pixels: regional maxima and minima, those of a height, and hit-or-miss."""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._neighbourhood import Neighbourhood, neighbours
from ._pixels import restore_channels
from ._ranks import RankedImage, axis_of, check_input, filter_ranks
from ._regions import grey_reconstruction
from ._runs import maximum_over, minimum_over

__all__ = ["h_maxima", "h_minima", "hit_or_miss", "local_maxima", "local_minima"]


def local_maxima(
    image: ArrayLike, *, ordering=None, connectivity=None, channel_axis: int | None = -1
) -> NDArray:
    """Find regional maxima: connected pixels of one colour whose neighbours are all smaller.

    Parameters
    ----------
    image, ordering, channel_axis
        The image, the ordering of pixels and the axis of the channels, as described in
        :func:`erosion`.
    connectivity : int, array-like or None, default=None
        Neighbours, as described in :func:`reconstruction`.

    Returns
    -------
    ndarray of bool, of shape (..., H, W)
        Whether each pixel is in a regional maximum; an image of one colour has none. For
        "marginal", of the shape of the image: the maxima of each channel.

    References
    ----------
    P. Soille, "Morphological Image Analysis: Principles and Applications", Springer, 1999.

    Examples
    --------
    >>> from numbers import Real

    import numpy as np
    >>> from rdep.images import LexicographicOrdering, local_maxima
    >>> image = np.array([[[1, 1], [9, 0], [1, 1], [5, 5], [5, 5]]])
    >>> local_maxima(image, ordering=LexicographicOrdering())
    array([[False,  True, False,  True,  True]])
    """
    return _extrema(image, None, 1, ordering, connectivity, channel_axis)


def local_minima(
    image: ArrayLike, *, ordering=None, connectivity=None, channel_axis: int | None = -1
) -> NDArray:
    """Find regional minima: connected pixels of one colour whose neighbours are all larger.

    Parameters
    ----------
    image, ordering, connectivity, channel_axis
        As described in :func:`local_maxima`.

    Returns
    -------
    ndarray of bool, of shape (..., H, W)
        Whether each pixel is in a regional minimum, as described in :func:`local_maxima`.

    Examples
    --------
    >>> from numbers import Real

    import numpy as np
    >>> from rdep.images import LexicographicOrdering, local_minima
    >>> image = np.array([[[1, 1], [9, 0], [1, 1], [5, 5], [5, 5]]])
    >>> local_minima(image, ordering=LexicographicOrdering())
    array([[ True, False,  True, False, False]])
    """
    return _extrema(image, None, -1, ordering, connectivity, channel_axis)


def h_maxima(
    image: ArrayLike,
    h: float,
    *,
    ordering=None,
    connectivity=None,
    channel_axis: int | None = -1,
) -> NDArray:
    """Find the maxima of ρ that rise above their surroundings by at least h.

    Parameters
    ----------
    image, ordering, connectivity, channel_axis
        As described in :func:`local_maxima`; ρ must be one number for each pixel.
    h : float
        Smallest height, a difference of ρ.

    Returns
    -------
    ndarray of bool, of shape (..., H, W)
        Whether each pixel is in such a maximum, as described in :func:`local_maxima`.

    Examples
    --------
    >>> from numbers import Real

    import numpy as np
    >>> from rdep.images import LexicographicOrdering, h_maxima
    >>> image = np.array([[[1, 1], [9, 0], [1, 1], [5, 5], [4, 5]]])
    >>> h_maxima(image, 5, ordering=LexicographicOrdering())
    array([[False,  True, False, False, False]])
    """
    return _extrema(image, h, 1, ordering, connectivity, channel_axis)


def h_minima(
    image: ArrayLike,
    h: float,
    *,
    ordering=None,
    connectivity=None,
    channel_axis: int | None = -1,
) -> NDArray:
    """Find the minima of ρ that lie below their surroundings by at least h.

    Parameters
    ----------
    image, h, ordering, connectivity, channel_axis
        As described in :func:`h_maxima`.

    Returns
    -------
    ndarray of bool, of shape (..., H, W)
        Whether each pixel is in such a minimum, as described in :func:`local_maxima`.

    Examples
    --------
    >>> from numbers import Real

    import numpy as np
    >>> from rdep.images import LexicographicOrdering, h_minima
    >>> image = np.array([[[9, 1], [1, 0], [9, 1], [5, 5], [6, 5]]])
    >>> h_minima(image, 5, ordering=LexicographicOrdering())
    array([[False,  True, False, False, False]])
    """
    return _extrema(image, h, -1, ordering, connectivity, channel_axis)


def hit_or_miss(
    image: ArrayLike,
    foreground,
    background,
    *,
    ordering=None,
    mode: str = "reflect",
    channel_axis: int | None = -1,
) -> NDArray:
    """Find a pattern: where all pixels under one footprint are larger than all under another.

    Parameters
    ----------
    image, ordering, mode, channel_axis
        The image, the ordering of pixels, the border and the axis of the channels, as described in
        :func:`erosion`; the modes are those that repeat pixels of the image.
    foreground, background : array-like
        Two footprints of one shape, without a common pixel. They are not reflected.

    Returns
    -------
    ndarray of bool, of shape (..., H, W)
        Whether the pattern is at each pixel. For "marginal", of the shape of the image.

    Examples
    --------
    >>> from numbers import Real

    import numpy as np
    >>> from rdep.images import LexicographicOrdering, hit_or_miss
    >>> image = np.array([[[1, 1], [9, 0], [1, 1], [5, 5], [5, 5]]])
    >>> hit_or_miss(image, [[0, 1, 0]], [[1, 0, 1]], ordering=LexicographicOrdering())
    array([[False,  True, False, False, False]])
    """
    checked = check_input(image, ordering, channel_axis)
    n_axes = len(checked.shape) - 1
    hit, miss = (
        Neighbourhood(footprint, mode, n_axes).single() for footprint in (foreground, background)
    )
    if hit.shape != miss.shape or (hit & miss).any():
        raise ValueError("foreground and background must have one shape and no common pixel")
    if mode not in ("reflect", "nearest", "mirror", "wrap"):
        raise ValueError(f"mode is {mode!r}: a pattern needs pixels beyond the border")

    def matches(ranks, _):
        lowest = minimum_over(ranks, hit, mode)
        return lowest > maximum_over(ranks, miss, mode, reflected=False)

    return _masks(checked, matches, channel_axis)


def _extrema(image, h, sign: int, ordering, connectivity, channel_axis) -> NDArray:
    """Extrema of height h; None means any height, in the order of the pixels."""
    if h is not None and not (isinstance(h, Real) and 0 < float(h) < np.inf):
        raise ValueError(f"h is {h!r}, but must be a positive number; local_maxima needs none")
    checked = check_input(image, ordering, channel_axis)
    near = neighbours(connectivity, len(checked.shape) - 1)
    values = checked.values() if isinstance(checked, RankedImage) and h is not None else None

    def found(ranks, _):
        numbers = ranks if values is None else values[ranks]
        numbers = numbers.astype(np.int64 if numbers.dtype.kind in "bui" else np.float64)
        numbers = numbers if sign > 0 else -numbers
        if h is None:  # the place of each value among all values
            numbers = np.unique(numbers, return_inverse=True)[1].reshape(ranks.shape)
        height = 1 if h is None else h
        lowered = numbers - height
        # A maximum of this height is left as low as it was made.
        kept = grey_reconstruction(lowered, numbers, "dilation", near) == lowered
        axes = tuple(axis for axis, side in enumerate(near.shape) if side > 1)
        return kept & (np.ptp(numbers, axis=axes, keepdims=True) >= height)

    return _masks(checked, found, channel_axis)


def _masks(image, grey_operator, channel_axis: int | None) -> NDArray:
    if isinstance(image, RankedImage):
        return filter_ranks(image, grey_operator, look_up=lambda _, mask: mask)
    channels = [
        grey_operator(image[..., channel], None).astype(bool) for channel in range(image.shape[-1])
    ]
    return restore_channels(np.stack(channels, axis=-1), axis_of(image, channel_axis))
