"""The samples of a regression, in an order that does not depend on the order of the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._utils._typing import Array, Mask
from ._samples import (
    _distinct_rows,
    _row_by_row,
    _row_keys,
    _varying,
    largest_size,
    power_of_two,
)


@dataclass(frozen=True, eq=False)
class TargetSet:
    """Distinct samples with their targets, in standard deviations from the mean.

    Attributes
    ----------
    rows : ndarray of shape (n_distinct, n_used)
        The samples; repeated ones with the same target are merged.
    targets : ndarray of shape (n_distinct,)
        Targets, minus ``centre``, divided by ``unit``.
    weights : ndarray of shape (n_distinct,)
        Weights with the sum 1.
    centre, unit : float
        Weighted mean and standard deviation of the targets.
    used : ndarray of bool, of shape (n_features,)
        Mask of the features in use; the samples have no others.
    """

    __module__ = "rdep.training"

    rows: Array
    targets: Array
    weights: Array
    centre: float
    unit: float
    used: Mask

    @property
    def spread(self) -> float:
        """Root mean square of the features' standard deviations."""
        scale = power_of_two(largest_size(self.rows))
        rows = self.rows / scale
        return float(scale * np.sqrt((self.weights @ (rows - self.weights @ rows) ** 2).mean()))

    @classmethod
    def from_samples(
        cls, X: Array, y: Array, sample_weight: Array | None = None, ignore_constant: bool = False
    ) -> TargetSet:
        """Merge repeated samples and standardise targets; samples with zero weight are ignored.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
            Samples.
        y : ndarray of shape (n_samples,)
            Targets, of which at least two differ.
        sample_weight : ndarray of shape (n_samples,) or None, default=None
            Sample weights; None means 1 for every sample.
        ignore_constant : bool, default=False
            Whether to ignore features with the same value in all samples, unless all features are
            constant.

        Returns
        -------
        TargetSet
            The samples with their targets.
        """
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        if not weights.all():
            X, y, weights = X[weights > 0], y[weights > 0], weights[weights > 0]
        used = _varying(X) if ignore_constant else np.ones(X.shape[1], dtype=bool)
        both = _row_by_row(np.column_stack([X[:, used], y]))
        distinct, weights = _distinct_rows(both, *_row_keys(both), weights)
        targets, weights = distinct[:, -1], weights / weights.sum()
        if not targets.min() < targets.max():
            what = "y has one sample" if len(X) == 1 else "all values of y are equal"
            raise ValueError(
                f"{what}, with the value {targets[0]:g}: a regression needs at least two different "
                "target values"
            )
        scale = power_of_two(largest_size(targets))  # squares of the scaled values are finite
        targets = targets / scale
        centre = float(weights @ targets)
        targets = targets - centre
        deviation = float(np.sqrt(weights @ targets**2))
        return cls(
            distinct[:, :-1],
            targets / deviation,
            weights,
            centre * scale,
            deviation * scale,
            used,
        )
