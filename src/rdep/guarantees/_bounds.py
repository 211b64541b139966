"""Bounds of radii by intervals, where no formula and no search gives the exact ones.

A prediction cannot change within a radius if the intervals of the decision values around a sample
leave no doubt. The largest such radius is bisected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC, LinearSVC

from .._utils._sklearn_fitted import boosted_trees, boosting_baseline, svc_gamma
from .._utils._typing import Array, Indices
from ..hyperboxes import BoxClassifier
from ..orderings import Ordering
from ..perceptrons import RDEPClassifier
from ._forms import Affine, Decision, Range, affine_steps, no_certificate, of_operators

# Radii are bracketed from the smallest on by this factor, then bisected.
_SMALLEST, _GROWTH, _N_BISECTIONS = 1e-6, 4.0, 40
_N_BISECTIONS_OF_MEMBERS = 12  # whose intervals take time and are wide
_LARGEST = 1e6
_ROUNDING = 1e-9


def bounds_of_decision(decision: Decision, X: Array, scale: Array, codes: Indices) -> Array:
    """Radii that are at most the exact ones."""
    ranges = [value.ranges for value in decision.values]
    ends = decision.threshold, decision.threshold
    return _largest(ranges, ends, X, scale, codes, _N_BISECTIONS)


def bounds_of_model(model: Any, X: Array, scale: Array, codes: Indices) -> Array:
    """Bounds for models whose decision is no expression: dendrites, and r-DEPs on members."""
    if isinstance(model, BoxClassifier):
        # Depths change by at most the distance.
        depths = model._depths(X)
        if not model._competes():
            return np.abs(depths[:, 1]) / scale.max()
        own = depths[np.arange(len(X)), codes]
        depths[np.arange(len(X)), codes] = -np.inf
        return np.maximum(own - depths.max(axis=1), 0.0) / (2 * scale.max())
    parts = [model] if len(model.classes_) == 2 else model.estimators_
    for part in parts:
        if not isinstance(part.ordering_, Ordering):
            raise no_certificate(
                f"an RDEPClassifier with the ordering {type(part.ordering_).__name__}"
            )
    rounding = max(part.rounding_ for part in parts)
    ranges = [partial(_value_range, part) for part in parts]
    return _largest(ranges, (-rounding, rounding), X, scale, codes, _N_BISECTIONS_OF_MEMBERS)


def _largest(
    ranges: Sequence[Callable[[Array, Array], Range]],
    thresholds: tuple[float, float],
    X: Array,
    scale: Array,
    codes: Indices,
    n_bisections: int,
) -> Array:
    """The largest radius found at which the ranges of the values leave no doubt."""

    def certain(rows: Indices, radii: Array) -> Array:
        reach = radii[:, None] * scale
        ends = np.array([of(X[rows] - reach, X[rows] + reach) for of in ranges])
        lows, highs = ends[:, 0].T, ends[:, 1].T
        if len(ranges) == 1:
            is_above, is_below = lows[:, 0] > thresholds[1], highs[:, 0] < thresholds[0]
            return np.where(codes[rows] == 1, is_above, is_below)
        here = np.arange(len(rows))
        own = lows[here, codes[rows]]
        highs[here, codes[rows]] = -np.inf
        others = highs.max(axis=1)
        # Values that rounding cannot tell apart are equal.
        return own > others + (thresholds[1] - thresholds[0]) / 2 + _ROUNDING * np.abs(others)

    low, high = np.zeros(len(X)), np.full(len(X), _SMALLEST)
    left = np.arange(len(X))
    while len(left):
        left = left[certain(left, high[left])]
        low[left] = high[left]
        left = left[high[left] < _LARGEST]
        high[left] *= _GROWTH
    every = np.arange(len(X))
    for _ in range(n_bisections):
        middle = (low + high) / 2
        is_certain = certain(every, middle)
        low, high = np.where(is_certain, middle, low), np.where(is_certain, high, middle)
    return low * (1 - _ROUNDING)


def _value_range(part: RDEPClassifier, low: Array, high: Array) -> Range:
    """Range of the decision value of a binary r-DEP on members."""
    if part.input_scaler_ is not None:
        low, high = (part.input_scaler_.transform(corner) for corner in (low, high))
    ordering, constrained = part.ordering_, part.constrained_
    own = low[:, constrained], high[:, constrained]
    low, high = (np.delete(corner, constrained, axis=1) for corner in (low, high))
    features = getattr(ordering, "estimators_features_", None)
    members: list[Range] = []
    for k, (name, member) in enumerate(zip(ordering._names, ordering.estimators_, strict=True)):
        seen = slice(None) if features is None else features[k]
        try:
            members.append(member_range(member, low[:, seen], high[:, seen]))
        except NotImplementedError:
            kind = type(member).__name__
            raise no_certificate(f"an RDEPClassifier with the member {name!r} ({kind})") from None
    # The stack and its share in all coordinates are one affine map of the members' values.
    matrix, shift = np.eye(len(members)), np.zeros(len(members))
    if ordering.stack:
        scaler, logistic = ordering.stack_
        coef = logistic.coef_[0] / scaler.scale_
        matrix = np.column_stack([matrix, coef])
        shift = np.append(shift, logistic.intercept_[0] - coef @ scaler.mean_)
        if ordering.shrinkage:
            matrix, shift = matrix @ ordering.shrinking(), shift @ ordering.shrinking()
    lows, highs = (np.column_stack(ends) for ends in zip(*members, strict=True))
    if len(constrained):
        # Constrained features are coordinates of their own, with the share of the stack.
        rest, signs = len(matrix), part.constrained_signs_
        shared = ordering.shrinkage * matrix[:, -1:] if ordering.shrinkage else 0.0
        matrix = np.block(
            [
                [matrix, np.zeros((rest, len(signs))) + shared],
                [np.zeros((len(signs), matrix.shape[1])), np.diag(signs)],
            ]
        )
        added = ordering.shrinkage * shift[-1] if ordering.shrinkage else 0.0
        shift = np.append(shift, np.full(len(signs), added))
        lows, highs = (np.hstack(pair) for pair in zip((lows, highs), own, strict=True))
    if part.ordering_scaler_ is not None:
        matrix = matrix / part.ordering_scaler_.scale_
        shift = (shift - part.ordering_scaler_.mean_) / part.ordering_scaler_.scale_
    corners = Affine(matrix.T, shift).ranges(lows, highs)
    fitted = part.dep_._fitted_operators()
    form = of_operators(fitted, fitted.features, fitted.orientation, 0.0, len(shift))
    return form.ranges(*corners)


@singledispatch
def member_range(member: Any, low: Array, high: Array) -> Range:
    """Bounds of a member's value between corners, one pair for each sample."""
    raise NotImplementedError


@member_range.register(LogisticRegression)
@member_range.register(LinearSVC)
@member_range.register(RidgeClassifier)
def _(member: Any, low: Array, high: Array) -> Range:
    ends = Affine(np.reshape(member.coef_, (1, -1)), member.intercept_).ranges(low, high)
    return ends[0][:, 0], ends[1][:, 0]


@member_range.register
def _(member: Pipeline, low: Array, high: Array) -> Range:
    factor, shift = affine_steps(member, low.shape[1])
    return member_range(member[-1], low * factor + shift, high * factor + shift)


@member_range.register
def _(member: SVC, low: Array, high: Array) -> Range:
    if member.kernel not in ("rbf", "linear", "poly"):
        raise NotImplementedError
    vectors, duals = member.support_vectors_, member.dual_coef_
    if member.kernel == "linear":
        kernel_low, kernel_high, duals = low, high, member.coef_
    elif member.kernel == "rbf":
        least, greatest = np.zeros((len(low), len(vectors))), np.zeros((len(low), len(vectors)))
        for j, values in enumerate(vectors.T):
            below, above = low[:, j, None] - values, high[:, j, None] - values
            greatest += np.maximum(np.abs(below), np.abs(above)) ** 2
            least += np.maximum(np.maximum(below, -above), 0.0) ** 2
        kernel_low, kernel_high = (np.exp(-svc_gamma(member) * d) for d in (greatest, least))
    else:
        products = Affine(vectors, np.zeros(len(vectors))).ranges(low, high)
        ends = svc_gamma(member) * np.stack(products) + member.coef0
        powers = ends**member.degree
        crosses = (ends[0] < 0) & (ends[1] > 0) & (member.degree % 2 == 0)
        kernel_low = np.where(crosses, 0.0, powers.min(axis=0))
        kernel_high = powers.max(axis=0)
    found = Affine(duals, member.intercept_).ranges(kernel_low, kernel_high)
    return found[0][:, 0], found[1][:, 0]


@member_range.register(RandomForestClassifier)
@member_range.register(ExtraTreesClassifier)
def _(member: Any, low: Array, high: Array) -> Range:
    # Trees compare single-precision numbers; rounding keeps their order.
    low, high = low.astype(np.float32), high.astype(np.float32)
    trees = [estimator.tree_ for estimator in member.estimators_]
    ranges = [
        _tree_range(
            tree.children_left, tree.children_right, tree.feature, tree.threshold,
            tree.value[:, 0, 1], low, high,
        )
        for tree in trees
    ]  # fmt: skip
    total = np.mean(ranges, axis=0) - 0.5
    return total[0], total[1]


@member_range.register
def _(member: HistGradientBoostingClassifier, low: Array, high: Array) -> Range:
    if member.is_categorical_ is not None:
        raise NotImplementedError
    total = np.full((2, len(low)), float(np.ravel(boosting_baseline(member))[0]))
    for (tree,) in boosted_trees(member):
        nodes = tree.nodes
        left = np.where(nodes["is_leaf"] != 0, -1, nodes["left"].astype(np.intp))
        total += _tree_range(
            left, nodes["right"], nodes["feature_idx"], nodes["num_threshold"], nodes["value"],
            low, high,
        )  # fmt: skip
    return total[0], total[1]


def _tree_range(
    left: NDArray[Any], right: NDArray[Any], feature: NDArray[Any], threshold: Array, value: Array,
    low: NDArray[Any], high: NDArray[Any],
) -> Array:  # fmt: skip
    """Smallest and largest value of the leaves that a sample between the corners can reach."""
    found: dict[int, Array] = {}
    # Children have larger numbers than their parents.
    for node in range(len(left) - 1, -1, -1):
        if left[node] < 0:
            found[node] = np.repeat([[value[node]], [value[node]]], len(low), axis=1)
            continue
        below, above = found.pop(int(left[node])), found.pop(int(right[node]))
        can_left = low[:, feature[node]] <= threshold[node]
        can_right = high[:, feature[node]] > threshold[node]
        both = np.stack([np.minimum(below[0], above[0]), np.maximum(below[1], above[1])])
        found[node] = np.where(can_left & can_right, both, np.where(can_left, below, above))
    return found[0]
