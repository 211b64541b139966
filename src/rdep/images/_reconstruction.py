"""Morphological reconstruction, and openings and closings by reconstruction."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from .._utils._imports import optional
from ._neighbourhood import stretched
from ._operators import apply
from ._pixels import check_image, restore_channels
from ._ranks import filter_ranks

__all__ = ["closing_by_reconstruction", "opening_by_reconstruction", "reconstruction"]


def reconstruction(
    marker: ArrayLike,
    mask: ArrayLike,
    method: str = "dilation",
    *,
    ordering,
    connectivity: int | None = None,
    channel_axis: int | None = -1,
) -> NDArray:
    """Repeat dilations of a marker, each limited by the mask, until nothing changes.

    The result keeps the structures of the mask that the marker touches.

    Parameters
    ----------
    marker, mask : array-like of shape (H, W, C), or (..., H, W, C) for volumes
        Two images of the same shape and dtype. In the ordering, no pixel of the marker may be
        larger than that of the mask at the same place (smaller, if ``method`` is "erosion").
    method : {"dilation", "erosion"}, default="dilation"
        Whether the marker grows under the mask or shrinks above it.
    ordering : fitted estimator, array of shape (2, ..., H, W), or "marginal"
        Ordering of the pixels, as described in :func:`erosion`. An array holds the values of the
        marker, then those of the mask.
    connectivity : int or None, default=None
        Largest number of axes in which neighbours may differ, by one pixel in each; None means
        all axes.
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
    marker, mask = (
        check_image(marker, channel_axis, "marker"),
        check_image(mask, channel_axis, "mask"),
    )
    if marker.shape != mask.shape or marker.dtype != mask.dtype:
        raise ValueError(
            "marker and mask must have the same shape and dtype, got "
            f"{marker.shape} of {marker.dtype} and {mask.shape} of {mask.dtype}"
        )
    near = _neighbours(marker.ndim - 1, connectivity)

    grey_reconstruction = _grey_reconstruction()

    def reconstruct(ranks, _):
        lower, upper = ranks if method == "dilation" else ranks[::-1]
        wrong = int((lower > upper).sum())
        if wrong:
            raise ValueError(
                f"in {wrong} pixels the marker is on the wrong side of the mask in the ordering: "
                "it must be below the mask if method is 'dilation', above if it is 'erosion'"
            )
        return grey_reconstruction(*ranks, method=method, footprint=near).astype(ranks.dtype)

    result = filter_ranks(np.stack([marker, mask]), ordering, reconstruct)
    return restore_channels(result, channel_axis)


def opening_by_reconstruction(
    image: ArrayLike,
    footprint=None,
    *,
    ordering,
    connectivity: int | None = None,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Erosion followed by reconstruction by dilation under the image.

    Removes bright structures narrower than the footprint and keeps the outlines of the others.

    Parameters
    ----------
    image, footprint, ordering, mode, cval, channel_axis
        The image, the neighbourhood of the erosion, the ordering of pixels, the border of the
        erosion and the axis of the channels, as described in :func:`erosion`.
    connectivity : int or None, default=None
        Largest number of axes in which neighbours in the reconstruction may differ, by one pixel
        in each; None means all axes.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    References
    ----------
    L. Vincent, "Morphological grayscale reconstruction in image analysis: applications and
    efficient algorithms", IEEE Transactions on Image Processing 2(2), 1993.

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
    return _by_reconstruction(
        "dilation", connectivity, image, footprint, ordering, mode, cval, channel_axis
    )


def closing_by_reconstruction(
    image: ArrayLike,
    footprint=None,
    *,
    ordering,
    connectivity: int | None = None,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Dilation followed by reconstruction by erosion above the image.

    Fills dark structures narrower than the footprint and keeps the outlines of the others.

    Parameters
    ----------
    image, footprint, ordering, connectivity, mode, cval, channel_axis
        The image, the neighbourhood of the dilation, the ordering of pixels, the connectivity of
        the reconstruction, the border of the dilation and the axis of the channels, as described
        in :func:`opening_by_reconstruction`.

    Returns
    -------
    ndarray of the same shape and dtype
        The filtered image.

    References
    ----------
    L. Vincent, "Morphological grayscale reconstruction in image analysis: applications and
    efficient algorithms", IEEE Transactions on Image Processing 2(2), 1993.

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
    return _by_reconstruction(
        "erosion", connectivity, image, footprint, ordering, mode, cval, channel_axis
    )


def _by_reconstruction(
    method, connectivity, image, footprint, ordering, mode, cval, channel_axis
) -> NDArray:
    grey_reconstruction = _grey_reconstruction()

    def reconstruct(neighbourhood, ranks, extent):
        near = stretched(_neighbours(neighbourhood.image_axes, connectivity), ranks.ndim)
        # With a footprint without its centre, the marker may be on the wrong side of the image.
        if method == "dilation":
            marker = np.minimum(neighbourhood.erode(ranks, extent), ranks)
        else:
            marker = np.maximum(neighbourhood.dilate(ranks, extent), ranks)
        return grey_reconstruction(marker, ranks, method=method, footprint=near).astype(ranks.dtype)

    image = check_image(image, channel_axis)
    result = apply(reconstruct, image, footprint, ordering, mode, cval)
    return restore_channels(result, channel_axis)


def _neighbours(n_axes: int, connectivity: int | None) -> NDArray:
    return ndimage.generate_binary_structure(n_axes, connectivity or n_axes)


def _grey_reconstruction():
    return optional("skimage.morphology", "reconstruction", "images").reconstruction
