"""The ordering of Velasco-Forero and Angulo: from background to foreground, by a classifier."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.svm import SVC
from sklearn.utils import ClassifierTags, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .._base._fitting import unchanged_on_error
from .._base._validation import check_classes
from .._utils._sklearn_parameters import HasMethods, Interval, _fit_context
from ._pixels import check_image, check_mask, labelled_pixels
from ._ranks import estimator_values

__all__ = ["SupervisedOrdering"]


class SupervisedOrdering(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Compare pixels by how much a classifier takes them for foreground.

    .. math::

        x \le y \iff \rho(x) \le \rho(y), \qquad
        \rho(x) = \sum_i \alpha_i d_i \kappa(x, x_i) + b .

    A dilation then spreads the foreground and an erosion the background. The intercept b moves all
    values alike and does not matter to the order.

    Parameters
    ----------
    estimator : classifier, ordering or None, default=None
        None is an SVC with an RBF kernel. A binary classifier counts by its decision function (or
        the probability of the foreground), an ordering such as :class:`~rdep.EnsembleOrdering` by
        the mean of its members' values, which grows with each of them.

    max_pixels : int or None, default=None
        Draw at most this many pixels of each class to fit on. The time to fit an SVC grows faster
        than the square of their number: a few thousand are plenty.

    random_state : int, RandomState instance or None, default=None
        For the draw.

    Attributes
    ----------
    estimator_ : classifier or ordering
        Fitted.
    classes_ : ndarray of shape (2,)
        Background and foreground.
    n_features_in_ : int

    References
    ----------
    S. Velasco-Forero and J. Angulo, *Supervised ordering in R^p: application to morphological
    processing of hyperspectral images*, IEEE Transactions on Image Processing 20(11), 2011.

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

    _parameter_constraints = {
        "estimator": [HasMethods(["fit"]), None],
        "max_pixels": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }
    _n_features_out = 1

    def __init__(self, estimator=None, *, max_pixels=None, random_state=None):
        self.estimator = estimator
        self.max_pixels = max_pixels
        self.random_state = random_state

    def fit_labels(self, image: ArrayLike, labels: ArrayLike):
        """Fit on the labelled pixels of an image.

        Parameters
        ----------
        image : array-like of shape (..., H, W, C)
        labels : array-like of int, of shape (..., H, W)
            0 for pixels without a label, and two more values: the greater is the foreground.

        Returns
        -------
        self
        """
        return self.fit(*labelled_pixels(image, labels))

    def fit_masks(self, image: ArrayLike, foreground: ArrayLike, background: ArrayLike):
        """Fit on the pixels of an image under two masks.

        Parameters
        ----------
        image : array-like of shape (..., H, W, C)
        foreground, background : array-like of bool, of shape (..., H, W)
            Not empty, and without a pixel in common.

        Returns
        -------
        self
        """
        image = check_image(image)
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
                "background: take them out of one of the masks"
            )
        return self.fit_pixels(*(image[mask] for mask in masks))

    def fit_pixels(self, foreground: ArrayLike, background: ArrayLike):
        """Fit on pixels of the foreground and of the background.

        Parameters
        ----------
        foreground, background : array-like of shape (n_pixels, C)

        Returns
        -------
        self
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
                f"{background.shape[1]}: they must be of the same kind"
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
        y : array-like of shape (n_pixels,)
            Two classes; the greater is the foreground.

        Returns
        -------
        self
        """
        with unchanged_on_error(self):
            X, y = validate_data(self, X, y, dtype=np.float64)
            check_classification_targets(y)
            classes = check_classes(y, None)
            if len(classes) > 2:
                raise ValueError(
                    "Only binary classification is supported. The type of the target is "
                    f"multiclass: there are {len(classes)} classes, {classes.tolist()}, but an "
                    "ordering goes from one, the background, to another, the foreground"
                )
            rows = self._drawn(y, classes)
            estimator = SVC() if self.estimator is None else clone(self.estimator)
            estimator.fit(X[rows], y[rows])
            if estimator_values(estimator, X[:1]).shape[1] != 1:
                raise ValueError(
                    f"{type(estimator).__name__} gives several values for a pixel: take a "
                    "classifier, or an ordering of this library"
                )
            self.estimator_ = estimator
            self.classes_ = classes
        return self

    def _drawn(self, y, classes):
        if self.max_pixels is None:
            return slice(None)
        random = check_random_state(self.random_state)
        drawn = [random.permutation(np.flatnonzero(y == label)) for label in classes]
        return np.concatenate([rows[: self.max_pixels] for rows in drawn])

    def transform(self, X):
        """The value ρ of each pixel.

        Parameters
        ----------
        X : array-like of shape (n_pixels, n_channels)

        Returns
        -------
        ndarray of shape (n_pixels, 1)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return estimator_values(self.estimator_, X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags
