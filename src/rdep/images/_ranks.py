r"""Ranks of pixels in an ordering: the look-up table behind all operators.

A reduced ordering compares pixels by :math:`\rho`, and different pixels may have the same
:math:`\rho`. To make the order total, ties are broken by the pixels themselves, lexicographically:
first channel first. Every pixel value then has one rank, and equal pixels of equal :math:`\rho`
have equal ranks. Neither the place of a pixel nor the sorting algorithm matters. A grey-level
operator works on the image of ranks, and the table maps its result back to pixels of the input.

If :math:`\rho` is an integer that differs for all different pixels, as ranks do, sorting is not
needed: a table over the range of the values suffices.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from .._utils._typing import Indices, Mask
from ..orderings import Ordering, decision_values
from ._pixels import blocks, check_image, evaluate, pixel_codes
from ._scale import Scale, check_scale

__all__ = ["order_values", "rank_image"]


def order_values(image: ArrayLike, ordering, *, channel_axis: int | None = -1) -> NDArray:
    """Compute the values ρ by which an ordering compares the pixels of an image.

    Parameters
    ----------
    image : array-like of shape (..., H, W, C)
        Image, stack or volume.
    ordering : fitted estimator, or array of shape (..., H, W)
        For a binary classifier, ρ is the decision function (or the probability of the second
        class in sorted order). For an ordering of this package, ρ is the mean of its members'
        values. For any other transformer, ρ consists of its columns, compared lexicographically.
        An array holds ρ itself. The orderings of this module refuse images on a different scale
        than they were fitted on, such as floats from 0 to 1 after bytes; other estimators do not
        remember the scale.
    channel_axis : int or None, default=-1
        Axis of the image that holds the channels; None for a grey image without such an axis.

    Returns
    -------
    ndarray of shape (..., H, W), or (..., H, W, n_columns) for more than one column
        The values ρ of all pixels.

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
        values = evaluate(image, lambda X: estimator_values(ordering, X))
        values = values[..., 0] if values.shape[-1] == 1 else values
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise ValueError("the ordering returns NaN for some pixels, which cannot be compared")
    return values


def estimator_values(ordering, X: NDArray) -> NDArray:
    """Values of an estimator, shape (n_samples, n_columns)."""
    if isinstance(ordering, Pipeline) and len(ordering) > 1:
        # Step by step, because an SVC at the end is then evaluated by matrix products.
        return estimator_values(ordering[-1], ordering[:-1].transform(X))
    if isinstance(ordering, Ordering):
        return np.asarray(ordering.transform(X)).mean(axis=1, keepdims=True)
    if hasattr(ordering, "decision_function") or hasattr(ordering, "predict_proba"):
        return decision_values([type(ordering).__name__], [ordering], X)
    return np.asarray(ordering.transform(X)).reshape(len(X), -1)


def rank_image(image: ArrayLike, ordering, *, channel_axis: int | None = -1) -> NDArray:
    """Compute the rank of each pixel in the ordering; the smallest pixel has rank 0.

    To filter one image many times, rank it once and pass the ranks as ``ordering``.

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
    ranks, _ = _rank(*_flat(image, _values(image, ordering)))
    return ranks.reshape(image.shape[:-1])


# Types that the filters of scipy.ndimage accept unchanged.
_GREY_DTYPES = "bhilqBHILQfd"


def filter_ranks(
    image: NDArray,
    ordering,
    grey_operator: Callable[[NDArray, float | None], NDArray],
    outside: NDArray | None = None,
) -> NDArray:
    """Apply an operator on grey images to the ranks of the pixels of a validated image.

    The operator receives the ranks, and the rank of ``outside``, the pixel beyond the border, or
    None.
    """
    if not isinstance(ordering, str):
        values = _values(image, ordering)
        beyond = None if outside is None else (outside, _value_outside(ordering, outside))
        return _filter(image, values, grey_operator, beyond)
    if ordering != "marginal":
        raise ValueError(
            f"ordering is {ordering!r}: pass 'marginal', a fitted estimator, or an array of "
            "values for all pixels"
        )
    pixel = [None] * image.shape[-1] if outside is None else outside
    channels = [_filter_grey(image[..., c], grey_operator, pixel[c]) for c in range(len(pixel))]
    return np.stack(channels, axis=-1)


def _filter_grey(channel: NDArray, grey_operator, outside) -> NDArray:
    """Filter one channel, whose values serve as ranks."""
    if channel.dtype.char in _GREY_DTYPES:
        return grey_operator(channel, outside).astype(channel.dtype, copy=False)
    beyond = None if outside is None else ([outside], [outside])
    return _filter(channel[..., np.newaxis], channel, grey_operator, beyond)[..., 0]


def _filter(image: NDArray, values: NDArray, grey_operator, beyond) -> NDArray:
    """Filter by ranks; ``beyond`` is the pixel beyond the border with its value, or None."""
    shape = image.shape[:-1]
    pixels, keys = _flat(image, values)
    if beyond is not None:
        pixels, keys = (
            np.append(each, np.reshape(one, (1, -1)).astype(each.dtype), axis=0)
            for each, one in zip((pixels, keys), beyond, strict=True)
        )
    ranks, first = _rank(pixels, keys)
    outside = None if beyond is None else int(ranks[-1])
    result = grey_operator(ranks[: math.prod(shape)].reshape(shape), outside)
    # The table of different pixels is smaller than the image and stays in the cache.
    return np.take(np.take(pixels, first, axis=0), result, axis=0)


def _value_outside(ordering, pixel: NDArray) -> NDArray:
    if isinstance(ordering, np.ndarray):
        raise ValueError(
            "mode is 'constant', but an ordering given as an array has no value for cval: pass a "
            "fitted estimator, 'marginal', or another mode"
        )
    return estimator_values(ordering, pixel[np.newaxis].astype(np.float64))


def _flat(image: NDArray, values: NDArray) -> tuple[NDArray, NDArray]:
    """Reshape pixels and their values to one row for each pixel."""
    pixels = image.reshape(-1, image.shape[-1])
    return pixels, values.reshape(len(pixels), -1)


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
    codes |= (keys[:, 0].astype(np.int64) - low).astype(np.uint64) << np.uint64(bits)
    return codes


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
        codes |= run.astype(np.uint64) << np.uint64(bits)
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
    if values.dtype.kind not in "buif":
        raise ValueError(f"the ordering's values must be real numbers, not {values.dtype}")
    return values


def _check_estimator(ordering, image: NDArray) -> None:
    if not any(
        hasattr(ordering, name) for name in ("transform", "decision_function", "predict_proba")
    ):
        raise ValueError(
            f"{ordering!r} defines no total ordering: pass a fitted transformer or classifier, or "
            "a NumPy array of values for all pixels"
        )
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
