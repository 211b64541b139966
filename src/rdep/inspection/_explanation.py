"""Explanations of predictions by the coordinates that determine them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._base._missing import combined, in_place_of_missing
from .._base._record import FittedOperators
from .._utils._imports import optional
from .._utils._typing import Array, Indices
from ._printing import PrintedExplanation

if TYPE_CHECKING:
    import pandas as pd


# In place of a coordinate, if a sample has no value for an operator.
NO_VALUE = "no value"


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(PrintedExplanation):
    """Explanation of decision values by one coordinate of the dilation and one of the erosion.

    Attributes
    ----------
    names : ndarray of shape (n_coordinates,)
        Names of the coordinates: features of a DEP, members of an r-DEP's ordering. The last one
        is "no value" if every value of a sample is missing.
    dilation_index, erosion_index : ndarray of shape (n_samples,)
        Index of the coordinate that attains the maximum of the dilation, and of the coordinate
        that attains the minimum of the erosion.
    dilation_share, erosion_share : ndarray of shape (n_samples,)
        The two terms of the decision value, β δ_w and (1 − β) ε_m.
    """

    __module__ = "rdep.inspection"

    names: NDArray[Any]
    dilation_index: Indices
    erosion_index: Indices
    dilation_share: Array
    erosion_share: Array

    @property
    def decision(self) -> Array:
        """Decision value: the sum of both shares."""
        return self.dilation_share + self.erosion_share

    @property
    def dilation_by(self) -> NDArray[Any]:
        """Name of the coordinate that attains the maximum of the dilation, for each sample."""
        return self.names[self.dilation_index]

    @property
    def erosion_by(self) -> NDArray[Any]:
        """Name of the coordinate that attains the minimum of the erosion, for each sample."""
        return self.names[self.erosion_index]

    def __len__(self) -> int:
        return len(self.dilation_index)

    def to_frame(self) -> pd.DataFrame:
        """The explanation as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row for each sample, with the coordinates, the shares and the decision value.
        """
        return optional("pandas", "to_frame", "cli").DataFrame(
            {
                "dilation_by": self.dilation_by,
                "dilation_share": self.dilation_share,
                "erosion_by": self.erosion_by,
                "erosion_share": self.erosion_share,
                "decision": self.decision,
            }
        )


@dataclass(frozen=True, eq=False, repr=False)
class MulticlassExplanation(PrintedExplanation):
    """Explanation of predictions among more than two classes, each against the rest.

    The class with the largest decision value is predicted. The prediction depends on two
    coordinates of that class, and on two coordinates of the runner-up, the class with the second
    largest value.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        Labels of the classes.
    by_class : dict of label to Explanation
        Explanation of the decision value of each class against the rest, for all samples.
    decision : ndarray of shape (n_samples, n_classes)
        Decision values, in the order of ``classes``.
    """

    __module__ = "rdep.inspection"

    classes: NDArray[Any]
    by_class: dict[Any, Explanation]
    decision: Array

    @property
    def prediction(self) -> NDArray[Any]:
        """Predicted class of each sample."""
        return self.classes[self._places()[0]]

    @property
    def runner_up(self) -> NDArray[Any]:
        """Class with the second largest decision value, for each sample."""
        return self.classes[self._places()[1]]

    def __len__(self) -> int:
        return len(self.decision)

    def to_frame(self) -> pd.DataFrame:
        """The explanation as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row for each sample: the predicted class with its coordinates, shares and decision
            value, then the same for the runner-up.
        """
        frames = [explanation.to_frame() for explanation in self.by_class.values()]
        pandas = optional("pandas", "to_frame", "cli")
        first, second = (
            pandas.concat([frames[k][places == k] for k in range(len(frames))]).sort_index()
            for places in self._places()
        )
        first.insert(0, "prediction", self.prediction)
        second = second.add_prefix("runner_up_")
        second.insert(0, "runner_up", self.runner_up)
        return first.join(second)

    def _places(self) -> tuple[Indices, Indices]:
        """Indices of the predicted class and of the runner-up; ties go to the first class."""
        first = self.decision.argmax(axis=1)
        others = self.decision.copy()
        others[np.arange(len(others)), first] = -np.inf
        return first, others.argmax(axis=1)


def explanation_of(fitted: FittedOperators, X: Array) -> Explanation:
    """Explain the decision values of samples."""
    coordinates, names = fitted.values(X), fitted.coordinate_names()
    dilated = in_place_of_missing(coordinates, -np.inf) + fitted.weights["dilation"]
    eroded = in_place_of_missing(coordinates, np.inf) + fitted.weights["erosion"]
    above, below = dilated.max(axis=1), eroded.min(axis=1)
    indices = dilated.argmax(axis=1), eroded.argmin(axis=1)
    without = np.isneginf(above), np.isposinf(below)
    if not (without[0].any() or without[1].any()):
        shares = fitted.beta * above, (1 - fitted.beta) * below
    else:
        # The other operator decides alone; the prior is the share of the dilation.
        value = combined(above, below, fitted.beta, fitted.prior)
        names = np.append(names, NO_VALUE)
        last = len(names) - 1
        indices = np.where(without[0], last, indices[0]), np.where(without[1], last, indices[1])
        either = without[0] | without[1]
        only_below = without[0] & ~without[1]
        with np.errstate(invalid="ignore"):
            shares = (
                np.where(either, np.where(only_below, 0.0, value), fitted.beta * above),
                np.where(either, np.where(only_below, value, 0.0), (1 - fitted.beta) * below),
            )
    return Explanation(names, *indices, *shares)
