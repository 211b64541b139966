"""Validation of samples, classes and weights."""

from __future__ import annotations

import sys
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from .._utils._sklearn_estimators import Interval, nonnegative_weights
from .._utils._typing import Array

# A parameter constraint. An open interval up to infinity excludes infinity itself.
NON_NEGATIVE = Interval(Real, 0, np.inf, closed="left")

# Kinds of arrays in which two different values are always two classes. For these, the check of
# scikit-learn is skipped, which takes as long as training on a few hundred samples.
_LABELS = "biuU"


def validate_training(
    estimator: BaseEstimator, X, y, sample_weight
) -> tuple[Array, NDArray, Array | None, NDArray]:
    """Validate samples, classes and weights for a fit; also return the distinct classes.

    The estimator stores the number of features and their names. A data frame is not converted if
    the estimator passes it on to others, which handle columns of texts.
    """
    if _is_handed_on(estimator, X):
        y = validate_data(estimator, "no_validation", y)
        X = validate_data(estimator, X, "no_validation", skip_check_array=True)
        check_consistent_length(X, y)
    else:
        X, y = validate_data(estimator, X, y, **_conversion(estimator, X))
    if sample_weight is not None:
        sample_weight = check_weights(sample_weight, X)
    if y.dtype.kind not in _LABELS:
        check_classification_targets(y)
    classes = check_classes(y, sample_weight)
    if y.dtype.kind in _LABELS and len(classes) > 2:
        check_classification_targets(y)  # warns if nearly every sample has its own class
    return X, y, sample_weight, classes


def validate_regression(
    estimator: BaseEstimator, X, y, sample_weight
) -> tuple[Array, Array, Array | None]:
    """Validate samples, target values and weights for a fit of a regressor."""
    if np.asarray(y).dtype.kind in "OUS" and any(
        isinstance(value, str) for value in np.ravel(np.asarray(y, dtype=object))
    ):
        raise ValueError(
            f"y holds text, but {type(estimator).__name__} predicts numbers: use a classifier for "
            "classes, or convert y to numbers"
        )
    X, y = validate_data(estimator, X, y, y_numeric=True, **_conversion(estimator, X))
    y = np.asarray(y, dtype=np.float64)
    if sample_weight is not None:
        sample_weight = check_weights(sample_weight, X, "")
    return X, y, sample_weight


def validate_samples(estimator: BaseEstimator, X) -> Array:
    """Validate samples for a fitted estimator: same number and names of features as in the fit."""
    if _is_handed_on(estimator, X) and hasattr(estimator, "feature_names_in_"):
        return validate_data(estimator, X, reset=False, skip_check_array=True)
    return validate_data(estimator, X, reset=False, **_conversion(estimator, X))


def is_frame(X) -> bool:
    """Whether X is a data frame of pandas or polars, without importing either."""
    imported = [sys.modules[name] for name in ("pandas", "polars") if name in sys.modules]
    return any(isinstance(X, package.DataFrame) for package in imported)


def _is_handed_on(estimator: BaseEstimator, X) -> bool:
    """Whether X is a data frame with column names that the estimator only passes on."""
    return (
        getattr(estimator, "_hands_frames_on", False)
        and is_frame(X)
        and all(isinstance(name, str) for name in X.columns)
    )


def _conversion(estimator: BaseEstimator, X) -> dict[str, Any]:
    """Conversion options for samples; raise an error if they are sparse but must be dense."""
    tags = get_tags(estimator).input_tags
    takes_sparse = tags.sparse
    if issparse(X) and not takes_sparse:
        raise ValueError(
            f"{type(estimator).__name__} needs dense samples, but X is sparse: pass X.toarray()"
            + getattr(estimator, "_instead_of_dense", "")
        )
    return {
        "dtype": np.float64,
        "accept_sparse": ["csr"] if takes_sparse else False,
        "ensure_all_finite": "allow-nan" if tags.allow_nan else True,
    }


def check_weights(sample_weight, X, of_what: str = " of each class") -> Array | None:
    """Validate sample weights and convert them to an array.

    A constant factor has no effect: if all weights are equal, None is returned; if they are equal
    except for zeros, they become 1.
    """
    weights = nonnegative_weights(sample_weight, X)
    if not weights.any():
        raise ValueError(
            f"all sample weights are zero: give a positive weight to at least one sample{of_what}"
        )
    used = weights > 0
    if np.ptp(weights[used]) == 0:
        return None if used.all() else used.astype(np.float64)
    return weights


def check_classes(y: NDArray, sample_weight: Array | None) -> NDArray:
    """Find the classes of ``y``; there must be at least two, each with positive weight."""
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(
            f"y has one class only, {classes.tolist()}: a classifier needs samples of at least "
            "two classes"
        )
    if sample_weight is not None:
        weightless = np.setdiff1d(classes, y[sample_weight > 0])
        if len(weightless):
            raise ValueError(
                f"every sample of class {weightless.tolist()} has zero weight: give some of them "
                "a positive weight, or leave the class out"
            )
    return classes


def class_costs(class_weight: dict, classes: NDArray) -> dict:
    """Weight of every class; 1 for classes that ``class_weight`` does not name."""
    unknown = [label for label in class_weight if label not in classes]
    if unknown:
        numbered = classes.tolist() == list(range(len(classes)))
        hint = (
            ". Parts of scikit-learn, such as calibration with ensemble=False and stacking, "
            "replace the classes by 0, 1, … before they fit: rdep.tables.HeldOutCalibration does "
            "not"
        )
        raise ValueError(
            f"class_weight names classes that y does not have: {unknown}; y has {classes.tolist()}"
            + (hint if numbered else "")
        )
    costs = {label: float(class_weight.get(label, 1.0)) for label in classes}
    if not all(0 < cost < np.inf for cost in costs.values()):
        raise ValueError(f"class_weight must hold positive finite numbers, got {class_weight}")
    return costs


def class_factors(class_weight, classes: NDArray, totals: NDArray, total: float) -> Array:
    """Factors by which the weights of the samples of each class are multiplied.

    ``totals`` holds the total weight of each class. ``"balanced"`` gives all classes the same
    weight, ``total`` together. A dict holds factors by class; classes that it does not name have
    the factor 1. None means 1.
    """
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str):
        return total / (len(totals) * totals)
    costs = class_costs(class_weight, classes)
    return np.array([costs[label] for label in classes])


def drop_weightless(sample_weight: Array | None, *arrays: NDArray) -> tuple[Any, ...]:
    """Remove the samples with zero weight from arrays, and return the weights after them.

    The weights are None if all remaining weights are 1, as if the removed samples were absent.
    """
    if sample_weight is None or sample_weight.all():
        return *arrays, sample_weight
    used = np.flatnonzero(sample_weight)
    weights = sample_weight[used]
    return *(array[used] for array in arrays), None if (weights == 1).all() else weights


def feature_names(estimator: BaseEstimator) -> NDArray:
    """Names of the features that an estimator was fitted on; x0, x1, … if they have none."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = np.array([f"x{j}" for j in range(estimator.n_features_in_)], dtype=object)
    return names
