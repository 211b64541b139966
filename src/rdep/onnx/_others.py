"""Estimators converted by skl2onnx; their ONNX form is compared with the original."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils._imports import optional
from ..orderings import decision_values
from ._graph import ML, ML_OPSET, OPSET, Graph, onnx_package

_N_ROWS = 50
_TOLERANCE = 1e-5


def converted_member(graph: Graph, member, X: str) -> str:
    """Value of a classifier that skl2onnx can convert: decision value, or probability − ½."""
    raw = hasattr(member, "decision_function")
    model, dtype = _converted(member, {"zipmap": False, **({"raw_scores": True} if raw else {})})
    probe = np.random.RandomState(0).normal(size=(_N_ROWS, member.n_features_in_)).astype(dtype)
    ours = decision_values(["member"], [member], probe.astype(np.float64))[:, 0]
    scores = _run(model, probe)[1].reshape(_N_ROWS, -1)
    shift = 0.0 if raw else 0.5
    # The column depends on the classifier in skl2onnx.
    for column in reversed(range(scores.shape[1])):
        if np.allclose(scores[:, column] - shift, ours, rtol=_TOLERANCE, atol=_TOLERANCE):
            found = _insert(graph, model, 1, graph.cast(X, dtype))
            value = graph.cast(graph.columns(found, [column]), np.float64)
            return graph.add("Sub", value, np.array(shift))
    raise ValueError(_cannot(member, "its ONNX form gives different values"))


def converted_transformer(graph: Graph, transformer, X: str) -> str:
    """Value of a transformer that skl2onnx can convert."""
    model, dtype = _converted(transformer, {})
    probe = np.random.RandomState(0).normal(size=(_N_ROWS, transformer.n_features_in_))
    found = _run(model, probe.astype(dtype))[0]
    ours = transformer.transform(probe.astype(dtype).astype(np.float64))
    if not np.allclose(found, ours, rtol=_TOLERANCE, atol=_TOLERANCE):
        raise ValueError(_cannot(transformer, "its ONNX form gives different values"))
    return graph.cast(_insert(graph, model, 0, graph.cast(X, dtype)), np.float64)


def _converted(estimator, options: dict[str, Any]):
    """Convert to a separate model, in double precision if that runs, else in single."""
    what = f"writing {type(estimator).__name__} as ONNX"
    skl2onnx = optional("skl2onnx", what, "onnx")
    types = optional("skl2onnx.common.data_types", what, "onnx")
    reason: Exception | None = None
    for kind, dtype in (
        (types.DoubleTensorType, np.float64),
        (types.FloatTensorType, np.float32),
    ):
        try:
            model = skl2onnx.convert_sklearn(
                estimator,
                initial_types=[("X", kind([None, estimator.n_features_in_]))],
                target_opset={"": OPSET, ML: ML_OPSET},
                options={id(estimator): options} if options else None,
            )
            _run(model, np.zeros((1, estimator.n_features_in_), dtype=dtype))
        except Exception as error:  # converters may raise any kind
            reason = error
        else:
            return model, dtype
    raise ValueError(_cannot(estimator, str(reason).strip().split("\n")[0])) from reason


def _run(model, X) -> list:
    onnxruntime = optional("onnxruntime", "comparing an ONNX graph with its model", "onnx")
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, {"X": X})


def _insert(graph: Graph, model, output: int, X: str) -> str:
    """Add all nodes of a model to the graph, with new names."""
    prefix = graph.new_name("part")
    known = {"": "", "X": X}

    def renamed(name: str) -> str:
        return known.setdefault(name, f"{prefix}_{name}")

    onnx = onnx_package()
    for tensor in model.graph.initializer:
        copy = onnx.TensorProto()
        copy.CopyFrom(tensor)
        copy.name = renamed(tensor.name)
        graph.constants.append(copy)
    for node in model.graph.node:
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        copy.name = f"{prefix}_{node.name}"
        copy.input[:] = [renamed(name) for name in node.input]
        copy.output[:] = [renamed(name) for name in node.output]
        graph.nodes.append(copy)
    return renamed(model.graph.output[output].name)


def _cannot(estimator, why: str) -> str:
    return f"{type(estimator).__name__} cannot be written as ONNX: {why}"
