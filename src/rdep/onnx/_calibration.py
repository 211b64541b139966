"""Calibration as nodes: from decision values to probabilities, as scikit-learn computes them."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression

from .._utils._sklearn_fitted import CalibratedPair, SigmoidCalibration, knows_all_classes
from .._utils._typing import Array
from ._graph import Graph


def probabilities(graph: Graph, calibration: CalibratedClassifierCV, scores: list[str]) -> str:
    """Probabilities of all classes, averaged over the copies of the classifier.

    ``scores`` are the decision values of each copy.
    """
    pairs = calibration.calibrated_classifiers_
    parts = [_calibrated(graph, pair, s) for pair, s in zip(pairs, scores, strict=True)]
    total = parts[0]
    for part in parts[1:]:
        total = graph.add("Add", total, part)
    return total if len(parts) == 1 else graph.add("Div", total, np.array(float(len(parts))))


def has_own_probabilities(classifier: BaseEstimator) -> bool:
    """Whether the classifier maps its decision values to probabilities by a logistic function."""
    return hasattr(getattr(classifier, "estimators_", [classifier])[0], "calibration_")


def own_probabilities(graph: Graph, classifier: BaseEstimator, score: str) -> str:
    """Probabilities by the logistic function of the classifier itself."""
    if not has_own_probabilities(classifier):
        raise ValueError(
            "the threshold is one of probabilities, which the graph does not compute: choose it "
            "with response_method='decision_function', or calibrate the classifier"
        )
    if len(classifier.classes_) == 2:
        positive = _logistic(graph, classifier.calibration_, score)
        return graph.joined([graph.add("Sub", np.array(1.0), positive), positive])
    maps = np.array([part.calibration_ for part in classifier.estimators_]).T
    return _normalised(graph, _logistic(graph, maps, score), maps.shape[1])


def _logistic(graph: Graph, maps: Array, scores: str) -> str:
    """Logistic function of each column, by slopes and intercepts."""
    exponent = graph.add("Mul", scores, -maps[0].reshape(1, -1))
    powers = graph.add("Exp", graph.add("Sub", exponent, maps[1].reshape(1, -1)))
    return graph.add("Reciprocal", graph.add("Add", powers, np.array(1.0)))


def _normalised(graph: Graph, each: str, n_classes: int) -> str:
    """Divide by the sum; if all are zero, all classes are equally probable."""
    total = graph.add("ReduceSum", each, np.array([1]), keepdims=1)
    is_zero = graph.add("Equal", total, np.array(0.0))
    return graph.add("Where", is_zero, np.array(1 / n_classes), graph.add("Div", each, total))


def _calibrated(graph: Graph, pair: CalibratedPair, scores: str) -> str:
    n_classes = len(pair.classes)
    if not knows_all_classes(pair):
        raise ValueError(
            "a copy of the classifier within the calibration was fitted on some of the classes "
            "only: calibrate with fewer, stratified folds"
        )
    if pair.method == "temperature":
        return _tempered(graph, pair.calibrators[0], scores, n_classes)
    write = _sigmoid if pair.method == "sigmoid" else _isotonic
    if n_classes == 2:
        positive = write(graph, pair.calibrators[0], scores)
        return graph.joined([graph.add("Sub", np.array(1.0), positive), positive])
    parts = [
        write(graph, calibrator, graph.columns(scores, [k]))
        for k, calibrator in enumerate(pair.calibrators)
    ]
    return _normalised(graph, graph.joined(parts), n_classes)


def _sigmoid(graph: Graph, calibrator: SigmoidCalibration, scores: str) -> str:
    """Sigmoid 1 / (1 + exp(a s + b)); the operator Sigmoid is inexact for small probabilities."""
    exponent = graph.add("Mul", scores, np.array(float(calibrator.a_)))
    exponent = graph.add("Add", exponent, np.array(float(calibrator.b_)))
    return graph.add("Reciprocal", graph.add("Add", graph.add("Exp", exponent), np.array(1.0)))


def _isotonic(graph: Graph, calibrator: IsotonicRegression, scores: str) -> str:
    """Linear interpolation between thresholds, exact at every threshold as in NumPy."""
    x, y = calibrator.X_thresholds_, calibrator.y_thresholds_
    # The value is constant below the first threshold and above the last.
    clipped = graph.add("Min", graph.add("Max", scores, np.array(x[0])), np.array(x[-1]))
    below = graph.cast(graph.add("GreaterOrEqual", clipped, x.reshape(1, -1)), np.int64)
    piece = graph.add(
        "Sub", graph.add("ReduceSum", below, np.array([1]), keepdims=1), np.array(1, dtype=np.int64)
    )
    slopes = np.append(np.diff(y) / np.diff(x), 0.0)
    start = graph.add("Sub", clipped, graph.add("Gather", x, piece))
    rise = graph.add("Mul", graph.add("Gather", slopes, piece), start)
    return graph.add("Add", rise, graph.add("Gather", y, piece))


def _tempered(graph: Graph, calibrator: BaseEstimator, scores: str, n_classes: int) -> str:
    """Softmax of the decision values times the inverse temperature."""
    if n_classes == 2:
        scores = graph.joined([graph.add("Neg", scores), scores])
    scaled = graph.add("Mul", scores, np.array(float(calibrator.beta_)))
    greatest = graph.add("ReduceMax", scaled, np.array([1]), keepdims=1)
    powers = graph.add("Exp", graph.add("Sub", scaled, greatest))
    return graph.add("Div", powers, graph.add("ReduceSum", powers, np.array([1]), keepdims=1))
