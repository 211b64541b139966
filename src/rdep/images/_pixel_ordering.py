"""What the learned orderings of pixels share."""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._utils._typing import Array
from ._alone import pixel_values
from ._pixels import check_image, check_mask


class PixelOrdering(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A transformer of pixels to values ρ, each of which depends on its pixel alone."""

    @property
    def _n_features_out(self) -> int:
        return 1

    def transform(self, X: ArrayLike) -> NDArray:
        """Compute the values ρ of pixels.

        Parameters
        ----------
        X : array-like of shape (n_pixels, n_channels)
            Pixels to compare.

        Returns
        -------
        ndarray of shape (n_pixels, n_columns)
            The values ρ; several columns are compared one after another.
        """
        check_is_fitted(self)
        return self._rho(validate_data(self, X, dtype=np.float64, reset=False))

    @abstractmethod
    def _rho(self, X: Array) -> Array:
        """Values of validated pixels, with one column or more."""


@pixel_values.register(PixelOrdering)
def _of_pixel_ordering(ordering: PixelOrdering, X: Array) -> Array:
    return ordering.transform(X)


class FitImage:
    """The method of orderings that need pixels, but no labels."""

    def fit_image(self, image: ArrayLike, mask=None, *, channel_axis: int | None = -1) -> Self:
        """Fit on all pixels of an image, or on those under a mask.

        Parameters
        ----------
        image : array-like of shape (..., H, W, C)
            Image, stack or volume.
        mask : array-like of bool, of shape (..., H, W), or None, default=None
            The pixels to fit on; None means all.
        channel_axis : int or None, default=-1
            Axis of the image that holds the channels; None for a grey image without such an axis.

        Returns
        -------
        self
            The fitted ordering.
        """
        image = check_image(image, channel_axis)
        if mask is None:
            return self.fit(image.reshape(-1, image.shape[-1]))  # type: ignore[attr-defined]
        mask = check_mask(mask, image, "mask").astype(bool)
        if not mask.any():
            raise ValueError("the mask is empty: mark some pixels")
        return self.fit(image[mask])  # type: ignore[attr-defined]
