"""Private names of scikit-learn (1.7 to 1.9) for the methods that a metric needs."""

from collections.abc import Callable
from inspect import signature
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.metrics import get_scorer, make_scorer

__all__ = ["is_defined", "needs_probabilities", "scorer_of"]


def scorer_of(metric: str, positive: Any = None) -> Callable[..., float]:
    """Scorer of a metric by its name; one-sided metrics, such as f1, are of the positive class."""
    scorer = get_scorer(metric)
    function, options = scorer._score_func, dict(scorer._kwargs)
    one_sided = options.get("average", "binary") == "binary"
    if positive is None or not one_sided or "pos_label" not in signature(function).parameters:
        return scorer
    return make_scorer(
        function,
        response_method=scorer._response_method,
        greater_is_better=scorer._sign > 0,
        **{**options, "pos_label": positive},
    )


def needs_probabilities(metric: str) -> bool:
    """Whether the metric is computed from ``predict_proba`` alone."""
    return _methods(metric) == ("predict_proba",)


def is_defined(metric: str, classifier: BaseEstimator) -> bool:
    """Whether the classifier has a method from which the metric can be computed."""
    return any(hasattr(classifier, method) for method in _methods(metric))


def _methods(metric: str) -> tuple[str, ...]:
    methods = get_scorer(metric)._response_method
    return (methods,) if isinstance(methods, str) else tuple(methods)
