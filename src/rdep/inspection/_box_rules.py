"""Rules and explanations of classifiers by boxes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from .._base._record import Indicator, in_words
from .._utils._imports import optional
from .._utils._typing import Array, Indices
from ..lattice import just_inside
from ._coordinates import Coordinates, face_coordinates
from ._printing import PrintedExplanation, PrintedRules, digits
from ._rules import Box, Condition, nearest_values

if TYPE_CHECKING:
    import pandas as pd

_WIDTH = 88
# Relative rounding error of faces after scalers.
_ROUNDING = 1e-14


@dataclass(frozen=True)
class BoxRule:
    """One box of a class.

    Attributes
    ----------
    box : Box
        The box in the units of the data, faces included.
    index : int
        Index of the box among those of its class, in ``boxes_`` or ``excluded_``.
    covered : float
        Weight of the training samples inside; without sample weights, their number.
    purity : float
        Share of the class in that weight; NaN if no sample is inside.
    """

    __module__ = "rdep.inspection"

    box: Box
    index: int
    covered: float
    purity: float


@dataclass(frozen=True, repr=False)
class BoxRules(PrintedRules):
    """Rules of a classifier by boxes: the boxes of every class.

    If a sample is in boxes of one class only, and in none of the boxes excluded from that class,
    this class is predicted. Otherwise the class with the largest depth is predicted. The depth is
    the smallest distance to a face. If depths are equal, all faces decide.

    Attributes
    ----------
    by_class : dict of label to tuple of BoxRule
        The boxes of each class. The box that covers most weight of the class comes first.
    excluded : dict of label to tuple of BoxRule
        The open boxes excluded from those of each class, for classes that have some. The box that
        holds most weight comes first.
    otherwise : label or None
        The class of all samples outside, if only one class has boxes.
    max_boxes : int
        Maximum number of boxes printed per class.
    max_conditions : int
        Maximum number of conditions printed per box.
    units : dict of str to float
        Units of distances by feature, if they are not those of the data.
    scales : dict of str to float
        Scales by feature of the distances that decide if depths are equal.
    """

    __module__ = "rdep.inspection"

    by_class: dict[Any, tuple[BoxRule, ...]]
    max_boxes: int = 5
    max_conditions: int = 10
    excluded: dict[Any, tuple[BoxRule, ...]] = field(default_factory=dict)
    otherwise: Any = None
    units: dict[str, float] = field(default_factory=dict)
    scales: dict[str, float] = field(default_factory=dict)

    @property
    def n_conditions(self) -> int:
        """Number of finite faces of all boxes."""
        return sum(c.n_bounds for *_, rule in self._all() for c in rule.box.conditions)

    def to_frame(self) -> pd.DataFrame:
        """Return the conditions as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row for each condition: the class, the number of the box, whether the box is
            excluded, the feature, its bounds in full precision, and whether these are closed.
        """
        rows = [
            (label, rule.index, is_excluded, str(c.feature), c.low, c.high, c.closed)
            for label, is_excluded, rule in self._all()
            for c in rule.box.conditions
        ]
        columns = ["class", "box", "excluded", "feature", "low", "high", "closed"]
        return optional("pandas", "to_frame", "cli").DataFrame(rows, columns=columns)

    def _all(self) -> list[tuple[Any, bool, BoxRule]]:
        return [
            (label, is_excluded, rule)
            for is_excluded, by_class in ((False, self.by_class), (True, self.excluded))
            for label, rules in by_class.items()
            for rule in rules
        ]

    def __str__(self) -> str:
        parts = []
        for label, rules in self.by_class.items():
            if not rules:
                parts.append(f"{label!r}: no box, never predicted")
                continue
            parts += self._texts(f"{label!r}: {{}}", rules)
            if label in self.excluded:
                parts += self._texts(f"{label!r}, except in {{}}", self.excluded[label])
        parts.append(self._decision())
        return "\n\n".join(parts)

    def _decision(self) -> str:
        if self.otherwise is not None:
            label = next(iter(self.by_class))
            where = "a box, and in none of the exceptions" if self.excluded else "one of the boxes"
            return f"{label!r} is predicted in {where}; {self.otherwise!r} everywhere else."
        nearer = ", or the distance\nto an exception if that is smaller" if self.excluded else ""
        deepest = (
            "The class with the largest depth is predicted. The depth is the distance to the "
            f"nearest face of\nits best box, negative outside{nearer}."
        )
        in_units = self._by_feature("Distances are divided by", self.units) if self.units else ""
        if not self.scales:
            equal = "If several classes have the same depth, the first of them is predicted."
            return "\n".join(filter(None, [deepest, equal, in_units]))
        winner = "second" if len(self.by_class) == 2 else "first"
        parts = [
            deepest,
            "If depths of classes agree to 12 digits, the class with the largest sum of 1 / S over "
            "its boxes\nis predicted, where S is the sum of exp(−distance / scale) over the faces "
            f"of a box; if sums\nare equal, the {winner} class.",
        ]
        if in_units:
            parts.append(in_units)
        parts.append(self._by_feature("Scales:", self.scales))
        if any(isinstance(c.feature, Indicator) for *_, r in self._all() for c in r.box.conditions):
            parts.append("A category is 1 if it holds and 0 if not.")
        return "\n".join(parts)

    def _by_feature(self, title: str, numbers: dict[str, float]) -> str:
        """Numbers by feature, for at most ``max_conditions`` features."""
        texts = [f"{name} {digits(number)}" for name, number in numbers.items()]
        more = len(texts) - self.max_conditions
        if more > 0:
            shows = f"rules(max_conditions={len(texts)}) shows all"
            texts = [*texts[: self.max_conditions], f"… and {more} more: {shows}"]
        return fill(f"{title} {', '.join(texts)}", _WIDTH, break_long_words=False)

    def _texts(self, heading: str, rules: tuple[BoxRule, ...]) -> list[str]:
        boxes = "box" if len(rules) == 1 else "boxes"
        texts = [heading.format(f"{len(rules)} {boxes}")]
        texts += [self._text(rule) for rule in rules[: self.max_boxes]]
        if len(rules) > self.max_boxes:
            texts.append(
                f"… and {len(rules) - self.max_boxes} more: rules(max_boxes={len(rules)}) shows all"
            )
        return texts

    def _text(self, rule: BoxRule) -> str:
        what = "no training sample"
        if rule.covered:
            what = f"{rule.covered:g} training samples, {rule.purity:.0%} of them of this class"
        conditions = rule.box.conditions
        lines = [f"Box {rule.index}: {what}"]
        lines += [f"  {condition}" for condition in conditions[: self.max_conditions]]
        if len(conditions) > self.max_conditions:
            lines.append(
                f"  … and {len(conditions) - self.max_conditions} more: "
                f"rules(max_conditions={len(conditions)}) shows all"
            )
        return "\n".join(lines)


def rules_of_boxes(
    classes: NDArray[Any],
    boxes: tuple[list[Array], list[Array]],
    excluded: tuple[list[Array], list[Array]],
    names: NDArray[Any],
    scalers: Iterable[StandardScaler] = (),
    *,
    scale: Array,
    competes: bool,
    max_boxes: int,
    max_conditions: int,
    rows: Array | None = None,
) -> BoxRules:
    """Build the rules of fitted boxes, in the units of the features before scalers.

    ``rows`` are the training samples in these units. Faces at samples are printed with the digits
    of the samples. Boxes and excluded open boxes come with the weights of all classes inside. If
    classes do not compete, only the second of two has boxes.
    """
    faces = face_coordinates(len(names), scalers)
    corners_of_all = np.concatenate([*boxes[0], *excluded[0]])
    used = np.flatnonzero(np.isfinite(corners_of_all).any(axis=(0, 1)))
    labels = dict(enumerate(classes.tolist()))
    shown = labels if competes else {1: labels[1]}
    sides = [
        {
            label: _rules_of_class(
                faces, k, corners[k], inside[k], names, is_closed, rows, competes
            )
            for k, label in shown.items()
        }
        for (corners, inside), is_closed in ((boxes, True), (excluded, False))
    ]
    return BoxRules(
        sides[0],
        max_boxes,
        max_conditions,
        {label: rules for label, rules in sides[1].items() if rules},
        None if competes else labels[0],
        _numbers(names, used, faces.units) if faces.standardised else {},
        _numbers(names, used, scale) if len(scale) else {},
    )


def _numbers(names: NDArray[Any], used: Indices, values: Array) -> dict[str, float]:
    return {str(names[j]): float(values[j]) for j in used}


def _rules_of_class(
    faces: Coordinates,
    k: int,
    corners: Array,
    inside: Array,
    names: NDArray[Any],
    closed: bool,
    rows: Array | None,
    competes: bool,
) -> tuple[BoxRule, ...]:
    boxes = faces_in_units(faces, corners, names, closed=closed, rows=rows, exact_faces=competes)
    closed = closed or faces.standardised
    rules = []
    most = inside[:, k] if closed else inside.sum(axis=1)
    for index in np.argsort(-most, kind="stable"):
        weights = inside[index]
        covered = float(weights.sum())
        purity = float(weights[k]) / covered if covered else np.nan
        rules.append(BoxRule(boxes[index], int(index), covered, purity))
    return tuple(rules)


def faces_in_units(
    faces: Coordinates,
    corners: Array,
    names: NDArray[Any],
    *,
    closed: bool,
    rows: Array | None = None,
    exact_faces: bool = True,
) -> list[Box]:
    """Open or closed boxes in the units of the features before scalers.

    Faces that equal a sample up to the rounding of scalers are printed like the sample.
    """
    if faces.standardised:
        if not closed:
            corners, closed = just_inside(corners), True
        # A lower corner is the first number inside, an upper corner the last.
        signed = np.hstack([-corners[:, 0], corners[:, 1]])
        corners = np.array(
            [faces.zeros(row, 0.0).reshape(corners.shape[1:]) for row in signed]
        ).reshape(corners.shape)
    boxes = [_box(of_box, names, closed) for of_box in corners]
    if rows is None or not faces.standardised:
        return boxes
    return [
        Box(tuple(_at_samples(c, rows[:, c.index], exact_faces) for c in box.conditions))
        for box in boxes
    ]


def _at_samples(condition: Condition, values: Array, exact_faces: bool) -> Condition:
    """Copy with bounds printed like the nearest sample, if they equal it up to rounding.

    Distances to a face that is not at a category cannot be read from the category's name.
    """
    shown, at_category = [], True
    for bound, is_low in ((condition.low, True), (condition.high, False)):
        if np.isinf(bound):
            shown.append(bound)
            continue
        outside, inside = nearest_values(bound, is_low, condition.closed, values)
        near = _ROUNDING * max(abs(bound), float(np.ptp(values)))
        at = [value for value in (inside, outside) if abs(value - bound) <= near]
        shown.append(at[0] if at else bound)
        at_category &= shown[-1] == inside
    named = at_category or not exact_faces
    return replace(
        condition,
        shown_low=shown[0],
        shown_high=shown[1],
        feature=condition.feature if named else str(condition.feature),
    )


def _box(corners: Array, names: NDArray[Any], closed: bool) -> Box:
    bounded = np.flatnonzero(np.isfinite(corners).any(axis=0))
    return Box(
        tuple(
            Condition(names[j], int(j), float(corners[0, j]), float(corners[1, j]), closed)
            for j in bounded
        )
    )


@dataclass(frozen=True, eq=False, repr=False)
class BoxExplanation(PrintedExplanation):
    """Explanation of a classifier by boxes: the best box of each class and its deciding face.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        Labels of the classes.
    names : ndarray of shape (n_features,)
        Names of the features.
    decision : ndarray of shape (n_samples, n_classes)
        Depth of each sample in each class; the class with the largest depth is predicted. If one
        class alone has boxes, the depth of the other class is the negative of its depth. If depths
        are equal, those of classes that lose by the other faces are lowered by the smallest amount
        that matters.
    box : ndarray of shape (n_samples, n_classes)
        Index of the deciding box in ``boxes_``. If a box in ``excluded_`` decides, its index plus
        the number of ``boxes_`` of the class. −1 for a class without boxes.
    face : ndarray of shape (n_samples, n_classes)
        The nearest face of the box, or the most violated one: the feature index for a lower bound,
        ``n_features`` plus the feature index for an upper bound. −1 for a class without boxes.
    bound : ndarray of shape (n_samples, n_classes)
        Value of the feature at that face.
    """

    __module__ = "rdep.inspection"

    classes: NDArray[Any]
    names: NDArray[Any]
    decision: Array
    box: Indices
    face: Indices
    bound: Array

    @property
    def prediction(self) -> NDArray[Any]:
        """Predicted class of each sample."""
        return self.classes[self._places()[0]]

    @property
    def runner_up(self) -> NDArray[Any]:
        """Class with the second largest depth, for each sample."""
        return self.classes[self._places()[1]]

    def __len__(self) -> int:
        return len(self.decision)

    def to_frame(self) -> pd.DataFrame:
        """Return the explanation as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row for each sample: the predicted class with its depth, box and deciding face,
            then the same for the runner-up.
        """
        pandas = optional("pandas", "to_frame", "cli")
        columns: dict[str, Any] = {}
        rows = np.arange(len(self))
        for prefix, title, places in zip(
            ("", "runner_up_"), ("prediction", "runner_up"), self._places(), strict=True
        ):
            face = self.face[rows, places]
            is_upper = face >= len(self.names)
            columns[title] = self.classes[places]
            columns[f"{prefix}depth"] = self.decision[rows, places]
            columns[f"{prefix}box"] = self.box[rows, places]
            names = np.array([in_words(name) for name in self.names], dtype=object)
            columns[f"{prefix}feature"] = names[face % len(self.names)]
            columns[f"{prefix}side"] = np.where(is_upper, "upper", "lower")
        frame = pandas.DataFrame(columns)
        for prefix in ("", "runner_up_"):
            without = frame[f"{prefix}box"] < 0
            frame.loc[without, [f"{prefix}feature", f"{prefix}side"]] = None
        return frame

    def _places(self) -> tuple[Indices, Indices]:
        """Indices of the predicted class and of the runner-up; ties go to the first class."""
        order = np.argsort(-self.decision, axis=1, kind="stable")
        return order[:, 0], order[:, 1]


def nearest_faces(X: Array, boxes: Array, box: Indices) -> tuple[Indices, Array]:
    """Find the face of its box that decides the depth of each sample, and its bound."""
    corners = boxes[box]
    distances = np.hstack([X - corners[:, 0], corners[:, 1] - X])
    face = distances.argmin(axis=1)
    bounds = corners.reshape(distances.shape)
    return face, bounds[np.arange(len(X)), face]
