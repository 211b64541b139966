"""Openings and closings of growing size: granulometry and morphological profiles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._neighbourhood import Neighbourhood, neighbours
from ._operators import make_neighbourhood
from ._pixels import pixel_outside
from ._ranks import RankedImage, check_input, filter_ranks
from ._reconstruction import reconstructed
from ._residues import itself, look_up_values, residues

__all__ = ["granulometry", "morphological_profile"]


def granulometry(
    image: ArrayLike,
    footprints: Sequence,
    *,
    ordering=None,
    method: str = "opening",
    residue: str = "rho",
    mode: str = "ignore",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Granulometric curve: how much openings of growing size remove.

    The differences of the curve (:func:`numpy.diff`) are the pattern spectrum: its peaks are the
    sizes of the structures in the image.

    Parameters
    ----------
    image, ordering, mode, cval, channel_axis
        The image, the ordering of pixels, the border and the axis of the channels, as described
        in :func:`erosion`.
    footprints : sequence of footprints
        Neighbourhoods of growing size, for example ``[disk(1), disk(2), disk(3)]``.
    method : {"opening", "closing"}, default="opening"
        Whether bright or dark structures are measured.
    residue : {"rho", "distance"}, default="rho"
        Measure of what is removed, as described in :func:`gradient`.

    Returns
    -------
    ndarray of shape (n_footprints,), or (n_footprints, C) for "marginal" with ``residue="rho"``
        Sum over all pixels of what each opening removes, or each closing adds.

    References
    ----------
    P. Maragos, "Pattern spectrum and multiscale shape representation", IEEE Transactions on Pattern
    Analysis and Machine Intelligence 11(7), 1989.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import granulometry
    >>> image = np.zeros((9, 12), dtype=np.uint8)
    >>> image[1:3, 1:3], image[4:8, 5:9] = 10, 10
    >>> squares = [np.ones((side, side)) for side in (2, 3, 4, 5)]
    >>> granulometry(image, squares, ordering=image, channel_axis=None)
    array([  0.,  40.,  40., 200.])
    """
    if method not in ("opening", "closing"):
        raise ValueError(f"method is {method!r}, but must be 'opening' or 'closing'")
    checked = check_input(image, ordering, channel_axis)
    operators = (
        (itself, Neighbourhood.open) if method == "opening" else (Neighbourhood.close, itself)
    )
    outside = pixel_outside(checked, mode, cval)
    channels = residue == "rho" and not isinstance(checked, RankedImage)
    sums = []
    for footprint in footprints:
        neighbourhood = make_neighbourhood(checked, (footprint,), mode)
        (removed,) = residues(checked, neighbourhood, operators, residue, outside)
        sums.append(removed.sum(axis=tuple(range(removed.ndim - channels))))
    return np.array(sums)


def morphological_profile(
    image: ArrayLike,
    footprints: Sequence,
    *,
    ordering=None,
    by_reconstruction: bool = True,
    mode: str = "reflect",
    cval: ArrayLike = 0,
    channel_axis: int | None = -1,
) -> NDArray:
    """Morphological profile: values ρ of openings and closings of growing size, as channels.

    It describes the sizes of bright and dark structures around each pixel, for classifiers.

    Parameters
    ----------
    image, ordering, mode, cval, channel_axis
        The image, the ordering of pixels, the border and the axis of the channels, as described
        in :func:`erosion`.
    footprints : sequence of footprints
        Neighbourhoods of growing size, for example ``[disk(2), disk(4), disk(6)]``.
    by_reconstruction : bool, default=True
        Whether openings and closings are by reconstruction, which keeps outlines.

    Returns
    -------
    ndarray of float64, of shape (..., H, W, 2 n_footprints + 1)
        Values ρ of the closings from the largest to the smallest, of the image, and of the
        openings from the smallest to the largest. For "marginal", one such list for each channel.

    References
    ----------
    J. A. Benediktsson, M. Pesaresi and K. Arnason, "Classification and feature extraction for
    remote sensing images from urban areas based on morphological transformations", IEEE
    Transactions on Geoscience and Remote Sensing 41(9), 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import morphological_profile
    >>> image = np.array([[0, 9, 0, 4, 5, 4, 0]])
    >>> profile = morphological_profile(image, [np.ones((1, 3))], ordering=image, channel_axis=None)
    >>> profile[0, 1], profile[0, 4]
    (array([9., 9., 0.]), array([5., 5., 4.]))
    """
    checked = check_input(image, ordering, channel_axis)
    neighbourhoods = [make_neighbourhood(checked, (footprint,), mode) for footprint in footprints]

    def one(neighbourhood, ranks, extent, method):
        if not by_reconstruction:
            operator = Neighbourhood.open if method == "dilation" else Neighbourhood.close
            return operator(neighbourhood, ranks, extent)
        near = neighbours(None, ranks.ndim, neighbourhood.image_axes)
        return reconstructed(neighbourhood, ranks, extent, method, near)

    def all_of_them(ranks, extent):
        closed = [one(each, ranks, extent, "erosion") for each in neighbourhoods[::-1]]
        opened = [one(each, ranks, extent, "dilation") for each in neighbourhoods]
        return np.stack([*closed, ranks, *opened])

    outside = pixel_outside(checked, mode, cval)
    profile = filter_ranks(checked, all_of_them, outside, look_up=look_up_values)
    if isinstance(checked, RankedImage):
        return np.moveaxis(profile, 0, -1)
    return np.moveaxis(profile, 0, -1).reshape(*checked.shape[:-1], -1)
