"""Fitted scikit-learn transformers as nodes, in double precision."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.kernel_approximation import Nystroem
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from .._utils._typing import Array
from ..kernels import Kernel
from ..networks import MorphologicalFeatures
from ..orderings import FeatureOrdering
from ._graph import ML, Graph
from ._kernels import kernel_values
from ._others import converted_transformer


@singledispatch
def transformed(transformer: Any, graph: Graph, X: str) -> str:
    """Value of a fitted transformer at ``X``; new transformers register their function."""
    if transformer is None or isinstance(transformer, str):
        return X  # "passthrough"
    return converted_transformer(graph, transformer, X)


@transformed.register
def _(pipeline: Pipeline, graph: Graph, X: str) -> str:
    for _, step in pipeline.steps:
        X = transformed(step, graph, X)
    return X


def joined_columns(graph: Graph, transformer: ColumnTransformer, columns: dict[str, str]) -> str:
    """Value of a column transformer, from one value for each column of a table."""
    names = list(columns)
    parts = []
    for _, step, chosen in transformer.transformers_:
        if isinstance(step, str) and step == "drop":
            continue
        if not isinstance(chosen, list | np.ndarray):
            raise ValueError(
                "only column transformers that list their columns by name or number can be "
                f"written as ONNX, but this one has {chosen!r}"
            )
        values = [columns[c if isinstance(c, str) else names[c]] for c in chosen]
        if values:
            parts.append(transformed(step, graph, graph.joined(values)))
    return graph.joined(parts)


@transformed.register
def _(imputer: SimpleImputer, graph: Graph, X: str) -> str:
    fill = imputer.statistics_
    if imputer.add_indicator or len(fill) != imputer.n_features_in_:
        raise ValueError("a SimpleImputer with indicators or empty columns has no ONNX form here")
    if fill.dtype.kind in "OU":
        # String tensors have no missing values; the empty string stands for one.
        is_missing = graph.add("Equal", X, np.array([""], dtype=object))
        return graph.add("Where", is_missing, fill.reshape(1, -1), X)
    if not np.isnan(imputer.missing_values):
        raise ValueError("a SimpleImputer for missing values other than NaN has no ONNX form here")
    if np.isnan(fill).any():
        raise ValueError("a SimpleImputer for columns without any value has no ONNX form here")
    return graph.add("Where", graph.add("IsNaN", X), fill.astype(np.float64).reshape(1, -1), X)


@transformed.register
def _(scaler: StandardScaler, graph: Graph, X: str) -> str:
    if scaler.with_mean:
        X = graph.add("Sub", X, scaler.mean_)
    if scaler.with_std:
        X = graph.add("Div", X, scaler.scale_)
    return X


@transformed.register
def _(encoder: OneHotEncoder, graph: Graph, X: str) -> str:
    if encoder.drop is not None or encoder.min_frequency or encoder.max_categories:
        raise ValueError(
            "a OneHotEncoder that drops or merges categories has no ONNX form here: encode all"
        )
    parts = []
    for j, categories in enumerate(encoder.categories_):
        column = graph.columns(X, [j])
        if categories.dtype.kind in "OU":
            column = graph.add(
                "LabelEncoder",
                column,
                domain=ML,
                keys_strings=[str(category) for category in categories],
                values_int64s=list(range(len(categories))),
                default_int64=-1,
            )
            categories = np.arange(len(categories))
        is_category = graph.add("Equal", column, categories.reshape(1, -1))
        parts.append(graph.cast(is_category, np.float64))
    return graph.joined(parts)


@transformed.register
def _(features: PolynomialFeatures, graph: Graph, X: str) -> str:
    """Products of columns, padded with a column of ones up to the degree."""
    powers = features.powers_
    ones = graph.add("Add", graph.add("Mul", graph.columns(X, [0]), np.array(0.0)), np.array(1.0))
    X = graph.joined([X, ones])
    degree = max(1, int(powers.sum(axis=1).max()))
    factors = np.full((len(powers), degree), powers.shape[1])
    for row, exponents in enumerate(powers):
        chosen = np.repeat(np.arange(len(exponents)), exponents)
        factors[row, : len(chosen)] = chosen
    product = graph.columns(X, factors[:, 0])
    for k in range(1, degree):
        product = graph.add("Mul", product, graph.columns(X, factors[:, k]))
    return product


@transformed.register
def _(nystroem: Nystroem, graph: Graph, X: str) -> str:
    if not isinstance(nystroem.kernel, str) or nystroem.kernel_params:
        raise ValueError(
            "a Nystroem map with a custom kernel cannot be written as ONNX: use a kernel by name"
        )
    components = nystroem.components_
    kernel = Kernel(
        nystroem.kernel,
        # Defaults of scikit-learn.
        1.0 / components.shape[1] if nystroem.gamma is None else nystroem.gamma,
        3 if nystroem.degree is None else nystroem.degree,
        1.0 if nystroem.coef0 is None else nystroem.coef0,
    )
    values = kernel_values(graph, X, components, kernel)
    return graph.product(values, nystroem.normalization_.T)


@transformed.register
def _(features: MorphologicalFeatures, graph: Graph, X: str) -> str:
    X = graph.add("Div", graph.add("Sub", X, features.offset_), features.scale_)
    parts = []
    if len(features.boxes_):
        parts.append(box_depths(graph, X, features.boxes_))
    if len(features.weights_):
        linear = graph.linear(X, features.weights_.T, features.intercepts_)
        parts.append(graph.add("Sigmoid", linear))
    return graph.joined(parts)


@transformed.register
def _(ordering: FeatureOrdering, graph: Graph, X: str) -> str:
    return graph.add("Mul", graph.columns(X, ordering.features_), ordering.signs_)


def box_depths(graph: Graph, X: str, boxes: Array) -> str:
    """Depth of each sample in each of the boxes, of shape (n_samples, n_boxes).

    It is computed feature by feature, so that no value has axes of samples, boxes and features.
    """
    distances = []
    for j in np.flatnonzero(np.isfinite(boxes).any(axis=(0, 1))):
        x = graph.columns(X, [j])
        distances.append(graph.add("Sub", x, boxes[:, 0, j]))
        distances.append(graph.add("Sub", boxes[:, 1, j], x))
    return graph.add("Min", *distances)
