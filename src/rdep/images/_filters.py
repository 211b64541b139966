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
    """Open and close with one footprint after another, usually of growing size.

    Removes noise of both signs, the smallest first.

    Parameters
    ----------
    image, ordering, mode
        As for :func:`erosion`.
    footprints : sequence of footprints
        For example ``[disk(1), disk(2), disk(3)]``.
    first : {"opening", "closing"}, default="opening"
        Which of both comes first with each footprint.

    Returns
    -------
    ndarray of the same shape and dtype

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
    """Erode, then let what has remained grow back to its whole shape.

    Removes what is great and narrower than the footprint, and keeps the outlines of the rest.

    Parameters
    ----------
    image, footprint, ordering, mode
        As for :func:`erosion`; ``mode`` is that of the erosion.
    connectivity : int or None, default=None
        Neighbours of a pixel differ in at most this many axes, by one; None allows all.

    Returns
    -------
    ndarray of the same shape and dtype

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
    """Dilate, then let what has remained shrink back to its whole shape.

    Fills what is small and narrower than the footprint, and keeps the outlines of the rest.

    Parameters
    ----------
    image, footprint, ordering, connectivity, mode
        As for :func:`opening_by_reconstruction`.

    Returns
    -------
    ndarray of the same shape and dtype

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
    """Replace each pixel by the middle one of its neighbourhood, in the order.

    Parameters
    ----------
    image, footprint, ordering, mode
        As for :func:`erosion`, but for the mode "ignore" and sequences of footprints.

    Returns
    -------
    ndarray of the same shape and dtype

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
    """Replace each pixel by that of a given rank in its neighbourhood.

    Parameters
    ----------
    rank : int
        0 is the least, as for an erosion; −1 the greatest.
    image, footprint, ordering, mode
        As for :func:`median`. The footprint is not turned around.

    Returns
    -------
    ndarray of the same shape and dtype

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
