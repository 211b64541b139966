"""The scikit-learn pipeline that takes a table with categories and gaps to a classifier."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from ._schema import CATEGORY, NUMBER, Schema

# No category is called so: in a table an empty cell is a missing one.
MISSING_CATEGORY = ""


def table_pipeline(schema: Schema, classifier: BaseEstimator) -> Pipeline:
    """Fill gaps, encode categories, standardise, classify.

    Missing numbers become the column's mean, missing categories a category of their own. A
    category that was not there in the fit is none of the known ones.
    """
    by_kind = [
        (name, steps, schema.named(kind))
        for name, steps, kind in (
            ("numbers", SimpleImputer(), NUMBER),
            ("categories", _category_steps(), CATEGORY),
        )
        if schema.named(kind)
    ]
    return Pipeline(
        [
            ("preprocessing", ColumnTransformer(by_kind)),
            ("scaler", StandardScaler()),
            ("classifier", classifier),
        ]
    )


def encoded_names(pipeline: Pipeline, schema: Schema) -> NDArray:
    """What each feature behind the preprocessing is: ``age``, ``colour=red``."""
    names = schema.named(NUMBER)
    parts = pipeline.named_steps["preprocessing"].named_transformers_
    if "categories" in parts:
        names = names + _category_names(parts["categories"], schema)
    return np.array(names, dtype=object)


def encoded_frame(frame, schema: Schema):
    """Numbers as they are, gaps as well, and categories as the pipeline encodes them."""
    encoded = frame[schema.named(NUMBER)].copy()
    if schema.named(CATEGORY):
        steps = _category_steps()
        values = steps.fit_transform(frame[schema.named(CATEGORY)])
        encoded[_category_names(steps, schema)] = values
    return encoded


def _category_steps() -> Pipeline:
    return Pipeline(
        [
            ("imputer", SimpleImputer(strategy="constant", fill_value=MISSING_CATEGORY)),
            ("encoder", OneHotEncoder(handle_unknown="ignore", sparse_output=False)),
        ]
    )


def _category_names(steps: Pipeline, schema: Schema) -> list[str]:
    return [
        f"{column}={category}" if category != MISSING_CATEGORY else f"{column} is missing"
        for column, categories in zip(
            schema.named(CATEGORY), steps.named_steps["encoder"].categories_, strict=True
        )
        for category in categories
    ]
