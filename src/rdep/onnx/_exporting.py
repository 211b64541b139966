"""Export of a model as an ONNX graph: inputs, outputs and metadata."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline

from .._registry import MEMORY, REGRESSOR, TRANSFORMER, is_one_of
from .._utils._versions import versions
from ..tables import (
    CATEGORY,
    Column,
    Schema,
    TableModel,
    Threshold,
    calibrations,
    first_step,
    inside,
)
from ._calibration import own_probabilities, probabilities
from ._classifiers import decision_values, write_prediction
from ._graph import IR_VERSION, ML, ML_OPSET, OPSET, Graph, onnx_package
from ._transformers import joined_columns, transformed


def to_onnx(model: TableModel | BaseEstimator, *, schema: Schema | None = None):
    """Export a fitted model with its preprocessing as an ONNX graph of standard operators.

    A model for tables has one input of shape (n, 1) for each column, with the column's name:
    numbers in double precision, NaN if missing; categories as text, empty if missing. Other
    classifiers have one input ``X`` of shape (n, n_features). The outputs are ``prediction``, the
    classes, and ``score``, the decision values: of shape (n, 1) for two classes, otherwise
    (n, n_classes). Calibrated classifiers have ``probability``, of shape (n, n_classes), instead of
    ``score``. Regressors, memories and transformers have one output ``prediction`` of shape
    (n, n_outputs).
    The ``doc_string`` of each input describes it, and the metadata ``rdep.schema`` holds the schema
    as JSON.

    Parameters
    ----------
    model : TableModel or fitted estimator
        The model: a table model, a fitted classifier, regressor, transformer or memory of this
        package, a classifier within scikit-learn's
        :class:`~sklearn.calibration.CalibratedClassifierCV` or
        :class:`~sklearn.model_selection.FixedThresholdClassifier`, or a pipeline of transformers
        that ends in one. For a search over parameters or thresholds, its result is exported.
    schema : Schema or None, default=None
        Schema of the tables that a classifier or pipeline accepts, needed if some columns hold
        categories. None means numbers, with the feature names of the fit.

    Returns
    -------
    onnx.ModelProto
        The ONNX model.

    References
    ----------
    ONNX, the Open Neural Network Exchange: https://onnx.ai

    Examples
    --------
    >>> from onnxruntime import InferenceSession
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.onnx import to_onnx
    >>> X, X_test, y, _ = load_ripley()
    >>> dep = DEPClassifier().fit(X, y)
    >>> session = InferenceSession(to_onnx(dep).SerializeToString())
    >>> prediction, score = session.run(None, {"X": X_test})
    >>> bool((prediction == dep.predict(X_test)).all())
    True
    """
    onnx = onnx_package()
    model = TableModel.of(model, schema)
    by_column = isinstance(first_step(model.estimator), ColumnTransformer)
    inputs = _column_inputs(model.schema) if by_column else [_matrix_input(model.schema)]
    graph = Graph({item.name for item in inputs})
    X: Any = {name: name for name in model.schema.names} if by_column else inputs[0].name
    score = _scores(graph, model.estimator, X)
    if model.gives_probabilities and not calibrations(model.estimator):
        score = own_probabilities(graph, model.classifier, score)
    outputs = _outputs(graph, model, score, taken={item.name for item in inputs})
    made = onnx.helper.make_graph(
        graph.nodes,
        "rdep",
        inputs,
        outputs,
        graph.constants,
        doc_string=_about(model),
    )
    proto = onnx.helper.make_model(
        made,
        opset_imports=[
            onnx.helper.make_opsetid("", OPSET),
            onnx.helper.make_opsetid(ML, ML_OPSET),
        ],
        ir_version=IR_VERSION,
        producer_name="rdep",
        producer_version=versions()["rdep"],
        doc_string=_about(model),
    )
    onnx.helper.set_model_props(
        proto, {"rdep.schema": json.dumps(model.schema.to_dict(), ensure_ascii=False)}
    )
    onnx.checker.check_model(proto)
    return proto


def _column_inputs(schema: Schema) -> list[Any]:
    onnx = onnx_package()
    return [
        onnx.helper.make_tensor_value_info(
            column.name,
            onnx.TensorProto.STRING if column.kind == CATEGORY else onnx.TensorProto.DOUBLE,
            ["n", 1],
            doc_string=_expected(column),
        )
        for column in schema.columns
    ]


def _matrix_input(schema: Schema):
    onnx = onnx_package()
    return onnx.helper.make_tensor_value_info(
        "X",
        onnx.TensorProto.DOUBLE,
        ["n", len(schema.columns)],
        doc_string=f"numbers, one column for each of: {', '.join(schema.names)}",
    )


def _expected(column: Column) -> str:
    if column.kind == CATEGORY:
        return f"category, one of {list(column.categories)}; the empty text if missing"
    seen = "" if column.low is None else f", {column.low:g} to {column.high:g} in training"
    return f"number{seen}; NaN if missing"


def _scores(graph: Graph, estimator: BaseEstimator, X: Any) -> str:
    """Decision values or probabilities of a fitted estimator; X is one value, or one per column."""
    if isinstance(estimator, Pipeline):
        for step in list(estimator)[:-1]:
            X = (
                joined_columns(graph, step, X)
                if isinstance(X, dict)
                else transformed(step, graph, X)
            )
    if isinstance(estimator, CalibratedClassifierCV):
        copies = [_scores(graph, part, X) for part in inside(estimator)]
        return probabilities(graph, estimator, copies)
    found = inside(estimator)
    if found:
        return _scores(graph, found[0], X)
    if is_one_of(estimator, REGRESSOR, TRANSFORMER, MEMORY):
        return write_prediction(estimator, graph, X)
    return decision_values(graph, estimator, X)


def _about(model: TableModel) -> str:
    classes = model.schema.classes
    if not classes:
        return f"{type(model.classifier).__name__}. The prediction has one column for each output."
    threshold = model.threshold
    if threshold is not None:
        score = "probability" if threshold.of_probabilities else "score"
        if not threshold.positive and not threshold.of_probabilities:
            score = f"negated {score}"
        positive, negative = classes[threshold.positive], classes[1 - threshold.positive]
        rule = f"{positive!r} if its {score} is at least {threshold.value!r}, else {negative!r}"
    elif model.gives_probabilities:
        rule = (
            f"the class with the largest probability, in the order of the columns: {list(classes)}"
        )
    elif len(classes) == 2:
        rule = f"{classes[1]!r} if the score is positive, else {classes[0]!r}"
    else:
        rule = f"the class with the largest score, in the order of the columns: {list(classes)}"
    return f"Dilation-erosion perceptron. The prediction is {rule}."


def _outputs(graph: Graph, model: TableModel, score: str, taken: set[str]) -> list[Any]:
    onnx = onnx_package()
    if not model.schema.classes:
        return [_prediction(graph, score, taken)]
    score_name = "probability" if model.gives_probabilities else "score"
    names = [_unused(name, taken) for name in ("prediction", score_name)]
    classes = np.array(model.schema.classes)
    n_scores = 1 if len(classes) == 2 and not model.gives_probabilities else len(classes)
    if model.threshold is not None:
        index = _above(graph, model, score, model.threshold)
    elif n_scores == 1:
        index = graph.cast(graph.add("Greater", score, np.array(0.0)), np.int64)
        index = graph.add("Squeeze", index, np.array([1]))
    else:
        index = graph.add("ArgMax", score, axis=1, keepdims=0)
    for name, operator, inputs in (
        (names[0], "Gather", [graph.constant(classes), index]),
        (names[1], "Identity", [score]),
    ):
        graph.nodes.append(onnx.helper.make_node(operator, inputs, [name], name=f"{name}/output"))
    text = classes.dtype.kind in "OU"
    kind = onnx.TensorProto.STRING if text else onnx.TensorProto.INT64
    return [
        onnx.helper.make_tensor_value_info(names[0], kind, ["n"], doc_string="class"),
        onnx.helper.make_tensor_value_info(
            names[1],
            onnx.TensorProto.DOUBLE,
            ["n", n_scores],
            doc_string="probability of each class"
            if model.gives_probabilities
            else "decision value",
        ),
    ]


def _above(graph: Graph, model: TableModel, score: str, threshold: Threshold) -> str:
    """Position of the class predicted by a threshold of decision values or probabilities."""
    if threshold.of_probabilities != model.gives_probabilities:
        raise ValueError(
            "the threshold is one of probabilities, which the graph does not compute: choose it "
            "with response_method='decision_function', or calibrate the classifier"
        )
    if threshold.of_probabilities:
        score = graph.columns(score, [threshold.positive])
    elif not threshold.positive:
        score = graph.add("Neg", score)
    is_above = graph.add("GreaterOrEqual", score, np.array(threshold.value))
    places = np.array(threshold.positive), np.array(1 - threshold.positive)
    return graph.add("Squeeze", graph.add("Where", is_above, *places), np.array([1]))


def _prediction(graph: Graph, value: str, taken: set[str]):
    """The only output of a model that is not a classifier."""
    onnx = onnx_package()
    name = _unused("prediction", taken)
    graph.nodes.append(onnx.helper.make_node("Identity", [value], [name], name=f"{name}/output"))
    return onnx.helper.make_tensor_value_info(
        name, onnx.TensorProto.DOUBLE, ["n", None], doc_string="one column for each output"
    )


def _unused(name: str, taken: set[str]) -> str:
    """Get a name for an output, extended if an input already has it."""
    while name in taken:
        name += "_"
    return name
