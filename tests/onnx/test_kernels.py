"""Kernel values in ONNX Runtime by definition, and the passes over them."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from rdep.kernels import Kernel
from rdep.onnx._graph import Graph
from rdep.onnx._kernels import kernel_values

from .running import run_graph

rng = np.random.default_rng(0)
X, VECTORS = rng.normal(size=(40, 3)), rng.normal(size=(25, 3))


def exact(samples, kernel):
    """By definition, without the expansion of distances."""
    if kernel.name == "rbf":
        return np.exp(-kernel.gamma * cdist(samples, VECTORS, "sqeuclidean"))
    products = kernel.gamma * samples @ VECTORS.T + kernel.coef0
    return np.tanh(products) if kernel.name == "sigmoid" else products**kernel.degree


@pytest.mark.parametrize(
    "kernel",
    [
        Kernel("rbf", 0.7),
        Kernel("rbf", 5000.0),  # so narrow that distances are differences
        *(Kernel("poly", 0.3, degree, 0.5) for degree in range(8)),
        Kernel("poly", 0.3, 3, 0.0),
        Kernel("sigmoid", 0.1, 3, -0.2),
    ],
    ids=str,
)
def test_values_are_those_of_the_definition(kernel):
    samples = np.concatenate([X, VECTORS])
    found = run_graph(lambda graph, name: kernel_values(graph, name, VECTORS, kernel), samples)
    np.testing.assert_allclose(found, exact(samples, kernel), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("kernel", [Kernel("rbf", 0.7), Kernel("poly", 0.3)], ids=["rbf", "poly"])
def test_kernel_values_are_written_twice(kernel):
    """By the product and by one function of it: more passes would take longer than both."""
    graph = Graph({"X"})
    kernel_values(graph, "X", VECTORS, kernel)
    operators = [node.op_type for node in graph.nodes]
    assert len(operators) - operators.index("Gemm") == 2
