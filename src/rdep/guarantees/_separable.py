r"""Exact radii in closed form, for maxima and minima of functions of one feature each.

The value is :math:`f(x) = \max_c A_c(x) + \min_k B_k(x)`. The distance to :math:`f \le t` is the
minimum over k of the distance to :math:`\max_c A_c + B_k \le t`. For one k, the minimum of
:math:`\max_c A_c + B_k` over the box of radius r is, by the duality of linear programmes, a maximum
of affine functions of r. So the distance is the maximum of their roots. The theory page has the
proof.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._utils._blocks import row_blocks
from .._utils._typing import Array, Indices
from ..lattice import dilation, erosion
from ._expressions import Separable

_NONE = -1  # the feature of a constant
_Rates = list[tuple[int, float]]  # functions and their rates


@dataclass(frozen=True, eq=False)
class _Items:
    """What bounds the maximum from below at a radius: values minus radius times rates."""

    values: Array  # (n_samples, n_items)
    rates: Array  # (n_items,)
    features: Indices  # (n_items,)


def descend(form: Separable, X: Array, scale: Array, threshold: float) -> tuple[Array, Indices]:
    """Distance of each sample to the set where the value is at most the threshold.

    Returns
    -------
    distances, and the function of the minimum through which the set is reached
    """
    distances, through = np.empty(len(X)), np.empty(len(X), dtype=np.intp)
    falls = _fall_together(form)
    for rows in row_blocks(X):
        block = _together if falls else _one_by_one
        distances[rows], through[rows] = block(form, X[rows], scale, threshold)
    return distances, through


def _fall_together(form: Separable) -> bool:
    """Whether the value is monotone in every feature."""
    features, slopes = np.concatenate(form.features), np.concatenate(form.slopes)
    return not np.intersect1d(features[slopes > 0], features[slopes < 0]).size


def one_rate(form: Separable, scale: Array) -> float | None:
    """The rate at which the value falls, if all functions fall together at one, as in a DEP."""
    rates = [np.unique(np.abs(form.slopes[k]) * scale[form.features[k]]) for k in (0, 1)]
    return (
        float(np.concatenate(rates).sum())
        if _fall_together(form) and max(map(len, rates)) == 1
        else None
    )


def values_of(form: Separable, X: Array) -> Array:
    """Values of samples, by the compiled operators."""
    found = np.zeros(len(X))
    for rows in row_blocks(X):
        for place, operator in enumerate((dilation, erosion)):
            if len(form.features[place]):
                found[rows] += operator(_scaled(form, place, X[rows]), form.intercepts[place])
    return found


def direction(form: Separable) -> Array:
    """The direction in which a value that is monotone in every feature rises."""
    found = np.zeros(form.n_features)
    found[np.concatenate(form.features)] = np.sign(np.concatenate(form.slopes))
    return found


def _pieces(form: Separable, place: int, X: Array, scale: Array) -> tuple[Array, Array, Indices]:
    """Values, rates and features of the functions; a constant zero if there are none."""
    features, slopes = form.features[place], form.slopes[place]
    if not len(features):
        return np.zeros((len(X), 1)), np.zeros(1), np.array([_NONE])
    values = _scaled(form, place, X)
    values += form.intercepts[place]
    return values, np.abs(slopes) * scale[features], features


def _scaled(form: Separable, place: int, X: Array) -> Array:
    features, slopes = form.features[place], form.slopes[place]
    in_order = len(features) == X.shape[1] and (features == np.arange(X.shape[1])).all()
    return X * slopes if in_order else X[:, features] * slopes


def _roots(values: Array, rates: Array | float) -> Array:
    """Radii at which values minus radius times rates reach zero; never, if the rate is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0, values / rates, 0.0)


def _together(form: Separable, X: Array, scale: Array, threshold: float) -> tuple[Array, Indices]:
    """All functions fall at once: follow the one that is the minimum at the last radius found."""
    above, rates, _ = _pieces(form, 0, X, scale)
    below, falls, _ = _pieces(form, 1, X, scale)
    best, through = np.full(len(X), np.inf), np.zeros(len(X), dtype=np.intp)
    left, lowest = np.arange(len(X)), below.argmin(axis=1)
    while len(left):
        value = below[left, lowest] - threshold
        every = above if len(left) == len(X) else above[left]
        found = ((every + value[:, None]) / (rates + falls[lowest][:, None])).max(axis=1)
        nearer = found < best[left]
        left, found = left[nearer], np.maximum(found[nearer], 0.0)
        best[left], through[left] = found, lowest[nearer]
        lowest = (below[left] - found[:, None] * falls).argmin(axis=1)
        # The same function again, as always if all fall at the same rate: this is the distance.
        other = lowest != through[left]
        left, lowest = left[other], lowest[other]
    return best, through


def _items(form: Separable, X: Array, scale: Array) -> _Items:
    """The functions of the maximum, and the minima of pairs that move in opposite directions."""
    values, rates, features = _pieces(form, 0, X, scale)
    up, down = _opposite(form)
    if not len(up):
        return _Items(values, rates, features)
    share = rates[down] / (rates[up] + rates[down])
    kinks = share * values[:, up] + (1 - share) * values[:, down]
    return _Items(
        np.hstack([values, kinks]),
        np.concatenate([rates, np.zeros(len(up))]),
        np.concatenate([features, features[up]]),
    )


def _opposite(form: Separable) -> tuple[Indices, Indices]:
    """Pairs of functions of the maximum that depend on one feature in opposite directions."""
    features, slopes = form.features[0], form.slopes[0]
    _, up, down = np.intersect1d(
        features[slopes > 0], features[slopes < 0], assume_unique=True, return_indices=True
    )
    return np.flatnonzero(slopes > 0)[up], np.flatnonzero(slopes < 0)[down]


def _one_by_one(form: Separable, X: Array, scale: Array, threshold: float) -> tuple[Array, Indices]:
    """The distance through every function of the minimum, and the smallest one."""
    items = _items(form, X, scale)
    below, falls, of_feature = _pieces(form, 1, X, scale)
    best, through = np.full(len(X), np.inf), np.zeros(len(X), dtype=np.intp)
    for k in range(len(falls)):
        value, fall = below[:, k] - threshold, falls[k]
        others = items.features != of_feature[k]
        rest, rates = items.values[:, others], items.rates[others]
        found = _roots(rest + value[:, None], rates + fall).max(axis=1, initial=0.0)
        same, opposite = _own(form, k, scale)
        for own, rate in same:
            at_own = items.values[:, own]
            found = np.maximum(found, _roots(at_own + value, rate + fall))
        for own, rate in opposite:
            at_own = items.values[:, own]
            found = np.maximum(found, _roots(at_own + value, abs(rate - fall)))
            if rate < fall:
                continue
            # The step along this feature ends where the opposite function begins to decide.
            share = fall / rate
            mixed = (1 - share) * rest + (share * at_own + value)[:, None]
            found = np.maximum(found, _roots(mixed, (1 - share) * rates).max(axis=1, initial=0.0))
            for other, reverse in same:
                both = (rate - fall) * items.values[:, other] + (reverse + fall) * at_own
                found = np.maximum(found, _roots(both / (rate + reverse) + value, 0.0))
        through = np.where(found < best, k, through)
        best = np.minimum(best, found)
    return best, through


def _own(form: Separable, k: int, scale: Array) -> tuple[_Rates, _Rates]:
    """Functions of the maximum on the feature of a function of the minimum, by direction."""
    if not len(form.features[1]):
        return [], []
    feature, slope = form.features[1][k], form.slopes[1][k]
    places = np.flatnonzero(form.features[0] == feature)
    own = [(int(p), float(form.slopes[0][p] * scale[feature] * np.sign(slope))) for p in places]
    return [(p, rate) for p, rate in own if rate > 0], [(p, -rate) for p, rate in own if rate < 0]


def lowest_points(form: Separable, X: Array, scale: Array, through: Indices, radii: Array) -> Array:
    """Sample of the lowest value within the radius, through the given functions."""
    features, slopes = form.features[0], form.slopes[0]
    if _fall_together(form):
        return X - radii[:, None] * (direction(form) * scale)
    reach = radii[:, None] * scale
    steps = np.zeros(X.shape)
    steps[:, features] = -np.sign(slopes) * reach[:, features]
    up, down = _opposite(form)
    values, rates, _ = _pieces(form, 0, X, scale)
    if len(up):
        both = features[up]
        kink = (values[:, down] - values[:, up]) / (rates[up] + rates[down]) * scale[both]
        steps[:, both] = np.clip(kink, -reach[:, both], reach[:, both])
    if not len(form.features[1]):
        return X + steps
    moved = X + steps
    pieces = _pieces(form, 0, moved, scale)[0]
    for k in np.unique(through):
        rows = np.flatnonzero(through == k)
        feature, slope = form.features[1][k], form.slopes[1][k]
        own = np.flatnonzero(features == feature) if len(features) else np.zeros(0, dtype=np.intp)
        rest = np.delete(pieces[rows], own, axis=1).max(axis=1, initial=-np.inf)
        width = reach[rows, feature]
        candidates = [-width, width, steps[rows, feature]]
        candidates += [np.clip((rest - values[rows, c]) / slopes[c], -width, width) for c in own]
        at = np.nan_to_num(np.column_stack(candidates))
        tops = np.broadcast_to(rest[:, None], at.shape)
        for c in own:
            tops = np.maximum(tops, values[rows, c, None] + slopes[c] * at)
        tops = np.where(np.isfinite(tops), tops, 0.0)
        chosen = (tops + slope * at).argmin(axis=1)
        moved[rows, feature] = X[rows, feature] + at[np.arange(len(rows)), chosen]
    return moved
