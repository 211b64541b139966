"""Construction of an ONNX graph: nodes, constants, and names distinct from all inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._utils._imports import optional

OPSET, ML_OPSET, IR_VERSION = 19, 3, 9
ML = "ai.onnx.ml"


def onnx_package():
    """Import onnx, or raise an error that says how to install it."""
    return optional("onnx", "writing an ONNX graph", "onnx")


class Graph:
    """Nodes and constants. A value is the name of a tensor with one row for each sample."""

    def __init__(self, taken: set[str], prefix: str = "_") -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._prefix = prefix
        while any(name.startswith(self._prefix) for name in taken):
            self._prefix += "_"
        self._n_names = 0

    def new_name(self, what: str) -> str:
        """Get a name that is not in use."""
        self._n_names += 1
        return f"{self._prefix}{what}_{self._n_names}"

    def add(self, operator: str, *inputs: str | NDArray, domain: str = "", **attributes) -> str:
        """Add a node with one output and return its name. Arrays become constants."""
        output = self.new_name(operator)
        names = [value if isinstance(value, str) else self.constant(value) for value in inputs]
        self.nodes.append(
            onnx_package().helper.make_node(
                operator, names, [output], name=output, domain=domain, **attributes
            )
        )
        return output

    def constant(self, values: NDArray) -> str:
        """Add a constant tensor of texts, or of numbers in their own type."""
        name = self.new_name("constant")
        onnx = onnx_package()
        if values.dtype.kind in "OU":
            texts = [str(value).encode("utf-8") for value in values.ravel()]
            tensor = onnx.helper.make_tensor(name, onnx.TensorProto.STRING, values.shape, texts)
        else:
            tensor = onnx.numpy_helper.from_array(np.ascontiguousarray(values), name)
        self.constants.append(tensor)
        return name

    def columns(self, value: str, positions) -> str:
        """Select columns of a value."""
        return self.add("Gather", value, np.asarray(positions, dtype=np.int64), axis=1)

    def sorted_downwards(self, value: str, n: int) -> str:
        """Sort the last axis of a value, which has ``n`` entries, in descending order."""
        ordered, places = self.new_name("TopK"), self.new_name("TopK")
        inputs = [value, self.constant(np.array([n]))]
        node = onnx_package().helper.make_node("TopK", inputs, [ordered, places], name=ordered)
        self.nodes.append(node)
        return ordered

    def joined(self, values: list[str]) -> str:
        """Concatenate values along the columns."""
        return values[0] if len(values) == 1 else self.add("Concat", *values, axis=1)

    def cast(self, value: str, dtype) -> str:
        """Convert a value to another type of numbers."""
        to = onnx_package().helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.add("Cast", value, to=to)

    def product(self, value: str, matrix: NDArray) -> str:
        """Compute ``value @ matrix``.

        The operator ``MatMul`` is not used, because ONNX Runtime merges a neighbouring product or
        quotient with a constant of one element, such as the scale of one feature, into it, in
        single precision.
        """
        return self.add("Gemm", value, matrix.astype(np.float64))

    def linear(self, value: str, coefficients: NDArray, intercepts: NDArray) -> str:
        """Compute ``value @ coefficients + intercepts``."""
        return self.add(
            "Gemm",
            value,
            coefficients.astype(np.float64),
            np.atleast_1d(intercepts).astype(np.float64),
        )
