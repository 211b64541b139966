"""Summary and explanation of a linear DEP by its affine pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._utils._typing import Array
from ..training import AffineResult
from ._explanation import Explanation
from ._summary import _table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class FittedPieces:
    """Pieces of a linear DEP, and the names of its features."""

    title: str
    classes: tuple[Any, Any] | None  # negative, positive; None for a regressor
    names: NDArray[Any]
    dilation: tuple[Array, Array]  # A and a
    erosion: tuple[Array, Array]  # B and b
    beta: float
    result: AffineResult


@dataclass(frozen=True, eq=False, repr=False)
class PiecesExplanation(Explanation):
    """Explanation of a linear DEP: the piece of the dilation and the piece of the erosion.

    The decision value, or the prediction of a regressor, is the sum of the values of both pieces.
    It is also the sum of an intercept and of a contribution of every feature.

    Attributes
    ----------
    names : ndarray
        Names of the pieces, by index.
    dilation_index, erosion_index : ndarray of shape (n_samples,)
        Index of the piece that attains the maximum of the dilation, and of the piece that attains
        the minimum of the erosion.
    dilation_share, erosion_share : ndarray of shape (n_samples,)
        The values of these pieces, which add up to the decision value.
    feature_names : ndarray of shape (n_features,)
        Names of the features.
    contributions : ndarray of shape (n_samples, n_features)
        Contribution of each feature: its value times the sum of its two coefficients.
    intercepts : ndarray of shape (n_samples,)
        Sum of the intercepts of both pieces.
    """

    __module__ = "rdep.inspection"

    feature_names: NDArray[Any]
    contributions: Array
    intercepts: Array

    def to_frame(self) -> pd.DataFrame:
        """Return the explanation as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row for each sample, with the pieces, their values, the decision value, the
            intercept and the contribution of each feature.
        """
        frame = super().to_frame()
        frame["intercept"] = self.intercepts
        for name, column in zip(self.feature_names, self.contributions.T, strict=True):
            frame[f"contribution_{name}"] = column
        return frame


def explain_pieces(fitted: FittedPieces, X: Array) -> PiecesExplanation:
    """Explain samples by the pieces that decide, with contributions of the features."""
    (A, a), (B, b) = fitted.dilation, fitted.erosion
    dilated, eroded = X @ A.T + a, X @ B.T + b
    j, k = dilated.argmax(axis=1), eroded.argmin(axis=1)
    return PiecesExplanation(
        names=np.array([f"piece {p + 1}" for p in range(max(len(a), len(b)))], dtype=object),
        dilation_index=j,
        erosion_index=k,
        dilation_share=dilated.max(axis=1),
        erosion_share=eroded.min(axis=1),
        feature_names=fitted.names,
        contributions=X * (A[j] + B[k]),
        intercepts=a[j] + b[k],
    )


def summarise_pieces(fitted: FittedPieces, max_features: int) -> str:
    """Summarise pieces: title, training, and a table of all coefficients."""
    (A, a), (B, b) = fitted.dilation, fitted.erosion
    result = fitted.result
    title, value = fitted.title, "prediction"
    if fitted.classes is not None:
        title += ", {!r} negative and {!r} positive".format(*fitted.classes)
        value = "decision value"
    heading = ["feature"]
    heading += [f"dilation {p + 1}" for p in range(len(a))]
    heading += [f"erosion {p + 1}" for p in range(len(b))]
    coefficients, intercepts = np.vstack([A, B]), np.concatenate([a, b])
    rows = [heading, ["(intercept)", *(f"{value:.4g}" for value in intercepts)]]
    for name, column in zip(fitted.names[:max_features], coefficients.T, strict=False):
        rows.append([str(name), *(f"{value:.4g}" for value in column)])
    table = _table(rows)
    if len(fitted.names) > max_features:
        table += (
            f"\n… and {len(fitted.names) - max_features} more: "
            f"summary(max_features={len(fitted.names)}) shows all"
        )
    training = [
        ["training", ""],
        ["status", result.status],
        ["steps", str(result.n_iter)],
        ["objective", f"{result.objective:.6g}"],
        ["duality gap", f"below {_power_of_ten(result.gaps.max())}"],
    ]
    return "\n\n".join(
        [
            title,
            f"{value}: the maximum of the dilation's pieces plus the minimum of the "
            f"erosion's; β = {fitted.beta:.4g}",
            _table(training),
            table,
        ]
    )


def _power_of_ten(value: float) -> str:
    """Round up to a power of ten, at least 1e-07: smaller gaps differ between machines."""
    return f"1e{int(np.ceil(np.log10(max(value, 1e-7)) - 1e-9)):+03d}"
