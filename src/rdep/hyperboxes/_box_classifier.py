"""Base class of hyperbox classifiers: depths, predictions, explanations, rules, summaries."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._base._classifier import (
    RELATIVE_ROUNDING,
    BaseClassifier,
    equal_if_rounded,
    without_zeros,
)
from .._base._validation import class_factors, drop_weightless, feature_names, validate_samples
from .._utils._typing import Array, Mask
from ..exceptions import warn_caller
from ..inspection import BoxExplanation, BoxRules, nearest_faces, rules_of_boxes, summary_of_boxes
from ..lattice import best_boxes, face_nearness
from ._box_training import Samples, without_contradictions

# Depth in a class without boxes: below any other depth, and differences of two are still finite.
NO_BOX = -np.finfo(float).max / 4
# Depths that differ by no more than this are equal, even if the largest one is 0.
LEAST_DIFFERENCE = float(np.finfo(float).tiny)
# Shares of the nearness of faces that differ by less than this are equal.
SHARE_ROUNDING = 1e-9


class BoxClassifier(BaseClassifier):
    """Base of classifiers whose classes are unions of boxes, minus open boxes.

    The depth of a sample in a class is the maximum of its depths in the boxes of the class. The
    negated depths in the excluded boxes are upper bounds. Classes compete by their depths. With
    two classes, it is also possible that only the second has boxes and is predicted if its depth
    is not negative.

    Depths are often equal if features are whole numbers. Then all faces of all boxes decide
    instead of the nearest one: the reciprocals of the sum of exp(−distance / scale) over the
    faces of a box add up, and the class with the largest total is predicted.
    """

    ties: str
    boxes_: list[Array]
    inside_: list[Array]
    scale_: Array
    n_contradictory_: int

    def _excluded(self) -> list[Array]:
        """Open boxes excluded from the boxes of each class."""
        return [np.zeros((0, 2, self.n_features_in_))] * len(self.boxes_)

    def _excluded_inside(self) -> list[Array]:
        """Weight of every class inside each excluded box, by class."""
        return [np.zeros((0, len(self.classes_)))] * len(self.boxes_)

    @property
    def n_conditions_(self) -> int:
        return sum(int(np.isfinite(boxes).sum()) for boxes in (*self.boxes_, *self._excluded()))

    def _uses_class_weight(self) -> bool:
        """Whether class weights can change the boxes found in training."""
        return True

    def _check_class_weight(self, instead: str) -> None:
        if getattr(self, "class_weight", None) is not None and not self._uses_class_weight():
            raise ValueError(
                f"class_weight has no effect with training={self.training!r} and these parameters, "
                "because the boxes separate all training samples: leave it out, or "
                f"{instead}"
            )

    def _competes(self) -> bool:
        """Whether classes compete; if not, the sign of the depth in the second one decides."""
        return True

    def _zero_is_positive(self):
        return self.ties == "faces" or not self._competes()

    def _rounding_of_values(self):
        return None if self.ties == "first" else super()._rounding_of_values()

    def _decision_values(self, X):
        depths = self._depths(X)
        if not self._competes():
            return depths[:, 1]
        if self.ties == "first":
            return depths[:, 1] - depths[:, 0] if len(self.classes_) == 2 else depths
        tied, shares = self._ties(X, depths)
        if len(self.classes_) > 2:
            return self._settled(depths, tied, shares)
        apart = shares[:, 0] - shares[:, 1]
        apart[np.abs(apart) <= SHARE_ROUNDING] = 0.0
        return np.where(tied.all(axis=1), _near(depths)[:, 0] * apart, depths[:, 1] - depths[:, 0])

    def _ties(self, X: Array, depths: Array) -> tuple[Mask, Array]:
        """Mask of the classes that tie for the largest depth, and their shares of nearness.

        Shares are between 0 and 1; the smallest share wins.
        """
        largest = depths.max(axis=1, keepdims=True)
        tied = (depths >= largest - _near(depths)) & (largest > NO_BOX)
        tied &= tied.sum(axis=1, keepdims=True) > 1
        shares = np.ones(depths.shape)
        rows = np.flatnonzero(tied.any(axis=1))
        if len(rows):
            nearness = np.column_stack(
                [face_nearness(X[rows], boxes, self.scale_) for boxes in self.boxes_]
            )
            total = np.where(tied[rows], nearness, 0.0).sum(axis=1, keepdims=True)
            shares[rows] = nearness / total
        return tied, shares

    def _depths(self, X: Array) -> Array:
        """Depth of each sample in each class."""
        columns = []
        for boxes, excluded in zip(self.boxes_, self._excluded(), strict=True):
            depth = best_boxes(X, boxes)[0] if len(boxes) else np.full(len(X), NO_BOX)
            if len(excluded):
                depth = np.minimum(depth, -best_boxes(X, excluded)[0])
            columns.append(depth)
        return np.column_stack(columns)

    def _settled(self, depths: Array, tied: Mask, shares: Array) -> Array:
        """Depths, lowered for the classes that lose a tie."""
        if len(self.classes_) == 2:
            first_loses = shares[:, 0] - shares[:, 1] >= -SHARE_ROUNDING
            loses = tied & np.column_stack([first_loses, ~first_loses])
        else:
            least = np.where(tied, shares, np.inf).min(axis=1, keepdims=True)
            loses = tied & (shares > least + SHARE_ROUNDING)
        return np.where(loses, depths.max(axis=1, keepdims=True) - 2 * _near(depths), depths)

    def _samples(self, X: Array, y, sample_weight) -> Samples:
        """Samples with positive weights, multiplied by the class weights."""
        X, y, weights = drop_weightless(sample_weight, X, y)
        codes = np.searchsorted(self.classes_, y)
        weights = np.ones(len(X)) if weights is None else weights
        totals = np.bincount(codes, weights)
        class_weight = getattr(self, "class_weight", None)
        factors = class_factors(class_weight, self.classes_, totals, totals.sum())
        self.scale_ = _scales(X, weights)
        weights = weights * factors[codes]
        return Samples(X, codes, weights, len(self.classes_))

    def _without_contradictions(self, samples: Samples, *, keep_order: bool = False) -> Samples:
        """Distinct samples, each with the class of the largest weight; warn about the others."""
        distinct, outvoted = without_contradictions(samples, keep_order=keep_order)
        self.n_contradictory_ = outvoted
        if outvoted:
            warn_caller(
                f"{outvoted} of {len(samples.X)} training samples have duplicates of another class "
                "with the same or a larger weight. Boxes cannot separate them: the class with the "
                "largest weight is used",
                UserWarning,
            )
        return distinct

    def explain(self, X):
        """Explain predictions: the deciding box and face of each class, and the runner-up.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        BoxExplanation
        """
        check_is_fitted(self)
        X = validate_samples(self, X)
        shape = len(X), len(self.classes_)
        depth, bound = np.full(shape, NO_BOX), np.full(shape, np.nan)
        box, face = np.full(shape, -1), np.full(shape, -1)
        for k, (boxes, excluded) in enumerate(zip(self.boxes_, self._excluded(), strict=True)):
            if len(boxes):
                depth[:, k], box[:, k] = best_boxes(X, boxes)
                face[:, k], bound[:, k] = nearest_faces(X, boxes, box[:, k])
            if len(excluded):
                inner, which = best_boxes(X, excluded)
                decides = -inner < depth[:, k]
                depth[decides, k], box[decides, k] = -inner[decides], len(boxes) + which[decides]
                face[decides, k], bound[decides, k] = nearest_faces(
                    X[decides], excluded, which[decides]
                )
        if not self._competes():
            # A sample outside the second class belongs to the first, by the same face.
            depth[:, 1] = without_zeros(depth[:, 1], True)
            depth[:, 0], box[:, 0] = -depth[:, 1], box[:, 1]
            face[:, 0], bound[:, 0] = face[:, 1], bound[:, 1]
        elif self.ties == "faces":
            depth = equal_if_rounded(self._settled(depth, *self._ties(X, depth)), 0.0)
        return BoxExplanation(self.classes_, feature_names(self), depth, box, face, bound)

    def rules(self, *, max_boxes=5, max_conditions=10):
        """The whole model as rules: boxes by feature names, their coverage and purity.

        Bounds are in the units of X. ``str`` and ``print`` give the rules as text.

        Parameters
        ----------
        max_boxes : int, default=5
            Maximum number of boxes printed per class.
        max_conditions : int, default=10
            Maximum number of conditions printed per box.

        Returns
        -------
        BoxRules
        """
        check_is_fitted(self)
        return self._rules(feature_names(self), max_conditions, max_boxes=max_boxes)

    def _rules(
        self, names, max_conditions: int, scalers=(), rows=None, *, max_boxes: int = 5
    ) -> BoxRules:
        """Rules in the units of the data before scaling."""
        return rules_of_boxes(
            self.classes_, (self.boxes_, self.inside_),
            (self._excluded(), self._excluded_inside()), names, scalers,
            competes=self._competes(), max_boxes=max_boxes, max_conditions=max_conditions,
            scale=self.scale_ if self.ties == "faces" else np.zeros(0), rows=rows,
        )  # fmt: skip

    def summary(self):
        """Summarise the fitted model as text: the boxes of each class and their coverage.

        Returns
        -------
        str
        """
        check_is_fitted(self)
        title = f"{type(self).__name__} on {self.n_features_in_} features, training "
        text = summary_of_boxes(
            f"{title}{self.training!r}",
            self.classes_,
            self.inside_,
            self._excluded_inside(),
            competes=self._competes(),
        )
        if self.n_contradictory_:
            text += f"\n\noverruled by duplicates of another class: {self.n_contradictory_} samples"
        return text


def varying_features(X: Array) -> Mask:
    """Mask of the features that are not constant; all features if all are constant.

    A constant feature carries no information, and a box without width has no interior.
    """
    varying = X.min(axis=0) < X.max(axis=0)
    return varying if varying.any() else np.ones_like(varying)


def check_extent(X: Array, margin: float) -> None:
    """Raise an error if boxes around the samples would have infinite corners."""
    with np.errstate(over="ignore"):
        reach = 4 * (1 + margin) * (np.abs(X).max(axis=0) + 1)
    if not np.isfinite(reach).all():
        raise ValueError(
            f"feature {int(np.argmax(reach))} has values up to {np.abs(X).max():g}, too large for "
            "boxes around them: scale the features first"
        )


def unbounded_elsewhere(boxes: Array, varying: Mask) -> Array:
    """Extend boxes on some features to all features, without bounds on the others."""
    whole = np.empty((len(boxes), 2, len(varying)))
    whole[:, 0], whole[:, 1] = -np.inf, np.inf
    whole[:, :, varying] = boxes
    return whole


def _near(depths: Array) -> Array:
    """Tolerance within which a depth equals the largest one of its sample, as a column."""
    largest = np.abs(depths.max(axis=1, keepdims=True))
    return np.maximum(RELATIVE_ROUNDING * largest, LEAST_DIFFERENCE)


def _scales(X: Array, weights: Array) -> Array:
    """A quarter of the standard deviation of each feature, to three digits; 1 if it is 0.

    Values are divided by their range first, so that no square overflows.
    """
    least, greatest = X.min(axis=0), X.max(axis=0)
    reach = np.maximum(greatest / 2 - least / 2, np.finfo(float).tiny)
    values = (X - least / 2 - greatest / 2) / reach
    mean = np.average(values, axis=0, weights=weights)
    spread = reach * np.sqrt(np.average((values - mean) ** 2, axis=0, weights=weights))
    return np.array([float(f"{value / 4:.3g}") if value > 0 else 1.0 for value in spread])
