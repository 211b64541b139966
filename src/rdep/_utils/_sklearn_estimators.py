"""Private names of scikit-learn (1.7 to 1.9) that estimators need: parameters, samples, parts."""

from inspect import signature

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils._repr_html.estimator import _VisualBlock
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.validation import _check_feature_names_in, _check_sample_weight

from ._typing import Array

__all__ = [
    "HasMethods",
    "Interval",
    "StrOptions",
    "_BaseComposition",
    "_VisualBlock",
    "_check_feature_names_in",
    "_fit_context",
    "_safe_indexing",
    "nonnegative_weights",
    "validate_parameters",
]

# Newer versions reject weights that are all zero by default; older versions always accept them.
_ZEROS = "allow_all_zero_weights"
_ALLOWED = {_ZEROS: True} if _ZEROS in signature(_check_sample_weight).parameters else {}


def validate_parameters(estimator: BaseEstimator) -> None:
    """Raise scikit-learn's error for parameters that ``fit`` would reject."""
    estimator._validate_params()


def nonnegative_weights(sample_weight, X) -> Array:
    """Validate the sample weights; they may all be zero."""
    return _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True, **_ALLOWED
    )
