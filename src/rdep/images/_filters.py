"""Filters made of erosions and dilations, or of ranks: sequences, reconstructions, medians."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from .._utils._imports import optional
from ._neighbourhood import Neighbourhood, bounds_of, stretched
from ._pixels import check_image
from ._ranks import filter_ranks

__all__ = [
    "alternating_sequential_filter",
    "closing_by_reconstruction",
    "median",
    "opening_by_reconstruction",
    "rank_filter",
]


def alternating_sequential_filter(
    image: ArrayLike,
    footprints: Sequence,
    *,
    ordering,
    first: str = "opening",
    mode: str = "reflect",
) -> NDArray:
    """Alternate openings and closings with one footprint after another, usually growing.

    Removes bright and dark noise, the smallest structures first.

    Parameters
    ----------
    image, ordering, mode
        The image, the ordering of pixels and the border, as described in :func:`erosion`.
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
    image = check_image(image)
    steps = {
        "opening": (Neighbourhood.open, Neighbourhood.close),
        "closing": (Neighbourhood.close, Neighbourhood.open),
    }
    if first not in steps:
        raise ValueError(f"first is {first!r}, but must be 'opening' or 'closing'")
    if len(footprints) == 0:
        raise ValueError("footprints is empty: give some, such as [disk(1), disk(2)]")
    neighbourhoods = [Neighbourhood(footprint, mode, image.ndim - 1) for footprint in footprints]

    def alternate(ranks):
        bounds = bounds_of(ranks)
        for neighbourhood in neighbourhoods:
            for step in steps[first]:
                ranks = step(neighbourhood, ranks, bounds)
        return ranks

    return filter_ranks(image, ordering, alternate)


def opening_by_reconstruction(
    image: ArrayLike,
    footprint=None,
    *,
    ordering,
    connectivity: int | None = None,
    mode: str = "reflect",
) -> NDArray:
    """Erosion followed by reconstruction by dilation under the image.

    Removes bright structures narrower than the footprint and keeps the outlines of the others.

    Parameters
    ----------
    image, footprint, ordering, mode
        The image, the neighbourhood of the erosion, the ordering of pixels and the border of the
        erosion, as described in :func:`erosion`.
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
    return _reconstruct("dilation", image, footprint, ordering, connectivity, mode)


def closing_by_reconstruction(
    image: ArrayLike,
    footprint=None,
    *,
    ordering,
    connectivity: int | None = None,
    mode: str = "reflect",
) -> NDArray:
    """Dilation followed by reconstruction by erosion above the image.

    Fills dark structures narrower than the footprint and keeps the outlines of the others.

    Parameters
    ----------
    image, footprint, ordering, connectivity, mode
        The image, the neighbourhood of the dilation, the ordering of pixels, the connectivity of
        the reconstruction and the border of the dilation, as described in
        :func:`opening_by_reconstruction`.

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
    return _reconstruct("erosion", image, footprint, ordering, connectivity, mode)


def median(image: ArrayLike, footprint=None, *, ordering, mode: str = "reflect") -> NDArray:
    """Replace each pixel by the median of its neighbourhood in the ordering.

    Parameters
    ----------
    image, footprint, ordering, mode
        The image, the neighbourhood, the ordering of pixels and the border, as described in
        :func:`erosion`, except that the footprint is one array and the mode not "ignore".

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
    return _ranked(image, footprint, ordering, mode, lambda size: size // 2)


def rank_filter(
    image: ArrayLike, rank: int, footprint=None, *, ordering, mode: str = "reflect"
) -> NDArray:
    """Replace each pixel by the pixel of a given rank in its neighbourhood.

    Parameters
    ----------
    rank : int
        Rank in the neighbourhood: 0 is the least pixel, as for an erosion, −1 the greatest.
    image, footprint, ordering, mode
        The image, the neighbourhood, the ordering of pixels and the border, as described in
        :func:`median`. The footprint is not reflected.

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

    def in_range(size):
        if not -size <= index(rank) < size:
            raise ValueError(
                f"rank is {rank}, but the footprint covers {size} pixels: choose one from "
                f"{-size} to {size - 1}"
            )
        return rank

    return _ranked(image, footprint, ordering, mode, in_range)


def _ranked(image, footprint, ordering, mode, choose_rank) -> NDArray:
    image = check_image(image)
    neighbourhood = Neighbourhood(footprint, mode, image.ndim - 1)
    array = neighbourhood.single()
    rank = choose_rank(int(array.sum()))
    return filter_ranks(
        image,
        ordering,
        lambda ranks: ndimage.rank_filter(
            ranks, rank, footprint=array, **neighbourhood.border(bounds_of(ranks))
        ),
    )


def _reconstruct(method, image, footprint, ordering, connectivity, mode) -> NDArray:
    morphology = optional("skimage.morphology", "reconstruction", "images")
    image = check_image(image)
    n_axes = image.ndim - 1
    neighbourhood = Neighbourhood(footprint, mode, n_axes)
    near = ndimage.generate_binary_structure(
        neighbourhood.image_axes, connectivity or neighbourhood.image_axes
    )
    near = stretched(near, n_axes)

    def reconstruct(ranks):
        # A footprint without its centre may leave the seed on the wrong side of the image.
        if method == "dilation":
            seed = np.minimum(neighbourhood.erode(ranks, bounds_of(ranks)), ranks)
        else:
            seed = np.maximum(neighbourhood.dilate(ranks, bounds_of(ranks)), ranks)
        reconstructed = morphology.reconstruction(seed, ranks, method=method, footprint=near)
        return reconstructed.astype(ranks.dtype)

    return filter_ranks(image, ordering, reconstruct)
