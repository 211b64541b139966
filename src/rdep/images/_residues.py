"""Gradients and top-hats: distances between an image and its erosions and dilations.

An ordering of pixels does not order their differences, so all are Euclidean distances of pixels at
the same place. For one channel they are the usual differences.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._neighbourhood import Neighbourhood
from ._operators import apply
from ._pixels import check_image, pixel_distance

__all__ = [
    "black_tophat",
    "external_gradient",
    "gradient",
    "internal_gradient",
    "white_tophat",
]


def gradient(
    image: ArrayLike,
    footprint=None,
    *,
    ordering,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Morphological gradient: the distance between the dilation and the erosion of each pixel.

    An ordering of pixels does not order their differences, so the gradient is their Euclidean
    distance. For one channel it is the usual morphological gradient. It depends on the ordering
    only, not on the values ρ.

    Parameters
    ----------
    image, footprint, ordering, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`erosion`.

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
    operators = Neighbourhood.dilate, Neighbourhood.erode
    return _distance(operators, image, footprint, ordering, mode, cval, channel_axis)


def internal_gradient(
    image: ArrayLike,
    footprint=None,
    *,
    ordering,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Internal gradient: the distance between each pixel and its erosion.

    It marks the inner side of edges: pixels larger in the ordering than a neighbour.

    Parameters
    ----------
    image, footprint, ordering, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`erosion`.

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
    >>> from rdep.images import LexicographicOrdering, internal_gradient
    >>> image = np.array([[[0, 0], [0, 0], [3, 4], [3, 4]]], dtype=np.uint8)
    >>> internal_gradient(image, ordering=LexicographicOrdering())
    array([[0., 0., 5., 0.]])
    """
    operators = _itself, Neighbourhood.erode
    return _distance(operators, image, footprint, ordering, mode, cval, channel_axis)


def external_gradient(
    image: ArrayLike,
    footprint=None,
    *,
    ordering,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """External gradient: the distance between the dilation of each pixel and the pixel.

    It marks the outer side of edges: pixels smaller in the ordering than a neighbour.

    Parameters
    ----------
    image, footprint, ordering, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`erosion`.

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
    >>> from rdep.images import LexicographicOrdering, external_gradient
    >>> image = np.array([[[0, 0], [0, 0], [3, 4], [3, 4]]], dtype=np.uint8)
    >>> external_gradient(image, ordering=LexicographicOrdering())
    array([[0., 5., 0., 0.]])
    """
    operators = Neighbourhood.dilate, _itself
    return _distance(operators, image, footprint, ordering, mode, cval, channel_axis)


def white_tophat(
    image: ArrayLike,
    footprint=None,
    *,
    ordering,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """White top-hat: the Euclidean distance between the image and its opening.

    Parameters
    ----------
    image, footprint, ordering, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`erosion`.

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
    operators = _itself, Neighbourhood.open
    return _distance(operators, image, footprint, ordering, mode, cval, channel_axis)


def black_tophat(
    image: ArrayLike,
    footprint=None,
    *,
    ordering,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Black top-hat: the Euclidean distance between the closing of the image and the image.

    Parameters
    ----------
    image, footprint, ordering, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`erosion`.

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
    operators = Neighbourhood.close, _itself
    return _distance(operators, image, footprint, ordering, mode, cval, channel_axis)


def _distance(operators, image, footprint, ordering, mode, cval, channel_axis) -> NDArray:
    def both(neighbourhood, ranks, extent):
        return np.stack([operator(neighbourhood, ranks, extent) for operator in operators])

    image = check_image(image, channel_axis)
    return pixel_distance(*apply(both, image, footprint, ordering, mode, cval))


def _itself(neighbourhood, ranks, extent):
    return ranks
