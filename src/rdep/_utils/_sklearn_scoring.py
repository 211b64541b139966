"""Private names of scikit-learn (1.7 to 1.9) for the methods that a metric needs."""

from sklearn.base import BaseEstimator
from sklearn.metrics import get_scorer

__all__ = ["is_defined", "needs_probabilities"]


def needs_probabilities(metric: str) -> bool:
    """Whether the metric is computed from ``predict_proba`` alone."""
    return _methods(metric) == ("predict_proba",)


def is_defined(metric: str, classifier: BaseEstimator) -> bool:
    """Whether the classifier has a method from which the metric can be computed."""
    return any(hasattr(classifier, method) for method in _methods(metric))


def _methods(metric: str) -> tuple[str, ...]:
    methods = get_scorer(metric)._response_method
    return (methods,) if isinstance(methods, str) else tuple(methods)
