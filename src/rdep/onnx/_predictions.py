"""What estimators other than classifiers predict, as nodes: by the kind of estimator."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from .._utils._typing import Array
from ..memories import AssociativeMemory
from ..networks import MorphologicalELMRegressor
from ._graph import Graph
from ._transformers import transformed


@singledispatch
def write_prediction(estimator: Any, graph: Graph, X: str) -> str:
    """Predictions, or the features that a transformer makes, of shape (n_samples, n_outputs)."""
    return transformed(estimator, graph, X)


@write_prediction.register
def _(elm: MorphologicalELMRegressor, graph: Graph, X: str) -> str:
    units = transformed(elm.features_, graph, X)
    return graph.linear(units, np.atleast_2d(elm.ridge_.coef_).T, elm.ridge_.intercept_)


@write_prediction.register
def _(memory: AssociativeMemory, graph: Graph, X: str) -> str:
    if memory.kind == "W":
        return _product(graph, "Max", X, memory.memory_)
    if memory.kind == "M":
        return _product(graph, "Min", X, memory.memory_)
    return _product(graph, "Max", _product(graph, "Min", X, -memory.keys_), memory.values_.T)


def _product(graph: Graph, extreme: str, X: str, rows: Array) -> str:
    """The extreme of x_j + r_ij over j, for every row r; +∞ and −∞ are as in the lattice."""
    sums = graph.add("Add", graph.add("Unsqueeze", X, np.array([1])), rows)
    if not np.isfinite(rows).all():
        neutral = -np.inf if extreme == "Max" else np.inf
        sums = graph.add("Where", graph.add("IsNaN", sums), np.array(neutral), sums)
    return graph.add(f"Reduce{extreme}", sums, np.array([2]), keepdims=0)
