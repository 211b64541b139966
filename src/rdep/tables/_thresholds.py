"""Positive class of two, and the probability from which on it is predicted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.model_selection import FixedThresholdClassifier

from .._utils._names import unknown_name

BALANCED, BY_COST = "balanced", "cost"
_COSTS = ("fn", "fp")


def positive_label(positive: Any, classes: tuple[Any, ...]) -> Any:
    """Label of the positive class, by itself or as text; of two classes the second by default."""
    if len(classes) != 2:
        if positive is None:
            return None
        raise ValueError(
            f"a positive class is for two classes, the table has {len(classes)}: omit "
            f"positive={positive!r}"
        )
    if positive is None:
        return classes[1]
    labels = {str(label): label for label in classes}
    if str(positive) not in labels:
        raise ValueError(unknown_name("positive class", str(positive), list(labels)))
    return labels[str(positive)]


def check_threshold(threshold: Any, cost: Mapping[str, float] | None) -> None:
    """Check a threshold and costs before any work begins."""
    if cost is not None:
        if threshold not in (None, BY_COST):
            raise ValueError(
                f"costs determine the threshold, so threshold={threshold!r} and cost exclude each "
                "other"
            )
        if set(cost) != set(_COSTS):
            raise ValueError(
                f"the costs must be fn (a missed positive row) and fp (a false alarm), got "
                f"{', '.join(map(str, cost)) or 'none'}"
            )
        values = [cost[name] for name in _COSTS]
        if not np.isfinite(values).all() or min(values) < 0 or max(values) == 0:
            raise ValueError(
                "costs must be numbers that are not negative, and one of them positive, got "
                f"fn={cost['fn']:g} and fp={cost['fp']:g}"
            )
    elif threshold == BY_COST:
        raise ValueError(f"threshold={BY_COST!r} needs the costs fn and fp")
    elif isinstance(threshold, str) and threshold != BALANCED:
        raise ValueError(f"threshold={threshold!r} is not a number, {BALANCED!r} or {BY_COST!r}")
    elif threshold is not None and threshold != BALANCED and not 0 <= threshold <= 1:
        raise ValueError(f"a threshold is a probability from 0 to 1, got {threshold:g}")


def with_threshold(
    classifier: BaseEstimator,
    threshold: Any,
    cost: Mapping[str, float] | None,
    positive: Any,
    y: NDArray,
) -> tuple[BaseEstimator, dict[str, Any] | None]:
    """Wrap a classifier so that a probability decides, and describe the rule in plain values.

    With reliable probabilities, the threshold of the highest balanced accuracy is the share of the
    positive class, and that of the lowest cost is fp / (fn + fp).
    """
    if threshold is None and cost is None:
        return classifier, None
    if positive is None:
        raise ValueError("a threshold is for two classes: leave it out")
    if not hasattr(classifier, "predict_proba"):
        raise ValueError(
            f"a threshold is a probability, and {type(classifier).__name__} has none: calibrate it "
            "(calibrate='sigmoid')"
        )
    if cost is not None:
        rule, value = BY_COST, cost["fp"] / (cost["fn"] + cost["fp"])
    elif threshold == BALANCED:
        rule, value = BALANCED, float(np.mean(y == positive))
    else:
        rule, value = "value", float(threshold)
    described = {
        "rule": rule,
        "value": value,
        "cost": None if cost is None else {name: cost[name] for name in _COSTS},
    }
    fixed = FixedThresholdClassifier(
        classifier, threshold=value, pos_label=positive, response_method="predict_proba"
    )
    return fixed, described
