"""Rough estimate of the time to fit the members of an ordering."""

from __future__ import annotations

from collections.abc import Callable
from math import log2, sqrt

from sklearn.base import BaseEstimator

from ._bagging import BaggingOrdering
from ._base import MemberListOrdering

# Seconds on one core of a common server for n samples with d features; for trees, the time of one
# tree. Measured with 5,000 to 40,000 samples and 10 to 50 features; trees also with 100 to 1,000
# samples and 1,000 to 3,000 features. An SVC's time also depends on how well the classes can be
# separated, which is not known in advance.
_SECONDS: dict[str, Callable[[float, int], float]] = {
    "SVC": lambda n, d: 1.4e-9 * n**2 * d,
    "RandomForestClassifier": lambda n, d: 7e-8 * n * log2(n) * sqrt(d),
    "ExtraTreesClassifier": lambda n, d: 2.7e-8 * n * log2(n) * sqrt(d),
    # One histogram for each feature and leaf; a leaf has at least 20 samples.
    "HistGradientBoostingClassifier": lambda n, d: (2e-8 * n + min(8e-5, 2e-7 * n)) * d,
    "LandmarkClassifier": lambda n, d: 0.25 * min(1, n / 500) ** 3 + 4.3e-5 * n,
}
_TREES = {
    "RandomForestClassifier": "n_estimators",
    "ExtraTreesClassifier": "n_estimators",
    "HistGradientBoostingClassifier": "max_iter",
}


def expected_seconds(ordering: BaseEstimator, n_samples: int, n_features: int) -> float:
    """Estimate the seconds to fit the members, including folds; 0 for unknown members."""
    folds = ordering.cv if isinstance(getattr(ordering, "cv", None), int) else 0
    total = 0.0
    for member in _members(ordering, n_samples):
        name = type(member).__name__
        if name not in _SECONDS:
            continue
        sizes: list[float] = [n_samples]
        if not (getattr(member, "oob_score", False) or getattr(member, "keep_left_out", False)):
            sizes += [n_samples * (folds - 1) / folds] * folds if folds else []
        drawn = getattr(member, "max_samples", None) or n_samples
        n_trees = getattr(member, _TREES[name]) if name in _TREES else 1
        total += n_trees * sum(_SECONDS[name](min(size, drawn), n_features) for size in sizes)
    return total


def _members(ordering: BaseEstimator, n_samples: int) -> list[BaseEstimator]:
    if isinstance(ordering, MemberListOrdering):
        return [member for _, member in ordering._named_for(n_samples)]
    if isinstance(ordering, BaggingOrdering):
        return [ordering._template()] * ordering.n_estimators
    return []
