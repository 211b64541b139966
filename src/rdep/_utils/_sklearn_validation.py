"""Private names of scikit-learn (1.7 to 1.9) that check sample weights and feature names."""

from sklearn.utils.validation import _check_feature_names_in, _check_sample_weight

__all__ = ["_check_feature_names_in", "_check_sample_weight"]
