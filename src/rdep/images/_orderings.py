"""Orderings without a background: lexicographic, by principal components, by a distance."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.decomposition import IncrementalPCA
from sklearn.utils import check_array, gen_batches
from sklearn.utils.validation import validate_data

from .._base._fitting import unchanged_on_error
from .._utils._sklearn_estimators import Interval, StrOptions, _fit_context
from ._alone import projections, weighted_sum
from ._pixel_ordering import FitImage, PixelOrdering
from ._pixels import _BLOCK_VALUES
from ._scale import fitted_dtype, scale_of

__all__ = ["DistanceOrdering", "LexicographicOrdering", "PCAOrdering"]


class LexicographicOrdering(PixelOrdering):
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
        channels = range(-X.shape[1], X.shape[1])
        priority = list(np.ravel(self.priority))
        if not priority or not all(channel in channels for channel in priority):
            raise ValueError(
                f"priority is {self.priority!r}, but must name channels among the "
                f"{X.shape[1]} of the pixels"
            )
        return X[:, np.asarray(priority, dtype=int)]

    @property
    def _n_features_out(self):
        return len(self.priority)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags


class PCAOrdering(FitImage, PixelOrdering):
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

    def _rho(self, X):
        return projections(X - self.mean_, self.components_)

    @property
    def _n_features_out(self):
        return len(self.components_)


class DistanceOrdering(FitImage, PixelOrdering):
    r"""Ordering by the distance to a colour: the nearest pixels are the largest.

    .. math::

        \rho(x) = -\sqrt{(x - c)^\top S^{-1} (x - c)} .

    S is the identity, or the covariance of the pixels of the fit. No background is needed: fit on
    the pixels of a foreground only, such as ``image[mask]``.

    Parameters
    ----------
    metric : {"euclidean", "mahalanobis"}, default="euclidean"
        Distance; "mahalanobis" uses the covariance of the pixels.
    reference : array-like of shape (n_channels,) or None, default=None
        The colour c; None means the mean of the pixels.

    Attributes
    ----------
    reference_ : ndarray of shape (n_channels,)
        The colour c.
    precision_ : ndarray of shape (n_channels, n_channels)
        The inverse of S; the pseudo-inverse if the pixels lie in a subspace.
    scale_ : tuple of (float, str)
        Full intensity of the pixels, and their dtype: images on another scale are refused.
    n_features_in_ : int
        Number of channels.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import DistanceOrdering, dilation
    >>> image = np.array([[[9, 9], [0, 1], [5, 5]]], dtype=np.uint8)
    >>> dark = DistanceOrdering(reference=[0, 0]).fit_image(image)
    >>> dilation(image, ordering=dark)[0].tolist()
    [[0, 1], [0, 1], [0, 1]]
    """

    __module__ = "rdep.images"

    _parameter_constraints = {
        "metric": [StrOptions({"euclidean", "mahalanobis"})],
        "reference": ["array-like", None],
    }

    def __init__(self, metric="euclidean", *, reference=None):
        self.metric = metric
        self.reference = reference

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        """Find the mean and the covariance of pixels.

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
            X = validate_data(self, X, dtype=np.float64)
            reference = X.mean(axis=0) if self.reference is None else np.asarray(self.reference)
            if reference.shape != X.shape[1:]:
                raise ValueError(
                    f"reference has shape {reference.shape}, but the pixels have {X.shape[1]} "
                    "channels"
                )
            n_channels = X.shape[1]
            precision = np.eye(n_channels)
            if self.metric == "mahalanobis":
                if len(X) < 2:
                    raise ValueError("a covariance needs 2 pixels or more, but there is 1 sample")
                precision = np.linalg.pinv(np.atleast_2d(np.cov(X, rowvar=False)), hermitian=True)
            self.scale_ = tuple(scale_of(X, dtype))
            self.reference_ = reference.astype(np.float64)
            self.precision_ = precision
        return self

    def _rho(self, X):
        X = X - self.reference_
        squares = weighted_sum(projections(X, self.precision_) * X, np.ones(X.shape[1]))
        return -np.sqrt(np.maximum(squares, 0))[:, np.newaxis]
