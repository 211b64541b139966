"""The members that classifiers are made of; those that several of them share are fitted once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sklearn.base import BaseEstimator
from sklearn.svm import SVC

from ._sharing import FitCache, SharedFit

KERNELS = ("rbf", "linear", "poly")

Members = list[tuple[str, SharedFit]]


@dataclass(frozen=True)
class Parts:
    """What a classifier of one cell is made with."""

    margin: float  # of the paper's DEPs
    seed: int
    cache: FitCache

    def shared(self, estimator: BaseEstimator, class_weight: str | None = None) -> SharedFit:
        return SharedFit(estimator, self.cache, class_weight)

    def svc(self, kernel: str, class_weight: str | None = None, C: float = 1.0) -> SharedFit:
        return self.shared(SVC(C=C, kernel=kernel), class_weight)

    def svcs(self, class_weight: str | None = None) -> Members:
        return [(kernel, self.svc(kernel, class_weight)) for kernel in KERNELS]


Maker = Callable[[Parts], BaseEstimator]
