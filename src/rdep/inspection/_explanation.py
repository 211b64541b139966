"""Why a prediction came out as it did: the two coordinates that decided it."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import NDArray

from .._base._record import FittedOperators
from .._utils._imports import optional
from .._utils._typing import Array, Indices


@dataclass(frozen=True, eq=False)
class Explanation:
    """What each decision value rests on: one coordinate of the dilation, one of the erosion.

    Attributes
    ----------
    names : ndarray of shape (n_coordinates,)
        Names of the coordinates: features of a DEP, members of an r-DEP's ordering.
    dilation_index, erosion_index : ndarray of shape (n_samples,)
        The coordinate that attains the maximum of the dilation, the minimum of the erosion.
    dilation_share, erosion_share : ndarray of shape (n_samples,)
        Their parts of the decision value: β δ_w and (1 − β) ε_m.
    """

    __module__ = "rdep.inspection"

    names: NDArray
    dilation_index: Indices
    erosion_index: Indices
    dilation_share: Array
    erosion_share: Array

    @property
    def decision(self) -> Array:
        """The decision value, the sum of both shares."""
        return self.dilation_share + self.erosion_share

    @property
    def dilation_by(self) -> NDArray:
        """Name of the coordinate that decided the dilation, for each sample."""
        return self.names[self.dilation_index]

    @property
    def erosion_by(self) -> NDArray:
        """Name of the coordinate that decided the erosion, for each sample."""
        return self.names[self.erosion_index]

    def __len__(self) -> int:
        return len(self.dilation_index)

    def to_frame(self):
        """The explanation as a pandas data frame, one row for each sample."""
        return optional("pandas", "to_frame", "cli").DataFrame(
            {
                "dilation_by": self.dilation_by,
                "dilation_share": self.dilation_share,
                "erosion_by": self.erosion_by,
                "erosion_share": self.erosion_share,
                "decision": self.decision,
            }
        )


def explanation_of(fitted: FittedOperators, X: Array) -> Explanation:
    """What the decision values of samples rest on."""
    coordinates = fitted.values(X)
    dilated = coordinates + fitted.weights["dilation"]
    eroded = coordinates + fitted.weights["erosion"]
    return Explanation(
        names=fitted.names,
        dilation_index=dilated.argmax(axis=1),
        erosion_index=eroded.argmin(axis=1),
        dilation_share=fitted.beta * dilated.max(axis=1),
        erosion_share=(1 - fitted.beta) * eroded.min(axis=1),
    )
