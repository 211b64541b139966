"""Radii and counterfactuals of the rows of a table, in the units of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline

from .._utils._imports import pandas
from .._utils._typing import Array
from ..tables import CATEGORY, Schema, TableModel
from ._counterfactual import counterfactual
from ._forms import NoCertificateError, no_certificate
from ._radius import Fitted, robustness_radius

if TYPE_CHECKING:
    import pandas as pd

# Categories do not change within a radius, which is a share of the range of every number.
_FIXED = 1e-6


def robustness(model: TableModel, frame: pd.DataFrame) -> pd.DataFrame:
    """Compute the radius of each row, and a counterfactual that changes few columns.

    A radius of 0.03 means that no change of all numbers by less than 3 % of their range in the
    training table changes the prediction, as long as categories stay.

    Parameters
    ----------
    model : TableModel
        Fitted model.
    frame : DataFrame
        Rows as the schema of the model has them.

    Returns
    -------
    DataFrame
        Columns ``prediction``, ``radius``, ``radius_is_exact`` and ``counterfactual``, a text such
        as ``income 1200 → 1350``; empty if none is known.
    """
    schema, rest = model.schema, model.estimator
    if not schema.classes:
        raise ValueError(
            "a radius is the distance to another class, and a "
            f"{type(model.classifier).__name__} predicts numbers: omit --robust"
        )
    X = model.features(frame)
    groups: list[list[str]] = []
    if isinstance(rest, Pipeline) and isinstance(rest[0], ColumnTransformer):
        X = rest[:1].transform(X)
        rest = Pipeline(rest.steps[1:])
        for column in schema.columns:
            own = [f"{column.name}={category}" for category in column.categories]
            own = [name for name in (*own, f"{column.name} is missing") if name in X.columns]
            groups += [own] if column.kind == CATEGORY and own else []
    values, names = np.asarray(X, dtype=float), _names(X, schema)
    ranges, whole = _ranges(schema, names, values)
    indicators = {name for group in groups for name in group}
    scale = {n: _FIXED if n in indicators else float(np.ptp(ranges[n])) or 1.0 for n in names}
    found = robustness_radius(rest, X, scale=np.array([scale[name] for name in names]))
    texts = [""] * len(values)
    # A counterfactual moves values, so it is for rows without missing ones.
    full = np.flatnonzero(~np.isnan(values).any(axis=1))
    known = [
        group for group in groups if (values[:, [names.index(n) for n in group]].sum(1) == 1).all()
    ]
    try:
        if not len(full):
            raise no_certificate("rows with missing values")
        answers = counterfactual(
            rest,
            X if len(full) == len(values) else X.iloc[full] if hasattr(X, "iloc") else X[full],
            sparse=True,
            scale=np.array([1.0 if name in indicators else scale[name] for name in names]),
            ranges={name: ranges[name] for name in names if name not in indicators},
            fixed=[name for group in groups if group not in known for name in group],
            integers=whole,
            categories=known,
        )
    except NoCertificateError:
        pass
    else:
        for row, new, is_found in zip(full, answers.samples, answers.found, strict=True):
            texts[row] = _in_words(names, groups, values[row], new) if is_found else ""
    return pandas().DataFrame(
        {
            "prediction": np.array(schema.classes)[Fitted(rest).codes_of(values)],
            "radius": found.radii,
            "radius_is_exact": found.exact,
            "counterfactual": texts,
        }
    )


def _names(X: Any, schema: Schema) -> list[str]:
    return list(map(str, X.columns)) if hasattr(X, "columns") else schema.names


def _ranges(
    schema: Schema, names: list[str], values: Array
) -> tuple[dict[str, tuple[float, float]], list[str]]:
    """Ranges of features in the training table and these rows, and features of whole numbers."""
    known = {column.name: column for column in schema.columns}
    ranges, whole = {}, []
    for name, own in zip(names, values.T, strict=True):
        column = known.get(name)
        ends = [] if column is None else [e for e in (column.low, column.high) if e is not None]
        every = np.append(own[~np.isnan(own)], np.array(ends, dtype=float))
        ranges[name] = float(every.min()), float(every.max())
        if column is not None and (every == np.round(every)).all():
            whole.append(name)
    return ranges, whole


def _in_words(names: list[str], groups: list[list[str]], old: Array, new: Array) -> str:
    changes = []
    grouped = {name for group in groups for name in group}
    for name, before, after in zip(names, old, new, strict=True):
        if before != after and name not in grouped:
            changes.append(f"{name} {before:.6g} → {after:.6g}")
    for group in groups:
        before, after = (
            group[int(np.argmax(row[[names.index(n) for n in group]]))] for row in (old, new)
        )
        if before != after:
            changes.append(f"{before} → {after}")
    return ", ".join(changes)
