"""A classifier for tables: fitted on one, it knows what to expect of others."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import Pipeline

from ..orderings._features import FeatureOrdering
from ..perceptrons._dep import DEPClassifier
from ..perceptrons._reduced import RDEPClassifier
from ._pipeline import encoded_names, table_pipeline
from ._schema import Schema
from ._training_table import read_training_table

ESTIMATORS: dict[str, Callable[[], BaseEstimator]] = {
    "rdep": RDEPClassifier,
    "recommended": RDEPClassifier.recommended,
    "dep": DEPClassifier,
}


@dataclass(frozen=True, eq=False)
class TableModel:
    """A fitted classifier, the schema of its tables, and how it came about.

    Attributes
    ----------
    estimator : classifier or Pipeline that ends in one
    schema : Schema
    summary : dict
        Of the training: plain JSON values.
    versions : dict
        Of the packages that a file was written with; empty for a model not from a file.
    """

    estimator: BaseEstimator
    schema: Schema
    summary: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def classifier(self) -> BaseEstimator:
        """The last step of the estimator."""
        return self.estimator[-1] if isinstance(self.estimator, Pipeline) else self.estimator

    def features(self, frame):
        """Rows as the estimator takes them: with names, if it was fitted on names."""
        return frame if hasattr(self.estimator, "feature_names_in_") else frame.to_numpy()

    def classifier_input(self, frame):
        """Rows as they reach the last step."""
        features = self.features(frame)
        if isinstance(self.estimator, Pipeline) and len(self.estimator) > 1:
            return self.estimator[:-1].transform(features)
        return features


def fit_table(
    source: str,
    target: str,
    *,
    estimator: str = "rdep",
    drop: tuple[str, ...] = (),
    categorical: tuple[str, ...] = (),
    max_categories: int = 100,
    **parameters,
) -> TableModel:
    """Fit a classifier with its preprocessing on a table.

    Parameters
    ----------
    source : str
        A CSV, Parquet or ARFF file, or "-" for standard input.
    target : str
        The column of the classes.
    estimator : {"rdep", "recommended", "dep"}, default="rdep"
        An :class:`~rdep.RDEPClassifier` or a :class:`~rdep.DEPClassifier`.
    drop, categorical, max_categories
        Columns to leave out; columns of numbers that are categories; the most different texts
        that a column may have.
    **parameters
        Of the classifier. A dictionary of class weights names the classes by their texts.

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
    classifier = _make(estimator, parameters)
    with warnings.catch_warnings(record=True) as of_the_table:
        warnings.simplefilter("always")
        table = read_training_table(
            source, target, drop=drop, categorical=categorical, max_categories=max_categories
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
    names = encoded_names(pipeline, table.schema)
    summary = {
        "rows": len(table.y),
        "class_counts": {str(label): n for label, n in sorted(Counter(table.y.tolist()).items())},
        "classifier": type(classifier).__name__,
        "parameters": {name: _plain(value) for name, value in parameters.items()},
        "training_balanced_accuracy": balanced_accuracy_score(
            table.y, pipeline.predict(table.frame)
        ),
        "fit_seconds": round(seconds, 3),
        "decisions": _decisions(pipeline[-1], names),
        "rules": _rules(pipeline, names),
        "warnings": sorted({str(warning.message) for warning in [*of_the_table, *of_the_fit]}),
    }
    return TableModel(pipeline, table.schema, summary)


def _make(estimator: str, parameters: dict) -> BaseEstimator:
    if estimator not in ESTIMATORS:
        raise ValueError(f"unknown estimator {estimator!r}; known: {', '.join(ESTIMATORS)}")
    made = ESTIMATORS[estimator]()
    unknown = [name for name in parameters if name not in made.get_params()]
    if unknown:
        raise ValueError(f"{type(made).__name__} has no parameter {unknown[0]!r}: leave it out")
    return made.set_params(**parameters)


def _plain(value):
    """For JSON: objects, such as an ordering, as they print."""
    return value if isinstance(value, str | int | float | dict | None) else repr(value)


def _by_label(weights: dict[str, float], classes: tuple) -> dict:
    labels = {str(label): label for label in classes}
    return {labels.get(name, name): weight for name, weight in weights.items()}


def _decisions(classifier: BaseEstimator, names: NDArray) -> list[dict[str, Any]]:
    """What was learned: one record, or one for each class against the rest."""
    parts = getattr(classifier, "estimators_", [classifier])
    labels = classifier.classes_.tolist() if len(parts) > 1 else [classifier.classes_[1]]
    records = []
    for label, part in zip(labels, parts, strict=True):
        fitted = part._fitted_operators()
        records.append(
            {
                "positive_class": str(label),
                "beta": float(fitted.beta),
                "objectives": {
                    name: float(result.objective) for name, result in fitted.results.items()
                },
                "converged": all(result.converged for result in fitted.results.values()),
                "members": _members(part, names),
            }
        )
    return records


def _members(part: BaseEstimator, names: NDArray) -> list[str]:
    if not hasattr(part, "ordering_"):
        return []
    return [str(name) for name in part.ordering_.get_feature_names_out(names)]


def _rules(pipeline: Pipeline, names: NDArray) -> str | None:
    """The whole model in the units of the table, where it is two boxes of columns."""
    classifier = pipeline[-1]
    if len(classifier.classes_) > 2:
        return None
    if not isinstance(getattr(classifier, "ordering_", None), FeatureOrdering | None):
        return None
    scalers = (pipeline.named_steps["scaler"],)
    return str(classifier._rule(names, len(names), scalers))
