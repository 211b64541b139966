"""Supervised ordering of Velasco-Forero and Angulo: a classifier of foreground and background."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.svm import SVC
from sklearn.utils import ClassifierTags, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from .._base._fitting import unchanged_on_error
from .._base._validation import check_classes
from .._utils._sklearn_estimators import HasMethods, Interval, _fit_context
from ._alone import pixel_values
from ._pixel_ordering import PixelOrdering
from ._pixels import check_image, check_mask, labelled_pixels
from ._scale import fitted_dtype, scale_of

__all__ = ["SupervisedOrdering"]


class SupervisedOrdering(PixelOrdering):
    r"""Supervised reduced ordering: by the decision value of a classifier of the foreground.

    .. math::

        x \le y \iff \rho(x) \le \rho(y), \qquad
        \rho(x) = \sum_i \alpha_i d_i \kappa(x, x_i) + b .

    A dilation then spreads the foreground and an erosion the background. The intercept b shifts
    all values alike and does not affect the ordering.

    Parameters
    ----------
    estimator : classifier, ordering or None, default=None
        Estimator of ρ; None means an SVC with an RBF kernel. For a binary classifier, ρ is the
        decision function (or the probability of the foreground). For an ordering such as
        :class:`~rdep.EnsembleOrdering`, ρ is the mean of its members' values, which increases with
        each of them.

    max_pixels : int or None, default=None
        Maximum number of pixels of each class to fit on, drawn at random; None means all. The time
        to fit an SVC grows faster than the square of their number: a few thousand usually suffice.

    random_state : int, RandomState instance or None, default=None
        Seed for drawing the pixels.

    Attributes
    ----------
    estimator_ : classifier or ordering
        The fitted estimator of ρ.
    classes_ : ndarray of shape (2,)
        The classes, background first and foreground second.
    scale_ : tuple of (float, str)
        Full intensity of the pixels, and their dtype: images on another scale are refused.
    n_features_in_ : int
        Number of channels.

    References
    ----------
    S. Velasco-Forero and J. Angulo, "Supervised ordering in R^p: application to morphological
    processing of hyperspectral images", IEEE Transactions on Image Processing 20(11), 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep.images import SupervisedOrdering, dilation
    >>> image = np.zeros((5, 5, 3), dtype=np.uint8)
    >>> image[2, 2] = 255, 0, 0
    >>> labels = np.zeros((5, 5), dtype=int)
    >>> labels[0], labels[2, 2] = 1, 2
    >>> red = SupervisedOrdering().fit_labels(image, labels)
    >>> dilation(image, ordering=red)[..., 0]
    array([[  0,   0,   0,   0,   0],
           [  0,   0, 255,   0,   0],
           [  0, 255, 255, 255,   0],
           [  0,   0, 255,   0,   0],
           [  0,   0,   0,   0,   0]], dtype=uint8)
    """

    __module__ = "rdep.images"

    _parameter_constraints = {
        "estimator": [HasMethods(["fit"]), None],
        "max_pixels": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(self, estimator=None, *, max_pixels=None, random_state=None):
        self.estimator = estimator
        self.max_pixels = max_pixels
        self.random_state = random_state

    def fit_labels(self, image: ArrayLike, labels: ArrayLike, *, channel_axis: int | None = -1):
        """Fit on the labelled pixels of an image.

        Parameters
        ----------
        image : array-like of shape (..., H, W, C)
            Image, stack or volume.
        labels : array-like of int, of shape (..., H, W)
            Labels: 0 for pixels without a label, and two other values. The larger value is the
            foreground.
        channel_axis : int or None, default=-1
            Axis of the image that holds the channels; None for a grey image without such an axis.

        Returns
        -------
        self
            The fitted ordering.
        """
        return self.fit(*labelled_pixels(image, labels, channel_axis=channel_axis))

    def fit_masks(
        self,
        image: ArrayLike,
        foreground: ArrayLike,
        background: ArrayLike,
        *,
        channel_axis: int | None = -1,
    ):
        """Fit on the pixels of an image under two masks.

        Parameters
        ----------
        image : array-like of shape (..., H, W, C)
            Image, stack or volume.
        foreground, background : array-like of bool, of shape (..., H, W)
            Masks of the foreground and of the background: not empty, and without a common pixel.
        channel_axis : int or None, default=-1
            Axis of the image that holds the channels; None for a grey image without such an axis.

        Returns
        -------
        self
            The fitted ordering.
        """
        image = check_image(image, channel_axis)
        masks = []
        for name, mask in (("foreground", foreground), ("background", background)):
            mask = check_mask(mask, image, name).astype(bool)
            if not mask.any():
                raise ValueError(f"the mask {name} is empty: mark some pixels")
            masks.append(mask)
        common = int((masks[0] & masks[1]).sum())
        if common:
            raise ValueError(
                f"the masks overlap in {common} pixels, which cannot be both foreground and "
                "background: remove them from one of the masks"
            )
        return self.fit_pixels(*(image[mask] for mask in masks))

    def fit_pixels(self, foreground: ArrayLike, background: ArrayLike):
        """Fit on pixels of the foreground and of the background.

        Parameters
        ----------
        foreground, background : array-like of shape (n_pixels, C)
            Pixels of the foreground and of the background.

        Returns
        -------
        self
            The fitted ordering.
        """
        foreground, background = np.asarray(foreground), np.asarray(background)
        for name, pixels in (("foreground", foreground), ("background", background)):
            if pixels.ndim != 2 or pixels.size == 0:
                raise ValueError(
                    f"{name} has shape {pixels.shape}, but must be a list of pixels: "
                    "(n_pixels, n_channels), not empty"
                )
        if foreground.shape[1] != background.shape[1]:
            raise ValueError(
                f"foreground pixels have {foreground.shape[1]} channels, background pixels "
                f"{background.shape[1]}: they must have the same channels"
            )
        return self.fit(
            np.concatenate([background, foreground]),
            np.repeat([0, 1], [len(background), len(foreground)]),
        )

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y):
        """Fit on pixels and their classes.

        Parameters
        ----------
        X : array-like of shape (n_pixels, n_channels)
            Pixels.
        y : array-like of shape (n_pixels,)
            Classes of the pixels; the second in sorted order is the foreground.

        Returns
        -------
        self
            The fitted ordering.
        """
        with unchanged_on_error(self):
            dtype = fitted_dtype(X)
            X, y = validate_data(self, X, y, dtype=np.float64)
            check_classification_targets(y)
            classes = check_classes(y, None)
            if len(classes) > 2:
                raise ValueError(
                    "Only binary classification is supported. The type of the target is "
                    f"multiclass: there are {len(classes)} classes, {classes.tolist()}, but an "
                    "ordering needs two, background and foreground"
                )
            rows = self._drawn(y, classes)
            estimator = SVC() if self.estimator is None else clone(self.estimator)
            estimator.fit(X[rows], y[rows])
            if pixel_values(estimator, X[:1]).shape[1] != 1:
                raise ValueError(
                    f"{type(estimator).__name__} returns several values for a pixel: pass a "
                    "classifier, or an ordering of this package"
                )
            self.estimator_ = estimator
            self.classes_ = classes
            self.scale_ = tuple(scale_of(X, dtype))
        return self

    def _drawn(self, y, classes):
        if self.max_pixels is None:
            return slice(None)
        random = check_random_state(self.random_state)
        drawn = [random.permutation(np.flatnonzero(y == label)) for label in classes]
        return np.concatenate([rows[: self.max_pixels] for rows in drawn])

    def _rho(self, X):
        return pixel_values(self.estimator_, X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags
