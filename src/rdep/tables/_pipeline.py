"""scikit-learn pipeline from a table with categories and missing values to a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_regressor
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from .._base._record import Indicator
from .._utils._imports import pandas
from ..hyperboxes import BoxScoreClassifier
from ..perceptrons import RDEPRegressor
from ._schema import CATEGORY, NUMBER, Schema

# No category has this name: an empty cell of a table is missing.
MISSING_CATEGORY = ""
PREPROCESSING, SCALER, CLASSIFIER = "preprocessing", "scaler", "classifier"


def encoded_name(column: str, category: str) -> str:
    """Name of the feature that is 1 if a column holds a category."""
    if category == MISSING_CATEGORY:
        return f"{column} is missing"
    return f"{column}={category}"


def with_categories(names: Iterable[str], schema: Schema) -> NDArray[Any]:
    """Names of encoded features; those of categories also hold their descriptions in words."""
    known = {}
    for column in schema.columns:
        if column.kind == CATEGORY:
            for category in (*column.categories, MISSING_CATEGORY):
                name = encoded_name(column.name, category)
                what = category or "missing"
                words = f"{column.name} is {what}", f"{column.name} is not {what}"
                known[name] = Indicator(name, *words)
    return np.array([known.get(name, name) for name in names], dtype=object)


class CategoryEncoder(OneHotEncoder):
    """A :class:`~sklearn.preprocessing.OneHotEncoder` whose features read ``colour=red``.

    The empty category means missing values; its feature reads ``colour is missing``. The class
    exists for these names, because a ``feature_name_combiner`` is a function, which a safe model
    file cannot hold. Parameters and attributes are those of the ``OneHotEncoder``.

    Examples
    --------
    >>> import pandas as pd
    >>> from rdep.tables import CategoryEncoder
    >>> frame = pd.DataFrame({"colour": ["red", "blue", ""]})
    >>> CategoryEncoder().fit(frame).get_feature_names_out().tolist()
    ['colour is missing', 'colour=blue', 'colour=red']
    """

    __module__ = "rdep.tables"

    def get_feature_names_out(self, input_features=None):
        """Get the names of the encoded features.

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            Names of the columns; None means those seen during fit.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self)
        columns = self.feature_names_in_ if input_features is None else input_features
        return np.array(
            [
                encoded_name(column, category)
                for column, categories in zip(columns, self.categories_, strict=True)
                for category in categories
            ],
            dtype=object,
        )


def table_pipeline(
    schema: Schema, classifier: BaseEstimator, *, keep_missing: bool = False
) -> Pipeline:
    """Make a pipeline that imputes, encodes categories, standardises and predicts.

    Missing numbers become the mean of the column, missing categories a separate category. A
    category that was not seen during fit is encoded as none of the known ones. Features are
    standardised once: r-DEPs do it themselves. A box score does not depend on units, so it keeps
    those of the table. With ``keep_missing``, missing numbers
    stay missing, for classifiers that take them.
    """
    if keep_missing and not get_tags(classifier).input_tags.allow_nan:
        others = (
            "no regressor does"
            if is_regressor(classifier)
            else "use 'dep', 'dep_cv', 'perceptron', or 'rdep' with ordering='signed' or "
            "ordering='boxes'"
        )
        raise ValueError(
            "keep_missing=True needs an estimator that takes missing values, which this "
            f"{type(classifier).__name__} does not: {others}"
        )
    by_kind = _steps(schema, keep_missing)
    steps: list[tuple[str, BaseEstimator]] = [
        (PREPROCESSING, ColumnTransformer(by_kind, verbose_feature_names_out=False))
    ]
    scales = hasattr(classifier, "scale_input") or isinstance(classifier, RDEPRegressor)
    if not (scales or isinstance(classifier, BoxScoreClassifier)):
        steps.append((SCALER, StandardScaler()))
    # Data frames between the steps, so that the classifier knows the names of its features.
    return Pipeline([*steps, (CLASSIFIER, classifier)]).set_output(transform="pandas")


def pipeline_around(preprocessing: ColumnTransformer, classifier: BaseEstimator) -> Pipeline:
    """Pipeline of a fitted preprocessing and a fitted classifier."""
    steps = [(PREPROCESSING, preprocessing), (CLASSIFIER, classifier)]
    return Pipeline(steps).set_output(transform="pandas")


def fitted_preprocessing(schema: Schema, means: dict[str, float]) -> ColumnTransformer:
    """Preprocessing of :func:`table_pipeline`, fitted to known categories and means, not to rows.

    ``means`` holds the mean of each column of numbers, which takes the place of missing numbers.
    """
    choices = {
        column.name: [*column.categories, *([np.nan] if column.gaps else [])]
        for column in schema.columns
        if column.kind == CATEGORY
    }
    n_rows = max(map(len, choices.values()), default=1)
    frame = pandas().DataFrame(
        {
            column.name: np.resize(np.array(choices[column.name], dtype=object), n_rows)
            if column.kind == CATEGORY
            else np.zeros(n_rows)
            for column in schema.columns
        }
    )
    fitted = ColumnTransformer(_steps(schema), verbose_feature_names_out=False)
    fitted.set_output(transform="pandas").fit(frame)
    if schema.named(NUMBER):
        imputer = fitted.named_transformers_["numbers"]
        imputer.statistics_ = np.array([means[name] for name in schema.named(NUMBER)])
    return fitted


def encoded_frame(frame, schema: Schema):
    """Encode categories like the pipeline; numbers and missing numbers stay unchanged."""
    encoded = frame[schema.named(NUMBER)].copy()
    if schema.named(CATEGORY):
        steps = _category_steps().set_output(transform="pandas")
        encoded = encoded.join(steps.fit_transform(frame[schema.named(CATEGORY)]))
    return encoded


def _steps(schema: Schema, keep_missing: bool = False) -> list[tuple[str, Any, list[str]]]:
    """Steps of the preprocessing, with their columns."""
    return [
        (name, steps, schema.named(kind))
        for name, steps, kind in (
            ("numbers", "passthrough" if keep_missing else SimpleImputer(), NUMBER),
            ("categories", _category_steps(), CATEGORY),
        )
        if schema.named(kind)
    ]


def _category_steps() -> Pipeline:
    return Pipeline(
        [
            ("imputer", SimpleImputer(strategy="constant", fill_value=MISSING_CATEGORY)),
            ("encoder", CategoryEncoder(handle_unknown="ignore", sparse_output=False)),
        ]
    )
