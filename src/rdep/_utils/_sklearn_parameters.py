"""Private names of scikit-learn (1.7 to 1.9) that check the parameters of estimators."""

from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

__all__ = ["HasMethods", "Interval", "StrOptions", "_fit_context", "validate_parameters"]


def validate_parameters(estimator: BaseEstimator) -> None:
    """Raise scikit-learn's error for parameters that ``fit`` would refuse."""
    estimator._validate_params()
