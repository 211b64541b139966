"""Bounds of the radii of an r-DEP on members, by intervals of the members' values."""

from __future__ import annotations

from functools import singledispatch
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
from ..lattice import dilation, erosion
from ..orderings import Ordering
from ..perceptrons import RDEPClassifier
from ._forms import affine_steps, no_certificate

Range = tuple[Array, Array]
# Radii are bracketed by these factors, then bisected.
_SMALLEST, _GROWTH, _N_BISECTIONS = 1e-6, 4.0, 12
_LARGEST = 1e6


def bounds_by_members(model: RDEPClassifier, X: Array, scale: Array, codes: Indices) -> Array:
    """The largest radius found at which the intervals of values leave no doubt."""
    parts = [model] if len(model.classes_) == 2 else model.estimators_
    for part in parts:
        if not isinstance(part.ordering_, Ordering):
            raise no_certificate(
                f"an RDEPClassifier with the ordering {type(part.ordering_).__name__}"
            )

    def certain(rows: Indices, radii: Array) -> Array:
        reach = radii[:, None] * scale
        ranges = [_values(part, X[rows] - reach, X[rows] + reach) for part in parts]
        if len(parts) == 1:
            (low, high), rounding = ranges[0], model.rounding_
            return np.where(codes[rows] == 1, low > rounding, high < -rounding)
        lows, highs = (np.column_stack(ends) for ends in zip(*ranges, strict=True))
        here = np.arange(len(rows))
        own = lows[here, codes[rows]]
        highs[here, codes[rows]] = -np.inf
        near = max(part.rounding_ for part in parts) + 1e-9 * np.abs(highs.max(axis=1))
        return own > highs.max(axis=1) + near

    low, high = np.zeros(len(X)), np.full(len(X), _SMALLEST)
    left = np.arange(len(X))
    while len(left):
        left = left[certain(left, high[left])]
        low[left] = high[left]
        left = left[high[left] < _LARGEST]
        high[left] *= _GROWTH
    every = np.arange(len(X))
    for _ in range(_N_BISECTIONS):
        middle = (low + high) / 2
        is_certain = certain(every, middle)
        low, high = np.where(is_certain, middle, low), np.where(is_certain, high, middle)
    return low


def _values(part: Any, low: Array, high: Array) -> Range:
    """Range of the decision value of a binary r-DEP between corners, one pair for each sample."""
    if part.input_scaler_ is not None:
        low, high = (part.input_scaler_.transform(corner) for corner in (low, high))
    ordering, constrained = part.ordering_, part.constrained_
    own_low, own_high = low[:, constrained], high[:, constrained]
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
    lows, highs = (np.column_stack(ends) for ends in zip(*members, strict=True))
    matrix, shift = _map_of(ordering, lows.shape[1])
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
        lows, highs = np.hstack([lows, own_low]), np.hstack([highs, own_high])
    if part.ordering_scaler_ is not None:
        matrix = matrix / part.ordering_scaler_.scale_
        shift = (shift - part.ordering_scaler_.mean_) / part.ordering_scaler_.scale_
    lows, highs = _linear_range(matrix, shift, lows, highs)
    fitted = part.dep_._fitted_operators()
    upright = fitted.orientation > 0
    ends = []
    for near, far in ((lows, highs), (highs, lows)):
        oriented = np.where(upright, near[:, fitted.features], -far[:, fitted.features])
        total = np.zeros(len(oriented))
        for name, operator, share in (
            ("dilation", dilation, fitted.beta),
            ("erosion", erosion, 1 - fitted.beta),
        ):
            if name in fitted.weights and share > 0:
                total += share * operator(oriented, fitted.weights[name])
        ends.append(total)
    return ends[0], ends[1]


def _map_of(ordering: Ordering, n_members: int) -> tuple[Array, Array]:
    """The stack and its share in all coordinates as one affine map of the members' values."""
    matrix, shift = np.eye(n_members), np.zeros(n_members)
    if ordering.stack:
        scaler, logistic = ordering.stack_
        coef = logistic.coef_[0] / scaler.scale_
        matrix = np.column_stack([matrix, coef])
        shift = np.append(shift, logistic.intercept_[0] - coef @ scaler.mean_)
        if ordering.shrinkage:
            matrix, shift = matrix @ ordering.shrinking(), shift @ ordering.shrinking()
    return matrix, shift


def _linear_range(matrix: Array, shift: Array, low: Array, high: Array) -> Range:
    rising, falling = np.maximum(matrix, 0), np.minimum(matrix, 0)
    return low @ rising + high @ falling + shift, high @ rising + low @ falling + shift


@singledispatch
def member_range(member: Any, low: Array, high: Array) -> Range:
    """Bounds of a member's value between corners, one pair for each sample."""
    raise NotImplementedError


@member_range.register(LogisticRegression)
@member_range.register(LinearSVC)
@member_range.register(RidgeClassifier)
def _(member: Any, low: Array, high: Array) -> Range:
    ends = _linear_range(member.coef_.reshape(1, -1).T, member.intercept_, low, high)
    return ends[0][:, 0], ends[1][:, 0]


@member_range.register
def _(member: Pipeline, low: Array, high: Array) -> Range:
    factor, shift = affine_steps(member, low.shape[1])
    return member_range(member[-1], low * factor + shift, high * factor + shift)


@member_range.register
def _(member: SVC, low: Array, high: Array) -> Range:
    if member.kernel not in ("rbf", "linear", "poly"):
        raise NotImplementedError
    vectors = member.support_vectors_
    if member.kernel == "linear":
        found = _linear_range(member.coef_.T, member.intercept_, low, high)
        return found[0][:, 0], found[1][:, 0]
    if member.kernel == "rbf":
        least, greatest = np.zeros((len(low), len(vectors))), np.zeros((len(low), len(vectors)))
        for j, values in enumerate(vectors.T):
            below, above = low[:, j, None] - values, high[:, j, None] - values
            greatest += np.maximum(np.abs(below), np.abs(above)) ** 2
            least += np.maximum(np.maximum(below, -above), 0.0) ** 2
        kernel_low, kernel_high = (np.exp(-svc_gamma(member) * d) for d in (greatest, least))
    else:
        products = _linear_range(vectors.T, np.zeros(len(vectors)), low, high)
        ends = svc_gamma(member) * np.stack(products) + member.coef0
        powers = ends**member.degree
        crosses = (ends[0] < 0) & (ends[1] > 0) & (member.degree % 2 == 0)
        kernel_low = np.where(crosses, 0.0, powers.min(axis=0))
        kernel_high = powers.max(axis=0)
    found = _linear_range(member.dual_coef_.T, member.intercept_, kernel_low, kernel_high)
    return found[0][:, 0], found[1][:, 0]


@member_range.register(RandomForestClassifier)
@member_range.register(ExtraTreesClassifier)
def _(member: Any, low: Array, high: Array) -> Range:
    # Trees compare single-precision numbers; rounding keeps their order.
    low, high = low.astype(np.float32), high.astype(np.float32)
    total = np.zeros((2, len(low)))
    for estimator in member.estimators_:
        tree = estimator.tree_
        total += _tree_range(
            tree.children_left, tree.children_right, tree.feature, tree.threshold,
            tree.value[:, 0, 1], low, high,
        )  # fmt: skip
    total = total / len(member.estimators_) - 0.5
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
