"""Kernels, and the support vector classifiers on them, by the same matrix products as here."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from .._utils._sklearn_fitted import svc_gamma
from .._utils._typing import Array
from ..kernels import FARTHEST_EXPONENT, Kernel, union_of_supports
from ._graph import Graph


def kernel_values(graph: Graph, X: str, vectors: Array, kernel: Kernel) -> str:
    """Kernel values of all samples with all vectors, shape (n_samples, n_vectors)."""
    if kernel.name == "linear":
        return graph.product(X, vectors.T)
    if kernel.name == "rbf":
        # As in rdep.kernels: distances keep their digits if the origin is amid the vectors.
        centre = vectors.mean(axis=0)
        if kernel.gamma * ((vectors - centre) ** 2).sum(axis=1).max() > FARTHEST_EXPONENT:
            apart = graph.add("Sub", graph.add("Unsqueeze", X, np.array([1])), vectors[None])
            distances = graph.add("ReduceSumSquare", apart, np.array([2]), keepdims=0)
            return graph.add("Exp", graph.add("Mul", distances, np.array(-kernel.gamma)))
        vectors = vectors - centre
        X = graph.add("Sub", X, centre)
        squares = graph.add("ReduceSumSquare", X, np.array([1]), keepdims=1)
        products = graph.product(X, -2.0 * vectors.T)
        distances = graph.add(
            "Add",
            graph.add("Add", products, squares),
            np.einsum("ij,ij->i", vectors, vectors),
        )
        return graph.add(
            "Exp",
            graph.add("Mul", graph.add("Max", distances, np.array(0.0)), np.array(-kernel.gamma)),
        )
    products = graph.linear(X, kernel.gamma * vectors.T, np.array(kernel.coef0))
    if kernel.name in ("poly", "polynomial"):
        return graph.add("Pow", products, np.array(float(kernel.degree)))
    if kernel.name == "sigmoid":
        return graph.add("Tanh", products)
    raise ValueError(
        f"the kernel {kernel.name!r} cannot be written as ONNX: use rbf, linear or poly"
    )


def svc_values(graph: Graph, svcs: list, X: str) -> list[str]:
    """The decision value of each SVC; those with the same kernel share its values."""
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
            vectors, coefficients = union_of_supports(
                [svc.support_vectors_ for svc in group], group
            )
            block = kernel_values(graph, X, vectors, kernel)
            joined = graph.linear(block, coefficients, intercepts)
        for position, k in enumerate(members):
            values[k] = joined if len(members) == 1 else graph.columns(joined, [position])
    return values
