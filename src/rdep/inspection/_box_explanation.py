"""Explanations of predictions by boxes: the box and the face that decided, and the runner-up's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._utils._imports import optional
from .._utils._typing import Array, Indices

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class BoxExplanation:
    """For each sample and each class the best box, and the face that its depth is measured from.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        Labels of the classes.
    names : ndarray of shape (n_features,)
        Names of the features.
    decision : ndarray of shape (n_samples, n_classes)
        Depth of each sample in each class; the greatest one decides. Where one class alone has
        boxes, the other one's depth is minus that.
    box : ndarray of shape (n_samples, n_classes)
        Position of that box in ``boxes_``, or, counted on from there, of the box taken out that
        decides, in ``excluded_``; −1 for a class without boxes.
    face : ndarray of shape (n_samples, n_classes)
        The nearest face of the box, or the most violated one: the feature for a lower bound,
        ``n_features`` plus the feature for an upper bound; −1 for a class without boxes.
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
        """The predicted class of each sample."""
        return self.classes[self._places()[0]]

    @property
    def runner_up(self) -> NDArray[Any]:
        """The class with the second greatest depth, for each sample."""
        return self.classes[self._places()[1]]

    def __len__(self) -> int:
        return len(self.decision)

    def to_frame(self) -> pd.DataFrame:
        """The explanation as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row for each sample: the predicted class with its depth, its box and the face that
            decided, then the same of the runner-up.
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
            columns[f"{prefix}feature"] = self.names[face % len(self.names)]
            columns[f"{prefix}side"] = np.where(is_upper, "upper", "lower")
        frame = pandas.DataFrame(columns)
        for prefix in ("", "runner_up_"):
            without = frame[f"{prefix}box"] < 0
            frame.loc[without, [f"{prefix}feature", f"{prefix}side"]] = None
        return frame

    def _places(self) -> tuple[Indices, Indices]:
        """Positions of the predicted class and of the runner-up; of equal depths the first."""
        order = np.argsort(-self.decision, axis=1, kind="stable")
        return order[:, 0], order[:, 1]


def nearest_faces(X: Array, boxes: Array, box: Indices) -> tuple[Indices, Array]:
    """The face of its box that decides the depth of each sample, and the bound there."""
    corners = boxes[box]
    distances = np.hstack([X - corners[:, 0], corners[:, 1] - X])
    face = distances.argmin(axis=1)
    bounds = corners.reshape(distances.shape)
    return face, bounds[np.arange(len(X)), face]
