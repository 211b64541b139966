"""Networks of dilations and erosions as nodes, layer by layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._utils._typing import Array
from ._graph import Graph


def network_outputs(graph: Graph, module: Any, X: str) -> str:
    """Outputs of a PyTorch module at ``X``, for modules of supported layers."""
    kind = type(module).__name__
    if kind not in _LAYERS:
        raise ValueError(
            f"a layer {kind} cannot be written as ONNX by rdep: use torch.onnx, or layers of "
            f"{', '.join(sorted(_LAYERS))}"
        )
    return _LAYERS[kind](graph, module, X)


def max_plus(graph: Graph, X: str, weight: Array, temperature: float = 0.0) -> str:
    """Max-plus product: the maximum over features of their sums with weights.

    The maximum is computed feature by feature, so that no value has axes of samples, features and
    outputs at once. A soft maximum has all three in one value.
    """
    if temperature > 0:
        rows = graph.add("Unsqueeze", X, np.array([1]))
        scaled = graph.add("Div", graph.add("Add", rows, weight), np.array(temperature))
        total = graph.add("ReduceLogSumExp", scaled, np.array([2]), keepdims=0)
        return graph.add("Mul", total, np.array(temperature))
    sums = [
        graph.add("Add", graph.columns(X, [i]), np.ascontiguousarray(weight[:, i]))
        for i in range(weight.shape[1])
    ]
    return graph.add("Max", *sums) if len(sums) > 1 else sums[0]


def min_plus(graph: Graph, X: str, weight: Array, temperature: float = 0.0) -> str:
    """Min-plus product, the dual of the max-plus product."""
    negated = max_plus(graph, graph.add("Neg", X), -weight, temperature)
    return graph.add("Neg", negated)


def _array(tensor: Any) -> Array:
    return tensor.detach().numpy().astype(np.float64)


def _with_zero(graph: Graph, X: str) -> str:
    """Append an input that is 0, for the bias."""
    return graph.joined([X, graph.add("Mul", graph.columns(X, [0]), np.array(0.0))])


def _dilations(graph: Graph, layer: Any, X: str, product: Callable = max_plus) -> str:
    weight = _array(layer.weight)
    if layer.bias is not None:
        X, weight = _with_zero(graph, X), np.column_stack([weight, _array(layer.bias)])
    y = product(graph, X, weight, layer.temperature)
    return y if layer.shift is None else graph.add("Add", y, _array(layer.shift))


def _erosions(graph: Graph, layer: Any, X: str) -> str:
    return _dilations(graph, layer, X, min_plus)


def _max_min_plus(graph: Graph, layer: Any, X: str) -> str:
    weight, T = _array(layer.weight), layer.temperature
    X = _with_zero(graph, X)
    upper = max_plus(graph, X, np.column_stack([weight, _array(layer.max_bias)]), T)
    lower = min_plus(graph, X, np.column_stack([weight, _array(layer.min_bias)]), T)
    return graph.add("Add", upper, lower)


def _box(graph: Graph, layer: Any, X: str) -> str:
    faces = np.column_stack([-_array(layer.lower), _array(layer.upper)])
    depth = min_plus(graph, _mirrored(graph, layer, X), faces, layer.temperature)
    if layer.n_boxes == 1:
        return depth
    by_output = np.array([-1, layer.out_features, layer.n_boxes])
    depths = graph.add("Reshape", depth, by_output)
    return graph.add("ReduceMax", depths, np.array([2]), keepdims=0)


def _dep(graph: Graph, layer: Any, X: str) -> str:
    beta, T = _array(layer.beta.clamp(0, 1)), layer.temperature
    dilated = max_plus(graph, X, _array(layer.dilation_weights), T)
    eroded = min_plus(graph, X, _array(layer.erosion_weights), T)
    return graph.add("Add", graph.add("Mul", dilated, beta), graph.add("Mul", eroded, 1 - beta))


def _rank_linear(graph: Graph, layer: Any, X: str) -> str:
    n = layer.in_features
    share = 1 / (1 + np.exp(-layer.rank.detach().numpy()))
    rank = np.round(n - (n - 1) * share).astype(int)
    sums = graph.add("Add", graph.add("Unsqueeze", X, np.array([1])), _array(layer.rank_weights))
    ordered = graph.sorted_downwards(sums, n)
    chosen = graph.add("Mul", ordered, np.eye(n)[rank - 1])
    ranked = graph.add("ReduceSum", chosen, np.array([2]), keepdims=0)
    mixing = _array(layer.mixing)
    linear = _linear(graph, layer.linear, X)
    return graph.add("Add", graph.add("Mul", ranked, mixing), graph.add("Mul", linear, 1 - mixing))


def _linear(graph: Graph, layer: Any, X: str) -> str:
    coefficients = _array(layer.weight).T
    if layer.bias is None:
        return graph.product(X, coefficients)
    return graph.linear(X, coefficients, _array(layer.bias))


def _mirrored(graph: Graph, layer: Any, X: str) -> str:
    return graph.joined([X, graph.add("Neg", X)])


def _sequential(graph: Graph, module: Any, X: str) -> str:
    for layer in module:
        X = network_outputs(graph, layer, X)
    return X


def _parallel(graph: Graph, module: Any, X: str) -> str:
    return graph.joined([network_outputs(graph, layer, X) for layer in module.layers])


# Layers by name, so that PyTorch is needed only if there is a module.
_LAYERS: dict[str, Callable[[Graph, Any, str], str]] = {
    "Box": _box,
    "DEP": _dep,
    "Diagonal": lambda graph, layer, X: graph.add("Mul", X, _array(layer.factors)),
    "Linear": _linear,
    "MaxMinPlus": _max_min_plus,
    "MaxPlus": _dilations,
    "MinPlus": _erosions,
    "Mirrored": _mirrored,
    "Parallel": _parallel,
    "RankLinear": _rank_linear,
    "ReLU": lambda graph, layer, X: graph.add("Relu", X),
    "Sequential": _sequential,
    "Tanh": lambda graph, layer, X: graph.add("Tanh", X),
}
