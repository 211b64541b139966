"""Erosion, dilation and their compositions, on images whose pixels an ordering compares.

All return pixels of the input, in its dtype, except for :func:`gradient` and the top-hats.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._neighbourhood import Neighbourhood, bounds_of
from ._pixels import check_image, pixel_distance
from ._ranks import filter_ranks

__all__ = [
    "black_tophat",
    "closing",
    "dilation",
    "erosion",
    "gradient",
    "opening",
    "white_tophat",
]


def erosion(image: ArrayLike, footprint=None, *, ordering, mode: str = "reflect") -> NDArray:
    """Reduced erosion: replace each pixel by the infimum of its neighbourhood in the ordering.

    Parameters
    ----------
    image : array-like of shape (H, W, C), or (..., H, W, C) for stacks and volumes
        Image of one channel or more. Its dtype is kept.
    footprint : array-like, sequence of (array-like, int) pairs or None, default=None
        The neighbourhood, for example :func:`skimage.morphology.disk`. With two axes each image of
        a stack is filtered on its own, with three each volume. None is a cross of 3 × 3. Even and
        asymmetric ones are placed as :mod:`scipy.ndimage` does, so that a dilation is the adjoint
        of the erosion (:func:`skimage.morphology.dilation` does not reflect the footprint).
    ordering : fitted estimator, array of shape (..., H, W), or "marginal"
        Ordering of the pixels, by the values ρ of :func:`order_values`. Pixels of equal value are
        compared lexicographically. "marginal" is the component-wise ordering: it filters each
        channel on its own and may produce pixels that the image does not have (false colours).
    mode : {"reflect", "nearest", "mirror", "wrap", "ignore", "min", "max"}, default="reflect"
        How the image is extended beyond its border: "reflect", "nearest", "mirror" and "wrap"
        repeat its pixels as in :mod:`scipy.ndimage`, "min" and "max" take its least or greatest
        pixel, and "ignore" leaves out what lies beyond the border.

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
    return _filter(image, footprint, ordering, mode, Neighbourhood.erode)


def dilation(image: ArrayLike, footprint=None, *, ordering, mode: str = "reflect") -> NDArray:
    """Reduced dilation: replace each pixel by the supremum of its neighbourhood in the ordering.

    Parameters
    ----------
    image, footprint, ordering, mode
        The image, the neighbourhood, the ordering of pixels and the border, as described in
        :func:`erosion`.

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
    return _filter(image, footprint, ordering, mode, Neighbourhood.dilate)


def opening(image: ArrayLike, footprint=None, *, ordering, mode: str = "reflect") -> NDArray:
    """Erosion followed by dilation: removes bright structures narrower than the footprint.

    Bright means great in the ordering.

    Parameters
    ----------
    image, footprint, ordering, mode
        The image, the neighbourhood, the ordering of pixels and the border, as described in
        :func:`erosion`.

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
    return _filter(image, footprint, ordering, mode, Neighbourhood.open)


def closing(image: ArrayLike, footprint=None, *, ordering, mode: str = "reflect") -> NDArray:
    """Dilation followed by erosion: fills dark structures narrower than the footprint.

    Dark means small in the ordering.

    Parameters
    ----------
    image, footprint, ordering, mode
        The image, the neighbourhood, the ordering of pixels and the border, as described in
        :func:`erosion`.

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
    >>> from rdep.images import LexicographicOrdering, closing
    >>> image = np.array([[[5, 5], [5, 5], [0, 9], [5, 5]]])
    >>> closing(image, np.ones((1, 3)), ordering=LexicographicOrdering())[0, 2]
    array([5, 5])
    """
    return _filter(image, footprint, ordering, mode, Neighbourhood.close)


def gradient(image: ArrayLike, footprint=None, *, ordering, mode: str = "reflect") -> NDArray:
    """Morphological gradient: the distance between the dilation and the erosion of each pixel.

    A difference of pixels has no order of its own, so this is their Euclidean distance. For one
    channel it is the usual morphological gradient. It depends on the ordering only, not on the
    values ρ.

    Parameters
    ----------
    image, footprint, ordering, mode
        The image, the neighbourhood, the ordering of pixels and the border, as described in
        :func:`erosion`.

    Returns
    -------
    ndarray of float64, of shape (..., H, W)
        The Euclidean distance at each pixel.

    References
    ----------
    P. Soille, "Morphological Image Analysis: Principles and Applications", Springer, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, gradient
    >>> image = np.array([[[0, 0], [0, 0], [3, 4], [3, 4]]], dtype=np.uint8)
    >>> gradient(image, ordering=LexicographicOrdering())
    array([[0., 5., 5., 0.]])
    """
    return pixel_distance(*_filter(image, footprint, ordering, mode, _dilated_and_eroded))


def white_tophat(image: ArrayLike, footprint=None, *, ordering, mode: str = "reflect") -> NDArray:
    """White top-hat: the Euclidean distance between the image and its opening.

    Parameters
    ----------
    image, footprint, ordering, mode
        The image, the neighbourhood, the ordering of pixels and the border, as described in
        :func:`erosion`.

    Returns
    -------
    ndarray of float64, of shape (..., H, W)
        The Euclidean distance at each pixel.

    References
    ----------
    P. Soille, "Morphological Image Analysis: Principles and Applications", Springer, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, white_tophat
    >>> image = np.array([[[1, 1], [1, 1], [4, 5], [1, 1]]], dtype=np.uint8)
    >>> white_tophat(image, np.ones((1, 3)), ordering=LexicographicOrdering())
    array([[0., 0., 5., 0.]])
    """
    image = check_image(image)
    return pixel_distance(image, opening(image, footprint, ordering=ordering, mode=mode))


def black_tophat(image: ArrayLike, footprint=None, *, ordering, mode: str = "reflect") -> NDArray:
    """Black top-hat: the Euclidean distance between the closing of the image and the image.

    Parameters
    ----------
    image, footprint, ordering, mode
        The image, the neighbourhood, the ordering of pixels and the border, as described in
        :func:`erosion`.

    Returns
    -------
    ndarray of float64, of shape (..., H, W)
        The Euclidean distance at each pixel.

    References
    ----------
    P. Soille, "Morphological Image Analysis: Principles and Applications", Springer, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, black_tophat
    >>> image = np.array([[[4, 5], [4, 5], [1, 1], [4, 5]]], dtype=np.uint8)
    >>> black_tophat(image, np.ones((1, 3)), ordering=LexicographicOrdering())
    array([[0., 0., 5., 0.]])
    """
    image = check_image(image)
    return pixel_distance(closing(image, footprint, ordering=ordering, mode=mode), image)


def _dilated_and_eroded(neighbourhood: Neighbourhood, ranks: NDArray, bounds) -> NDArray:
    return np.stack([neighbourhood.dilate(ranks, bounds), neighbourhood.erode(ranks, bounds)])


def _filter(image, footprint, ordering, mode, operator: Callable) -> NDArray:
    image = check_image(image)
    neighbourhood = Neighbourhood(footprint, mode, image.ndim - 1)
    return filter_ranks(
        image, ordering, lambda ranks: operator(neighbourhood, ranks, bounds_of(ranks))
    )
