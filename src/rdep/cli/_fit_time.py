"""How long a fit may take, roughly, by the size of the table and what members cost elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import log2, sqrt

from sklearn.base import BaseEstimator

from ..orderings import BaggingOrdering, LargeOrdering, MixedOrdering, NamedMembers
from ..perceptrons import RDEPClassifier
from ..tables import Schema

# Seconds on one core of a common server for n samples with d features, measured with 5,000 to
# 40,000 samples and 10 to 50 features; of trees, for one of them. How hard the classes are to
# separate, which an SVC's time depends on as much, is not known before.
_SECONDS: dict[str, Callable[[float, int], float]] = {
    "SVC": lambda n, d: 1.4e-9 * n**2 * d,
    "RandomForestClassifier": lambda n, d: 7e-8 * n * log2(n) * sqrt(d),
    "HistGradientBoostingClassifier": lambda n, d: 2e-8 * n * d,
    "LandmarkClassifier": lambda n, d: 4 * min(1, n / 2000) ** 3 + 1e-4 * n,
}
_TREES = {
    "RandomForestClassifier": "n_estimators",
    "HistGradientBoostingClassifier": "max_iter",
}
_LONG_SECONDS = 10


def said_before(classifier: BaseEstimator, schema: Schema, n_rows: int) -> Iterable[str]:
    """What a person should know before a long fit begins."""
    n_features = sum(len(column.categories) or 1 for column in schema.columns)
    n_fits = len(schema.classes) if len(schema.classes) > 2 else 1
    if not isinstance(classifier, RDEPClassifier):
        return
    ordering = classifier._part("ordering")
    if isinstance(ordering, MixedOrdering) and n_rows > (ordering.max_svc_samples or n_rows):
        yield (
            f"with more than {ordering.max_svc_samples:,} rows, landmarks take the place of the "
            "SVCs, which would take too long (--set ordering__max_svc_samples=none to have them)"
        )
    seconds = n_fits * _seconds(ordering, n_rows, n_features)
    if seconds < _LONG_SECONDS:
        return
    text = (
        f"fitting on {n_rows:,} rows will take {_in_words(seconds)}, by a rough estimate from the "
        "size of the table"
    )
    faster = n_fits * _seconds(LargeOrdering(), n_rows, n_features)
    if faster < seconds / 2:
        text += f"; with --ordering large {_in_words(faster)}"
    yield f"{text}. Ctrl-C ends it"


def _seconds(ordering: BaseEstimator, n_samples: int, n_features: int) -> float:
    folds = ordering.cv if isinstance(getattr(ordering, "cv", None), int) else 0
    total = 0.0
    for member in _members(ordering, n_samples):
        name = type(member).__name__
        if name not in _SECONDS:
            continue
        sizes: list[float] = [n_samples]
        if not getattr(member, "oob_score", False):  # otherwise it is not fitted on the folds
            sizes += [n_samples * (folds - 1) / folds] * folds if folds else []
        drawn = getattr(member, "max_samples", None) or n_samples
        n_trees = getattr(member, _TREES[name]) if name in _TREES else 1
        total += n_trees * sum(_SECONDS[name](min(size, drawn), n_features) for size in sizes)
    return total


def _members(ordering: BaseEstimator, n_samples: int) -> list[BaseEstimator]:
    if isinstance(ordering, NamedMembers):
        return [member for _, member in ordering._named_for(n_samples)]
    if isinstance(ordering, BaggingOrdering):
        return ordering._templates() * ordering.n_estimators
    return []


def _in_words(seconds: float) -> str:
    if seconds < 90:
        return f"about {10 * max(1, round(seconds / 10))} seconds"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} minutes"
    return f"about {round(seconds / 3600)} hours"
