"""A classifier fitted on a table, with the schema that new tables must have."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from ._estimators import make_estimator
from ._pipeline import table_pipeline
from ._read_options import ReadOptions
from ._schema import Schema
from ._summary import fit_summary, plain_value
from ._training_table import read_training_table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class TableModel:
    """A fitted classifier, the schema of its tables, and a summary of its training.

    Attributes
    ----------
    estimator : classifier or Pipeline that ends in one
    schema : Schema
    summary : dict
        Summary of the training, in plain JSON values.
    versions : dict
        Versions of the packages that the file was written with; empty for a model that does not
        come from a file.
    """

    estimator: BaseEstimator
    schema: Schema
    summary: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def classifier(self) -> BaseEstimator:
        """The last step of the estimator."""
        return self.estimator[-1] if isinstance(self.estimator, Pipeline) else self.estimator

    def features(self, frame: pd.DataFrame) -> Any:
        """Rows as the estimator takes them: with names, if it was fitted on names."""
        return frame if hasattr(self.estimator, "feature_names_in_") else frame.to_numpy()

    def classifier_input(self, frame: pd.DataFrame) -> Any:
        """Rows as they reach the last step."""
        features = self.features(frame)
        if isinstance(self.estimator, Pipeline) and len(self.estimator) > 1:
            return self.estimator[:-1].transform(features)
        return features


def fit_table(
    source: str,
    target: str,
    estimator: str = "recommended",
    *,
    drop: tuple[str, ...] = (),
    categorical: tuple[str, ...] = (),
    max_categories: int = 100,
    options: ReadOptions | None = None,
    **parameters: Any,
) -> TableModel:
    """Fit a classifier with its preprocessing on a table.

    Parameters
    ----------
    source : str
        A CSV, Parquet, Arrow (Feather), ARFF or Excel file, compressed or not, or "-" for
        standard input.
    target : str
        The column of the classes.
    estimator : str, default="recommended"
        ``"recommended"`` and ``"paper"`` are :meth:`rdep.RDEPClassifier.recommended` and
        :meth:`rdep.RDEPClassifier.paper`. Other names are those of classes with their defaults:
        ``"rdep"``, ``"dep"``, ``"dep_cv"`` and so on, as ``rdep fit --help`` lists them.
    drop : tuple of str, default=()
        Columns to leave out. Columns without any value are left out anyway.
    categorical : tuple of str, default=()
        Columns of numbers to be treated as categories.
    max_categories : int, default=100
        Maximum number of categories of a column.
    options : ReadOptions or None, default=None
        How to read the file, where that cannot be seen from it; None finds out.
    **parameters
        Parameters of the classifier to set otherwise, such as ``dep__C``. A dictionary of class
        weights names the classes by their texts.

    Returns
    -------
    TableModel

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rdep.tables import fit_table
    >>> rows = ["red,1,no", "red,2,no", "blue,8,yes", "blue,9,yes"]
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "table.csv"
    ...     _ = path.write_text(chr(10).join(["colour,size,bought", *rows]))
    ...     model = fit_table(str(path), "bought", estimator="dep")
    >>> [(column.name, column.kind) for column in model.schema.columns]
    [('colour', 'category'), ('size', 'number')]
    >>> model.schema.classes
    ('no', 'yes')
    """
    classifier = make_estimator(estimator, parameters)
    with warnings.catch_warnings(record=True) as of_the_table:
        warnings.simplefilter("always")
        table = read_training_table(
            source,
            target,
            drop=drop,
            categorical=categorical,
            max_categories=max_categories,
            options=options,
        )
    if isinstance(parameters.get("class_weight"), dict):
        classifier.set_params(
            class_weight=_by_label(parameters["class_weight"], table.schema.classes)
        )
    pipeline = table_pipeline(table.schema, classifier)
    started = time.perf_counter()
    with warnings.catch_warnings(record=True) as of_the_fit:
        warnings.simplefilter("always")
        pipeline.fit(table.frame, table.y)
    seconds = time.perf_counter() - started
    summary = {
        **fit_summary(pipeline, table),
        "estimator": estimator,
        "parameters": {name: plain_value(value) for name, value in parameters.items()},
        "fit_seconds": round(seconds, 3),
        "warnings": sorted({str(warning.message) for warning in [*of_the_table, *of_the_fit]}),
    }
    return TableModel(pipeline, table.schema, summary)


def _by_label(weights: dict[str, float], classes: tuple[Any, ...]) -> dict[Any, float]:
    labels = {str(label): label for label in classes}
    return {labels.get(name, name): weight for name, weight in weights.items()}
