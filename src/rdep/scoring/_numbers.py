"""Errors of predicted numbers on rows that the model was not fitted on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.metrics import mean_pinball_loss, r2_score

from .._utils._typing import Array


@dataclass(frozen=True, eq=False)
class ScoredNumbers:
    """Rows, their numbers, and what a regressor predicts for them.

    Attributes
    ----------
    y : ndarray of shape (n_rows,)
        Number of each row.
    predicted : ndarray of shape (n_rows,)
        Predicted numbers.
    """

    y: Array
    predicted: Array

    @property
    def residuals(self) -> Array:
        """Numbers minus predictions."""
        return self.y - self.predicted

    @property
    def mean_absolute_error(self) -> tuple[float, float]:
        """Mean absolute error, and its standard error if the rows are independent."""
        return _mean(np.abs(self.residuals))

    @property
    def root_mean_squared_error(self) -> float:
        """Root of the mean squared error."""
        return float(np.sqrt(np.mean(self.residuals**2)))

    @property
    def r2(self) -> float:
        """Coefficient of determination R²; 0 for the mean of the rows."""
        return float(r2_score(self.y, self.predicted))

    def quantile_loss(self, quantile: float) -> tuple[float, float]:
        """Mean pinball loss of a quantile, and its standard error if the rows are independent."""
        above, below = np.maximum(self.residuals, 0), np.maximum(-self.residuals, 0)
        return _mean(quantile * above + (1 - quantile) * below)

    @property
    def share_below(self) -> float:
        """Share of the rows whose number is at most the predicted one."""
        return float(np.mean(self.residuals <= 0))


def constant_error(y: Array, quantile: float | None = None) -> float:
    """Smallest mean error on rows that one number reaches: absolute, or the loss of a quantile."""
    if quantile is None:
        return float(np.abs(y - np.median(y)).mean())
    best = np.quantile(y, quantile, method="inverted_cdf")
    return float(mean_pinball_loss(y, np.full(len(y), best), alpha=quantile))


def _mean(losses: Array) -> tuple[float, float]:
    spread = losses.std(ddof=1) / np.sqrt(len(losses)) if len(losses) > 1 else np.nan
    return float(losses.mean()), float(spread)
