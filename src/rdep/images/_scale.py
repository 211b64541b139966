"""The scale of pixel values: what an ordering was fitted on, and whether an image is on it too.

An ordering learned on bytes from 0 to 255 means nothing for the same picture as floats from 0 to 1.
Full intensity is what scikit-image takes it for: the greatest value of an 8-bit or 16-bit type, and
1 for booleans and for floats within [−1, 1]. Other values are on a scale of their own, and their
greatest magnitude stands for it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..exceptions import warn_caller

# Scales of types differ by 255 or 257; of what is left, only the brightness of pictures differs.
_FACTOR = 100

_CONVERSIONS = {
    "uint8": "img_as_ubyte",
    "uint16": "img_as_uint",
    "float32": "img_as_float32",
    "float64": "img_as_float64",
}


class Scale(NamedTuple):
    """What full intensity is, and the dtype of the pixels."""

    full: float
    dtype: str


def scale_of(pixels: NDArray, dtype: np.dtype | None = None) -> Scale:
    """Scale of pixels; ``dtype`` is theirs where ``pixels`` have been converted since."""
    dtype = pixels.dtype if dtype is None else dtype
    if dtype.kind in "iu" and dtype.itemsize <= 2:
        full = float(np.iinfo(dtype).max)
    else:
        full = max(abs(float(pixels.min())), abs(float(pixels.max())))
        if dtype.kind == "b" or (dtype.kind == "f" and 0 < full <= 1):
            full = 1.0
    return Scale(full, dtype.name)


def fitted_dtype(X: ArrayLike) -> np.dtype:
    """The dtype of samples as they are given, which validation makes float64 of."""
    dtype = np.asarray(X).dtype
    return dtype if dtype.kind in "buif" else np.dtype(np.float64)


def check_scale(fitted: Scale, image: NDArray) -> None:
    """Refuse an image that is on another scale than the pixels of the fit."""
    here = scale_of(image)
    if here.dtype == fitted.dtype and image.dtype.kind in "biu":
        return
    low, high = sorted([here.full, fitted.full])
    if low == 0 or high / low < _FACTOR:
        return
    differ = (
        f"the ordering was fitted on pixels of dtype {fitted.dtype} where full intensity is "
        f"{fitted.full:g}, but the image is of dtype {here.dtype}, with {here.full:g}"
    )
    if image.dtype.kind == "f" == np.dtype(fitted.dtype).kind:
        # Only the values differ, which a picture of something else may explain.
        warn_caller(f"{differ}: its order is of no use if the scales differ", UserWarning)
        return
    conversion = _CONVERSIONS.get(fitted.dtype)
    advice = f"skimage.util.{conversion}(image), or " if conversion else ""
    raise ValueError(
        f"{differ}: convert the image with {advice}image.astype(np.{fitted.dtype}) if its values "
        "are on the scale of the fit already; or fit on pixels such as these"
    )
