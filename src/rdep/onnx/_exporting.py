"""A model as an ONNX graph: its inputs, outputs and metadata."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from .._utils._versions import versions
from ..tables._model import TableModel
from ..tables._schema import CATEGORY, Column, Schema
from ._classifiers import decision_values
from ._graph import IR_VERSION, ML, ML_OPSET, OPSET, Graph, onnx_package
from ._transformers import joined_columns, transformed


def to_onnx(model: TableModel | BaseEstimator, *, schema: Schema | None = None):
    """A fitted model with its preprocessing as an ONNX graph of standard operators.

    A model for tables has one input of shape (n, 1) for each column, by the column's name: double
    precision for numbers, NaN where missing; text for categories, empty where missing. Other
    classifiers have one input ``X`` of shape (n, n_features). The outputs are ``prediction``, the
    classes, and ``score``, the decision values: shape (n, 1) for two classes, (n, n_classes) else.
    The ``doc_string`` of each input describes it, and the metadata ``rdep.schema`` holds the schema
    as JSON.

    Parameters
    ----------
    model : TableModel or fitted classifier
        The model: a table model, a fitted classifier of this package, or a pipeline of
        transformers that ends in one.
    schema : Schema or None, default=None
        Schema of the tables that a classifier or pipeline takes; None means numbers, with the
        feature names of the fit.

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
    if not isinstance(model, TableModel):
        check_is_fitted(model)
        model = TableModel(model, schema or Schema.from_estimator(model))
    steps = list(model.estimator) if isinstance(model.estimator, Pipeline) else [model.estimator]
    by_column = isinstance(steps[0], ColumnTransformer)
    inputs = _column_inputs(model.schema) if by_column else [_matrix_input(model.schema)]
    graph = Graph({item.name for item in inputs})
    if by_column:
        names = [column.name for column in model.schema.columns]
        X = joined_columns(graph, steps[0], {name: name for name in names})
        steps = steps[1:]
    else:
        X = inputs[0].name
    for step in steps[:-1]:
        X = transformed(step, graph, X)
    score = decision_values(graph, steps[-1], X)
    outputs = _outputs(graph, model.schema, score, taken={item.name for item in inputs})
    made = onnx.helper.make_graph(
        graph.nodes,
        "rdep",
        inputs,
        outputs,
        graph.constants,
        doc_string=_about(model.schema),
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
        doc_string=_about(model.schema),
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
        return f"category, one of {list(column.categories)}; the empty text where missing"
    seen = "" if column.low is None else f", {column.low:g} to {column.high:g} in training"
    return f"number{seen}; NaN where missing"


def _about(schema: Schema) -> str:
    rule = (
        f"{schema.classes[1]!r} where the score is greater than 0, else {schema.classes[0]!r}"
        if len(schema.classes) == 2
        else f"the class of the greatest score, in the order of the columns: {list(schema.classes)}"
    )
    return f"Dilation-erosion perceptron. The prediction is {rule}."


def _outputs(graph: Graph, schema: Schema, score: str, taken: set[str]) -> list[Any]:
    onnx = onnx_package()
    names = []
    for name in ("prediction", "score"):
        while name in taken:
            name += "_"
        names.append(name)
    classes = np.array(schema.classes)
    if len(classes) == 2:
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
    n_scores = 1 if len(classes) == 2 else len(classes)
    return [
        onnx.helper.make_tensor_value_info(names[0], kind, ["n"], doc_string="class"),
        onnx.helper.make_tensor_value_info(
            names[1], onnx.TensorProto.DOUBLE, ["n", n_scores], doc_string="decision value"
        ),
    ]
