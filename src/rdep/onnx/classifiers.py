"""Decision values of this package's classifiers as nodes."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags

from ..base import SignClassifier
from ..dep import DEPClassifier
from ..kernels import can_evaluate
from ..landmarks import LandmarkClassifier
from ..ordering import Ordering
from ..perceptron import MorphologicalPerceptron
from ..reduced import RDEPClassifier
from .graph import Graph
from .kernels import kernel_values, svc_values
from .others import converted_member
from .transformers import transformed
from .trees import FORESTS, boosting_value, forest_value

_LINEAR = (LinearSVC, LogisticRegression, RidgeClassifier, SGDClassifier)


def decision_value(graph: Graph, classifier: SignClassifier, X: str) -> str:
    """Shape (n_samples, 1) for two classes, else one column for each."""
    if not isinstance(classifier, SignClassifier):
        raise ValueError(
            f"{type(classifier).__name__} is not one of this package's classifiers: for others "
            "there is skl2onnx"
        )
    if len(classifier.classes_) > 2:
        return graph.joined([_decide_rounded(graph, part, X) for part in classifier.estimators_])
    return _decide_rounded(graph, classifier, X)


def _decide_rounded(graph: Graph, classifier: SignClassifier, X: str) -> str:
    """With zeros up to rounding told apart from other values, as in the classifier itself."""
    value = _decide(graph, classifier, X)
    is_zero = graph.add("LessOrEqual", graph.add("Abs", value), np.array(classifier._rounding()))
    return graph.add("Where", is_zero, np.array(np.finfo(float).tiny), value)


def _decide(graph: Graph, classifier: SignClassifier, X: str) -> str:
    if isinstance(classifier, RDEPClassifier):
        return _reduced(graph, classifier, X)
    if isinstance(classifier, DEPClassifier):
        oriented = graph.add("Mul", X, classifier.orientation_)
        dilation = _extreme(graph, "ReduceMax", oriented, classifier.dilation_weights_)
        erosion = _extreme(graph, "ReduceMin", oriented, classifier.erosion_weights_)
        return graph.add(
            "Add",
            graph.add("Mul", dilation, np.array(classifier.beta_)),
            graph.add("Mul", erosion, np.array(1 - classifier.beta_)),
        )
    assert isinstance(classifier, MorphologicalPerceptron)
    reduce = "ReduceMax" if classifier.operator == "dilation" else "ReduceMin"
    oriented = graph.add("Mul", X, classifier.orientation_)
    return _extreme(graph, reduce, oriented, classifier.weights_)


def _extreme(graph: Graph, reduce: str, X: str, weights) -> str:
    return graph.add(reduce, graph.add("Add", X, weights), np.array([1]), keepdims=1)


def _reduced(graph: Graph, classifier: RDEPClassifier, X: str) -> str:
    if get_tags(classifier).input_tags.pairwise:
        raise ValueError(
            "a model on a precomputed kernel cannot be written as ONNX: use a kernel by name"
        )
    X = transformed(graph, classifier.input_scaler_, X)
    ordering = classifier.ordering_
    if isinstance(ordering, Ordering):
        reduced = _member_values(graph, ordering, X)
    else:
        reduced = transformed(graph, ordering, X)
    reduced = transformed(graph, classifier.ordering_scaler_, reduced)
    return _decide(graph, classifier.dep_, reduced)


def _member_values(graph: Graph, ordering: Ordering, X: str) -> str:
    members = ordering.estimators_
    n_features = ordering.n_features_in_
    features = getattr(ordering, "estimators_features_", [range(n_features)] * len(members))
    # These share kernel values; a bagging may have drawn all features, but in another order.
    whole = [
        k
        for k, member in enumerate(members)
        if can_evaluate(member) and list(features[k]) == list(range(n_features))
    ]
    values = dict(zip(whole, svc_values(graph, [members[k] for k in whole], X), strict=True))
    for k in set(range(len(members))) - set(whole):
        values[k] = _member_value(graph, members[k], graph.columns(X, features[k]))
    joined = graph.joined([values[k] for k in range(len(members))])
    if not ordering.stack:
        return joined
    return graph.joined([joined, _member_value(graph, ordering.stack_, joined)])


def _member_value(graph: Graph, member, X: str) -> str:
    if isinstance(member, Pipeline):
        return _member_value(graph, member[-1], transformed(graph, member[:-1], X))
    if can_evaluate(member):
        return svc_values(graph, [member], X)[0]
    if isinstance(member, _LINEAR):
        return graph.linear(X, member.coef_.reshape(-1, 1), np.ravel(member.intercept_))
    if isinstance(member, FORESTS):
        return forest_value(graph, member, X)
    if isinstance(member, HistGradientBoostingClassifier):
        return boosting_value(graph, member, X)
    if isinstance(member, LandmarkClassifier):
        values = kernel_values(graph, X, member.landmarks_, member.kernel_)
        coefficients = member.coefficients_.reshape(-1, 1)
        return graph.linear(values, coefficients, np.array(member.intercept_))
    if isinstance(member, SignClassifier):
        return _decide(graph, member, X)
    return converted_member(graph, member, X)
