"""Parts of a graph in ONNX Runtime."""

import onnx
from onnxruntime import InferenceSession

from rdep.onnx._graph import IR_VERSION, ML, ML_OPSET, OPSET, Graph


def run_graph(write, values):
    """What ``write(graph, X)`` makes of values."""
    graph = Graph({"X"})
    graph.nodes.append(onnx.helper.make_node("Identity", [write(graph, "X")], ["out"]))
    kind = onnx.TensorProto.STRING if values.dtype == object else onnx.TensorProto.DOUBLE
    made = onnx.helper.make_graph(
        graph.nodes,
        "test",
        [onnx.helper.make_tensor_value_info("X", kind, ["n", values.shape[1]])],
        [onnx.helper.make_empty_tensor_value_info("out")],
        graph.constants,
    )
    opsets = [onnx.helper.make_opsetid("", OPSET), onnx.helper.make_opsetid(ML, ML_OPSET)]
    model = onnx.helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION)
    return InferenceSession(model.SerializeToString()).run(None, {"X": values})[0]
