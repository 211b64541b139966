"""Uniform sample of rows that are never in memory together, with the sums of all rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from .._base._draws import Drawn, add_drawn, drawn
from .._base._draws import random_numbers as random_numbers
from .._base._missing import has_missing
from .._base._moments import Moments, add_by_class, moments_by_class
from .._base._passes import Block, Passes, reduce_each
from .._utils._typing import Mask
from ._samples import ClassSamples, TrainingSet


@dataclass(frozen=True, eq=False)
class SampledRows:
    """Sample of both classes as a training set, whose ranges, weights and spread are of all rows.

    The sums are those of all rows, by class, of the features in use.
    """

    samples: TrainingSet
    sums: tuple[Moments, ...]
    costs: tuple[float, float]

    @classmethod
    def of(
        cls,
        passes: Passes,
        n_rows: int,
        costs: tuple[float, float],
        ignore_constant: bool,
        seed: int = 0,
    ) -> SampledRows:
        """Draw ``n_rows`` rows, at most half of them from each class; one pass."""
        per_class = max(1, n_rows // 2)
        sums, found = reduce_each(
            passes,
            (moments_by_class, add_by_class),
            (partial(drawn, per_class, seed), partial(add_drawn, per_class)),
        )
        _check(sums)
        used = _used(sums, ignore_constant)
        sums = tuple(part.of_features(used) for part in sums)
        spread = float(np.sqrt((sums[0] + sums[1]).variances.mean()))
        return cls(_training_set(found, sums, costs, spread, used), sums, costs)

    def block(self) -> Block:
        """The sample, with all features."""
        classes = (self.samples.negatives, self.samples.positives)
        rows = np.vstack([part.rows for part in classes])
        X = np.zeros((len(rows), len(self.samples.used)))
        X[:, self.samples.used] = rows
        weights = np.concatenate([part.weights for part in classes])
        return Block(X, np.repeat([-1.0, 1.0], [len(part.rows) for part in classes]), weights, -1)

    @property
    def factors(self) -> tuple[float, ...]:
        """Penalty of a row of weight 1, by class, if all rows of a class weigh alike."""
        return tuple(cost / part.weight for cost, part in zip(self.costs, self.sums, strict=True))


def _check(sums: tuple[Moments, ...]) -> None:
    for part, label in zip(sums, ("negative", "positive"), strict=True):
        if not part.n_rows:
            raise ValueError(
                f"no row of positive weight is of the {label} class: training needs both classes"
            )
        if has_missing(part.means):
            raise ValueError(
                "values are missing (NaN): training by passes needs complete rows; impute them "
                "first, or fit on arrays in memory"
            )


def _used(sums: tuple[Moments, ...], ignore_constant: bool) -> Mask:
    both = sums[0] + sums[1]
    varying: Mask = both.least < both.greatest
    return varying if ignore_constant and varying.any() else np.ones(len(varying), dtype=bool)


def _training_set(
    found: tuple[Drawn, ...],
    sums: tuple[Moments, ...],
    costs: tuple[float, float],
    spread: float,
    used: Mask,
) -> TrainingSet:
    """Training set of the drawn rows, with what only all rows know."""
    X = np.concatenate([part.X for part in found])
    weights = np.concatenate([part.weight for part in found])
    signs = np.repeat([-1.0, 1.0], [len(part.numbers) for part in found])
    some = TrainingSet.from_samples(np.compress(used, X, axis=1), signs, weights, costs)
    negatives = _as_of_all(some.negatives, sums[0])
    positives = _as_of_all(some.positives, sums[1])
    return TrainingSet(negatives, positives, spread, used)


def _as_of_all(part: ClassSamples, of_all: Moments) -> ClassSamples:
    """Weights with the sum of all rows, and the ranges of all rows."""
    return replace(
        part,
        weights=part.weights * (of_all.weight / part.weights.sum()),
        least=of_all.least + 0.0,
        greatest=of_all.greatest + 0.0,
    )
