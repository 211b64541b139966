"""Model fitted on a table, with the schema that new tables must have."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import available_if

from .._base._classifier import BaseClassifier
from .._registry import REGRESSION
from .._utils._imports import pandas
from .._utils._typing import Array
from ..exceptions import ExtremeValueWarning, LongFitWarning, warn_caller
from ..perceptrons import long_fit
from ._blocks import block_of
from ._calibration import calibrated
from ._estimators import make_estimator, possible_task
from ._matching import matching_frame
from ._opening import ReadOptions
from ._pipeline import CLASSIFIER, table_pipeline, with_categories
from ._schema import Schema, listed, plain_classes
from ._summary import fit_summary, plain_value
from ._targets import AUTO, check_task
from ._thresholds import check_threshold, positive_label, with_threshold
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
    """Fitted classifier or regressor, the schema of its tables, and a summary of its training.

    ``predict``, ``decision_function``, ``predict_proba``, ``transform`` and ``explain`` accept rows
    as a data frame of pandas or polars, an Arrow table, or an array with the columns of the schema
    in their order. Columns of data frames and tables are found by name; the target may be among
    them. A model has those of these methods that its estimator has.

    Attributes
    ----------
    estimator : classifier, calibrated classifier, regressor, or Pipeline that ends in one
    schema : Schema
    summary : dict
        Summary of the training, in plain JSON values.
    versions : dict
        Versions of the packages that wrote the file; empty if the model was not loaded from a file.
    fit_seconds : float or None
        Duration of the fit. None if the model was loaded from a file: it is not stored, so that the
        same model makes the same file.
    noticed : tuple of warnings
        Warnings about the table and the fit. Their texts are in the summary.
    """

    estimator: BaseEstimator
    schema: Schema
    summary: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    fit_seconds: float | None = None
    noticed: tuple[Warning | str, ...] = ()

    @classmethod
    def of(cls, model: TableModel | BaseEstimator, schema: Schema | None = None) -> TableModel:
        """Make a model for tables from a fitted estimator or a fitted search.

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
        """Classifier inside preprocessing and calibration; the first one if there are copies."""
        return inner_classifiers(self.estimator)[0]

    def rows(
        self, table: Any, *, ignore_extra: bool = False, ignore_new_categories: bool = False
    ) -> Any:
        """Convert the rows of a table to the input of the estimator.

        Parameters
        ----------
        table : data frame, pyarrow.Table or array-like of shape (n_samples, n_columns)
            The rows. An array has the columns of the schema in their order.
        ignore_extra : bool, default=False
            Whether to ignore columns that the model was not fitted on.
        ignore_new_categories : bool, default=False
            Whether to accept categories that the training table did not have. They are encoded as
            none of the known categories.

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
        """Predict the class of each row, or its number.

        Parameters
        ----------
        table : data frame, pyarrow.Table or array-like of shape (n_samples, n_columns)
            The rows.
        **options
            ``ignore_extra`` and ``ignore_new_categories``, as in :meth:`rows`.

        Returns
        -------
        ndarray of shape (n_samples,)
            Class labels, or the predictions of a model that is not a classifier.
        """
        return self.estimator.predict(self.rows(table, **options))

    @available_if(_has("decision_function"))
    def decision_function(self, table: Any, **options: bool) -> Array:
        """Compute the decision value of each row.

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
        """Compute the probability of each class, in the order of ``schema.classes``.

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
        """Compute the features of each row by a transformer.

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
        """Explain the decision value of each row, by names of columns.

        This calls ``explain`` of the classifier inside preprocessing and calibration.

        Parameters
        ----------
        table : data frame, pyarrow.Table or array-like of shape (n_samples, n_columns)
            The rows.
        **options
            ``ignore_extra`` and ``ignore_new_categories``, as in :meth:`rows`.

        Returns
        -------
        Explanation, or MulticlassExplanation for more than two classes
            Explanation with the method ``to_frame``.
        """
        classifier, X = self._explaining(self.rows(table, **options))
        return classifier.explain(X)

    def features(self, frame: pd.DataFrame) -> Any:
        """Input of the estimator: with names if it was fitted on names."""
        return frame if hasattr(self.estimator, "feature_names_in_") else frame.to_numpy()

    def scores(self, frame: pd.DataFrame) -> Array:
        """Decision values of rows, or probabilities of all classes if the model is calibrated.

        If the model is not a classifier, its predictions, or the features that it computes.
        """
        X = self.features(frame)
        with warnings.catch_warnings():
            # Matching rows with the schema has already warned of numbers far outside the range.
            warnings.simplefilter("ignore", ExtremeValueWarning)
            if self.gives_probabilities:
                return self.estimator.predict_proba(X)
            if not self.schema.classes:
                return output(self.estimator, X)
            return self.estimator.decision_function(X)

    @property
    def gives_probabilities(self) -> bool:
        """Whether the model is calibrated, or decides by probabilities."""
        threshold = self.threshold
        by_probability = threshold is not None and threshold.of_probabilities
        return by_probability or bool(calibrations(self.estimator))

    @property
    def threshold(self) -> Threshold | None:
        """Decision threshold of the model, such as that of FixedThresholdClassifier, or None."""
        return threshold_of(self.estimator)

    @property
    def rejects(self) -> bool:
        """Whether the model may reject rows, which then have no class."""
        uncalibrated = [] if self.gives_probabilities else inner_classifiers(self.estimator)
        return any(getattr(classifier, "reject", False) for classifier in uncalibrated)

    def explained(self, frame: pd.DataFrame) -> tuple[BaseEstimator, Any]:
        """Classifier that explains rows, and its input with names of columns."""
        return self._explaining(self.features(frame))

    def _explaining(self, X: Any) -> tuple[BaseEstimator, Any]:
        copies = inner_classifiers(self.estimator)
        if len(copies) > 1:
            raise ValueError(
                f"the probabilities are means over {len(copies)} copies of the classifier, which "
                "cannot be explained together: calibrate with ensemble=False"
            )
        classifier = with_classes(copies[0], getattr(self.estimator, "classes_", None))
        X = inner_input(self.estimator, X)
        names = inner_names(self.estimator, self.schema.names)
        if names is None:
            return classifier, X
        in_words = with_names(classifier, with_categories(names, self.schema))
        return in_words, pandas().DataFrame(X, columns=names)

    def check_schema(self) -> None:
        """Raise an error if classes or columns of the schema differ from those of the estimator."""
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
            f"the model does not take numbers in all of its columns ({error}): pass a schema= that "
            "lists the columns with categories, as Schema((Column('colour', 'category', ('blue', "
            "'red')), Column('size', 'number')), classes)"
        ) from error


def warn_if_long(classifier: BaseEstimator, table: TrainingTable) -> None:
    """Warn if a fit will take minutes."""
    schema = table.schema
    warning = long_fit(classifier, len(table.y), schema.n_encoded, len(schema.classes))
    if warning is not None:
        warn_caller(warning)


def fit_table(
    source: str,
    target: str,
    estimator: str = "rdep",
    *,
    task: str = AUTO,
    drop: tuple[str, ...] = (),
    categorical: tuple[str, ...] = (),
    number: tuple[str, ...] = (),
    max_categories: int = 100,
    drop_unlabelled: bool = False,
    keep_missing: bool = False,
    calibrate: str | None = None,
    positive: Any = None,
    threshold: float | str | None = None,
    cost: dict[str, float] | None = None,
    before_fit: Callable[[BaseEstimator, TrainingTable], None] | None = None,
    after_fit: Callable[[Pipeline, TrainingTable], dict[str, Any]] | None = None,
    options: ReadOptions | None = None,
    **parameters: Any,
) -> TableModel:
    """Fit a classifier or a regressor with its preprocessing on a table.

    Parameters
    ----------
    source : str
        A CSV, Parquet, Arrow (Feather), ARFF, JSON lines, Excel or OpenDocument file, compressed
        or not, or "-" for standard input.
    target : str
        The column of the classes, or of the numbers to predict.
    estimator : str, default="rdep"
        Name of a classifier or regressor, which has its default parameters: ``"rdep"``, ``"dep"``
        and so on, as listed in the help of ``rdep fit``. ``"paper"`` is
        :meth:`rdep.RDEPClassifier.paper`.
    task : {"auto", "classification", "regression"}, default="auto"
        Whether the target has classes, or numbers to predict. ``"auto"`` follows from the name of
        the estimator if only one task has it. Otherwise, numbers that are not all whole, or more
        than 20 different whole numbers, make a regression. The summary states the task.
    drop : tuple of str, default=()
        Columns to leave out. Columns without any value are always left out.
    categorical : tuple of str, default=()
        Columns of numbers to treat as categories.
    number : tuple of str, default=()
        Columns of formatted numbers to read as numbers, such as ``$1,025.74`` or ``3.1%``. The
        model reads them in the same way in new tables. The target may be among them in a
        regression.
    max_categories : int, default=100
        Maximum number of categories of a column.
    drop_unlabelled : bool, default=False
        Whether to leave out rows without a target, with a warning that counts them.
    keep_missing : bool, default=False
        Whether missing numbers stay missing, for classifiers that take them: ``"dep"`` and others,
        and ``"rdep"`` with the orderings ``"signed"`` and ``"boxes"``. Otherwise they become the
        mean of their column.
    calibrate : {"sigmoid", "isotonic", "temperature"} or None, default=None
        Method of a :class:`HeldOutCalibration` of the classifier, which gives probabilities. 5
        stratified folds, or as many as the smallest class has rows, determine the map from decision
        values to probabilities. None means decision values only.
    positive : label or None, default=None
        The positive class of two: the class of thresholds, costs and one-sided scores. The fit does
        not depend on it. None means the second class in sorted order.
    threshold : float, "balanced", "cost" or None, default=None
        Probability from which on the positive class is predicted. ``"balanced"`` is the share of
        this class in the table, which gives the highest balanced accuracy if the probabilities are
        reliable; ``"cost"`` is the probability of the lowest expected cost. None means the
        decision of the classifier, or the most probable class if it is calibrated.
    cost : dict or None, default=None
        Costs ``fn`` of a missed positive row and ``fp`` of a false alarm, for the threshold
        ``"cost"``.
    before_fit : function of a classifier and a training table, or None, default=None
        Called after the table has been read, before the classifier is fitted on it. None warns if
        the fit will take minutes.
    after_fit : function of a pipeline and a training table, or None, default=None
        Called after the fit; the dictionary that it returns is added to the summary.
    options : ReadOptions or None, default=None
        How to read the file. None infers it from the content.
    **parameters
        Parameters of the classifier, such as ``dep__C``. A dictionary of class weights has the
        texts of the classes as keys.

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
    check_task(task)
    check_threshold(threshold, cost)
    task = possible_task(estimator, parameters, task)
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
            task=task,
            options=options,
        )
    if table.task == REGRESSION:
        _check_no_classes(
            target, calibrate=calibrate, positive=positive, threshold=threshold, cost=cost
        )
    classifier = make_estimator(estimator, parameters, table.task)
    if isinstance(parameters.get("class_weight"), dict):
        classifier.set_params(
            class_weight=weights_by_label(parameters["class_weight"], table.schema.classes)
        )
    label = positive_label(positive, table.schema.classes)
    pipeline = table_pipeline(table.schema, classifier, keep_missing=keep_missing)
    last = classifier if calibrate is None else calibrated(classifier, calibrate, table.y)
    last, rule = with_threshold(last, threshold, cost, label, table.y)
    pipeline.set_params(**{CLASSIFIER: last})
    (before_fit or warn_if_long)(classifier, table)
    started = time.perf_counter()
    with warnings.catch_warnings(record=True) as of_the_fit:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", LongFitWarning)  # before_fit has already warned
        pipeline.fit(table.frame, table.y)
    seconds = time.perf_counter() - started
    noticed = tuple(warning.message for warning in [*of_the_table, *of_the_fit])
    summary = {
        **fit_summary(pipeline, table),
        **({} if after_fit is None else after_fit(pipeline, table)),
        "positive": None if label is None else str(label),
        "threshold": rule,
        "task": table.task,
        "estimator": estimator,
        "parameters": {name: plain_value(value) for name, value in parameters.items()},
        "warnings": sorted({str(warning) for warning in noticed}),
    }
    return TableModel(pipeline, table.schema, summary, fit_seconds=seconds, noticed=noticed)


def _check_no_classes(target: str, **options: Any) -> None:
    """Refuse options of classifiers for a target that holds numbers."""
    for name, value in options.items():
        if value is not None:
            shown = f"{name}={value!r}" if isinstance(value, str | float | int) else name
            raise ValueError(
                f"the target {target!r} holds numbers to predict, and {shown} is for classes: omit "
                "it, or make each number a class (task='classification')"
            )


def weights_by_label(weights: dict[str, float], classes: tuple[Any, ...]) -> dict[Any, float]:
    labels = {str(label): label for label in classes}
    return {labels.get(name, name): weight for name, weight in weights.items()}
