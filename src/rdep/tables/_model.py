"""A classifier fitted on a table, with the schema that new tables must have."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if

from .._base._classifier import BaseClassifier
from .._utils._imports import pandas
from .._utils._typing import Array
from ..exceptions import ExtremeValueWarning, LongFitWarning, warn_caller
from ..perceptrons import long_fit
from ._blocks import block_of
from ._calibration import calibrated
from ._estimators import make_estimator
from ._matching import matching_frame
from ._opening import ReadOptions
from ._pipeline import CLASSIFIER, table_pipeline, with_categories
from ._schema import Schema, listed, plain_classes
from ._summary import fit_summary, plain_value
from ._training_table import TrainingTable, read_training_table
from ._unwrapping import (
    Threshold,
    calibrations,
    first_step,
    inner_classifiers,
    inner_input,
    inner_names,
    output,
    threshold_of,
    with_classes,
    with_names,
    without_searches,
)

if TYPE_CHECKING:
    import pandas as pd


def _has(method: str) -> Callable[[TableModel], bool]:
    return lambda model: hasattr(model.estimator, method)


@dataclass(frozen=True, eq=False)
class TableModel:
    """A fitted classifier, the schema of its tables, and a summary of its training.

    ``predict``, ``decision_function``, ``predict_proba``, ``transform`` and ``explain`` take rows
    as a program has them: a data frame of pandas or polars, a table of Arrow, or an array with the
    columns of the schema in their order. Columns of frames and tables are found by name; the target
    may be among them. A model has the methods that its estimator has.

    Attributes
    ----------
    estimator : classifier, calibrated classifier, or Pipeline that ends in one
    schema : Schema
    summary : dict
        Summary of the training, in plain JSON values.
    versions : dict
        Versions of the packages that the file was written with; empty for a model that does not
        come from a file.
    fit_seconds : float or None
        How long the fit took; None for a model that comes from a file, in which it is not stored:
        the same model makes the same file.
    noticed : tuple of warnings
        Warnings about the table and the fit, whose texts are in the summary.
    """

    estimator: BaseEstimator
    schema: Schema
    summary: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    fit_seconds: float | None = None
    noticed: tuple[Warning | str, ...] = ()

    @classmethod
    def of(cls, model: TableModel | BaseEstimator, schema: Schema | None = None) -> TableModel:
        """A fitted estimator, or what a search has found, as a model for tables.

        Without a schema, all columns hold numbers.
        """
        if isinstance(model, TableModel):
            return model
        estimator = without_searches(model)
        made = cls(estimator, schema or Schema.from_estimator(estimator))
        made.check_schema()
        if schema is None and not isinstance(first_step(estimator), BaseClassifier):
            _check_takes_numbers(made)
        return made

    @property
    def classifier(self) -> BaseEstimator:
        """The classifier behind preprocessing and calibration; of several copies, the first."""
        return inner_classifiers(self.estimator)[0]

    def rows(
        self, table: Any, *, ignore_extra: bool = False, ignore_new_categories: bool = False
    ) -> Any:
        """Rows of a table as the estimator takes them.

        Parameters
        ----------
        table : data frame, pyarrow.Table or array-like of shape (n_samples, n_columns)
            The rows. An array has the columns of the schema in their order.
        ignore_extra : bool, default=False
            Whether to ignore columns that the model was not fitted on.
        ignore_new_categories : bool, default=False
            Whether to accept categories that the training table did not have; they belong to none
            of the known ones.

        Returns
        -------
        DataFrame if the estimator was fitted on names, else ndarray
        """
        return self.features(
            matching_frame(
                block_of(table, self.schema),
                self.schema,
                ignore_extra=ignore_extra,
                ignore_new_categories=ignore_new_categories,
            )
        )

    @available_if(_has("predict"))
    def predict(self, table: Any, **options: bool) -> NDArray[Any]:
        """Predict the class of each row, by its label in the fit.

        Parameters
        ----------
        table : data frame, pyarrow.Table or array-like of shape (n_samples, n_columns)
            The rows.
        **options
            ``ignore_extra`` and ``ignore_new_categories``, as in :meth:`rows`.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes; of a model that is not a classifier, what it predicts.
        """
        return self.estimator.predict(self.rows(table, **options))

    @available_if(_has("decision_function"))
    def decision_function(self, table: Any, **options: bool) -> Array:
        """Decision value of each row.

        Parameters
        ----------
        table : data frame, pyarrow.Table or array-like of shape (n_samples, n_columns)
            The rows.
        **options
            ``ignore_extra`` and ``ignore_new_categories``, as in :meth:`rows`.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_classes) for more than two classes
        """
        return self.estimator.decision_function(self.rows(table, **options))

    @available_if(_has("predict_proba"))
    def predict_proba(self, table: Any, **options: bool) -> Array:
        """Probability of each class, in the order of ``schema.classes``.

        Parameters
        ----------
        table : data frame, pyarrow.Table or array-like of shape (n_samples, n_columns)
            The rows.
        **options
            ``ignore_extra`` and ``ignore_new_categories``, as in :meth:`rows`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return self.estimator.predict_proba(self.rows(table, **options))

    @available_if(_has("transform"))
    def transform(self, table: Any, **options: bool) -> Array:
        """The features that a transformer makes of each row.

        Parameters
        ----------
        table : data frame, pyarrow.Table or array-like of shape (n_samples, n_columns)
            The rows.
        **options
            ``ignore_extra`` and ``ignore_new_categories``, as in :meth:`rows`.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        return self.estimator.transform(self.rows(table, **options))

    @available_if(lambda model: hasattr(model.classifier, "explain"))
    def explain(self, table: Any, **options: bool) -> Any:
        """What the decision value of each row rests on, by names of columns.

        It is the ``explain`` of the classifier behind preprocessing and calibration.

        Parameters
        ----------
        table : data frame, pyarrow.Table or array-like of shape (n_samples, n_columns)
            The rows.
        **options
            ``ignore_extra`` and ``ignore_new_categories``, as in :meth:`rows`.

        Returns
        -------
        Explanation, or MulticlassExplanation for more than two classes
            With the method ``to_frame``.
        """
        classifier, X = self._explaining(self.rows(table, **options))
        return classifier.explain(X)

    def features(self, frame: pd.DataFrame) -> Any:
        """Rows as the estimator takes them: with names, if it was fitted on names."""
        return frame if hasattr(self.estimator, "feature_names_in_") else frame.to_numpy()

    def scores(self, frame: pd.DataFrame) -> Array:
        """Decision values of rows; probabilities of all classes, if the model is calibrated.

        Of a model that is not a classifier, what it predicts, or the features that it makes.
        """
        X = self.features(frame)
        with warnings.catch_warnings():
            # Whoever matches rows with the schema has been told of numbers far outside.
            warnings.simplefilter("ignore", ExtremeValueWarning)
            if self.gives_probabilities:
                return self.estimator.predict_proba(X)
            if not self.schema.classes:
                return output(self.estimator, X)
            return self.estimator.decision_function(X)

    @property
    def gives_probabilities(self) -> bool:
        """Whether the model is calibrated."""
        return bool(calibrations(self.estimator))

    @property
    def threshold(self) -> Threshold | None:
        """The threshold of a model that has one of its own, as by FixedThresholdClassifier."""
        return threshold_of(self.estimator)

    @property
    def rejects(self) -> bool:
        """Whether rows may have no class."""
        uncalibrated = [] if self.gives_probabilities else inner_classifiers(self.estimator)
        return any(getattr(classifier, "reject", False) for classifier in uncalibrated)

    def explained(self, frame: pd.DataFrame) -> tuple[BaseEstimator, Any]:
        """The classifier that explains rows, and the rows as they reach it, by names of columns."""
        return self._explaining(self.features(frame))

    def _explaining(self, X: Any) -> tuple[BaseEstimator, Any]:
        copies = inner_classifiers(self.estimator)
        if len(copies) > 1:
            raise ValueError(
                f"the probabilities are means of {len(copies)} copies of the classifier, which "
                "cannot be explained as one: calibrate with ensemble=False"
            )
        classifier = with_classes(copies[0], getattr(self.estimator, "classes_", None))
        X = inner_input(self.estimator, X)
        names = inner_names(self.estimator, self.schema.names)
        if names is None:
            return classifier, X
        in_words = with_names(classifier, with_categories(names, self.schema))
        return in_words, pandas().DataFrame(X, columns=names)

    def check_schema(self) -> None:
        """Refuse a schema of other classes, or other columns, than those of the estimator."""
        classes, names = plain_classes(self.estimator), self.schema.names
        if self.schema.classes != classes:
            raise ValueError(
                f"the schema has the classes {listed(self.schema.classes)}, the model has "
                f"{listed(classes)}"
            )
        known = getattr(self.estimator, "feature_names_in_", None)
        if known is not None and names != known.tolist():
            raise ValueError(
                f"the schema has the columns {listed(names)}, the model was fitted on "
                f"{listed(known)}"
            )
        n_features = self.estimator.n_features_in_
        if len(names) != n_features:
            raise ValueError(f"the schema has {len(names)} columns, the model takes {n_features}")


def _check_takes_numbers(model: TableModel) -> None:
    zeros = np.zeros((1, len(model.schema.columns)))
    named = hasattr(model.estimator, "feature_names_in_")
    try:
        output(
            model.estimator,
            pandas().DataFrame(zeros, columns=model.schema.names) if named else zeros,
        )
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"the model does not take numbers in all of its columns ({error}): say with schema= "
            "which of them hold categories, as Schema((Column('colour', 'category', ('blue', "
            "'red')), Column('size', 'number')), classes)"
        ) from error


def warn_if_long(classifier: BaseEstimator, table: TrainingTable) -> None:
    """Warn of a fit that will take minutes."""
    schema = table.schema
    warning = long_fit(classifier, len(table.y), schema.n_encoded, len(schema.classes))
    if warning is not None:
        warn_caller(warning)


def fit_table(
    source: str,
    target: str,
    estimator: str = "rdep",
    *,
    drop: tuple[str, ...] = (),
    categorical: tuple[str, ...] = (),
    number: tuple[str, ...] = (),
    max_categories: int = 100,
    drop_unlabelled: bool = False,
    calibrate: str | None = None,
    before_fit: Callable[[BaseEstimator, TrainingTable], None] | None = None,
    options: ReadOptions | None = None,
    **parameters: Any,
) -> TableModel:
    """Fit a classifier with its preprocessing on a table.

    Parameters
    ----------
    source : str
        A CSV, Parquet, Arrow (Feather), ARFF, JSON lines, Excel or OpenDocument file, compressed
        or not, or "-" for standard input.
    target : str
        The column of the classes.
    estimator : str, default="rdep"
        Name of a class with its defaults: ``"rdep"``, ``"dep"``, ``"dep_cv"`` and so on, as the
        help of ``rdep fit`` lists them. Or ``"paper"``: :meth:`rdep.RDEPClassifier.paper`.
    drop : tuple of str, default=()
        Columns to leave out. Columns without any value are left out anyway.
    categorical : tuple of str, default=()
        Columns of numbers to be treated as categories.
    number : tuple of str, default=()
        Columns of numbers that are not written as such, as ``$1,025.74`` or ``3.1%``, to be read as
        numbers. The model reads them so in new tables, too.
    max_categories : int, default=100
        Maximum number of categories of a column.
    drop_unlabelled : bool, default=False
        Whether to leave out rows without a class, with a warning that counts them.
    calibrate : {"sigmoid", "isotonic", "temperature"} or None, default=None
        Give probabilities, by a :class:`HeldOutCalibration` around the classifier: 5 stratified
        folds, or as many as the smallest class has rows, determine the map from decision values to
        probabilities. None means decision values only.
    before_fit : function of a classifier and a training table, or None, default=None
        Called when the table has been read, before the classifier is fitted on it. None warns of
        a fit that will take minutes.
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
            number=number,
            max_categories=max_categories,
            drop_unlabelled=drop_unlabelled,
            options=options,
        )
    if isinstance(parameters.get("class_weight"), dict):
        classifier.set_params(
            class_weight=_by_label(parameters["class_weight"], table.schema.classes)
        )
    (before_fit or warn_if_long)(classifier, table)
    pipeline = table_pipeline(table.schema, classifier)
    if calibrate is not None:
        pipeline.set_params(**{CLASSIFIER: calibrated(classifier, calibrate, table.y)})
    started = time.perf_counter()
    with warnings.catch_warnings(record=True) as of_the_fit:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", LongFitWarning)  # before_fit has told of it
        pipeline.fit(table.frame, table.y)
    seconds = time.perf_counter() - started
    noticed = tuple(warning.message for warning in [*of_the_table, *of_the_fit])
    summary = {
        **fit_summary(pipeline, table),
        "estimator": estimator,
        "parameters": {name: plain_value(value) for name, value in parameters.items()},
        "warnings": sorted({str(warning) for warning in noticed}),
    }
    return TableModel(pipeline, table.schema, summary, fit_seconds=seconds, noticed=noticed)


def _by_label(weights: dict[str, float], classes: tuple[Any, ...]) -> dict[Any, float]:
    labels = {str(label): label for label in classes}
    return {labels.get(name, name): weight for name, weight in weights.items()}
