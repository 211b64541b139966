"""Coordinates of samples that suit the solvers, and conversion back to the units of the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._utils._typing import Array, Mask
from .._samples import TrainingSet, largest_size, power_of_two
from .._targets import TargetSet
from ._problem import AffineProblem
from ._settings import AffineObjective, AffineRegression

# Coordinates have size 1. A penalty outside these limits acts like 0 or infinity, up to rounding.
_PENALTIES = (1e-30, 1e30)


@dataclass(frozen=True, eq=False)
class Space:
    """Both classes, centred and scaled: the same problem with better conditioned systems.

    In a regression, every sample belongs to both classes.
    With more features than samples, principal coordinates are used: rows of A and B outside the
    span of the samples would only add to the penalty.
    """

    negatives: Array  # with a one appended
    positives: Array
    centre: Array  # in units of ``scale``
    unit: Array  # of each coordinate, in units of ``scale``
    scale: float  # of all features, a power of two
    basis: Array | None  # principal directions, as rows
    used: Mask
    mean: float = 0.0  # of the targets
    deviation: float = 1.0  # of the targets

    @classmethod
    def of(cls, samples: TrainingSet | TargetSet, penalize_intercept: bool) -> Space:
        targets = (0.0, 1.0)
        if isinstance(samples, TargetSet):
            both, targets = [samples.rows, samples.rows], (samples.centre, samples.unit)
        else:
            both = [samples.negatives.rows, samples.positives.rows]
        X = np.vstack(both)
        scale = power_of_two(largest_size(X))  # squares of the scaled values are finite
        X = X / scale
        # With a penalty on intercepts, the origin matters.
        centre = np.zeros(X.shape[1]) if penalize_intercept else X.mean(axis=0)
        X = X - centre
        unit, basis = np.ones(X.shape[1]), None
        if X.shape[1] > len(X):
            basis = np.linalg.svd(X, full_matrices=False)[2]
            X = X @ basis.T
            unit = np.ones(X.shape[1])
        else:
            spread = np.sqrt((X * X).mean(axis=0))
            unit = np.where(spread > 0, spread, 1.0)
            X = X / unit
        X = np.column_stack([X, np.ones(len(X))])
        n_negatives = len(both[0])
        return cls(
            X[:n_negatives],
            X[n_negatives:],
            centre,
            unit,
            scale,
            basis,
            samples.used,
            *targets,
        )

    def problem(
        self,
        samples: TrainingSet | TargetSet,
        objective: AffineObjective | AffineRegression,
        n_pieces: tuple[int, int],
    ) -> AffineProblem:
        with np.errstate(over="ignore"):
            penalty = (np.sqrt(objective.C) / self.unit / self.scale) ** 2
        if objective.C > 0:
            penalty = np.clip(penalty, *_PENALTIES)
        penalty = np.append(penalty, objective.C)
        if not objective.penalize_intercept:
            penalty[-1] = 0.0
        classes = self.negatives, self.positives
        penalties = penalty / n_pieces[0], penalty / n_pieces[1]
        if isinstance(samples, TargetSet) and isinstance(objective, AffineRegression):
            return AffineProblem(
                *classes,
                *objective.costs(samples.weights),
                n_pieces,
                *penalties,
                margin=1.0,
                is_squared=objective.loss == "squared_error",
                levels=objective.levels(samples.targets),
            )
        if isinstance(samples, TrainingSet) and isinstance(objective, AffineObjective):
            return AffineProblem(
                *classes,
                samples.negatives.penalties(objective.weighting),
                samples.positives.penalties(objective.weighting),
                n_pieces,
                *penalties,
                margin=objective.margin,
                is_squared=objective.loss == "squared_hinge",
            )
        raise TypeError("AffineObjective needs a TrainingSet, AffineRegression a TargetSet")

    def pieces(self, theta: Array) -> tuple[Array, Array]:
        """Coefficients and intercepts of the pieces, in the units of the data."""
        coefficients = theta[:, :-1] / self.unit
        if self.basis is not None:
            coefficients = coefficients @ self.basis
        whole = np.zeros((len(theta), len(self.used)))
        whole[:, self.used] = self.deviation * coefficients / self.scale
        intercepts = theta[:, -1] - coefficients @ self.centre
        return whole, self.deviation * intercepts + self.mean / 2
