"""Converters for skl2onnx, so that it converts models with estimators of this package inside."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._registry import (
    CLASSIFIER,
    ENTRIES,
    MEMORY,
    ORDERING,
    REGRESSOR,
    TRANSFORMER,
    all_estimators,
)
from .._utils._imports import optional
from ..tables import plain_classes
from ._calibration import has_own_probabilities, own_probabilities
from ._classifiers import decision_values, write_prediction
from ._graph import ML, ML_OPSET, OPSET, Graph, onnx_package

# The stack of skl2onnx uses the scores of decision_function, one column for two classes. Elsewhere
# skl2onnx uses the second of two columns, with the same options.
_OF_STACK = "sv_prob_tensor"


def register_converters() -> None:
    """Register converters for the estimators of this package with skl2onnx.

    Afterwards ``skl2onnx.convert_sklearn`` and ``skl2onnx.to_onnx`` accept pipelines, column
    transformers, votes, stacks and calibrations that contain classifiers, regressors, transformers,
    orderings and memories of this package. Nodes of this package compute in double precision; the
    input has the type that you declare. A classifier has two outputs, ``label`` and
    ``probabilities``. The second holds the probabilities of a classifier that has
    ``predict_proba``, unless the option ``raw_scores`` is set, and otherwise decision values, one
    column for each class; with two classes, the columns are the negated value and the value.
    skl2onnx cannot convert a stack of classifiers with and without probabilities: give it
    ``stack_method="decision_function"``. PyTorch networks are not registered:
    use :func:`to_onnx` for them.

    Examples
    --------
    >>> from skl2onnx import convert_sklearn
    >>> from skl2onnx.common.data_types import DoubleTensorType
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.onnx import register_converters
    >>> register_converters()
    >>> X, _, y, _ = load_ripley()
    >>> model = make_pipeline(MinMaxScaler(), DEPClassifier()).fit(X, y)
    >>> types = [("X", DoubleTensorType([None, 2]))]
    >>> graph = convert_sklearn(model, initial_types=types, options={"zipmap": False}).graph
    >>> [output.name for output in graph.output]
    ['label', 'probabilities']
    """
    skl2onnx = optional("skl2onnx", "register_converters", "onnx")
    for kind in (CLASSIFIER, ORDERING, TRANSFORMER, REGRESSOR, MEMORY):
        for name, estimator in all_estimators(kind):
            if kind != CLASSIFIER:
                skl2onnx.update_registered_converter(
                    estimator, f"Rdep{name}", _one_output_shape, _convert_one_output
                )
            elif ENTRIES[name].needs is None:
                skl2onnx.update_registered_converter(
                    estimator,
                    f"Rdep{name}",
                    _classifier_shapes,
                    _convert_classifier,
                    options={
                        "zipmap": [True, False, "columns"],
                        "output_class_labels": [False, True],
                        "nocl": [False],
                        "raw_scores": [True, False],
                    },
                )


def _types() -> Any:
    return optional("skl2onnx.common.data_types", "register_converters", "onnx")


def _numbers(operator: Any) -> Any:
    """Type of scores: double precision if the input has it, as everywhere in skl2onnx."""
    types = _types()
    double = isinstance(operator.inputs[0].type, types.DoubleTensorType)
    return types.DoubleTensorType if double else types.FloatTensorType


def _classifier_shapes(operator: Any) -> None:
    n, classes = operator.inputs[0].get_first_dimension(), plain_classes(operator.raw_operator)
    text = isinstance(classes[0], str) and operator.raw_operator.classes_.dtype != bool
    kind = _types().StringTensorType if text else _types().Int64TensorType
    operator.outputs[0].type = kind([n])
    probable = has_own_probabilities(operator.raw_operator)  # raw_scores is not known here
    width = None if probable else _n_scores(operator)
    operator.outputs[1].type = _numbers(operator)([n, width])


def _n_scores(operator: Any, has_probabilities: bool = False) -> int:
    n_classes = len(operator.raw_operator.classes_)
    of_stack = operator.outputs[1].raw_name == _OF_STACK
    return 1 if n_classes == 2 and of_stack and not has_probabilities else n_classes


def _one_output_shape(operator: Any) -> None:
    estimator = operator.raw_operator
    named = hasattr(estimator, "get_feature_names_out")
    width = len(estimator.get_feature_names_out()) if named else None
    operator.outputs[0].type = _numbers(operator)([operator.inputs[0].get_first_dimension(), width])


def _convert_classifier(scope: Any, operator: Any, container: Any) -> None:
    graph, X = _begun(scope, operator)
    classifier = operator.raw_operator
    scores = decision_values(graph, classifier, X)
    raw = container.get_options(classifier, {"raw_scores": False})["raw_scores"]
    probable = has_own_probabilities(classifier) and not raw
    values = scores
    if len(classifier.classes_) == 2:
        is_positive = graph.add("Greater", scores, np.array(0.0))
        index = graph.add("Squeeze", graph.cast(is_positive, np.int64), np.array([1]))
        if _numbers(operator) is _types().FloatTensorType:
            # Single precision cannot represent the smallest positive double.
            single = graph.cast(scores, np.float32)
            is_zero = graph.add("Equal", single, np.array(0, dtype=np.float32))
            is_lost = graph.add("And", is_positive, is_zero)
            scores = graph.add("Where", is_lost, np.array(np.finfo(np.float32).tiny), single)
        if _n_scores(operator, probable) == 2:
            scores = graph.joined([graph.add("Neg", scores), scores])
    else:
        index = graph.add("ArgMax", scores, axis=1, keepdims=0)
    if probable:
        scores = own_probabilities(graph, classifier, values)
    classes = classifier.classes_
    if classes.dtype.kind not in "OU":
        classes = classes.astype(np.int64)
    label = graph.add("Gather", classes, index)
    _ended(graph, operator, container, [label, _as_declared(graph, operator, scores)])


def _convert_one_output(scope: Any, operator: Any, container: Any) -> None:
    graph, X = _begun(scope, operator)
    value = write_prediction(operator.raw_operator, graph, X)
    _ended(graph, operator, container, [_as_declared(graph, operator, value)])


def _begun(scope: Any, operator: Any) -> tuple[Graph, str]:
    """Create an empty graph with its own names, and the input in double precision."""
    graph = Graph(set(), prefix=f"{scope.get_unique_variable_name('rdep')}_")
    return graph, graph.cast(operator.inputs[0].full_name, np.float64)


def _as_declared(graph: Graph, operator: Any, value: str) -> str:
    is_double = _numbers(operator) is _types().DoubleTensorType
    return graph.cast(value, np.float64 if is_double else np.float32)


def _ended(graph: Graph, operator: Any, container: Any, values: list[str]) -> None:
    """Pass nodes and constants to skl2onnx, with the outputs named as it expects."""
    if container.target_opset < OPSET:
        raise RuntimeError(
            f"the operators of {type(operator.raw_operator).__name__} need target_opset={OPSET} or "
            f"higher, not {container.target_opset}"
        )
    for output, value in zip(operator.outputs, values, strict=True):
        node = onnx_package().helper.make_node(
            "Identity", [value], [output.full_name], name=graph.new_name("output")
        )
        graph.nodes.append(node)
    container.initializers += graph.constants
    container.nodes += graph.nodes
    container.node_domain_version_pair_sets |= {("", OPSET), (ML, ML_OPSET)}
