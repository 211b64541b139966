"""Alternating sequential filters, medians and rank filters."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from ._neighbourhood import Neighbourhood
from ._operators import apply, make_neighbourhood
from ._pixels import pixel_outside, restore_channels
from ._ranks import axis_of, check_input, filter_ranks

__all__ = ["alternating_sequential_filter", "median", "rank_filter"]


def alternating_sequential_filter(
    image: ArrayLike,
    footprints: Sequence,
    *,
    ordering=None,
    first: str = "opening",
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Alternate openings and closings with one footprint after another, usually growing.

    Removes bright and dark noise, the smallest structures first.

    Parameters
    ----------
    image, ordering, mode, cval, channel_axis
        The image, the ordering of pixels, the border and the axis of the channels, as described
        in :func:`erosion`.
    footprints : sequence of footprints
        Neighbourhoods in the order of their use, for example ``[disk(1), disk(2), disk(3)]``.
    first : {"opening", "closing"}, default="opening"
        The filter applied first with each footprint.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    References
    ----------
    J. Serra (ed.), "Image Analysis and Mathematical Morphology, Volume 2: Theoretical Advances",
    Academic Press, 1988.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, alternating_sequential_filter
    >>> image = np.full((9, 9, 3), 100, dtype=np.uint8)
    >>> image[2, 2], image[6, 6] = (255, 0, 0), (0, 0, 255)
    >>> smooth = alternating_sequential_filter(
    ...     image, [np.ones((3, 3))], ordering=LexicographicOrdering()
    ... )
    >>> np.unique(smooth)
    array([100], dtype=uint8)
    """
    steps = {
        "opening": (Neighbourhood.open, Neighbourhood.close),
        "closing": (Neighbourhood.close, Neighbourhood.open),
    }
    if first not in steps:
        raise ValueError(f"first is {first!r}, but must be 'opening' or 'closing'")
    if len(footprints) == 0:
        raise ValueError("footprints is empty: pass at least one, such as [disk(1), disk(2)]")
    checked = check_input(image, ordering, channel_axis)
    neighbourhoods = [make_neighbourhood(checked, (footprint,), mode) for footprint in footprints]

    def alternate(ranks, extent):
        for neighbourhood in neighbourhoods:
            for step in steps[first]:
                ranks = step(neighbourhood, ranks, extent)
        return ranks

    result = filter_ranks(checked, alternate, pixel_outside(checked, mode, cval))
    return restore_channels(result, axis_of(checked, channel_axis))


def median(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Replace each pixel by the median of its neighbourhood in the ordering.

    Parameters
    ----------
    image, footprint, ordering, size, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`erosion`, except that the footprint must be one array and
        the mode cannot be "ignore".

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, median
    >>> image = np.array([[[5, 5], [9, 0], [5, 5], [6, 6]]])
    >>> median(image, np.ones((1, 3)), ordering=LexicographicOrdering())[0]
    array([[5, 5],
           [5, 5],
           [6, 6],
           [6, 6]])
    """
    return _ranked(
        lambda count: count // 2, image, footprint, size, ordering, mode, cval, channel_axis
    )


def rank_filter(
    image: ArrayLike,
    rank: int,
    footprint=None,
    *,
    ordering=None,
    size=None,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Replace each pixel by the pixel of a given rank in its neighbourhood.

    Parameters
    ----------
    rank : int
        Rank in the neighbourhood: 0 is the smallest pixel, as in an erosion, −1 the largest.
    image, footprint, ordering, size, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`median`. The footprint is not reflected.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, rank_filter
    >>> image = np.array([[[5, 5], [9, 0], [7, 7]]])
    >>> rank_filter(image, 1, np.ones((1, 3)), ordering=LexicographicOrdering())[0, 1]
    array([7, 7])
    """

    def in_range(count):
        if not -count <= index(rank) < count:
            raise ValueError(
                f"rank is {rank}, but the footprint covers {count} pixels: choose one from "
                f"{-count} to {count - 1}"
            )
        return rank

    return _ranked(in_range, image, footprint, size, ordering, mode, cval, channel_axis)


def _ranked(choose_rank, image, footprint, size, ordering, mode, cval, channel_axis) -> NDArray:
    def filtered(neighbourhood, ranks, extent):
        array = neighbourhood.single()
        return ndimage.rank_filter(
            ranks, choose_rank(int(array.sum())), footprint=array, **neighbourhood.border(extent)
        )

    return apply(filtered, image, (footprint, size), ordering, mode, cval, channel_axis)
