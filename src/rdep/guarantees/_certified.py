"""Certified accuracy: the share of samples that are right, and stay so within a radius."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_consistent_length

from .._utils._typing import Array
from ._radius import robustness_radius


def certified_accuracy(
    model: Any,
    X: Any,
    y: ArrayLike,
    radii: ArrayLike,
    *,
    scale: ArrayLike | Mapping[str, float] | None = None,
    max_exact_rows: int = 100,
) -> Array:
    """Compute the share of samples that are predicted correctly within every given radius.

    At radius 0 it is the accuracy. If radii are bounds, it is a lower bound of the share.

    Read more in the :doc:`User Guide </guide/guarantees>`.

    Parameters
    ----------
    model : classifier
        Fitted classifier, as in :func:`robustness_radius`.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Their classes.
    radii : array-like of shape (n_radii,)
        Radii, none negative.
    scale : array-like of shape (n_features,), dict of str to float, or None, default=None
        Unit of every feature, as in :func:`robustness_radius`.
    max_exact_rows : int, default=100
        As in :func:`robustness_radius`.

    Returns
    -------
    ndarray of shape (n_radii,)
        Certified accuracy at each radius.

    See Also
    --------
    rdep.display.CertifiedAccuracyDisplay : The curve over all radii.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.guarantees import certified_accuracy
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> dep = DEPClassifier().fit(X_train, y_train)
    >>> certified_accuracy(dep, X_test, y_test, [0, 0.1, 0.2], scale=X_train.std(axis=0)).round(2)
    array([0.9 , 0.87, 0.82])
    """
    asked = np.atleast_1d(np.asarray(radii, dtype=float))
    if asked.ndim != 1 or not (asked >= 0).all():
        raise ValueError(f"radii must be numbers that are not negative, got {radii!r}")
    labels = np.asarray(y)
    check_consistent_length(X, labels)
    found = robustness_radius(model, X, scale=scale, max_exact_rows=max_exact_rows)
    is_right = model.predict(X) == labels
    # At radius 0 nothing moves, not even a sample on the boundary.
    reaches = (found.radii[:, None] >= asked) | (asked == 0)
    return (is_right[:, None] & reaches).mean(axis=0)
