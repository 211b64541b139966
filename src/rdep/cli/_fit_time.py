"""How long a fit may take, roughly, by the size of the table and what members cost elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import log2, sqrt

from sklearn.base import BaseEstimator

from ..orderings._bagging import BaggingOrdering
from ..orderings._base import NamedMembers
from ..orderings._large import LargeOrdering
from ..orderings._mixed import MixedOrdering
from ..perceptrons._reduced import RDEPClassifier
from ..tables._schema import Schema

# Seconds on one core of a common server for n samples with d features, measured with 5,000 to
# 40,000 samples and 10 to 50 features. How hard the classes are to separate, which an SVC's time
# depends on as much, is not known before.
_SECONDS: dict[str, Callable[[float, int], float]] = {
    "SVC": lambda n, d: 1.4e-9 * n**2 * d,
    "RandomForestClassifier": lambda n, d: 1.4e-5 * n * log2(n) * sqrt(d),
    "HistGradientBoostingClassifier": lambda n, d: 2e-6 * n * d,
    "LandmarkClassifier": lambda n, d: 4 * min(1, n / 2000) ** 3 + 1e-4 * n,
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
            "SVC, which would take too long (--set ordering__max_svc_samples=none to have it)"
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
    members = _members(ordering, n_samples)
    folds = ordering.cv if isinstance(getattr(ordering, "cv", None), int) else 0
    sizes = [n_samples, *[n_samples * (folds - 1) / folds] * folds] if folds else [n_samples]
    return sum(
        _SECONDS[name](min(n, getattr(member, "max_samples", None) or n), n_features)
        for n in sizes
        for name, member in ((type(member).__name__, member) for member in members)
        if name in _SECONDS
    )


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
