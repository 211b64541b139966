"""The two parts of a reduced perceptron, by name or as given, and their parameters."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, clone, is_classifier

from ..orderings._bagging import BaggingOrdering
from ..orderings._boxes import BoxesOrdering
from ..orderings._ensemble import EnsembleOrdering
from ..orderings._large import LargeOrdering
from ..orderings._mixed import MixedOrdering
from ..orderings._signed import SignedOrdering
from ._dep import DEPClassifier

ORDERINGS: dict[str, type[BaseEstimator]] = {
    "ensemble": EnsembleOrdering,
    "bagging": BaggingOrdering,
    "mixed": MixedOrdering,
    "large": LargeOrdering,
    "signed": SignedOrdering,
    "boxes": BoxesOrdering,
}


PARTS = ("ordering", "dep")


def stands_for(part: str, given) -> BaseEstimator | None:
    """What an ordering by name, or no ``dep``, stands for; None where an estimator is given."""
    if part == "ordering" and isinstance(given, str) and given in ORDERINGS:
        return ORDERINGS[given]()
    return DEPClassifier() if part == "dep" and given is None else None


class ReducedParts(BaseEstimator):
    """An ``ordering`` and a ``dep`` as parameters, and parameters of both: a mixin.

    An ordering by name, and ``dep=None``, have the parameters of what they stand for, as if it
    had been given.
    """

    ordering: Any
    dep: Any

    def get_params(self, deep=True):
        """Parameters, and with ``deep`` those of the ordering and of ``dep``.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include parameters of the two, as ``ordering__…`` and ``dep__…``.

        Returns
        -------
        dict
        """
        parameters = super().get_params(deep=deep)
        if deep:
            for name in PARTS:
                meant = stands_for(name, parameters[name])
                if meant is not None:
                    nested = meant.get_params().items()
                    parameters |= {f"{name}__{own}": value for own, value in nested}
        return parameters

    def set_params(self, **params):
        """Set parameters of the r-DEP, of its ordering and of its ``dep``.

        Parameters
        ----------
        **params
            By name; those of the ordering and of ``dep`` as ``ordering__…`` and ``dep__…``.

        Returns
        -------
        self
        """
        for name in PARTS:
            if any(key.startswith(f"{name}__") for key in params):
                meant = stands_for(name, params.get(name, getattr(self, name)))
                if meant is not None:
                    params[name] = meant
        return super().set_params(**params)

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
        part = stands_for(name, getattr(self, name)) or clone(getattr(self, name))
        own = part.get_params(deep=False)
        for shared in ("random_state", "n_jobs"):
            if shared in own and own[shared] is None:
                part.set_params(**{shared: getattr(self, shared)})
        return part
