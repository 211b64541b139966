"""Morphological reconstruction, and openings and closings by reconstruction."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._utils._typing import Mask
from ._neighbourhood import Neighbourhood, neighbours
from ._operators import apply
from ._pixels import check_count, check_image, restore_channels
from ._ranks import RankedImage, check_input, filter_ranks
from ._regions import grey_reconstruction

__all__ = [
    "closing_by_reconstruction",
    "geodesic_dilation",
    "geodesic_erosion",
    "opening_by_reconstruction",
    "reconstruction",
]


def reconstruction(
    marker: ArrayLike,
    mask: ArrayLike,
    method: str = "dilation",
    *,
    ordering=None,
    connectivity=None,
    channel_axis: int | None = -1,
) -> NDArray:
    """Repeat dilations of a marker, each limited by the mask, until nothing changes.

    The result keeps the structures of the mask that the marker touches.

    Parameters
    ----------
    marker, mask : array-like of shape (H, W, C), or (..., H, W, C) for stacks and volumes
        Two images of the same shape and dtype. In the ordering, no pixel of the marker may be
        larger than that of the mask at the same place (smaller, if ``method`` is "erosion").
    method : {"dilation", "erosion"}, default="dilation"
        Whether the marker grows under the mask or shrinks above it.
    ordering : fitted estimator, array of shape (2, ..., H, W), or "marginal"
        Ordering of the pixels, as described in :func:`erosion`. An array holds the values of the
        marker, then those of the mask.
    connectivity : int, array-like or None, default=None
        Largest number of axes in which neighbours may differ, by one pixel in each; None means
        all. An array marks the neighbours, as in scikit-image: one of 3 × 3 keeps the images of a
        stack apart, one of 3 × 3 × 3 connects the slices of a volume.
    channel_axis : int or None, default=-1
        Axis of the images that holds the channels; None for grey images without such an axis.

    Returns
    -------
    ndarray of the same shape and dtype
        The reconstructed image: each pixel is one of the marker or of the mask.

    References
    ----------
    L. Vincent, "Morphological grayscale reconstruction in image analysis: applications and
    efficient algorithms", IEEE Transactions on Image Processing 2(2), 1993.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import reconstruction
    >>> mask = np.array([[0, 9, 9, 0, 7, 0]])
    >>> marker = np.array([[0, 0, 8, 0, 0, 0]])
    >>> reconstruction(marker, mask, ordering="marginal", channel_axis=None)
    array([[0, 8, 8, 0, 0, 0]])
    """
    if method not in ("dilation", "erosion"):
        raise ValueError(f"method is {method!r}, but must be 'dilation' or 'erosion'")
    pair = check_pair(marker, mask, ordering, channel_axis)
    near = neighbours(connectivity, len(pair.shape) - 2)

    def reconstruct(ranks, _):
        marker, mask = ranks
        check_sides(marker, mask, method)
        return grey_reconstruction(marker, mask, method, near)

    return restore_channels(filter_ranks(pair, reconstruct), channel_axis)


def geodesic_dilation(
    marker: ArrayLike,
    mask: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    iterations: int = 1,
    mode: str = "reflect",
    channel_axis: int | None = -1,
) -> NDArray:
    """Dilate a marker, limited by a mask; until nothing changes, it is a reconstruction.

    Parameters
    ----------
    marker, mask, ordering, channel_axis
        Two images, their ordering and the axis of the channels, as described in
        :func:`reconstruction`. The marker must be below the mask.
    footprint, size, mode
        The neighbourhood and the border, as described in :func:`erosion`.
    iterations : int, default=1
        Number of dilations, each limited by the mask.

    Returns
    -------
    ndarray of the same shape and dtype
        The dilated marker.

    References
    ----------
    P. Soille, "Morphological Image Analysis: Principles and Applications", Springer, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import geodesic_dilation
    >>> mask, marker = np.array([[0, 9, 9, 9, 0]]), np.array([[0, 8, 0, 0, 0]])
    >>> geodesic_dilation(marker, mask, ordering="marginal", channel_axis=None)
    array([[0, 8, 8, 0, 0]])
    """
    near = footprint, size
    return _geodesic("dilation", marker, mask, near, ordering, iterations, mode, channel_axis)


def geodesic_erosion(
    marker: ArrayLike,
    mask: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    iterations: int = 1,
    mode: str = "reflect",
    channel_axis: int | None = -1,
) -> NDArray:
    """Erode a marker, limited by a mask below it.

    Parameters
    ----------
    marker, mask, footprint, ordering, size, iterations, mode, channel_axis
        As described in :func:`geodesic_dilation`, but the marker must be above the mask.

    Returns
    -------
    ndarray of the same shape and dtype
        The eroded marker.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import geodesic_erosion
    >>> mask, marker = np.array([[9, 0, 0, 0, 9]]), np.array([[9, 1, 9, 9, 9]])
    >>> geodesic_erosion(marker, mask, ordering="marginal", channel_axis=None)
    array([[9, 1, 1, 9, 9]])
    """
    near = footprint, size
    return _geodesic("erosion", marker, mask, near, ordering, iterations, mode, channel_axis)


def _geodesic(method, marker, mask, near, ordering, iterations, mode, channel_axis) -> NDArray:
    pair = check_pair(marker, mask, ordering, channel_axis)
    if mode == "constant":
        raise ValueError("mode is 'constant', but the mask limits the marker: choose another mode")
    footprint, size = near
    neighbourhood = Neighbourhood(footprint, mode, len(pair.shape) - 2, size)
    check_count(iterations, "iterations")

    def repeat(ranks, extent):
        marker, mask = ranks
        check_sides(marker, mask, method)
        for _ in range(iterations):
            if method == "dilation":
                marker = np.minimum(neighbourhood.dilate(marker, extent), mask)
            else:
                marker = np.maximum(neighbourhood.erode(marker, extent), mask)
        return marker

    return restore_channels(filter_ranks(pair, repeat), channel_axis)


def check_pair(marker, mask, ordering, channel_axis: int | None):
    """Validate a marker and a mask and stack them, so that they are ranked together."""
    if isinstance(marker, RankedImage) or isinstance(mask, RankedImage):
        raise ValueError(
            "marker and mask are ranked together: pass images and an ordering, not a RankedImage"
        )
    marker, mask = (
        check_image(marker, channel_axis, "marker"),
        check_image(mask, channel_axis, "mask"),
    )
    if marker.shape != mask.shape or marker.dtype != mask.dtype:
        raise ValueError(
            "marker and mask must have the same shape and dtype, got "
            f"{marker.shape} of {marker.dtype} and {mask.shape} of {mask.dtype}"
        )
    return check_input(np.stack([marker, mask]), ordering, -1)


def check_sides(marker: NDArray, mask: NDArray, method: str) -> None:
    """Refuse a marker that is not below the mask, or above it for an erosion."""
    wrong = int((marker > mask if method == "dilation" else marker < mask).sum())
    if wrong:
        raise ValueError(
            f"in {wrong} pixels the marker is on the wrong side of the mask in the ordering: "
            "it must be below the mask if method is 'dilation', above if it is 'erosion'"
        )


def opening_by_reconstruction(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    connectivity=None,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Erosion followed by reconstruction by dilation under the image.

    Removes bright structures narrower than the footprint and keeps the outlines of the others.

    Parameters
    ----------
    image, footprint, ordering, size, mode, cval, channel_axis
        The image, the neighbourhood of the erosion, the ordering of pixels, the border of the
        erosion and the axis of the channels, as described in :func:`erosion`.
    connectivity : int, array-like or None, default=None
        Neighbours in the reconstruction, as described in :func:`reconstruction`; by default in
        images or volumes as the footprint has them.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, opening_by_reconstruction
    >>> image = np.array([[[0], [9], [0], [4], [5], [4], [0]]])
    >>> opening_by_reconstruction(
    ...     image, np.ones((1, 3)), ordering=LexicographicOrdering()
    ... ).ravel()
    array([0, 0, 0, 4, 4, 4, 0])
    """
    near = footprint, size
    return _by_reconstruction(
        "dilation", connectivity, image, near, ordering, mode, cval, channel_axis
    )


def closing_by_reconstruction(
    image: ArrayLike,
    footprint=None,
    *,
    ordering=None,
    size=None,
    connectivity=None,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Dilation followed by reconstruction by erosion above the image.

    Fills dark structures narrower than the footprint and keeps the outlines of the others.

    Parameters
    ----------
    image, footprint, ordering, size, connectivity, mode, cval, channel_axis
        The image, the neighbourhood of the dilation, the ordering of pixels, the connectivity of
        the reconstruction, the border of the dilation and the axis of the channels, as described
        in :func:`opening_by_reconstruction`.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, closing_by_reconstruction
    >>> image = np.array([[[9], [0], [9], [5], [4], [5], [9]]])
    >>> closing_by_reconstruction(
    ...     image, np.ones((1, 3)), ordering=LexicographicOrdering()
    ... ).ravel()
    array([9, 9, 9, 5, 5, 5, 9])
    """
    near = footprint, size
    return _by_reconstruction(
        "erosion", connectivity, image, near, ordering, mode, cval, channel_axis
    )


def _by_reconstruction(
    method, connectivity, image, near_marker, ordering, mode, cval, channel_axis
) -> NDArray:
    def reconstruct(neighbourhood, ranks, extent):
        near = neighbours(connectivity, ranks.ndim, neighbourhood.image_axes)
        return reconstructed(neighbourhood, ranks, extent, method, near)

    return apply(reconstruct, image, near_marker, ordering, mode, cval, channel_axis)


def reconstructed(neighbourhood: Neighbourhood, ranks, extent, method: str, near: Mask) -> NDArray:
    """Opening (``method="dilation"``) or closing by reconstruction of ranks."""
    # With a footprint without its centre, the marker may be on the wrong side of the image.
    if method == "dilation":
        marker = np.minimum(neighbourhood.erode(ranks, extent), ranks)
    else:
        marker = np.maximum(neighbourhood.dilate(ranks, extent), ranks)
    return grey_reconstruction(marker, ranks, method, near)
