"""What is told of a fit on a table, as plain JSON values."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import Pipeline

from .._base._validation import feature_names
from ..hyperboxes import BoxClassifier, BoxScoreClassifier
from ..perceptrons import ExplainedClassifier, OperatorClassifier
from ._layers import calibrations, inner_classifiers
from ._pipeline import SCALER
from ._training_table import TrainingTable


def fit_summary(pipeline: Pipeline, table: TrainingTable) -> dict[str, Any]:
    """The training set, the score on it, and what was learned."""
    classifier = inner_classifiers(pipeline)[0]
    return {
        "rows": len(table.y),
        "class_counts": {str(label): n for label, n in sorted(Counter(table.y.tolist()).items())},
        "classifier": type(classifier).__name__,
        "training_balanced_accuracy": balanced_accuracy_score(
            table.y, pipeline.predict(table.frame)
        ),
        "calibration": _calibration(pipeline),
        "decisions": _decisions(classifier),
        "rules": _rules(pipeline),
    }


def plain_value(value):
    """For JSON: objects, such as an ordering, as they print."""
    return value if isinstance(value, str | int | float | list | dict | None) else repr(value)


def _calibration(pipeline: Pipeline) -> dict[str, Any] | None:
    found = calibrations(pipeline)
    return {"method": found[0].method, "folds": found[0].cv.get_n_splits()} if found else None


def _decisions(classifier: BaseEstimator) -> list[dict[str, Any]]:
    """What was learned: one record, or one for each class against the rest.

    Empty for a classifier whose decision is not made of a dilation and an erosion.
    """
    parts = getattr(classifier, "estimators_", [classifier])
    labels = classifier.classes_ if len(parts) > 1 else classifier.classes_[1:]
    records = []
    for label, part in zip(labels, parts, strict=False):
        # The classifier on ρ(x) may be of any kind.
        if not isinstance(part, OperatorClassifier) or not isinstance(
            getattr(part, "dep_", part), OperatorClassifier
        ):
            return []
        fitted = part._fitted_operators()
        results = fitted.results.items()
        records.append(
            {
                "positive_class": str(label),
                "operators": list(fitted.weights),
                "beta": float(fitted.beta),
                "objectives": {name: float(result.objective) for name, result in results},
                "converged": all(result.converged for _, result in results),
                "members": [str(n) for n in fitted.names] if fitted.coordinate == "member" else [],
            }
        )
    return records


def _rules(pipeline: Pipeline) -> str | None:
    """The whole model in the units of the table, where it is made of boxes of columns."""
    classifier = inner_classifiers(pipeline)[0]
    if not isinstance(classifier, ExplainedClassifier | BoxClassifier | BoxScoreClassifier):
        return None
    names = feature_names(classifier)
    scalers = (pipeline.named_steps[SCALER],) if SCALER in pipeline.named_steps else ()
    try:
        return str(classifier._rules(names, len(names), scalers))
    except ValueError:  # members, or another classifier on ρ(x), make no boxes of columns
        return None
