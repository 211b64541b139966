"""The scikit-learn pipeline that takes a table with categories and gaps to a classifier."""

from __future__ import annotations

from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from ._encoding import MISSING_CATEGORY, CategoryEncoder
from ._schema import CATEGORY, NUMBER, Schema

PREPROCESSING, SCALER, CLASSIFIER = "preprocessing", "scaler", "classifier"


def table_pipeline(schema: Schema, classifier: BaseEstimator) -> Pipeline:
    """Fill gaps, encode categories, standardise, classify; data frames all the way.

    Missing numbers become the column's mean, missing categories a category of their own. A
    category that was not there in the fit is none of the known ones. Features are standardised
    once: classifiers that have a parameter ``scale_input`` see to it themselves.
    """
    by_kind = [
        (name, steps, schema.named(kind))
        for name, steps, kind in (
            ("numbers", SimpleImputer(), NUMBER),
            ("categories", _category_steps(), CATEGORY),
        )
        if schema.named(kind)
    ]
    steps: list[tuple[str, BaseEstimator]] = [
        (PREPROCESSING, ColumnTransformer(by_kind, verbose_feature_names_out=False))
    ]
    if not hasattr(classifier, "scale_input"):
        steps.append((SCALER, StandardScaler()))
    # Frames, so that the classifier knows the names of its features.
    return Pipeline([*steps, (CLASSIFIER, classifier)]).set_output(transform="pandas")


def encoded_frame(frame, schema: Schema):
    """Numbers as they are, gaps as well, and categories as the pipeline encodes them."""
    encoded = frame[schema.named(NUMBER)].copy()
    if schema.named(CATEGORY):
        steps = _category_steps().set_output(transform="pandas")
        encoded = encoded.join(steps.fit_transform(frame[schema.named(CATEGORY)]))
    return encoded


def _category_steps() -> Pipeline:
    return Pipeline(
        [
            ("imputer", SimpleImputer(strategy="constant", fill_value=MISSING_CATEGORY)),
            ("encoder", CategoryEncoder(handle_unknown="ignore", sparse_output=False)),
        ]
    )
