"""The rows of a table for a page, and how its columns become the features of a classifier."""

from __future__ import annotations

import base64
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder, RobustScaler, StandardScaler

from .._utils._imports import pandas
from .._utils._typing import Array
from ..tables import CATEGORY, Schema, inside

# Numbers with up to this number of decimals are stored as integers.
_MOST_DECIMALS = 6
# Codes of cells without a category, and with one that the model does not know.
_GAP, _UNKNOWN = -1, -2
_SIZES = (np.int8, np.int16, np.int32)


class Column(NamedTuple):
    """One column: numbers, or codes of categories. A gap is NaN or −1, a new category −2."""

    name: str
    values: NDArray[Any]
    categories: list[str] | None = None
    is_derived: bool = False  # computed in Python: a page cannot compute it for other rows


Input = dict[str, Any]


class _UnknownStepError(Exception):
    """A step of a pipeline that a page does not compute."""


def table_columns(schema: Schema, rows: Any) -> list[Column]:
    """Columns of the rows that a model takes, from a data frame or an array."""
    names = schema.names
    frame = rows if hasattr(rows, "columns") else pandas().DataFrame(rows, columns=names)
    columns = []
    for column in schema.columns:
        values = frame[column.name]
        if column.kind == CATEGORY:
            known = {category: code for code, category in enumerate(column.categories)}
            codes = np.where(values.isna(), _GAP, values.map(known).fillna(_UNKNOWN)).astype(int)
            columns.append(Column(column.name, codes, list(column.categories)))
        else:
            columns.append(Column(column.name, values.to_numpy(dtype=float)))
    return columns


def inputs_of(estimator: BaseEstimator, columns: list[Column], rows: Any) -> list[Input] | None:
    """Steps from columns to features of the classifier; None if a page cannot compute them.

    The steps are applied to the rows, and must give exactly the features that Python computes.
    """
    steps: list[tuple[str, Any]] = []
    while inside(estimator):
        steps += estimator.steps[:-1] if isinstance(estimator, Pipeline) else []
        (estimator,) = inside(estimator)
    features = rows
    inputs = [{"column": j, "name": column.name, "steps": []} for j, column in enumerate(columns)]
    try:
        for _, step in steps:
            inputs = _after(step, inputs, columns)
            if step != "passthrough":
                features = step.transform(features)
    except _UnknownStepError:
        return None
    expected = np.asarray(features, dtype=float)
    with np.errstate(all="ignore"):
        found = np.column_stack([_values(item, columns) for item in inputs])
    return inputs if np.array_equal(found, expected) else None


def _after(step: Any, inputs: list[Input], columns: list[Column]) -> list[Input]:
    if step == "passthrough":
        return inputs
    if isinstance(step, ColumnTransformer):
        by_name = {item["name"]: item for item in inputs}
        made: list[Input] = []
        for _, part, names in step.transformers_:
            if part == "drop":
                continue
            own = [by_name[name] if isinstance(name, str) else inputs[name] for name in names]
            made += _after(part, own, columns)
        return made
    if isinstance(step, Pipeline):
        for _, part in step.steps:
            inputs = _after(part, inputs, columns)
        return inputs
    if isinstance(step, SimpleImputer) and step.strategy != "constant":
        filled = [float(value) for value in step.statistics_]
        return [{**item, "fill": value} for item, value in zip(inputs, filled, strict=True)]
    if isinstance(step, SimpleImputer):  # of categories: a gap is a category of its own
        return inputs
    if isinstance(step, OneHotEncoder):
        return [
            {
                "column": item["column"],
                "category": _code(columns[item["column"]], category),
                "name": f"{item['name']} = {category}" if category else f"{item['name']} missing",
                "steps": [],
            }
            for item, categories in zip(inputs, step.categories_, strict=True)
            for category in categories
        ]
    found = _scaled(step)
    if found is None:
        raise _UnknownStepError
    return [
        {**item, "steps": [*item["steps"], [float(shift), float(divisor)]]}
        for item, shift, divisor in zip(inputs, *found, strict=True)
    ]


def _code(column: Column, category: Any) -> int:
    if column.categories is None:
        raise _UnknownStepError
    return column.categories.index(category) if category in column.categories else _GAP


def _scaled(step: Any) -> tuple[Array, Array] | None:
    """Numbers to subtract and to divide by."""
    if not isinstance(step, StandardScaler | RobustScaler | MaxAbsScaler):
        return None
    scale = getattr(step, "scale_", None)
    scale = np.ones(step.n_features_in_) if scale is None else scale
    shift = getattr(step, "mean_", getattr(step, "center_", None))
    if shift is None or not getattr(step, "with_mean", getattr(step, "with_centering", False)):
        shift = np.zeros(step.n_features_in_)
    return shift, scale


def _values(item: Input, columns: list[Column]) -> Array:
    """What a page computes."""
    values = columns[item["column"]].values
    if "category" in item:
        values = (values == item["category"]).astype(float)
    elif "fill" in item:
        values = np.where(np.isnan(values), item["fill"], values)
    for shift, divisor in item["steps"]:
        values = (values - shift) / divisor
    return values


def packed(values: NDArray[Any]) -> dict[str, Any]:
    """Numbers in few bytes, which a page unpacks exactly.

    Short decimal numbers are integers and a divisor, because a quotient is rounded correctly both
    here and there. A gap is the smallest integer of the type.
    """
    values = np.asarray(values, dtype=np.float64)
    gaps = np.isnan(values)
    known = values[~gaps]
    for decimals in range(_MOST_DECIMALS + 1) if np.isfinite(known).all() else ():
        divisor = 10.0**decimals
        with np.errstate(over="ignore"):
            whole = np.round(known * divisor)
        if not np.array_equal(whole / divisor, known) or np.signbit(known[known == 0]).any():
            continue
        for size in _SIZES:
            limits = np.iinfo(size)
            if whole.min(initial=0) > limits.min and whole.max(initial=0) <= limits.max:
                integers = np.full(len(values), limits.min, dtype=size)
                integers[~gaps] = whole
                return {"type": f"i{size().itemsize}", "by": divisor, "data": _text(integers)}
    return {"type": "f8", "by": 1.0, "data": _text(values)}


def _text(values: NDArray[Any]) -> str:
    little = values.astype(values.dtype.newbyteorder("<"))
    return base64.b64encode(little.tobytes()).decode("ascii")
