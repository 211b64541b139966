"""Openings and closings by the area or the diameter of regions."""

from __future__ import annotations

from numpy.typing import ArrayLike, NDArray

from ._neighbourhood import neighbours
from ._pixels import check_count, restore_channels
from ._ranks import axis_of, check_input, filter_ranks
from ._regions import attribute_opening

__all__ = ["area_closing", "area_opening", "diameter_closing", "diameter_opening"]


def area_opening(
    image: ArrayLike,
    area_threshold: int = 64,
    *,
    ordering=None,
    connectivity=1,
    channel_axis: int | None = -1,
) -> NDArray:
    """Remove bright regions of few pixels, whatever their shape, and keep all others.

    Bright means large in the ordering.

    Parameters
    ----------
    image, ordering, channel_axis
        The image, the ordering of pixels and the axis of the channels, as described in
        :func:`erosion`.
    area_threshold : int, default=64
        Smallest number of pixels of a region that is kept.
    connectivity : int, array-like or None, default=1
        Neighbours in a region, as described in :func:`reconstruction`.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    References
    ----------
    A. Meijster and M. H. F. Wilkinson, "A comparison of algorithms for connected set openings and
    closings", IEEE Transactions on Pattern Analysis and Machine Intelligence 24(4), 2002.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, area_opening
    >>> image = np.array([[[1, 1], [9, 0], [1, 1], [5, 5], [5, 5]]])
    >>> area_opening(image, 2, ordering=LexicographicOrdering())[0].tolist()
    [[1, 1], [1, 1], [1, 1], [5, 5], [5, 5]]
    """
    return _by_size(image, area_threshold, ordering, connectivity, channel_axis)


def area_closing(
    image: ArrayLike,
    area_threshold: int = 64,
    *,
    ordering=None,
    connectivity=1,
    channel_axis: int | None = -1,
) -> NDArray:
    """Remove dark regions of few pixels, whatever their shape, and keep all others.

    Dark means small in the ordering.

    Parameters
    ----------
    image, area_threshold, ordering, connectivity, channel_axis
        As described in :func:`area_opening`.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, area_closing
    >>> image = np.array([[[5, 5], [0, 9], [5, 5], [1, 1], [1, 1]]])
    >>> area_closing(image, 2, ordering=LexicographicOrdering())[0].tolist()
    [[5, 5], [5, 5], [5, 5], [1, 1], [1, 1]]
    """
    return _by_size(image, area_threshold, ordering, connectivity, channel_axis, closing=True)


def diameter_opening(
    image: ArrayLike,
    diameter_threshold: int = 8,
    *,
    ordering=None,
    connectivity=1,
    channel_axis: int | None = -1,
) -> NDArray:
    """Remove bright regions whose bounding box is small, and keep all others.

    Parameters
    ----------
    image, ordering, connectivity, channel_axis
        As described in :func:`area_opening`.
    diameter_threshold : int, default=8
        Smallest length of the longest side of the bounding box of a region that is kept.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, diameter_opening
    >>> image = np.array([[[1], [9], [1], [5], [5]]])
    >>> diameter_opening(image, 2, ordering=LexicographicOrdering())[0].ravel()
    array([1, 1, 1, 5, 5])
    """
    return _by_size(image, diameter_threshold, ordering, connectivity, channel_axis, diameter=True)


def diameter_closing(
    image: ArrayLike,
    diameter_threshold: int = 8,
    *,
    ordering=None,
    connectivity=1,
    channel_axis: int | None = -1,
) -> NDArray:
    """Remove dark regions whose bounding box is small, and keep all others.

    Parameters
    ----------
    image, diameter_threshold, ordering, connectivity, channel_axis
        As described in :func:`diameter_opening`.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, diameter_closing
    >>> image = np.array([[[5], [0], [5], [1], [1]]])
    >>> diameter_closing(image, 2, ordering=LexicographicOrdering())[0].ravel()
    array([5, 5, 5, 1, 1])
    """
    kinds = {"diameter": True, "closing": True}
    return _by_size(image, diameter_threshold, ordering, connectivity, channel_axis, **kinds)


def _by_size(image, threshold, ordering, connectivity, channel_axis, **kinds: bool) -> NDArray:
    check_count(threshold, f"{'diameter' if kinds.get('diameter') else 'area'}_threshold")
    image = check_input(image, ordering, channel_axis)
    near = neighbours(connectivity, len(image.shape) - 1)
    result = filter_ranks(
        image, lambda ranks, _: attribute_opening(ranks, threshold, near, **kinds)
    )
    return restore_channels(result, axis_of(image, channel_axis))
