r"""Ranks of pixels in an ordering: the look-up table behind all operators.

A reduced ordering compares pixels by :math:`\rho`, and different pixels may have the same
:math:`\rho`. To make the order total, ties are broken by the pixels themselves, lexicographically:
first channel first. Every pixel value then has one rank, and equal pixels of equal :math:`\rho`
have equal ranks. Neither the place of a pixel nor the sorting algorithm matters. A grey-level
operator works on the image of ranks, and the table maps its result back to pixels of the input.

An estimator is evaluated once for each colour, if 64 bits hold a pixel, and only the colours are
sorted. If :math:`\rho` is given as an integer that differs for all different pixels, as ranks do,
nothing is sorted: a table over the range of the values suffices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from .._utils._typing import Indices, Mask
from ._alone import RowByRow, check_kind, pixel_values
from ._neighbourhood import Extent
from ._pixels import blocks, check_image, distinct_colours, evaluate, pixel_codes, restore_channels
from ._runs import core
from ._scale import Scale, check_scale

__all__ = ["RankedImage", "order_values", "rank_image"]


def order_values(image: ArrayLike, ordering, *, channel_axis: int | None = -1) -> NDArray:
    """Compute the values ρ by which an ordering compares the pixels of an image.

    Parameters
    ----------
    image : array-like of shape (..., H, W, C)
        Image, stack or volume.
    ordering : fitted estimator, function, or array of shape (..., H, W)
        For a binary classifier, ρ is the decision function (or the probability of the second
        class in sorted order), for a regressor the prediction. For an ordering of this package, ρ
        is the mean of its members' values. For any other transformer, ρ consists of its columns,
        compared lexicographically. A function receives pixels of shape (n, C) as float64 and
        returns their values. An array holds ρ itself. The orderings of this module refuse images
        on a different scale than they were fitted on, such as floats from 0 to 1 after bytes;
        other estimators do not remember the scale.
    channel_axis : int or None, default=-1
        Axis of the image that holds the channels; None for a grey image without such an axis.

    Returns
    -------
    ndarray of shape (..., H, W), or (..., H, W, n_columns) for more than one column
        The values ρ of all pixels.

    Notes
    -----
    The value of a pixel has the same bits alone, in a block and in the whole image. Support vector
    machines, linear models, principal components, trees and the orderings of this module are
    evaluated in blocks. Other estimators, and functions, are called once for each pixel value,
    which is slow for images of many colours: pass an array of their values instead, if the last
    bits do not matter.

    References
    ----------
    S. Velasco-Forero and J. Angulo, "Supervised ordering in R^p: application to morphological
    processing of hyperspectral images", IEEE Transactions on Image Processing 20(11), 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import SupervisedOrdering, order_values
    >>> image = np.array([[[255, 0, 0], [250, 10, 0]], [[0, 0, 255], [90, 0, 90]]], dtype=np.uint8)
    >>> red = SupervisedOrdering().fit_pixels(image[0], image[1, :1])
    >>> order_values(image, red).round(2)
    array([[ 1.  ,  1.  ],
           [-0.9 ,  0.06]])
    """
    return _values(check_image(image, channel_axis), ordering)


def _values(image: NDArray, ordering) -> NDArray:
    if isinstance(ordering, np.ndarray):
        values = _check_given(ordering, image)
    else:
        _check_estimator(ordering, image)
        values = evaluate(image, lambda X: pixel_values(ordering, X))
        values = values[..., 0] if values.shape[-1] == 1 else values
    return _comparable(values)


def _comparable(values: NDArray) -> NDArray:
    if values.dtype.kind not in "buif":
        raise ValueError(f"the ordering's values must be real numbers, not {values.dtype}")
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise ValueError("the ordering returns NaN for some pixels, which cannot be compared")
    return values


def rank_image(image: ArrayLike, ordering, *, channel_axis: int | None = -1) -> NDArray:
    """Compute the rank of each pixel in the ordering; the smallest pixel has rank 0.

    To filter one image many times, use a :class:`RankedImage`.

    Parameters
    ----------
    image : array-like of shape (..., H, W, C)
        Image, stack or volume.
    ordering : fitted estimator, or array of shape (..., H, W)
        Ordering of the pixels, as described in :func:`order_values`.
    channel_axis : int or None, default=-1
        Axis of the image that holds the channels; None for a grey image without such an axis.

    Returns
    -------
    ndarray of int, of shape (..., H, W)
        Ranks; equal pixels with equal ρ have equal ranks.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, rank_image
    >>> image = np.array([[[1, 2], [0, 9]], [[1, 1], [0, 9]]])
    >>> rank_image(image, LexicographicOrdering())
    array([[2, 0],
           [1, 0]], dtype=int32)
    """
    image = check_image(image, channel_axis)
    return ranked(image, ordering).ranks


@dataclass(frozen=True, eq=False)
class RankedImage:
    """An image with the ranks of its pixels, to filter many times.

    The operators take it in place of an image, without ``ordering`` and ``channel_axis``.

    Attributes
    ----------
    ranks : ndarray of int, of shape (..., H, W)
        Rank of each pixel; the smallest pixel has rank 0.
    colours : ndarray of shape (n_ranks, C)
        The pixel of each rank.
    rho : ndarray of shape (n_ranks,) or (n_ranks, n_columns)
        The value ρ of each rank.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, RankedImage, closing, opening
    >>> image = np.random.default_rng(0).integers(0, 256, (32, 32, 3), dtype=np.uint8)
    >>> ranked = RankedImage.of(image, LexicographicOrdering([1]))
    >>> opened, closed = opening(ranked), closing(ranked)
    >>> bool((opened == opening(image, ordering=LexicographicOrdering([1]))).all())
    True
    """

    ranks: NDArray
    colours: NDArray
    rho: NDArray
    ordering: Any = None
    channel_axis: int | None = -1

    @classmethod
    def of(cls, image: ArrayLike, ordering, *, channel_axis: int | None = -1) -> RankedImage:
        """Rank the pixels of an image.

        Parameters
        ----------
        image : array-like of shape (..., H, W, C)
            Image, stack or volume.
        ordering : fitted estimator, function, or array of shape (..., H, W)
            Ordering of the pixels, as described in :func:`order_values`.
        channel_axis : int or None, default=-1
            Axis of the image that holds the channels; None for a grey image without such an axis.

        Returns
        -------
        RankedImage
            The ranked image.
        """
        return ranked(check_image(image, channel_axis), ordering, channel_axis)

    def image(self) -> NDArray:
        """Return the image itself, in its dtype.

        Returns
        -------
        ndarray of the shape and dtype of the image
            The pixels.
        """
        return restore_channels(self.look_up(self.ranks), self.channel_axis)

    def look_up(self, ranks: NDArray) -> NDArray:
        """Return the pixels of ranks, with the channels last.

        Parameters
        ----------
        ranks : ndarray of int, of any shape
            Ranks of pixels of the image.

        Returns
        -------
        ndarray of shape (..., C)
            The pixels.
        """
        if core is None or ranks.dtype != np.int32 or not self.colours.flags.c_contiguous:
            return np.take(self.colours, ranks, axis=0)
        pixels = core.take(self.colours, np.ascontiguousarray(ranks).reshape(-1))
        return pixels.reshape(*ranks.shape, self.colours.shape[1])

    @property
    def dtype(self) -> np.dtype:
        """Dtype of the channels."""
        return self.colours.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the image, with the channels last."""
        return (*self.ranks.shape, self.colours.shape[1])

    def values(self) -> NDArray:
        """Return ρ of each rank, if it is one number.

        Returns
        -------
        ndarray of shape (n_ranks,)
            The values, in ascending order.
        """
        if self.rho.ndim > 1:
            raise ValueError(
                f"the ordering compares {self.rho.shape[1]} columns, which have no difference: use "
                "an ordering by one value, or residue='distance'"
            )
        return self.rho

    def with_colour(self, pixel: NDArray) -> tuple[RankedImage, int]:
        """Insert a pixel that the image may not have.

        Parameters
        ----------
        pixel : ndarray of shape (C,)
            The pixel.

        Returns
        -------
        ranked : RankedImage
            The image with the same pixels, and one more colour.
        rank : int
            The rank of the pixel.
        """
        if self.ordering is None or isinstance(self.ordering, np.ndarray):
            raise ValueError(
                "mode is 'constant', but an ordering given as an array has no value for cval: pass "
                "a fitted estimator, 'marginal', or another mode"
            )
        value = pixel_values(self.ordering, pixel[np.newaxis].astype(np.float64) + 0.0)
        keys = np.append(self.rho.reshape(len(self.rho), -1), value, axis=0)
        colours = np.append(self.colours, pixel[np.newaxis], axis=0)
        ranks, first = _rank(colours, keys)
        rho = keys[first].reshape(len(first), *self.rho.shape[1:])
        image = RankedImage(
            ranks[:-1][self.ranks], colours[first], rho, self.ordering, self.channel_axis
        )
        return image, int(ranks[-1])


def _stable(values: NDArray) -> Indices:
    return np.argsort(values, kind="stable")


def ranked(image: NDArray, ordering, channel_axis: int | None = -1) -> RankedImage:
    """Rank the pixels of a validated image."""
    pixels = image.reshape(-1, image.shape[-1])
    if not isinstance(ordering, np.ndarray):
        _check_estimator(ordering, image)
        if (found := distinct_colours(pixels)) is not None:
            colours, spread = found
            rho = _comparable(evaluate(colours, lambda X: pixel_values(ordering, X), distinct=True))
            # The colours are sorted lexicographically, and a stable sort keeps that among ties.
            order = np.lexsort(rho.T[::-1]) if rho.shape[1] > 1 else _stable(rho[:, 0])
            places = np.empty(len(order), dtype=np.int32 if len(pixels) < 2**31 else np.int64)
            places[order] = np.arange(len(order), dtype=places.dtype)
            colours, rho = colours[order], rho[order]
            del found, order  # a large part of the memory
            ranks = spread(places)
            rho = rho[:, 0] if rho.shape[1] == 1 else rho
            return RankedImage(
                ranks.reshape(image.shape[:-1]), colours, rho, ordering, channel_axis
            )
    values = _values(image, ordering)
    keys = values.reshape(len(pixels), -1)
    ranks, first = _rank(pixels, keys)
    rho = keys[first, 0] if values.ndim < image.ndim else keys[first]
    ranks = ranks.reshape(image.shape[:-1])
    return RankedImage(ranks, pixels[first], rho, ordering, channel_axis)


# Types that the filters of scipy.ndimage accept unchanged.
_GREY_DTYPES = "bhilqBHILQfd"


def check_input(
    image: ArrayLike | RankedImage, ordering, channel_axis: int | None, name: str = "image"
) -> NDArray | RankedImage:
    """Validate an image with its ordering; return it with its channels last, or ranked."""
    if isinstance(image, RankedImage):
        if ordering is not None or channel_axis not in (-1, image.channel_axis):
            raise ValueError(
                f"{name} is a RankedImage, which has its ordering and its axis of the channels: "
                "leave ordering and channel_axis out"
            )
        return image
    image = check_image(image, channel_axis, name)
    if ordering is None:
        raise ValueError(
            "an ordering is missing: pass ordering='marginal', a fitted estimator, a function, or "
            "an array of values for all pixels"
        )
    if isinstance(ordering, str):
        if ordering != "marginal":
            raise ValueError(
                f"ordering is {ordering!r}: pass 'marginal', a fitted estimator, a function, or an "
                "array of values for all pixels"
            )
        return image
    return ranked(image, ordering, channel_axis)


def axis_of(image: NDArray | RankedImage, channel_axis: int | None) -> int | None:
    """Axis of the channels in the result."""
    return image.channel_axis if isinstance(image, RankedImage) else channel_axis


GreyOperator = Callable[[NDArray, Extent], NDArray]


def filter_ranks(
    image: NDArray | RankedImage,
    grey_operator: GreyOperator,
    outside: NDArray | None = None,
    *,
    look_up: Callable[[RankedImage, NDArray], NDArray] = RankedImage.look_up,
) -> NDArray:
    """Apply an operator on grey images to ranks, or to each channel of an image.

    The operator receives the ranks, and the ranks that may lie beyond the border; ``outside`` is
    the pixel there, or None.
    """
    if isinstance(image, RankedImage):
        rank = None
        if outside is not None:
            image, rank = image.with_colour(outside)
        return look_up(image, grey_operator(image.ranks, Extent(0, len(image.colours) - 1, rank)))
    pixel = [None] * image.shape[-1] if outside is None else outside
    return np.stack(
        [
            _filter_grey(image[..., channel], grey_operator, beyond, look_up)
            for channel, beyond in enumerate(pixel)
        ],
        axis=-1,
    )


def _filter_grey(channel: NDArray, grey_operator: GreyOperator, outside, look_up) -> NDArray:
    """Filter one channel, whose values serve as ranks."""
    if channel.dtype.char in _GREY_DTYPES and look_up is RankedImage.look_up:
        extent = Extent(channel.min(), channel.max(), outside)
        return grey_operator(channel, extent).astype(channel.dtype, copy=False)
    image = ranked(channel[..., np.newaxis], RowByRow(lambda X: X))
    result = filter_ranks(
        image, grey_operator, None if outside is None else np.array([outside]), look_up=look_up
    )
    return result[..., 0] if look_up is RankedImage.look_up else result


def _rank(pixels: NDArray, keys: NDArray) -> tuple[NDArray, Indices]:
    """Compute the ranks of all pixels, and for each rank a pixel that has it."""
    dtype = np.int32 if len(pixels) < 2**31 else np.int64
    if (table := _table(pixels, keys, dtype)) is not None:
        return table
    codes = _codes_of_both(keys, pixels)
    order = np.argsort(keys[:, 0] if codes is None else codes)
    rises = _rises((keys[:, 0] if codes is None else codes)[order])
    if codes is None and not rises.all():
        order, rises = _break_ties(keys[:, 1:], pixels, order, rises)
    ranks = np.empty(len(pixels), dtype=dtype)
    ranks[order] = np.cumsum(rises, dtype=dtype) - 1
    return ranks, order[rises]


def _table(pixels: NDArray, keys: NDArray, dtype) -> tuple[NDArray, Indices] | None:
    """Ranks without sorting, if integer values differ for all different pixels, as ranks do."""
    if keys.shape[1] > 1 or keys.dtype.kind not in "ui":
        return None
    low, high = int(keys.min()), int(keys.max())
    if high - low > 2 * len(pixels) or high >= 2**63:
        return None
    values = (keys[:, 0].astype(np.int64) - low).astype(dtype)
    places = np.full(high - low + 1, -1)
    # Ties usually occur among the first pixels already; then the other pixels are not checked.
    for rows in (next(blocks(*pixels.shape)), slice(None)):
        places[values[rows]] = np.arange(len(values[rows]))
        if not _is_table(np.take(pixels, places, axis=0), values[rows], pixels[rows]):
            return None
    occurs = places >= 0
    if occurs.all():
        return values, places
    return (np.cumsum(occurs, dtype=dtype) - 1)[values], places[occurs]


def _is_table(colours: NDArray, values: NDArray, pixels: NDArray) -> bool:
    return all(
        np.array_equal(np.take(colours, values[rows], axis=0), pixels[rows])
        for rows in blocks(*pixels.shape)
    )


def _codes_of_both(keys: NDArray, pixels: NDArray) -> NDArray[np.uint64] | None:
    """Encode value and pixel as one integer, if the value is an integer and 64 bits suffice."""
    if keys.shape[1] > 1 or keys.dtype.kind not in "bui":
        return None
    low, high = int(keys.min()), int(keys.max())
    bits = 8 * pixels.itemsize * pixels.shape[1]
    codes = pixel_codes(pixels)
    if codes is None or bits + (high - low).bit_length() > 64 or high >= 2**63:
        return None
    above = (keys[:, 0].astype(np.int64) - low).astype(np.uint64) << np.uint64(bits)
    return codes.astype(np.uint64) | above


def _rises(ordered: NDArray) -> Mask:
    """Mask of the elements of a sorted array that differ from the one before."""
    return np.concatenate([[True], ordered[1:] != ordered[:-1]])


def _break_ties(keys, pixels, order, rises) -> tuple[Indices, Mask]:
    """Sort pixels with equal first keys by the other keys, then by the pixels themselves."""
    codes = pixel_codes(pixels) if keys.shape[1] == 0 else None
    if codes is not None:
        codes = codes[order]
        if not (_rises(codes) > rises).any():
            return order, rises  # only equal pixels have equal values
    run = np.cumsum(rises) - 1
    bits = 8 * pixels.itemsize * pixels.shape[1]
    if codes is not None and bits + int(run[-1]).bit_length() <= 64:
        # Sorting one integer for run and pixel is much faster than the general case below.
        codes = codes.astype(np.uint64) | (run.astype(np.uint64) << np.uint64(bits))
        within = np.argsort(codes)
        return order[within], _rises(codes[within])
    tied = np.flatnonzero(~rises)
    mixed = np.zeros(run[-1] + 1, dtype=bool)
    mixed[run[tied[_differ(pixels, order, tied)]]] = True
    members = np.flatnonzero(mixed[run])
    places = order[members]
    # The last key of lexsort is the primary one.
    within = np.lexsort([*pixels[places].T[::-1], *keys[places].T[::-1], run[members]])
    order[members] = places[within]
    rises[tied] = _differ(pixels, order, tied)
    return order, rises


def _differ(pixels, order, tied) -> Mask:
    """Whether the pixels at positions ``tied`` of the order differ from the ones before."""
    differs = np.empty(len(tied), dtype=bool)
    for rows in blocks(len(tied), pixels.shape[1]):
        here, before = order[tied[rows]], order[tied[rows] - 1]
        differs[rows] = (pixels[here] != pixels[before]).any(axis=1)
    return differs


def _check_given(values: NDArray, image: NDArray) -> NDArray:
    if values.shape != image.shape[:-1]:
        raise ValueError(
            f"the ordering is an array of shape {values.shape}, but must have one value for each "
            f"pixel of the image: shape {image.shape[:-1]}"
        )
    return values


def _check_estimator(ordering, image: NDArray) -> None:
    if not check_kind(ordering):
        return
    check_is_fitted(ordering)
    check_channels(ordering, image, "ordering")
    if isinstance(scale := getattr(ordering, "scale_", None), tuple):
        check_scale(Scale(*scale), image)
    # Outlier detectors have a decision function but no classes.
    if len(getattr(ordering, "classes_", (0, 1))) != 2:
        raise ValueError(
            f"the ordering {type(ordering).__name__} was fitted on {len(ordering.classes_)} "
            "classes: an ordering needs two, foreground and background"
        )


def check_channels(estimator, image: NDArray, name: str) -> None:
    expected = getattr(estimator, "n_features_in_", image.shape[-1])
    if expected != image.shape[-1]:
        raise ValueError(
            f"the {name} was fitted on pixels of {expected} channels, the image has "
            f"{image.shape[-1]}: set channel_axis to the axis of the channels (default: the last)"
        )
