"""Candidate terms of a score, features and boxes, and their gains by the score test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .._utils._typing import Array, Indices, Mask
from ..inspection import shortest

# Maximum number of bins of a feature; they end between values of the training samples.
N_BINS = 32
# Boxes grow from the chosen boxes and from this many conditions with the largest gains.
_N_SEEDS = 3
# The gain of a box is divided by the root of its number of conditions.
_POWER = 0.5
# Added to the variance of a term, so that terms with few samples are not chosen by chance.
_PRIOR = 1.0
_NOTHING = 1e-9


@dataclass(frozen=True)
class Face:
    """One bound of a box: above a cut of a feature, or not above it."""

    feature: int
    cut: int  # position among the feature's cuts
    above: bool


# A feature as it is, by its index, or a box by its faces.
Term = int | frozenset[Face]


def cost(term: Term) -> int:
    """Number of conditions of a term."""
    return 1 if isinstance(term, int) else len(term)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Binned samples; sums over bins give the gains of all terms."""

    X: Array  # (n_samples, n_features), standardised
    codes: Indices  # (n_samples, n_features), the bin of each value
    cuts: list[Array]  # by feature, between its bins, in the units of the data
    is_cut: Mask  # (n_features, n_bins), whether there is a cut after the bin
    is_measured: Mask  # (n_features,), whether a feature has more than two values

    @classmethod
    def of(cls, X: Array, mean: Array, scale: Array) -> Candidates:
        """Build candidates from samples without constant features.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Samples.
        mean, scale : array of shape (n_features,)
            Mean and standard deviation of the features. Features as terms are standardised, so
            that one penalty fits all; cuts are in the units of X.
        """
        cuts = [_cuts(x) for x in X.T]
        n_cuts = np.array([len(of_feature) for of_feature in cuts])
        codes = [
            np.searchsorted(of_feature, x, side="left")
            for x, of_feature in zip(X.T, cuts, strict=True)
        ]
        return cls(
            X=(X - mean) / scale,
            codes=np.column_stack(codes),
            cuts=cuts,
            is_cut=np.arange(1 + n_cuts.max()) < n_cuts[:, None],
            # A feature with two values is the same term as its single condition.
            is_measured=n_cuts > 1,
        )

    @property
    def n_bins(self) -> int:
        """Maximum number of bins of a feature."""
        return self.is_cut.shape[1]

    def subset(self, rows: Indices) -> Candidates:
        """The same candidates on a subset of the samples."""
        return replace(self, X=self.X[rows], codes=self.codes[rows])

    def values(self, term: Term) -> Array:
        """The value of a term for each sample."""
        if isinstance(term, int):
            return self.X[:, term]
        return self._inside(term).astype(np.float64)

    def _inside(self, box: frozenset[Face]) -> Mask:
        inside = np.ones(len(self.X), dtype=bool)
        for face in box:
            above = self.codes[:, face.feature] > face.cut
            inside &= above if face.above else ~above
        return inside

    def best(
        self, residuals: Array, information: Array, chosen: list[Term], max_faces: int, room: int
    ) -> tuple[float, Term | None]:
        """Find the new term with the largest gain; return its gain and the term.

        Parameters
        ----------
        residuals, information : array of shape (n_samples,)
            Negated first derivative and second derivative of the loss of each sample.
        chosen : list of Term
            The terms of the score so far.
        max_faces : int
            Maximum number of faces of a box; with 0, only features are candidates.
        room : int
            Maximum number of conditions of the term.
        """
        total = information.sum()
        found = [self._best_feature(residuals, information, total, max_faces > 0)]
        if max_faces > 0:
            gains = self._above(self._sums(residuals), self._sums(information), total)
            found.append(_greatest(gains, lambda j, cut: frozenset([Face(j, cut, True)])))
            if max_faces > 1 and room > 1:
                seeds = [box for box in chosen if not isinstance(box, int)]
                found += self._best_boxes(
                    residuals, information, total, _seeds(seeds, gains), min(max_faces, room)
                )
        known = set(chosen)
        gain, term = max(
            (pair for pair in found if pair[1] not in known),
            key=lambda pair: pair[0],
            default=(0.0, None),
        )
        return (gain, term) if gain > _NOTHING else (0.0, None)

    def _best_feature(
        self, residuals: Array, information: Array, total: float, also_conditions: bool
    ) -> tuple[float, Term]:
        mean = information @ self.X / total
        variance = information @ np.square(self.X) - total * mean**2
        gains = _gains(residuals @ self.X, variance)
        if also_conditions:
            gains = gains * self.is_measured
        j = int(gains.argmax())
        return float(gains[j]), j

    def _best_boxes(
        self,
        residuals: Array,
        information: Array,
        total: float,
        seeds: list[frozenset[Face]],
        most: int,
    ) -> Iterator[tuple[float, Term]]:
        """Yield the best box with one face more than a seed, and boxes grown from it."""
        best = max(
            (
                self._grown(residuals, information, total, seed)
                for seed in seeds
                if len(seed) < most
            ),
            key=lambda pair: pair[0],
            default=(0.0, frozenset()),
        )
        while best[1]:
            yield best
            if len(best[1]) >= most:
                return
            best = self._grown(residuals, information, total, best[1])

    def _grown(
        self, residuals: Array, information: Array, total: float, seed: frozenset[Face]
    ) -> tuple[float, frozenset[Face]]:
        """Gain of the best box with one more face, and the box; 0 and an empty box if none."""
        rows = np.flatnonzero(self._inside(seed))
        if len(rows) < 2:
            return 0.0, frozenset()
        sums, weights = self._sums(residuals, rows), self._sums(information, rows)
        above, below = self._above(sums, weights, total), self._below(sums, weights, total)
        for face in seed:  # one face for each side of a feature
            (above if face.above else below)[face.feature] = 0.0
        gain, face = max(
            _greatest(above, lambda j, cut: Face(j, cut, True)),
            _greatest(below, lambda j, cut: Face(j, cut, False)),
            key=lambda pair: pair[0],
        )
        if gain <= 0:
            return 0.0, frozenset()
        return gain / (len(seed) + 1) ** _POWER, seed | {face}

    def _sums(self, values: Array, rows: Indices | None = None) -> Array:
        """Sums over the samples of every bin, of shape (n_features, n_bins)."""
        codes = self.codes if rows is None else self.codes[rows]
        values = values if rows is None else values[rows]
        n_features = codes.shape[1]
        places = (codes + np.arange(n_features) * self.n_bins).ravel()
        repeated = np.repeat(values, n_features)
        sums = np.bincount(places, weights=repeated, minlength=n_features * self.n_bins)
        return sums.reshape(n_features, self.n_bins).astype(np.float64, copy=False)

    def _above(self, sums: Array, weights: Array, total: float) -> Array:
        return self._of_conditions(_after(sums), _after(weights), total)

    def _below(self, sums: Array, weights: Array, total: float) -> Array:
        return self._of_conditions(np.cumsum(sums, axis=1), np.cumsum(weights, axis=1), total)

    def _of_conditions(self, sums: Array, weights: Array, total: float) -> Array:
        return np.where(self.is_cut, _gains(sums, weights * (total - weights) / total), 0.0)


def _gains(sums: Array, variance: Array) -> Array:
    """Twice the decrease of the loss by one Newton step along a term, to second order."""
    return np.where(variance > _NOTHING, sums**2 / (np.maximum(variance, 0) + _PRIOR), 0.0)


def _after(sums: Array) -> Array:
    """Sums over the bins after each one."""
    return sums.sum(axis=1, keepdims=True) - np.cumsum(sums, axis=1)


def _greatest(gains: Array, make):
    j, cut = divmod(int(gains.argmax()), gains.shape[1])
    return float(gains[j, cut]), make(j, cut)


def _seeds(chosen: list[frozenset[Face]], gains: Array) -> list[frozenset[Face]]:
    """Boxes to grow: the chosen ones, and the best condition of each of a few features."""
    found = list(chosen)
    best = gains.argmax(axis=1)
    for j in np.argsort(-gains.max(axis=1), kind="stable")[:_N_SEEDS]:
        found.append(frozenset([Face(int(j), int(best[j]), True)]))
    opposite = [
        frozenset([Face(face.feature, face.cut, not face.above) for face in box])
        for box in found
        if len(box) == 1
    ]
    return list(dict.fromkeys(found + opposite))


def _cuts(x: Array) -> Array:
    """Cuts between the values of a feature: all of them, or at quantiles."""
    values = np.unique(x)
    after = np.arange(1, len(values))
    if len(values) > N_BINS:
        quantiles = np.quantile(x, np.arange(1, N_BINS) / N_BINS)
        after = np.unique(np.clip(np.searchsorted(values, quantiles), 1, len(values) - 1))
    cuts = (values[after - 1] + values[after]) / 2
    # There is no number between neighbouring floats: use the lower one, which is not above itself.
    cuts = np.where(cuts < values[after], cuts, values[after - 1])
    return np.array(list(map(_without_rounding, cuts, values[after - 1], values[after])))


def _without_rounding(cut: float, below: float, above: float) -> float:
    """Remove rounding noise from a cut: 0.15 for 0.15000000000000002."""
    near = 4 * np.spacing(abs(cut))
    return shortest(
        float(cut), lambda number: abs(number - cut) <= near and below <= number < above
    )
