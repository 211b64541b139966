"""Decision values of classifiers, and predictions of other estimators, as nodes.

A new model registers how its decision value is computed with ``write_decision.register``, or its
prediction with ``write_prediction.register``.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from sklearn.utils import get_tags

from .._base._classifier import RELATIVE_ROUNDING, BaseClassifier
from .._base._one_vs_rest import SignClassifier
from .._utils._sklearn_fitted import svc_gamma
from .._utils._typing import Array
from ..hyperboxes import (
    LEAST_DIFFERENCE,
    NO_BOX,
    SHARE_ROUNDING,
    BoxClassifier,
    BoxScoreClassifier,
)
from ..inspection import OperatorClassifier
from ..kernels import Kernel, LandmarkClassifier, can_evaluate
from ..lattice import LARGEST_EXPONENT
from ..memories import AssociativeMemory
from ..networks import (
    MorphologicalELMClassifier,
    MorphologicalELMRegressor,
    MorphologicalNetworkClassifier,
)
from ..orderings import Ordering
from ..perceptrons import (
    DEPRegressor,
    LinearDEPClassifier,
    LinearDEPRegressor,
    MaxPlusRegressor,
    RDEPClassifier,
    RDEPRegressor,
)
from ._graph import Graph
from ._kernels import kernel_values, svc_values
from ._networks import network_outputs
from ._others import converted_member
from ._transformers import box_depths, transformed
from ._tree_ensembles import boosting_value, forest_prediction, forest_value

_TINY = np.array(np.finfo(float).tiny)


def decision_values(graph: Graph, classifier: BaseClassifier, X: str) -> str:
    """Decision values, of shape (n_samples, 1) for two classes, else (n_samples, n_classes)."""
    if not isinstance(classifier, BaseClassifier):
        raise ValueError(
            f"{type(classifier).__name__} is not a classifier of this package: convert it with "
            "skl2onnx, which converts estimators of this package after "
            "rdep.onnx.register_converters()"
        )
    if len(classifier.classes_) == 2:
        values = _rounded(graph, classifier, write_decision(classifier, graph, X))
    else:
        if isinstance(classifier, SignClassifier):
            parts = [
                _rounded(graph, part, write_decision(part, graph, X))
                for part in classifier.estimators_
            ]
            values = graph.joined(parts)
        else:
            values = write_decision(classifier, graph, X)
        rounding = classifier._rounding_of_values()
        if rounding is not None:
            values = _equal_if_rounded(graph, values, rounding)
    if isinstance(classifier, RDEPClassifier):
        values = _drawn_in(graph, values, classifier._reach())
    return values


def _drawn_in(graph: Graph, values: str, reach: float) -> str:
    """Compress values beyond the reach, as in Python."""
    if not np.isfinite(reach):
        return values
    limit = np.array(float(reach))
    sizes = graph.add("Abs", values)
    shares = graph.add(
        "Sub", np.array(2.0), graph.add("Div", limit, graph.add("Max", sizes, limit))
    )
    drawn = graph.add("Mul", graph.add("Mul", graph.add("Sign", values), limit), shares)
    return graph.add("Where", graph.add("Greater", sizes, limit), drawn, values)


def _rounded(graph: Graph, classifier: BaseClassifier, value: str) -> str:
    """Replace values that are zero up to rounding, as in the classifier itself."""
    rounding = classifier._rounding() if isinstance(classifier, SignClassifier) else 0.0
    tiny = np.finfo(float).tiny
    zero = tiny if classifier._zero_is_positive() else -tiny
    is_zero = graph.add("LessOrEqual", graph.add("Abs", value), np.array(rounding))
    return graph.add("Where", is_zero, np.array(zero), value)


def _equal_if_rounded(graph: Graph, values: str, rounding: float) -> str:
    """Replace values that equal the largest one up to rounding by it, as in Python."""
    largest = graph.add("ReduceMax", values, np.array([1]), keepdims=1)
    relative = graph.add("Mul", graph.add("Abs", largest), np.array(RELATIVE_ROUNDING))
    near = graph.add("Max", relative, np.array(float(rounding)))
    is_largest = graph.add("GreaterOrEqual", values, graph.add("Sub", largest, near))
    return graph.add("Where", is_largest, largest, values)


@singledispatch
def write_decision(classifier: Any, graph: Graph, X: str) -> str:
    """Decision value of a fitted classifier of two classes at ``X``, of shape (n_samples, 1)."""
    return converted_member(graph, classifier, X)


@write_decision.register
def _(classifier: LinearDEPClassifier, graph: Graph, X: str) -> str:
    return _pieces(graph, classifier, X)


def _pieces(graph: Graph, model: LinearDEPClassifier | LinearDEPRegressor, X: str) -> str:
    """Maximum plus minimum of the affine pieces of a linear DEP."""
    dilated = graph.linear(X, model.dilation_coef_.T, model.dilation_intercept_)
    eroded = graph.linear(X, model.erosion_coef_.T, model.erosion_intercept_)
    return graph.add(
        "Add",
        graph.add("ReduceMax", dilated, np.array([1]), keepdims=1),
        graph.add("ReduceMin", eroded, np.array([1]), keepdims=1),
    )


@write_decision.register
def _(classifier: OperatorClassifier, graph: Graph, X: str) -> str:
    fitted = classifier._fitted_operators()
    if len(fitted.features) != len(fitted.names):
        X = graph.columns(X, fitted.features)
    coordinates = graph.add("Mul", X, fitted.orientation)
    reduce = {"dilation": "ReduceMax", "erosion": "ReduceMin"}
    share = {"dilation": fitted.beta, "erosion": 1 - fitted.beta}
    takes_missing = get_tags(classifier).input_tags.allow_nan
    is_missing = graph.add("IsNaN", coordinates) if takes_missing else ""
    values, without = [], []
    for name, weights in fitted.weights.items():
        never = np.array(-np.inf if name == "dilation" else np.inf)
        known = graph.add("Where", is_missing, never, coordinates) if is_missing else coordinates
        sums = graph.add("Add", known, weights)
        values.append(graph.add(reduce[name], sums, np.array([1]), keepdims=1))
        without.append(graph.add("Equal", values[-1], never) if is_missing else "")
    shares = [
        graph.add("Mul", value, np.array(share[name]))
        for name, value in zip(fitted.weights, values, strict=True)
    ]
    total = shares[0] if len(shares) == 1 else graph.add("Add", *shares)
    if not is_missing:
        return total
    # Without a value for one operator, the other decides alone; without any, the prior.
    for none, other in zip(without, reversed(values), strict=True):
        total = graph.add("Where", none, other, total)
    none = without[0] if len(without) == 1 else graph.add("And", *without)
    return graph.add("Where", none, np.array(fitted.prior), total)


@write_decision.register
def _(classifier: BoxClassifier, graph: Graph, X: str) -> str:
    if getattr(classifier, "reject", False):
        raise ValueError("ONNX has no label for rejected samples: fit with reject=False")
    depths = []
    for boxes, excluded in zip(classifier.boxes_, classifier._excluded(), strict=True):
        depths.append(_box_depth(graph, X, boxes))
        if len(excluded):
            outside = graph.add("Neg", _box_depth(graph, X, excluded))
            depths[-1] = graph.add("Min", depths[-1], outside)
    if not classifier._competes():
        return depths[1]
    if classifier.ties == "faces":
        return _settled(graph, classifier, X, graph.joined(depths))
    return graph.add("Sub", depths[1], depths[0]) if len(depths) == 2 else graph.joined(depths)


def _settled(graph: Graph, classifier: BoxClassifier, X: str, depths: str) -> str:
    """Depths of classes, or their difference if there are two, with ties decided by all faces."""
    one, axis = np.array(1.0), np.array([1])
    largest = graph.add("ReduceMax", depths, axis, keepdims=1)
    relative = graph.add("Mul", graph.add("Abs", largest), np.array(RELATIVE_ROUNDING))
    near = graph.add("Max", relative, np.array(LEAST_DIFFERENCE))
    is_tied = graph.add("GreaterOrEqual", depths, graph.add("Sub", largest, near))
    number = graph.add("ReduceSum", graph.cast(is_tied, np.float64), axis, keepdims=1)
    is_tied = graph.add("And", is_tied, graph.add("Greater", number, one))
    nearness = graph.joined(
        [_face_nearness(graph, X, boxes, classifier.scale_) for boxes in classifier.boxes_]
    )
    of_tied = graph.add("Where", is_tied, nearness, np.array(0.0))
    total = graph.add("Max", graph.add("ReduceSum", of_tied, axis, keepdims=1), _TINY)
    shares = graph.add("Where", is_tied, graph.add("Div", of_tied, total), one)
    if len(classifier.classes_) > 2:
        least = graph.add("ReduceMin", shares, axis, keepdims=1)
        loses = graph.add("Greater", shares, graph.add("Add", least, np.array(SHARE_ROUNDING)))
        lower = graph.add("Sub", largest, graph.add("Mul", near, np.array(2.0)))
        return graph.add("Where", graph.add("And", is_tied, loses), lower, depths)
    difference = graph.add("Sub", graph.columns(depths, [1]), graph.columns(depths, [0]))
    apart = graph.add("Sub", graph.columns(shares, [0]), graph.columns(shares, [1]))
    is_apart = graph.add("Greater", graph.add("Abs", apart), np.array(SHARE_ROUNDING))
    apart = graph.add("Where", is_apart, apart, np.array(0.0))
    return graph.add(
        "Where", graph.add("Greater", number, one), graph.add("Mul", near, apart), difference
    )


def _face_nearness(graph: Graph, X: str, boxes: Array, scale: Array) -> str:
    """Nearness of samples to all faces of boxes, of shape (n_samples, 1)."""
    if not np.isfinite(boxes).any():  # a class without boxes
        zero = graph.add("Mul", graph.columns(X, [0]), np.array(0.0))
        return graph.add("Add", zero, np.array(1.0))
    terms = []
    for j in np.flatnonzero(np.isfinite(boxes).any(axis=(0, 1))):
        x = graph.columns(X, [j])
        for beyond in (graph.add("Sub", boxes[:, 0, j], x), graph.add("Sub", x, boxes[:, 1, j])):
            exponent = graph.add("Div", beyond, np.array(scale[j]))
            terms.append(graph.add("Exp", graph.add("Min", exponent, np.array(LARGEST_EXPONENT))))
    inside = graph.add("Reciprocal", graph.add("Max", graph.add("Sum", *terms), _TINY))
    total = graph.add("ReduceSum", inside, np.array([1]), keepdims=1)
    return graph.add("Reciprocal", graph.add("Max", total, _TINY))


def _box_depth(graph: Graph, X: str, boxes: Array) -> str:
    """Largest depth of each sample in one of the boxes, of shape (n_samples, 1)."""
    if not np.isfinite(boxes).any():  # a class without boxes
        zero = graph.add("Mul", graph.columns(X, [0]), np.array(0.0))
        return graph.add("Add", zero, np.array(NO_BOX))
    return graph.add("ReduceMax", box_depths(graph, X, boxes), np.array([1]), keepdims=1)


@write_decision.register
def _(classifier: BoxScoreClassifier, graph: Graph, X: str) -> str:
    values = graph.linear(X, classifier.coef_[:, None], np.array([classifier.intercept_]))
    if not len(classifier.boxes_):
        return values
    is_inside = graph.add("GreaterOrEqual", box_depths(graph, X, classifier.boxes_), np.array(0.0))
    points = graph.add("Where", is_inside, classifier.box_coef_, np.array(0.0))
    return graph.add("Add", values, graph.add("ReduceSum", points, np.array([1]), keepdims=1))


@write_decision.register
def _(elm: MorphologicalELMClassifier, graph: Graph, X: str) -> str:
    ridge = elm.ridge_
    return graph.linear(
        transformed(elm.features_, graph, X), np.atleast_2d(ridge.coef_).T, ridge.intercept_
    )


@write_decision.register
def _(classifier: MorphologicalNetworkClassifier, graph: Graph, X: str) -> str:
    module = classifier.module()
    values = network_outputs(graph, module, X)
    if len(classifier.classes_) > 2 or classifier.n_outputs_ == 1:
        return values
    return graph.add("Sub", graph.columns(values, [1]), graph.columns(values, [0]))


@write_decision.register
def _(classifier: RDEPClassifier, graph: Graph, X: str) -> str:
    if get_tags(classifier).input_tags.pairwise:
        raise ValueError(
            "a model on a precomputed kernel cannot be written as ONNX: use a kernel by name"
        )
    X = transformed(classifier.input_scaler_, graph, X)
    constrained = classifier.constrained_
    if len(constrained):
        free = np.setdiff1d(np.arange(classifier.n_features_in_), constrained)
        reduced = transformed(classifier.ordering_, graph, graph.columns(X, free))
        own = graph.add("Mul", graph.columns(X, constrained), classifier.constrained_signs_)
        share = getattr(classifier.ordering_, "shrinkage", 0.0)
        if share:
            stack = graph.columns(reduced, [len(classifier.ordering_.estimators_)])
            own = graph.add("Add", own, graph.add("Mul", stack, np.array(share)))
        reduced = graph.joined([reduced, own])
    else:
        reduced = transformed(classifier.ordering_, graph, X)
    reduced = transformed(classifier.ordering_scaler_, graph, reduced)
    return write_decision(classifier.dep_, graph, reduced)


@write_decision.register
def _(pipeline: Pipeline, graph: Graph, X: str) -> str:
    return write_decision(pipeline[-1], graph, transformed(pipeline[:-1], graph, X))


@write_decision.register(SVC)
@write_decision.register(NuSVC)
def _(svc: SVC | NuSVC, graph: Graph, X: str) -> str:
    if callable(svc.kernel):
        raise ValueError(
            "a kernel that is a Python function cannot be written as ONNX: use rbf, linear, poly "
            "or sigmoid by name"
        )
    if not can_evaluate(svc):
        return converted_member(graph, svc, X)
    return svc_values(graph, [svc], X)[0]


@write_decision.register(LinearSVC)
@write_decision.register(LogisticRegression)
@write_decision.register(RidgeClassifier)
@write_decision.register(SGDClassifier)
def _(linear: Any, graph: Graph, X: str) -> str:
    return graph.linear(X, linear.coef_.reshape(-1, 1), np.ravel(linear.intercept_))


@write_decision.register(DecisionTreeClassifier)
@write_decision.register(ExtraTreeClassifier)
@write_decision.register(ExtraTreesClassifier)
@write_decision.register(RandomForestClassifier)
def _(forest: Any, graph: Graph, X: str) -> str:
    return forest_value(graph, forest, X)


@write_decision.register
def _(boosting: HistGradientBoostingClassifier, graph: Graph, X: str) -> str:
    return boosting_value(graph, boosting, X)


@write_decision.register
def _(classifier: LandmarkClassifier, graph: Graph, X: str) -> str:
    values = kernel_values(graph, X, classifier.landmarks_, classifier.kernel_)
    coefficients = classifier.coefficients_.reshape(-1, 1)
    return graph.linear(values, coefficients, np.array(classifier.intercept_))


@transformed.register
def _(ordering: Ordering, graph: Graph, X: str) -> str:
    members = ordering.estimators_
    n_features = ordering.n_features_in_
    features = getattr(ordering, "estimators_features_", [range(n_features)] * len(members))
    # A bagging may use all features, but in another order.
    seen_by = [
        X if list(seen) == list(range(n_features)) else graph.columns(X, seen) for seen in features
    ]
    # SVCs share kernel values.
    whole = [k for k, member in enumerate(members) if can_evaluate(member) and seen_by[k] == X]
    values = dict(zip(whole, svc_values(graph, [members[k] for k in whole], X), strict=True))
    for k in set(range(len(members))) - set(whole):
        # The value of a member of this package is its decision_function.
        write = decision_values if isinstance(members[k], BaseClassifier) else _write_member
        values[k] = write(graph, members[k], seen_by[k])
    joined = graph.joined([values[k] for k in range(len(members))])
    if not ordering.stack:
        return joined
    joined = graph.joined([joined, write_decision(ordering.stack_, graph, joined)])
    if not ordering.shrinkage:
        return joined
    shrinking = ordering.shrinking()
    return graph.linear(joined, shrinking, np.zeros(len(shrinking)))


def _write_member(graph: Graph, member: Any, X: str) -> str:
    return write_decision(member, graph, X)


@singledispatch
def write_prediction(estimator: Any, graph: Graph, X: str) -> str:
    """Predictions, or the outputs of a transformer, of shape (n_samples, n_outputs)."""
    return transformed(estimator, graph, X)


@write_prediction.register
def _(elm: MorphologicalELMRegressor, graph: Graph, X: str) -> str:
    units = transformed(elm.features_, graph, X)
    return graph.linear(units, np.atleast_2d(elm.ridge_.coef_).T, elm.ridge_.intercept_)


@write_prediction.register
def _(model: LinearDEPRegressor, graph: Graph, X: str) -> str:
    return _pieces(graph, model, X)


@write_prediction.register
def _(model: DEPRegressor, graph: Graph, X: str) -> str:
    oriented, axis = graph.add("Mul", X, model.orientation_), np.array([1])
    terms = []
    for reduce, weights, share in (
        ("ReduceMax", model.dilation_weights_, model.beta_),
        ("ReduceMin", model.erosion_weights_, 1 - model.beta_),
    ):
        reached = graph.add(reduce, graph.add("Add", oriented, weights), axis, keepdims=1)
        terms.append(graph.add("Mul", reached, np.array(model.slope_ * share)))
    return graph.add("Add", *terms)


@write_prediction.register
def _(model: MaxPlusRegressor, graph: Graph, X: str) -> str:
    values = graph.add(
        "Add", graph.add("Mul", X, model.slope_ * model.orientation_), model.weights_
    )
    reduce = "ReduceMax" if model.operator == "dilation" else "ReduceMin"
    return graph.add(reduce, values, np.array([1]), keepdims=1)


@write_prediction.register
def _(model: RDEPRegressor, graph: Graph, X: str) -> str:
    X = graph.add("Mul", transformed(model.input_scaler_, graph, X), model.orientation_)
    members = [write_prediction(member, graph, X) for member in model.members_]
    scale, mean = np.array(model.target_scale_), np.array(model.target_mean_)
    values = graph.add("Add", graph.add("Mul", graph.joined(members), scale), mean)
    dep = write_prediction(model.dep_, graph, values)
    stack = write_prediction(model.stack_, graph, values)
    shares = np.array(1 - model.shrinkage), np.array(model.shrinkage)
    return graph.add("Add", graph.add("Mul", dep, shares[0]), graph.add("Mul", stack, shares[1]))


@write_prediction.register
def _(model: LinearRegression | Ridge, graph: Graph, X: str) -> str:
    return graph.linear(X, np.atleast_2d(model.coef_).T, np.atleast_1d(model.intercept_))


@write_prediction.register
def _(svr: SVR, graph: Graph, X: str) -> str:
    kernel = Kernel(svr.kernel, svc_gamma(svr), svr.degree, svr.coef0)
    values = kernel_values(graph, X, svr.support_vectors_, kernel)
    return graph.linear(values, svr.dual_coef_.T, svr.intercept_)


@write_prediction.register
def _(forest: RandomForestRegressor | ExtraTreesRegressor, graph: Graph, X: str) -> str:
    return forest_prediction(graph, forest, X)


@write_prediction.register
def _(boosting: HistGradientBoostingRegressor, graph: Graph, X: str) -> str:
    return boosting_value(graph, boosting, X)


@write_prediction.register
def _(memory: AssociativeMemory, graph: Graph, X: str) -> str:
    if memory.kind == "W":
        return _product(graph, "Max", X, memory.memory_)
    if memory.kind == "M":
        return _product(graph, "Min", X, memory.memory_)
    return _product(graph, "Max", _product(graph, "Min", X, -memory.keys_), memory.values_.T)


def _product(graph: Graph, extreme: str, X: str, rows: Array) -> str:
    """Extremum of x_j + r_ij over j, for every row r; +∞ and −∞ add as in the lattice."""
    sums = graph.add("Add", graph.add("Unsqueeze", X, np.array([1])), rows)
    if not np.isfinite(rows).all():
        neutral = -np.inf if extreme == "Max" else np.inf
        sums = graph.add("Where", graph.add("IsNaN", sums), np.array(neutral), sums)
    return graph.add(f"Reduce{extreme}", sums, np.array([2]), keepdims=0)
