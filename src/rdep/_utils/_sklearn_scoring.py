"""Private names of scikit-learn (1.7 to 1.9) for the methods that a metric needs."""

from collections.abc import Callable
from inspect import signature
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.metrics import get_scorer, make_scorer, mean_pinball_loss

__all__ = ["QUANTILE_LOSS", "is_defined", "needs_probabilities", "scorer_of"]


# Negative mean pinball loss, which has no name in scikit-learn.
QUANTILE_LOSS = "neg_quantile_loss"


def scorer_of(
    metric: str, positive: Any = None, quantile: float | None = None
) -> Callable[..., float]:
    """Scorer of a metric by its name; one-sided metrics, such as f1, are of the positive class."""
    if metric == QUANTILE_LOSS:
        alpha = 0.5 if quantile is None else quantile
        return make_scorer(mean_pinball_loss, greater_is_better=False, alpha=alpha)
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
    methods = scorer_of(metric)._response_method  # type: ignore[attr-defined]
    return (methods,) if isinstance(methods, str) else tuple(methods)
