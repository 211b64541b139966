"""The boxes of a classifier as rules: what they bound, what they cover, and how pure they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from .._utils._typing import Array
from ._coordinates import face_coordinates
from ._rules import Box, Condition


@dataclass(frozen=True)
class BoxRule:
    """One box of a class.

    Attributes
    ----------
    box : Box
        The box in the units of the data, faces included.
    index : int
        Position of the box among those of its class, in ``boxes_``.
    covered : float
        Weight of the training samples inside; their number where samples have no weights.
    purity : float
        Share of the class in that weight; NaN where no sample is inside.
    """

    __module__ = "rdep.inspection"

    box: Box
    index: int
    covered: float
    purity: float


@dataclass(frozen=True)
class BoxRules:
    """The boxes of every class.

    A sample inside boxes of one class only is of that class. Otherwise the depth decides, the
    smallest distance to a face: the class with the greatest one is predicted.

    Attributes
    ----------
    by_class : dict of label to tuple of BoxRule
        The boxes of each class, those that cover the greatest weight of it first.
    max_boxes : int
        Maximum number of boxes printed per class.
    max_conditions : int
        Maximum number of conditions printed per box.
    """

    __module__ = "rdep.inspection"

    by_class: dict[Any, tuple[BoxRule, ...]]
    max_boxes: int = 5
    max_conditions: int = 10

    def __str__(self) -> str:
        parts = []
        for label, rules in self.by_class.items():
            if not rules:
                parts.append(f"{label!r}: no box, never predicted")
                continue
            boxes = "box" if len(rules) == 1 else "boxes"
            parts.append(f"{label!r}: {len(rules)} {boxes}")
            parts += [self._text(rule) for rule in rules[: self.max_boxes]]
            if len(rules) > self.max_boxes:
                parts.append(
                    f"… and {len(rules) - self.max_boxes} more: rules(max_boxes={len(rules)}) "
                    "shows all"
                )
        parts.append(
            "The class with the greatest depth is predicted: the distance to the nearest face of "
            "its best\nbox, negative outside."
        )
        return "\n\n".join(parts)

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
    boxes: list[Array],
    inside: list[Array],
    names: NDArray[Any],
    scalers: Iterable[StandardScaler] = (),
    *,
    max_boxes: int,
    max_conditions: int,
) -> BoxRules:
    """The rules of fitted boxes, in the units that features had before some scalers."""
    faces = face_coordinates(len(names), scalers)
    by_class = {}
    for k, label in enumerate(classes.tolist()):
        rules = []
        corners = boxes[k]
        if faces.standardised:
            # A lower corner is the first number inside, an upper one the last.
            signed = np.hstack([-corners[:, 0], corners[:, 1]])
            corners = faces.zeros(signed, 0.0).reshape(corners.shape)
        for index in np.argsort(-inside[k][:, k], kind="stable"):
            weights = inside[k][index]
            covered = float(weights.sum())
            purity = float(weights[k]) / covered if covered else np.nan
            rules.append(BoxRule(_box(corners[index], names), int(index), covered, purity))
        by_class[label] = tuple(rules)
    return BoxRules(by_class, max_boxes, max_conditions)


def _box(corners: Array, names: NDArray[Any]) -> Box:
    bounded = np.flatnonzero(np.isfinite(corners).any(axis=0))
    return Box(
        tuple(
            Condition(str(names[j]), int(j), float(corners[0, j]), float(corners[1, j]), True)
            for j in bounded
        )
    )
