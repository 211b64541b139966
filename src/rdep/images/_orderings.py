"""Orderings without supervision, for comparison: lexicographic and by principal components."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.decomposition import IncrementalPCA
from sklearn.utils import check_array, gen_batches
from sklearn.utils.validation import check_is_fitted, validate_data

from .._base._fitting import unchanged_on_error
from .._utils._sklearn_estimators import Interval, _fit_context
from ._alone import pixel_values, projections
from ._pixels import _BLOCK_VALUES, check_image
from ._scale import fitted_dtype, scale_of

__all__ = ["LexicographicOrdering", "PCAOrdering"]


class LexicographicOrdering(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Lexicographic ordering: by one channel, with ties broken by the next, and so on.

    Parameters
    ----------
    priority : sequence of int, default=(0,)
        Channels that are compared first, in this order; the others follow in their own order.

    Attributes
    ----------
    n_features_in_ : int
        Number of channels.

    References
    ----------
    E. Aptoula and S. Lefèvre, "A comparative study on multivariate mathematical morphology",
    Pattern Recognition 40(11), 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import LexicographicOrdering, dilation
    >>> image = np.array([[[1, 2], [0, 9]]])
    >>> dilation(image, np.ones((1, 3)), ordering=LexicographicOrdering())
    array([[[1, 2],
            [1, 2]]])
    >>> dilation(image, np.ones((1, 3)), ordering=LexicographicOrdering([1]))
    array([[[0, 9],
            [0, 9]]])
    """

    __module__ = "rdep.images"

    _parameter_constraints = {"priority": ["array-like"]}

    def __init__(self, priority=(0,)):
        self.priority = priority

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Check the pixels and store the number of channels; nothing is learnt.

        Parameters
        ----------
        X : array-like of shape (n_pixels, n_channels)
            Pixels.
        y : ignored
            Not used, present for the interface of scikit-learn.

        Returns
        -------
        self
            The ordering itself.
        """
        validate_data(self, X)
        return self

    def transform(self, X):
        """Return the channels that are compared first.

        Parameters
        ----------
        X : array-like of shape (n_pixels, n_channels)
            Pixels to compare.

        Returns
        -------
        ndarray of shape (n_pixels, len(priority))
            Values of the channels in ``priority``.
        """
        # transform must not fit: before a fit, pixels with any number of channels are accepted.
        fitted = hasattr(self, "n_features_in_")
        X = validate_data(self, X, reset=False) if fitted else check_array(X)
        priority = [int(channel) for channel in self.priority]
        if not priority or not all(-X.shape[1] <= channel < X.shape[1] for channel in priority):
            raise ValueError(
                f"priority is {list(self.priority)}, but must name channels among the "
                f"{X.shape[1]} of the pixels"
            )
        return X[:, priority]

    @property
    def _n_features_out(self):
        return len(self.priority)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags


class PCAOrdering(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Ordering by the first principal component of the pixels, with ties broken by the next.

    The sign of each component is chosen so that the sum of its loadings is not negative: brighter
    pixels are then larger.

    Parameters
    ----------
    n_components : int, default=1
        Number of principal components that are compared.

    Attributes
    ----------
    mean_ : ndarray of shape (n_channels,)
        Mean of the pixels.
    components_ : ndarray of shape (n_components, n_channels)
        Principal components, with their signs chosen.
    scale_ : tuple of (float, str)
        Full intensity of the pixels, and their dtype: images on another scale are refused.
    n_features_in_ : int
        Number of channels.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import PCAOrdering, order_values
    >>> image = np.array([[[0, 0], [1, 1]], [[2, 2], [3, 3]]])
    >>> order_values(image, PCAOrdering().fit_image(image)).round(2)
    array([[-2.12, -0.71],
           [ 0.71,  2.12]])
    """

    __module__ = "rdep.images"

    _parameter_constraints = {"n_components": [Interval(Integral, 1, None, closed="left")]}

    def __init__(self, n_components=1):
        self.n_components = n_components

    def fit_image(self, image: ArrayLike, *, channel_axis: int | None = -1):
        """Find the principal components of all pixels of an image.

        Parameters
        ----------
        image : array-like of shape (..., H, W, C)
            Image, stack or volume.
        channel_axis : int or None, default=-1
            Axis of the image that holds the channels; None for a grey image without such an axis.

        Returns
        -------
        self
            The fitted ordering.
        """
        image = check_image(image, channel_axis)
        return self.fit(image.reshape(-1, image.shape[-1]))

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Find the principal components of pixels.

        Parameters
        ----------
        X : array-like of shape (n_pixels, n_channels)
            Pixels.
        y : ignored
            Not used, present for the interface of scikit-learn.

        Returns
        -------
        self
            The fitted ordering.
        """
        with unchanged_on_error(self):
            dtype = fitted_dtype(X)
            X = validate_data(self, X, ensure_min_samples=2)
            n_pixels, n_channels = X.shape
            if self.n_components > min(n_pixels, n_channels):
                raise ValueError(
                    f"n_components={self.n_components}, but {n_pixels} pixels of {n_channels} "
                    f"channels have {min(n_pixels, n_channels)} principal components"
                )
            # All components are kept until the end: with fewer, the blocks would matter.
            pca = IncrementalPCA()
            n_rows = max(n_channels, _BLOCK_VALUES // n_channels)
            with np.errstate(invalid="ignore"):  # shares of the variance of equal pixels
                for rows in gen_batches(n_pixels, n_rows):
                    pca.partial_fit(X[rows].astype(np.float64))
            components = pca.components_[: self.n_components]
            self.scale_ = tuple(scale_of(X, dtype))
            self.mean_ = pca.mean_
            self.components_ = components * np.where(components.sum(axis=1) < 0, -1.0, 1.0)[:, None]
        return self

    def transform(self, X):
        """Project pixels on the principal components.

        Parameters
        ----------
        X : array-like of shape (n_pixels, n_channels)
            Pixels to compare.

        Returns
        -------
        ndarray of shape (n_pixels, n_components)
            Scores of the principal components.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return projections(X - self.mean_, self.components_)

    @property
    def _n_features_out(self):
        return len(self.components_)


@pixel_values.register(LexicographicOrdering)
@pixel_values.register(PCAOrdering)
def _of_ordering(ordering: LexicographicOrdering | PCAOrdering, X):
    return ordering.transform(X)
