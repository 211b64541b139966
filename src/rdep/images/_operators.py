"""Erosion, dilation, opening and closing by an ordering of the pixels.

All return pixels of the input, in its dtype.
"""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike, NDArray

from ._neighbourhood import Extent, Neighbourhood
from ._pixels import pixel_outside, restore_channels
from ._ranks import axis_of, check_input, filter_ranks

__all__ = ["closing", "dilation", "erosion", "opening"]


def erosion(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    iterations: int = 1,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Reduced erosion: replace each pixel by the infimum of its neighbourhood in the ordering.

    Parameters
    ----------
    image : RankedImage, or array-like of shape (H, W, C), or (..., H, W, C) for stacks and volumes
        Image of one channel or more. Its dtype is kept. If the channels are not the last axis, or
        if there are none, set ``channel_axis``.
    footprint : array-like, sequence of (array-like, int) pairs or None, default=None
        The neighbourhood, for example :func:`skimage.morphology.disk`. A footprint with two axes
        filters each image of a stack on its own, one with three axes each volume. None is a cross
        of 3 × 3, for single images. Even and asymmetric footprints are placed as in
        :mod:`scipy.ndimage`, so that a dilation is the adjoint of the erosion
        (:func:`skimage.morphology.dilation` does not reflect the footprint).
    ordering : fitted estimator, function, array of shape (..., H, W), or "marginal"
        Ordering of the pixels, by the values ρ of :func:`order_values`. Pixels of equal value are
        compared lexicographically. "marginal" is the component-wise ordering: it filters each
        channel on its own and may produce pixels that the image does not have (false colours).
        A :class:`RankedImage` has its own ordering.
    size : int, sequence of int or None, default=None
        Sides of a rectangle, in place of a footprint; one number stands for a square.
    iterations : int, default=1
        How often the erosion is applied. An opening consists of this number of erosions, followed
        by the same number of dilations.
    mode : {"reflect", "nearest", "mirror", "wrap", "constant", "ignore", "min", "max"}, \
            default="reflect"
        How the image is extended beyond its border: "reflect", "nearest", "mirror" and "wrap"
        repeat its pixels as in :mod:`scipy.ndimage`, "constant" uses the pixel ``cval``, "min"
        and "max" use the smallest or largest pixel of the image, and "ignore" uses only pixels
        within the image.
    cval : number or array-like of shape (C,), default=0
        The pixel beyond the border if ``mode`` is "constant", in the dtype of the image; a number
        stands for all channels. The ordering must compare this pixel too, so it cannot be an array.
    channel_axis : int or None, default=-1
        Axis of the image that holds the channels, as in scikit-image; None for a grey image
        without such an axis.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    References
    ----------
    J. Goutsias, H. J. A. M. Heijmans and K. Sivakumar, "Morphological operators for image
    sequences", Computer Vision and Image Understanding 62(3), 1995.

    S. Velasco-Forero and J. Angulo, "Supervised ordering in R^p: application to morphological
    processing of hyperspectral images", IEEE Transactions on Image Processing 20(11), 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, erosion
    >>> image = np.array([[[2, 7], [1, 8], [1, 9]]], dtype=np.uint8)
    >>> erosion(image, np.ones((1, 3)), ordering=LexicographicOrdering())
    array([[[1, 8],
            [1, 8],
            [1, 8]]], dtype=uint8)
    """
    near = footprint, size, iterations
    return apply(Neighbourhood.erode, image, near, ordering, mode, cval, channel_axis)


def dilation(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    iterations: int = 1,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Reduced dilation: replace each pixel by the supremum of its neighbourhood in the ordering.

    Parameters
    ----------
    image, footprint, ordering, size, iterations, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`erosion`.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, dilation
    >>> image = np.array([[[2, 7], [1, 8], [1, 9]]], dtype=np.uint8)
    >>> dilation(image, np.ones((1, 3)), ordering=LexicographicOrdering())
    array([[[2, 7],
            [2, 7],
            [1, 9]]], dtype=uint8)
    >>> dilation(image, np.ones((1, 3)), ordering="marginal")
    array([[[2, 8],
            [2, 9],
            [1, 9]]], dtype=uint8)
    """
    near = footprint, size, iterations
    return apply(Neighbourhood.dilate, image, near, ordering, mode, cval, channel_axis)


def opening(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    iterations: int = 1,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Erosion followed by dilation: removes bright structures narrower than the footprint.

    Bright means large in the ordering.

    Parameters
    ----------
    image, footprint, ordering, size, iterations, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`erosion`.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    References
    ----------
    P. Soille, "Morphological Image Analysis: Principles and Applications", Springer, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, opening
    >>> image = np.array([[[1, 1], [9, 0], [1, 1], [5, 5], [5, 5]]])
    >>> opening(image, np.ones((1, 2)), ordering=LexicographicOrdering())[0]
    array([[1, 1],
           [1, 1],
           [1, 1],
           [5, 5],
           [5, 5]])
    """
    near = footprint, size, iterations
    return apply(Neighbourhood.open, image, near, ordering, mode, cval, channel_axis)


def closing(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    iterations: int = 1,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Dilation followed by erosion: fills dark structures narrower than the footprint.

    Dark means small in the ordering.

    Parameters
    ----------
    image, footprint, ordering, size, iterations, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`erosion`.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, closing
    >>> image = np.array([[[5, 5], [5, 5], [0, 9], [5, 5]]])
    >>> closing(image, np.ones((1, 3)), ordering=LexicographicOrdering())[0, 2]
    array([5, 5])
    """
    near = footprint, size, iterations
    return apply(Neighbourhood.close, image, near, ordering, mode, cval, channel_axis)


def apply(
    operator: Callable[[Neighbourhood, NDArray, Extent], NDArray],
    image,
    near: tuple,
    ordering,
    mode: str,
    cval: ArrayLike,
    channel_axis: int | None,
) -> NDArray:
    """Filter an image by a function of a neighbourhood and of the ranks of its pixels.

    ``near`` consists of the footprint, the size and the number of iterations.
    """
    image = check_input(image, ordering, channel_axis)
    neighbourhood = make_neighbourhood(image, near, mode)
    result = filter_ranks(
        image,
        lambda ranks, extent: operator(neighbourhood, ranks, extent),
        pixel_outside(image, mode, cval),
    )
    return restore_channels(result, axis_of(image, channel_axis))


def make_neighbourhood(image, near: tuple, mode: str) -> Neighbourhood:
    footprint, *others = near
    return Neighbourhood(footprint, mode, len(image.shape) - 1, *others)
