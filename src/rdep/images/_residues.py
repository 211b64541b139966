"""Gradients, top-hats and the Laplacian: differences between an image and its filters.

An ordering of pixels does not order their differences. They are measured by Euclidean distances of
pixels at the same place, or by differences of ρ. For one channel both are the usual differences.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._neighbourhood import Neighbourhood
from ._operators import make_neighbourhood
from ._pixels import pixel_distance, pixel_outside, restore_channels
from ._ranks import RankedImage, check_input, filter_ranks

__all__ = [
    "black_tophat",
    "external_gradient",
    "gradient",
    "internal_gradient",
    "morphological_laplace",
    "white_tophat",
]


def gradient(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    residue: str = "distance",
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Morphological gradient: the distance between the dilation and the erosion of each pixel.

    For one channel it is the usual morphological gradient.

    Parameters
    ----------
    image, footprint, ordering, size, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the border and the axis of the
        channels, as described in :func:`erosion`.
    residue : {"distance", "rho"}, default="distance"
        How two pixels at one place are compared: by their Euclidean distance, which depends on the
        order of the pixels only, or by the difference of their values ρ, which is 0 if the
        ordering does not tell them apart. For "marginal", "rho" is the difference of each channel.

    Returns
    -------
    ndarray of float64, of shape (..., H, W)
        The distance or difference at each pixel.

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
    return _residue(operators, image, footprint, size, ordering, residue, mode, cval, channel_axis)


def internal_gradient(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    residue: str = "distance",
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Internal gradient: the distance between each pixel and its erosion.

    It marks the inner side of edges: pixels larger in the ordering than a neighbour.

    Parameters
    ----------
    image, footprint, ordering, size, residue, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the measure of differences, the
        border and the axis of the channels, as described in :func:`gradient`.

    Returns
    -------
    ndarray of float64, of shape (..., H, W)
        The distance or difference at each pixel.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, internal_gradient
    >>> image = np.array([[[0, 0], [0, 0], [3, 4], [3, 4]]], dtype=np.uint8)
    >>> internal_gradient(image, ordering=LexicographicOrdering())
    array([[0., 0., 5., 0.]])
    """
    operators = itself, Neighbourhood.erode
    return _residue(operators, image, footprint, size, ordering, residue, mode, cval, channel_axis)


def external_gradient(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    residue: str = "distance",
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """External gradient: the distance between the dilation of each pixel and the pixel.

    It marks the outer side of edges: pixels smaller in the ordering than a neighbour.

    Parameters
    ----------
    image, footprint, ordering, size, residue, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the measure of differences, the
        border and the axis of the channels, as described in :func:`gradient`.

    Returns
    -------
    ndarray of float64, of shape (..., H, W)
        The distance or difference at each pixel.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, external_gradient
    >>> image = np.array([[[0, 0], [0, 0], [3, 4], [3, 4]]], dtype=np.uint8)
    >>> external_gradient(image, ordering=LexicographicOrdering())
    array([[0., 5., 0., 0.]])
    """
    operators = Neighbourhood.dilate, itself
    return _residue(operators, image, footprint, size, ordering, residue, mode, cval, channel_axis)


def white_tophat(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    residue: str = "distance",
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """White top-hat: the difference between the image and its opening.

    Parameters
    ----------
    image, footprint, ordering, size, residue, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the measure of differences, the
        border and the axis of the channels, as described in :func:`gradient`.

    Returns
    -------
    ndarray of float64, of shape (..., H, W)
        The distance or difference at each pixel.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, white_tophat
    >>> image = np.array([[[1, 1], [1, 1], [4, 5], [1, 1]]], dtype=np.uint8)
    >>> white_tophat(image, np.ones((1, 3)), ordering=LexicographicOrdering())
    array([[0., 0., 5., 0.]])
    """
    operators = itself, Neighbourhood.open
    return _residue(operators, image, footprint, size, ordering, residue, mode, cval, channel_axis)


def black_tophat(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    residue: str = "distance",
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Black top-hat: the difference between the closing of the image and the image.

    Parameters
    ----------
    image, footprint, ordering, size, residue, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the measure of differences, the
        border and the axis of the channels, as described in :func:`gradient`.

    Returns
    -------
    ndarray of float64, of shape (..., H, W)
        The distance or difference at each pixel.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, black_tophat
    >>> image = np.array([[[4, 5], [4, 5], [1, 1], [4, 5]]], dtype=np.uint8)
    >>> black_tophat(image, np.ones((1, 3)), ordering=LexicographicOrdering())
    array([[0., 0., 5., 0.]])
    """
    operators = Neighbourhood.close, itself
    return _residue(operators, image, footprint, size, ordering, residue, mode, cval, channel_axis)


def morphological_laplace(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    residue: str = "distance",
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Morphological Laplacian: the external gradient minus the internal gradient.

    It is positive on the lower side of an edge and negative on the upper side.

    Parameters
    ----------
    image, footprint, ordering, size, residue, mode, cval, channel_axis
        The image, the neighbourhood, the ordering of pixels, the measure of differences, the
        border and the axis of the channels, as described in :func:`gradient`.

    Returns
    -------
    ndarray of float64, of shape (..., H, W)
        The difference of both gradients at each pixel.

    References
    ----------
    L. J. van Vliet, I. T. Young and G. L. Beckers, "A nonlinear Laplace operator as edge detector
    in noisy images", Computer Vision, Graphics, and Image Processing 45(2), 1989.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, morphological_laplace
    >>> image = np.array([[[0, 0], [0, 0], [3, 4], [3, 4]]], dtype=np.uint8)
    >>> morphological_laplace(image, ordering=LexicographicOrdering())
    array([[ 0.,  5., -5.,  0.]])
    """
    operators = Neighbourhood.dilate, itself, itself, Neighbourhood.erode
    return _residue(operators, image, footprint, size, ordering, residue, mode, cval, channel_axis)


def _residue(
    operators, image, footprint, size, ordering, residue, mode, cval, channel_axis
) -> NDArray:
    checked = check_input(image, ordering, channel_axis)
    neighbourhood = make_neighbourhood(checked, (footprint, size), mode)
    outside = pixel_outside(checked, mode, cval)
    parts = residues(checked, neighbourhood, operators, residue, outside)
    total = parts[0] if len(parts) == 1 else parts[0] - parts[1]
    if residue == "rho" and not isinstance(checked, RankedImage):
        return restore_channels(total, channel_axis)
    return total


def residues(image, neighbourhood, operators, residue: str, outside) -> list[NDArray]:
    """Differences between results of operators: the first and second, the third and fourth …"""
    if residue not in ("distance", "rho"):
        raise ValueError(f"residue is {residue!r}, but must be 'distance' or 'rho'")

    def all_of_them(ranks, extent):
        return np.stack([operator(neighbourhood, ranks, extent) for operator in operators])

    if residue == "rho":
        results = filter_ranks(image, all_of_them, outside, look_up=look_up_values)
        return list(results[::2] - results[1::2])
    results = filter_ranks(image, all_of_them, outside)
    return [pixel_distance(*pair) for pair in zip(results[::2], results[1::2], strict=True)]


def look_up_values(image: RankedImage, ranks: NDArray) -> NDArray:
    """Values ρ of ranks, as numbers whose differences do not overflow."""
    return image.values().astype(np.float64)[ranks]


def itself(neighbourhood, ranks, extent):
    """Return the ranks as they are: the operator without effect."""
    return ranks
