"""Private names of scikit-learn (1.7 to 1.9) that check sample weights and feature names."""

from inspect import signature

import numpy as np
from sklearn.utils.validation import _check_feature_names_in, _check_sample_weight

from ._typing import Array

__all__ = ["_check_feature_names_in", "nonnegative_weights"]

# Newer versions refuse weights that are all zero unless told otherwise, older ones never do.
_ZEROS = "allow_all_zero_weights"
_ALLOWED = {_ZEROS: True} if _ZEROS in signature(_check_sample_weight).parameters else {}


def nonnegative_weights(sample_weight, X) -> Array:
    """One weight for each sample; they may all be zero."""
    return _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True, **_ALLOWED
    )
