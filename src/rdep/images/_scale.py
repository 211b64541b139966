"""The scale of pixel values: check that an image has the scale of the pixels of the fit.

An ordering learned on bytes from 0 to 255 is meaningless for the same image as floats from 0 to 1.
Full intensity is defined as in scikit-image: the maximum of an 8-bit or 16-bit type, and 1 for
booleans and for floats within [−1, 1]. For other values it is their largest magnitude. Cameras of
10, 12 or 14 bits fill a 16-bit type in part: full intensity is then that of the bits in use.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..exceptions import warn_caller

# Scales of types differ by a factor of 255 or 257; smaller factors are differences of brightness.
_FACTOR = 100
# Bits of a camera in a 16-bit type differ by factors from 4.
_DEPTHS, _FACTOR_OF_DEPTHS = (10, 12, 14), 3

_CONVERSIONS = {
    "uint8": "img_as_ubyte",
    "uint16": "img_as_uint",
    "float32": "img_as_float32",
    "float64": "img_as_float64",
}


class Scale(NamedTuple):
    """Full intensity and the dtype of the pixels."""

    full: float
    dtype: str


def scale_of(pixels: NDArray, dtype: np.dtype | None = None) -> Scale:
    """Scale of pixels; ``dtype`` is the original one if the pixels have been converted."""
    dtype = pixels.dtype if dtype is None else dtype
    if dtype.kind in "iu" and dtype.itemsize <= 2:
        full = float(np.iinfo(dtype).max)
        if dtype == np.uint16:
            largest = int(pixels.max())
            # Pixels that fit into a byte may as well be dark.
            full = next((f for b in _DEPTHS if 255 < largest <= (f := 2.0**b - 1)), full)
    else:
        full = max(abs(float(pixels.min())), abs(float(pixels.max())))
        if dtype.kind == "b" or (dtype.kind == "f" and 0 < full <= 1):
            full = 1.0
    return Scale(full, dtype.name)


def fitted_dtype(X: ArrayLike) -> np.dtype:
    """Dtype of the samples before validation converts them to float64."""
    dtype = np.asarray(X).dtype
    return dtype if dtype.kind in "buif" else np.dtype(np.float64)


def check_scale(fitted: Scale, image: NDArray) -> None:
    """Raise or warn if the scale of an image differs from that of the pixels of the fit."""
    here = scale_of(image)
    same = here.dtype == fitted.dtype
    if same and image.dtype.kind in "biu" and here.dtype != "uint16":
        return
    low, high = sorted([here.full, fitted.full])
    depths = {here.dtype, fitted.dtype} <= {"uint8", "uint16"}
    if low == 0 or high / low < (_FACTOR_OF_DEPTHS if depths else _FACTOR):
        return
    differ = (
        f"the ordering was fitted on pixels of dtype {fitted.dtype} where full intensity is "
        f"{fitted.full:g}, but the image is of dtype {here.dtype}, with {here.full:g}"
    )
    if same or image.dtype.kind == "f" == np.dtype(fitted.dtype).kind:
        # Only the values differ, possibly because the image shows something else.
        warn_caller(f"{differ}: if the scales differ, the ordering is meaningless", UserWarning)
        return
    conversion = _CONVERSIONS.get(fitted.dtype)
    advice = f"skimage.util.{conversion}(image), or " if conversion else ""
    raise ValueError(
        f"{differ}: convert the image with {advice}image.astype(np.{fitted.dtype}) if its values "
        "already have the scale of the fit; or fit on pixels of this scale"
    )
