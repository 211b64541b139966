r"""Exact distances in closed form to where a maximum plus a minimum of affine functions falls.

The value is :math:`f(x) = \max_c A_c(x) + \min_k B_k(x)`. The distance to :math:`f \le t` is the
minimum over k of the distance to :math:`\max_c A_c + B_k \le t`, which is, by the duality of linear
programmes, a maximum of ratios over weights λ of the functions A. If every function depends on one
feature, few λ matter, and formulas list them. Otherwise the λ that can matter are listed once for
all samples. The theory page has the proofs. Steps are in units of the features' scales.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from math import comb

import numpy as np

from .._utils._blocks import row_blocks
from .._utils._typing import Array, Indices
from ..lattice import dilation, erosion
from ._forms import Affine

# Steps of samples, by place, to the lowest value within given radii.
Steps = Callable[[Indices | slice, Array], Array]
# Distances of a block of samples, and their steps.
Descent = Callable[[Array], tuple[Array, Steps]]
# Most points λ that are listed; beyond, each sample is searched for.
_MOST_POINTS = 50_000
_ROUNDING = 1e-10


def descent(above: Affine, below: Affine, scale: Array, threshold: float) -> Descent | None:
    """Prepare distances to where max(above) + min(below) is at most the threshold.

    Returns
    -------
    function of samples that returns their distances and the function that finds steps to the lowest
    value within given radii; None if there is no formula
    """
    below = Affine(below.coef, below.intercept - threshold)
    over, under = _of_one_feature(above, scale), _of_one_feature(below, scale)
    if over is not None and under is not None:
        every = np.concatenate([above.coef, below.coef])
        is_monotone = not ((every > 0).any(axis=0) & (every < 0).any(axis=0)).any()
        if is_monotone and over.rates.min() + under.rates.min() > 0:
            return partial(_together, over, under, np.sign(every.sum(axis=0)))
        return partial(_one_by_one, over, under)
    most = max(len(above.coef), len(below.coef))
    if comb(above.coef.shape[1] + most, most - 1) > _MOST_POINTS:
        return None
    tilts, falls = above.coef * scale, below.coef * scale
    return partial(_by_points, above, below, tilts, falls, [_points(tilts, fall) for fall in falls])


class _Singles:
    """Functions of one feature each."""

    def __init__(self, features: Indices, part: Affine, scale: Array) -> None:
        self.features, self.coef, self.intercept = features, part.coef.sum(axis=1), part.intercept
        self.slopes = self.coef * scale[features]  # by unit of the feature
        self.rates = np.abs(self.slopes)

    def terms(self, X: Array) -> Array:
        """Slopes times features."""
        in_order = np.array_equal(self.features, np.arange(X.shape[1]))
        return X * self.coef if in_order else X[:, self.features] * self.coef

    def along_rows(self, terms: Array, out: Array | None = None) -> Array:
        """Values of all functions, shape (n_functions, n_samples), given the transposed samples."""
        in_order = np.array_equal(self.features, np.arange(len(terms)))
        own, out = (terms, out) if in_order else (terms[self.features], None)
        values = np.multiply(own, self.coef[:, None], out=out)
        values += self.intercept[:, None]
        return values

    def values(self, X: Array) -> Array:
        """Values of all functions, shape (n_samples, n_functions)."""
        values = self.terms(X)
        values += self.intercept
        return values


def _of_one_feature(part: Affine, scale: Array) -> _Singles | None:
    """The functions, if each has one feature or none, and no two fall together on one feature."""
    used = part.coef != 0
    if (used.sum(axis=1) > 1).any():
        return None
    rising, falling = (part.coef > 0).sum(axis=0), (part.coef < 0).sum(axis=0)
    if max(rising.max(), falling.max()) > 1 or (~used.any(axis=1)).sum() > 1:
        return None
    return _Singles(used.argmax(axis=1), part, scale)


def _together(above: _Singles, below: _Singles, direction: Array, X: Array) -> tuple[Array, Steps]:
    """All functions fall at once: follow the one that is the minimum at the last distance found."""
    if np.ptp(above.rates) == np.ptp(below.rates) == 0:  # as in a DEP, in units of one
        value = dilation(above.terms(X), above.intercept)
        value += erosion(below.terms(X), below.intercept)
        distances = np.maximum(value, 0.0) / (above.rates[0] + below.rates[0])
    else:
        distances = _follow(above, below, X)
    return distances, lambda rows, radii: -radii[:, None] * direction


def _follow(above: _Singles, below: _Singles, X: Array) -> Array:
    distances = np.full(len(X), np.inf)
    terms = np.array(X.T, order="C")
    tops = above.along_rows(terms)
    bottoms = below.along_rows(terms, terms)
    rates, falls = above.rates[:, None], below.rates[:, None]
    lowest = bottoms.min(axis=0)
    fall = np.where(bottoms == lowest, falls, np.inf).min(axis=0)
    left = np.arange(len(X))
    while len(left):
        here = (tops[:, left] if len(left) < len(X) else tops) + lowest
        then = rates + fall
        here /= then
        found, last = np.maximum(here.max(axis=0), 0.0), distances[left]
        distances[left] = np.minimum(found, last)
        # The function that is the minimum there; if it is the same one, this is the distance.
        then = np.multiply(falls, found, out=then if len(falls) == len(then) else None)
        np.subtract(bottoms[:, left] if len(left) < len(X) else bottoms, then, out=then)
        least = then.min(axis=0)
        nearer = (least < lowest - found * fall) & (found < last)
        left, then = left[nearer], then[:, nearer]
        chosen = then.argmin(axis=0)
        lowest, fall = bottoms[chosen, left], below.rates[chosen]
    return distances


def _roots(values: Array, rates: Array | float) -> Array:
    """Radii at which values minus radius times rates reach zero; never, if the rate is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0, values / rates, 0.0)


def _one_by_one(above: _Singles, below: _Singles, X: Array) -> tuple[Array, Steps]:
    """The distance through every function of the minimum, and the smallest one."""
    none, n = len(above.slopes), X.shape[1]
    # Places of the functions of the maximum that rise and fall with a feature; none is the last.
    up, down = np.full(n + 1, none), np.full(n + 1, none)
    for of_sign, place in ((above.slopes > 0, up), (above.slopes < 0, down)):
        place[above.features[of_sign]] = np.flatnonzero(of_sign)
    features = np.where(above.slopes != 0, above.features, n)
    own_feature = np.where(below.slopes != 0, below.features, -1)
    slopes, rates = np.append(above.slopes, 0.0), np.append(above.rates, 0.0)
    # Two functions on one feature cannot both fall below the value at which they cross.
    both = np.flatnonzero((up[:n] < none) & (down[:n] < none))
    first, second = up[both], down[both]
    item_rates = np.append(above.rates, np.zeros(len(both)))
    item_features = np.append(features, both)
    distances, through = np.full(len(X), np.inf), np.zeros(len(X), dtype=np.intp)
    tops, bottoms = np.column_stack([above.values(X), np.full(len(X), -np.inf)]), below.values(X)
    share = rates[second] / (rates[first] + rates[second])
    kinks = share * tops[:, first] + (1 - share) * tops[:, second]
    items = np.hstack([tops[:, :none], kinks])

    def through_one(k: int, value: Array) -> Array:
        j, fall = own_feature[k], below.rates[k]
        same, opposite = (up[j], down[j]) if below.slopes[k] > 0 else (down[j], up[j])
        others = np.flatnonzero(item_features != j)
        rest, rest_rates = items[:, others], item_rates[others]
        found = _roots(rest + value[:, None], rest_rates + fall).max(axis=1, initial=0.0)
        found = np.maximum(found, _roots(tops[:, same] + value, rates[same] + fall))
        found = np.maximum(found, _roots(tops[:, opposite] + value, abs(rates[opposite] - fall)))
        if opposite == none or rates[opposite] < fall:
            return found
        # The step along this feature ends where the opposite function begins to decide.
        share = fall / rates[opposite]
        mixed = (1 - share) * rest + (share * tops[:, opposite] + value)[:, None]
        found = np.maximum(found, _roots(mixed, (1 - share) * rest_rates).max(axis=1, initial=0.0))
        if same != none:
            share = (rates[same] + fall) / (rates[same] + rates[opposite])
            mixed = (1 - share) * tops[:, same] + share * tops[:, opposite] + value
            found = np.maximum(found, _roots(mixed, 0.0))
        return found

    for k in range(len(below.slopes)):
        found = through_one(k, bottoms[:, k])
        through[found < distances] = k
        distances = np.minimum(found, distances)

    def lowest(rows: Indices | slice, radii: Array) -> Array:
        values, width = tops[rows], radii[:, None]
        steps = np.zeros((len(radii), n + 1))
        steps[:, features] = -np.sign(above.slopes) * width
        kinks = (values[:, second] - values[:, first]) / (rates[first] + rates[second])
        steps[:, both] = np.clip(kinks, -width, width)
        # The feature of the function of the minimum ends at an end, or where functions cross.
        own, here = own_feature[through[rows]], np.arange(len(radii))
        others = values[:, :none] + above.slopes * steps[:, features]
        rest = np.where(features == own[:, None], -np.inf, others).max(axis=1)
        ends, lines = [-radii, radii, steps[here, own]], []
        with np.errstate(divide="ignore", invalid="ignore"):
            for place in (up[own], down[own]):
                lines.append((values[here, place][:, None], slopes[place][:, None]))
                crossing = (rest - values[here, place]) / slopes[place]
                ends.append(np.nan_to_num(np.clip(crossing, -radii, radii)))
        at = np.column_stack(ends)
        ends_at = np.maximum(rest[:, None], np.maximum(*(start + at * by for start, by in lines)))
        ends_at = np.where(np.isfinite(ends_at), ends_at, 0.0)
        chosen = (ends_at + below.slopes[through[rows], None] * at).argmin(axis=1)
        steps[here, own] = at[here, chosen]
        return steps[:, :n]

    return distances, lowest


def _by_points(
    above: Affine, below: Affine, tilts: Array, falls: Array, listed: Sequence[Array], X: Array
) -> tuple[Array, Steps]:
    """The maximum over the listed points λ, for every function of the minimum."""
    tops, bottoms = (X @ part.coef.T + part.intercept for part in (above, below))
    distances, through = np.full(len(X), np.inf), np.zeros(len(X), dtype=np.intp)
    multipliers = np.tile(np.eye(1, len(tilts)), (len(X), 1))
    for k, (fall, points) in enumerate(zip(falls, listed, strict=True)):
        norms = np.abs(points @ tilts + fall).sum(axis=1)
        for rows in row_blocks(np.broadcast_to(norms, (len(X), len(norms)))):
            ratios = _roots(tops[rows] @ points.T + bottoms[rows, k, None], norms)
            chosen = ratios.argmax(axis=1)
            found = ratios[np.arange(len(chosen)), chosen]
            nearer = np.flatnonzero(found < distances[rows])
            distances[rows][nearer], through[rows][nearer] = found[nearer], k
            multipliers[rows][nearer] = points[chosen[nearer]]

    def lowest(rows: Indices | slice, radii: Array) -> Array:
        coef = tilts[None] + falls[through[rows]][:, None]
        weights = multipliers[rows]
        slopes = np.einsum("ij,ijk->ik", weights, coef)
        undecided = np.abs(slopes) <= _ROUNDING * np.abs(coef).max(axis=(1, 2))[:, None]
        steps = np.where(undecided, 0.0, -np.sign(slopes)) * radii[:, None]
        values = tops[rows] + steps @ tilts.T
        for i in np.flatnonzero(undecided.any(axis=1)):
            # The functions that decide are equal: that determines the other steps.
            deciding, free = weights[i] > _ROUNDING, np.flatnonzero(undecided[i])
            system = np.column_stack([coef[i][deciding][:, free], -np.ones(deciding.sum())])
            solved = np.linalg.lstsq(system, -values[i, deciding], rcond=None)[0][:-1]
            steps[i, free] = np.clip(solved, -radii[i], radii[i])
        return steps

    return distances, lowest


def _points(above: Array, below: Array) -> Array:
    """Points λ of the simplex at which J − 1 of the entries of λ and of λA + B are zero."""
    n_pieces = len(above)
    if n_pieces == 1:
        return np.ones((1, 1))
    # λ sums to one, so that λA + B is the product of λ with A + B.
    planes = np.vstack([(above + below).T, np.eye(n_pieces)])
    sizes = np.abs(planes).max(axis=1)
    planes = planes[sizes > 0] / sizes[sizes > 0, None]
    chosen = np.array(list(combinations(range(len(planes)), n_pieces - 1)))
    systems = np.concatenate([planes[chosen], np.ones((len(chosen), 1, n_pieces))], axis=1)
    regular = np.abs(np.linalg.det(systems)) > 1e-13
    right = np.zeros((int(regular.sum()), n_pieces, 1))
    right[:, -1] = 1.0
    points = np.linalg.solve(systems[regular], right)[:, :, 0]
    points = np.maximum(points[(points >= -_ROUNDING).all(axis=1)], 0.0)
    return points / points.sum(axis=1, keepdims=True)
