"""The two parts of a reduced perceptron, by name or as given, and their parameters."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, clone, is_classifier

from .._base._parts import PartsByDefault
from ..orderings import (
    BaggingOrdering,
    BoxesOrdering,
    EnsembleOrdering,
    LargeOrdering,
    MixedOrdering,
    Ordering,
    SignedOrdering,
)
from ._dep import DEPClassifier

ORDERINGS: dict[str, type[BaseEstimator]] = {
    "ensemble": EnsembleOrdering,
    "bagging": BaggingOrdering,
    "mixed": MixedOrdering,
    "large": LargeOrdering,
    "signed": SignedOrdering,
    "boxes": BoxesOrdering,
}


class ReducedParts(PartsByDefault):
    """An ``ordering`` and a ``dep`` as parameters, and parameters of both: a mixin."""

    ordering: Any
    dep: Any

    _parts = ("ordering", "dep")

    def _stands_for(self, part, given):
        if part == "ordering" and isinstance(given, str) and given in ORDERINGS:
            return ORDERINGS[given]()
        return DEPClassifier() if part == "dep" and given is None else None

    def _check_parts(self) -> None:
        known = ", ".join(map(repr, ORDERINGS))
        for name, what in (("ordering", "a transformer"), ("dep", "a classifier")):
            given = getattr(self, name)
            if isinstance(given, type):
                raise TypeError(
                    f"{name} must be {what}, got the class {given.__name__} itself: pass "
                    f"{name}={given.__name__}()"
                )
        if isinstance(self.ordering, str):
            if self.ordering not in ORDERINGS:
                raise ValueError(f"unknown ordering {self.ordering!r}; known: {known}")
        elif not (hasattr(self.ordering, "fit_transform") and hasattr(self.ordering, "transform")):
            raise TypeError(
                f"ordering must be one of {known} or a transformer with fit_transform and "
                f"transform, got {self.ordering!r}"
            )
        if self.dep is not None and not (
            hasattr(self.dep, "fit") and hasattr(self.dep, "get_params") and is_classifier(self.dep)
        ):
            raise TypeError(
                f"dep must be a classifier, such as DEPClassifier(), or None; got {self.dep!r}"
            )

    def _part(self, name: str) -> BaseEstimator:
        """An unfitted copy of the ordering or of ``dep``, with our seed where it has none."""
        part = self._stands_for(name, getattr(self, name)) or clone(getattr(self, name))
        own = part.get_params(deep=False)
        for shared in ("random_state", "n_jobs"):
            if shared in own and own[shared] is None:
                part.set_params(**{shared: getattr(self, shared)})
        if isinstance(part, Ordering) and not part.verbose:
            part.set_params(verbose=self.verbose)
        return part
