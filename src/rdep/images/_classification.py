"""Label images from pixel classifiers, block by block."""

from __future__ import annotations

from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ._pixels import check_image, evaluate
from ._ranks import check_channels

__all__ = ["classify"]


def classify(image: ArrayLike, classifier, *, channel_axis: int | None = -1) -> NDArray:
    """Predict the class of each pixel.

    Besides the labels, it needs memory for one block of pixels only.

    Parameters
    ----------
    image : array-like of shape (..., H, W, C)
        Image, stack or volume.
    classifier : fitted classifier
        Classifier of pixels, such as a :class:`~rdep.RDEPClassifier` fitted on
        :func:`labelled_pixels`. A classifier does not remember the scale of its pixels: the image
        must have the dtype and range of the pixels that it was fitted on.
    channel_axis : int or None, default=-1
        Axis of the image that holds the channels; None for a grey image without such an axis.

    Returns
    -------
    ndarray of shape (..., H, W)
        Predicted classes, in the dtype of the classifier's ``classes_``.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep import RDEPClassifier
    >>> from rdep.images import classify, labelled_pixels
    >>> image = np.random.default_rng(0).integers(0, 256, (8, 8, 3), dtype=np.uint8)
    >>> labels = np.where(image[..., 0] > 127, 2, 1)
    >>> classifier = RDEPClassifier("ensemble").fit(*labelled_pixels(image, labels))
    >>> bool((classify(image, classifier) == labels).mean() > 0.9)
    True
    """
    image = check_image(image, channel_axis)
    if not hasattr(classifier, "predict"):
        raise ValueError(f"{classifier!r} has no method predict: pass a fitted classifier")
    check_is_fitted(classifier)
    check_channels(classifier, image, "classifier")
    return evaluate(image, classifier.predict)
