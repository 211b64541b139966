"""Kernels and support vector classifiers as nodes, by the matrix products of rdep.kernels."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from .._utils._sklearn_fitted import svc_gamma
from .._utils._typing import Array
from ..kernels import FARTHEST_EXPONENT, Kernel, union_of_supports
from ._graph import Graph


def kernel_values(graph: Graph, X: str, vectors: Array, kernel: Kernel) -> str:
    """Kernel values of all samples with all vectors, of shape (n_samples, n_vectors)."""
    if kernel.name == "linear":
        return graph.product(X, vectors.T)
    if kernel.name == "rbf":
        # As in rdep.kernels: distances are accurate if the origin is amid the vectors.
        centre = vectors.mean(axis=0)
        if kernel.gamma * ((vectors - centre) ** 2).sum(axis=1).max() > FARTHEST_EXPONENT:
            apart = graph.add("Sub", graph.add("Unsqueeze", X, np.array([1])), vectors[None])
            distances = graph.add("ReduceSumSquare", apart, np.array([2]), keepdims=0)
            return graph.add("Exp", graph.add("Mul", distances, np.array(-kernel.gamma)))
        # −γ‖x − v‖² as one product, of (x, ‖x‖²) and −γ (−2v, 1), minus γ‖v‖². Each operation on
        # all kernel values is a pass through memory, which takes as long as a product of few
        # features. A pass that removes exponents of 1e-12 from rounding is not worth this time.
        vectors = vectors - centre
        norms = np.einsum("ij,ij->i", vectors, vectors)
        X = graph.add("Sub", X, centre)
        squares = graph.add("ReduceSumSquare", X, np.array([1]), keepdims=1)
        factors = np.column_stack([-2.0 * vectors, np.ones_like(norms)])
        exponents = graph.linear(
            graph.joined([X, squares]), -kernel.gamma * factors.T, -kernel.gamma * norms
        )
        return graph.add("Exp", exponents)
    products = graph.product(X, kernel.gamma * vectors.T)
    if kernel.coef0:
        products = graph.add("Add", products, np.array(kernel.coef0))
    if kernel.name in ("poly", "polynomial"):
        return _power(graph, products, kernel.degree)
    if kernel.name == "sigmoid":
        return graph.add("Tanh", products)
    raise ValueError(
        f"the kernel {kernel.name!r} cannot be written as ONNX: use rbf, linear or poly"
    )


def _power(graph: Graph, base: str, exponent: float) -> str:
    """A power by repeated squaring, as in rdep.kernels: ``Pow`` is fast up to the cube only."""
    if exponent <= 3 or exponent != int(exponent):
        return graph.add("Pow", base, np.array(float(exponent)))
    power, exponent = "", int(exponent)
    while exponent:
        if exponent & 1:
            power = graph.add("Mul", power, base) if power else base
        exponent >>= 1
        if exponent:
            base = graph.add("Mul", base, base)
    return power


def svc_values(graph: Graph, svcs: list, X: str) -> list[str]:
    """Decision value of each SVC; SVCs with the same kernel share its values."""
    alike = defaultdict(list)
    for k, svc in enumerate(svcs):
        alike[Kernel(svc.kernel, svc_gamma(svc), svc.degree, svc.coef0)].append(k)
    values = [""] * len(svcs)
    for kernel, members in alike.items():
        group = [svcs[k] for k in members]
        intercepts = np.array([svc.intercept_[0] for svc in group])
        if kernel.name == "linear":
            normals = [svc.dual_coef_[0] @ svc.support_vectors_ for svc in group]
            joined = graph.linear(X, np.column_stack(normals), intercepts)
        else:
            vectors, coefficients = union_of_supports(group)
            block = kernel_values(graph, X, vectors, kernel)
            joined = graph.linear(block, coefficients, intercepts)
        for position, k in enumerate(members):
            values[k] = joined if len(members) == 1 else graph.columns(joined, [position])
    return values
