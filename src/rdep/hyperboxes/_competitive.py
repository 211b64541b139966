"""The morphological perceptron with competitive layer: a union of boxes for every class."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_class_weight

from .._base._classifier import BaseClassifier
from .._base._validation import class_costs
from .._utils._sklearn_parameters import Interval, StrOptions
from .._utils._typing import Array
from ..exceptions import warn_caller
from ..lattice._boxes import best_boxes
from ..training._results import ITERATION_LIMIT
from ..training.boxes._ccp import SOLVERS
from ..perceptrons._trained import NON_NEGATIVE
from ._box_training import (
    Samples,
    ccp_boxes,
    class_weights_inside,
    greedy_boxes,
    pruned,
    without_contradictions,
)

# Of a class without a box, less than any depth; differences of two such values are still finite.
_NO_BOX = -np.finfo(float).max / 4


class CompetitiveClassifier(BaseClassifier):
    __module__ = "rdep"

    _parameter_constraints = {
        "training": [StrOptions({"greedy", "greedy-published", "ccp"})],
        "max_boxes": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples": [Interval(Integral, 1, None, closed="left")],
        "n_boxes": [Interval(Integral, 1, None, closed="left")],
        "gamma": [NON_NEGATIVE],
        "margin": [NON_NEGATIVE],
        "init": [StrOptions({"k-means++", "dHpC", "random"})],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "solver": [StrOptions(set(SOLVERS))],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [NON_NEGATIVE],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        training="greedy",
        *,
        max_boxes=None,
        min_samples=1,
        n_boxes=2,
        gamma=0.01,
        margin=0.0,
        init="k-means++",
        n_init=1,
        solver="auto",
        class_weight=None,
        max_iter=100,
        tol=1e-4,
        random_state=None,
    ):
        self.training = training
        self.max_boxes = max_boxes
        self.min_samples = min_samples
        self.n_boxes = n_boxes
        self.gamma = gamma
        self.margin = margin
        self.init = init
        self.n_init = n_init
        self.solver = solver
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _fit(self, X, y, sample_weight):
        samples = self._samples(X, y, sample_weight)
        # A constant feature says nothing, and a box without width would have no inside.
        varying = samples.X.min(axis=0) < samples.X.max(axis=0)
        if not varying.any():
            varying[:] = True
        seen = samples._replace(X=samples.X[:, varying])
        self.n_contradictory_ = 0
        self.objective_ = None
        if self.training == "ccp":
            boxes = self._train(seen)
        elif self.training == "greedy":
            seen, self.n_contradictory_ = without_contradictions(seen)
            boxes = [
                pruned(found, own, self.max_boxes, self.min_samples)
                for found, (own, _) in zip(
                    greedy_boxes(seen, published=False), seen.by_class(), strict=True
                )
            ]
        else:
            boxes = greedy_boxes(seen, published=True)
        self.boxes_ = [_unbounded_elsewhere(found, varying) for found in boxes]
        self.class_weights_inside_ = class_weights_inside(samples, self.boxes_)

    def _decision_values(self, X):
        values = self._depths(X)
        return values[:, 1] - values[:, 0] if len(self.classes_) == 2 else values

    def _depths(self, X: Array) -> Array:
        """For each class the depth of each sample in its boxes."""
        return np.column_stack(
            [
                best_boxes(X, boxes)[0] if len(boxes) else np.full(len(X), _NO_BOX)
                for boxes in self.boxes_
            ]
        )

    def _samples(self, X: Array, y, sample_weight) -> Samples:
        """Samples with positive weights, to which those of the classes are multiplied."""
        codes = np.searchsorted(self.classes_, y)
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        X, codes, weights = (part[weights > 0] for part in (X, codes, weights))
        if self.class_weight == "balanced":
            totals = np.bincount(codes, weights)
            weights = weights * (totals.sum() / (len(totals) * totals))[codes]
        elif self.class_weight is not None:
            costs = class_costs(self.class_weight, self.classes_)
            weights = weights * np.array([costs[label] for label in self.classes_])[codes]
        return Samples(X, codes, weights, len(self.classes_))

    def _train(self, samples: Samples) -> list[Array]:
        fewest = int(np.bincount(samples.codes).min())
        if self.init == "k-means++" and self.n_boxes > fewest:
            label = self.classes_[np.bincount(samples.codes).argmin()]
            raise ValueError(
                f"n_boxes={self.n_boxes}, but class {label!r} has {fewest} samples for as many "
                "boxes to start from: lower n_boxes, or use init='random'"
            )
        if self.init == "dHpC" and self.n_boxes & (self.n_boxes - 1):
            raise ValueError(
                "init='dHpC' halves the bounding box of each class: n_boxes must be a power of "
                f"two, got {self.n_boxes}"
            )
        trained = ccp_boxes(
            samples,
            **{
                name: getattr(self, name)
                for name in (
                    "n_boxes", "gamma", "margin", "init", "n_init", "solver", "max_iter", "tol",
                    "random_state",
                )
            },
        )  # fmt: skip
        self.objective_ = [np.array(end.history) for end in trained]
        self.n_iter_ = max(end.n_iter for end in trained)
        return [end.boxes for end in trained]


def _unbounded_elsewhere(boxes: Array, varying) -> Array:
    """Boxes on some features as boxes on all of them."""
    whole = np.empty((len(boxes), 2, len(varying)))
    whole[:, 0], whole[:, 1] = -np.inf, np.inf
    whole[:, :, varying] = boxes
    return whole
