"""Cross-validation on a table of the user: the model of ``rdep fit`` beside other classifiers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from rdep._registry import REGRESSION
from rdep._utils._names import unknown_name
from rdep.datasets import Dataset
from rdep.exceptions import warn_caller
from rdep.scoring import constant_error
from rdep.tables import (
    AUTO,
    CATEGORY,
    NUMBER,
    STANDARD_INPUT,
    ReadOptions,
    TrainingTable,
    encoded_frame,
    make_estimator,
    positive_label,
    possible_task,
    read_training_table,
    split_names,
)

from ._reproduce import run_and_report
from ._suite import find_suite
from .analysis._names import display_name
from .analysis._tables import cross_validated_scores, mean_and_std
from .models import left_out
from .models._names import QUANTILE_RIVALS
from .report._certified import certified, certified_dict, certified_text
from .report._held_out import baseline_text
from .run._folds import group_numbers, limit_of_folds, moments, usable_folds
from .run._progress import Progress
from .run._protocol import (
    BY_DEFAULT,
    BY_GROUPS,
    BY_TIME,
    DEFAULT_MODEL,
    ERRORS,
    Protocol,
)
from .run._runner import Outcome, Request
from .run._sources import Source, table_name, write_arrays

OWN_TABLE, READABLE_TABLE = "own table", "own table, readable"
REGRESSION_TABLE = "own table, regression"


@dataclass(frozen=True)
class Table:
    """Table of the user, and how to read it.

    Attributes
    ----------
    source : str
        A table in any format that :func:`rdep.tables.fit_table` reads, or "-" for standard input.
    target : str
        Column of the classes, two or more, or of the numbers to predict.
    drop : tuple of str
        Columns to ignore.
    categorical : tuple of str
        Numeric columns to treat as categories.
    number : tuple of str
        Columns of numbers with other characters, such as ``$1,025.74``, to read as numbers.
    max_categories : int
        Maximum number of categories of a column.
    drop_unlabelled : bool
        Whether to leave out rows without a target.
    task : "auto", "classification" or "regression"
        As in :func:`rdep.tables.fit_table`.
    groups : str or None
        Column of groups: rows with the same value are never in both training and test of a fold.
        It is not used as a feature.
    time_order : str or None
        Column of numbers or dates: every fold is trained on earlier rows than it is tested on. It
        is not used as a feature.
    positive : str or None
        The positive class of two; None means the second in alphabetical order.
    options : ReadOptions or None
        How to read the file; None detects it.
    """

    __module__ = "rdep_experiment"

    source: str
    target: str
    drop: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    number: tuple[str, ...] = ()
    max_categories: int = 100
    drop_unlabelled: bool = False
    task: str = AUTO
    groups: str | None = None
    time_order: str | None = None
    positive: str | None = None
    options: ReadOptions | None = None

    @property
    def name(self) -> str:
        """Name of the file without the endings of its format."""
        return "table" if self.source == STANDARD_INPUT else table_name(Path(self.source))

    @property
    def split(self) -> str | None:
        """Kind of folds."""
        if self.groups is not None:
            return BY_GROUPS
        return None if self.time_order is None else BY_TIME

    def read(self, task: str | None = None) -> TrainingTable:
        """Read the rows, with groups and times beside the features."""
        return read_training_table(
            self.source,
            self.target,
            drop=self.drop,
            categorical=self.categorical,
            number=self.number,
            max_categories=self.max_categories,
            drop_unlabelled=self.drop_unlabelled,
            aside=tuple(name for name in (self.groups, self.time_order) if name is not None),
            task=self.task if task is None else task,
            options=self.options,
        )

    def identity(self, read: TrainingTable, dataset: Dataset) -> dict[str, Any]:
        """Settings that distinguish its evaluation from that of another table."""
        identity = {
            "table": self.name,
            "target": self.target,
            "drop": list(read.schema.dropped),
            "categorical": sorted(split_names(self.categorical, read.schema.names)),
            "groups": self.groups,
            "time_order": self.time_order,
            "classes": list(dataset.labels),
            "data_sha256": dataset.sha256,
        }
        return {key: value for key, value in identity.items() if value}


@dataclass(frozen=True)
class Evaluation:
    """Mean and standard deviation of every classifier over the folds.

    Attributes
    ----------
    metrics : tuple of str
        Names of the metrics, as in scikit-learn, the main one first.
    n_folds : int
        Number of folds, over all repeats.
    scores : dict of str to dict of str to (float, float)
        Mean and standard deviation by classifier and metric; NaN if a fold failed.
    n_failed : int
        Number of fits that failed.
    about : dict
        Description of the table: rows, columns, gaps, numbers of rows by class and positive class,
        or the range of the numbers to predict, and warnings.
    certified : dict of str to dict
        With ``robust`` in the protocol, by classifier with a certificate: the radii within which
        correct held-out samples stay correct, the number of all, and whether the radii are exact.
    """

    metrics: tuple[str, ...]
    n_folds: int
    scores: dict[str, dict[str, tuple[float, float]]]
    n_failed: int
    about: dict[str, Any] = field(default_factory=dict)
    certified: dict[str, dict[str, Any]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain JSON values; None for a classifier with a failed fold."""
        return {
            "metrics": list(self.metrics),
            "n_folds": self.n_folds,
            "n_failed": self.n_failed,
            "about": self.about,
            **({"certified": certified_dict(self.certified)} if self.certified else {}),
            "scores": {
                name: {
                    metric: {"mean": mean, "std": std} if mean == mean else None
                    for metric, (mean, std) in by_metric.items()
                }
                for name, by_metric in self.scores.items()
            },
        }

    def as_text(self) -> str:
        """Format as a small table, with a column for each metric."""
        rows = [["", *self.metrics]]
        for name, by_metric in self.scores.items():
            cells = [
                mean_and_std(mean, std) if mean == mean else "failed"
                for mean, std in by_metric.values()
            ]
            rows.append([display_name(name), *cells])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [f"Mean ± standard deviation over {self.n_folds} folds"]
        for row in rows:
            texts = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            lines.append("  ".join(texts).rstrip())
        if self.about:
            sought = self.about.get("positive")
            named = "" if sought is None else f" Positive class: {sought}."
            lines.append(f"{baseline_text(self.about)}{named}")
        if self.n_failed:
            lines.append(f"{self.n_failed} fits failed: see the report for the errors")
        if self.certified:
            lines += ["", certified_text(self.certified)]
        return "\n".join(lines)


def evaluate(
    table: Table,
    request: Request,
    *,
    readable: bool = False,
    progress: Progress | None = None,
    command: str = "",
) -> Evaluation:
    """Cross-validate the model of ``rdep fit`` and others, and write the report.

    Categories are encoded and features standardised as in :func:`rdep.tables.fit_table`. Missing
    values are always imputed by the means of the training folds; ``impute`` is ignored.

    Parameters
    ----------
    table : Table
        The table, its target, and its column of groups or time.
    request : Request
        The folder, the protocol, and how to compute cells. Rows of the same evaluation in the
        folder are not computed again; rows of another evaluation or of other data are refused. If
        no classifiers are named, the model of the protocol, which is that of ``rdep fit`` without
        options, is compared with common classifiers. If a fold would lack a class, the number of
        folds is reduced, with a warning.
    readable : bool, default=False
        Whether to compare readable models with 4, 8, 16 and 32 conditions instead of the paper's
        classifiers; for two classes. The report is a table and a picture of the accuracy against
        the number of conditions.
    progress : Progress or None, default=None
        Display of the progress; None shows nothing.
    command : str, default=""
        The command that the report states as its origin.

    Returns
    -------
    Evaluation
        Mean and standard deviation of every classifier.

    Examples
    --------
    >>> from pathlib import Path
    >>> from rdep_experiment import Protocol, Request, Table, evaluate
    >>> table = Table("churn.csv", "left", drop=("customer",))
    >>> request = Request(Path("report"), classifiers=("rdep",), protocol=Protocol(n_folds=5))
    >>> evaluate(table, request)  # doctest: +SKIP
    """
    _check_order(table, request.repeats)
    model = request.protocol.model or DEFAULT_MODEL
    task = possible_task(model["estimator"], model["parameters"], table.task)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read = table.read(task)
    noticed = [warning.message for warning in caught]
    for message in noticed:
        warn_caller(message)
    if read.task == REGRESSION and read.remark:
        warn_caller(read.remark, UserWarning)
    dataset = _as_dataset(read, table)
    protocol = request.protocol.changed(impute="fold", split=table.split, sizes=readable or None)
    if read.task == REGRESSION:
        protocol = _for_numbers(protocol, table, readable)
    usual = REGRESSION_TABLE if read.task == REGRESSION else OWN_TABLE
    suite = find_suite(READABLE_TABLE if readable else usual)
    names = suite.classifiers if protocol.quantile is None else QUANTILE_RIVALS
    if not readable:
        protocol = _as_fitted(protocol, read, table, named=bool(request.classifiers))
    if readable:
        if protocol.robust:
            raise ValueError("the readable front has no radii: omit robust, or readable")
        given = (table.positive, protocol.model, protocol.threshold, protocol.cost)
        if any(option is not None for option in given):
            raise ValueError(
                "the readable front compares its own models by balanced accuracy: omit the options "
                "of fit, the positive class, threshold and costs"
            )
        _check_readable(dataset, table.target, protocol.calibrate)
    if not request.classifiers and left_out(names):
        warn_caller(left_out(names), UserWarning)
    n_folds = _folds(dataset, replace(request, protocol=protocol))
    protocol = replace(protocol, n_folds=n_folds)
    asked = list(request.classifiers) or None
    with TemporaryDirectory(prefix="rdep-") as folder:  # readable by every process
        file = write_arrays(dataset, Path(folder) / "arrays.npz")
        request = replace(
            request,
            sources=(Source(table.name, arrays=str(file)),),
            classifiers=protocol.chosen_classifiers(asked, names),
            protocol=protocol,
            table=table.identity(read, dataset),
            about=described(read, table, sorted({str(message) for message in noticed})),
        )
        outcome = run_and_report(request, suite.name, progress or Progress(), command)
    return _evaluation(request, outcome)


def _evaluation(request: Request, outcome: Outcome) -> Evaluation:
    """Mean and standard deviation of the rows on the one table of a request."""
    protocol, (source,) = request.protocol, request.sources
    described = {
        "datasets": [source.name],
        "classifiers": list(request.classifiers),
        "n_folds": protocol.n_folds,
        "repeats": request.repeats,
        "metric": protocol.metrics[0],
    }
    tables = {
        metric: cross_validated_scores(outcome.rows, described, metric)
        for metric in protocol.metrics
    }
    return Evaluation(
        protocol.metrics,
        protocol.n_folds * request.repeats,
        {
            classifier: {
                metric: (
                    float(scores.mean.loc[source.name, classifier]),
                    float(scores.std.loc[source.name, classifier]),
                )
                for metric, scores in tables.items()
            }
            for classifier in request.classifiers
        },
        outcome.n_failed,
        request.about,
        certified=certified(outcome.rows),
    )


def _for_numbers(protocol: Protocol, table: Table, readable: bool) -> Protocol:
    """Protocol of a regression; options of classifiers are refused."""
    given = {
        "the readable front": readable or None,
        "calibration": protocol.calibrate,
        "a threshold": protocol.threshold,
        "cost": protocol.cost,
        "robust": protocol.robust or None,
        "a positive class": table.positive,
    }
    for name, value in given.items():
        if value is not None:
            raise ValueError(
                f"the target {table.target!r} holds numbers to predict, and {name} is for classes: "
                "omit it, or make each number a class (task='classification')"
            )
    metrics = protocol.metrics
    if metrics is BY_DEFAULT:
        metrics = ERRORS if protocol.quantile is None else ("neg_quantile_loss",)
    return replace(protocol, task=REGRESSION, metrics=metrics)


def _as_fitted(protocol: Protocol, read: TrainingTable, table: Table, named: bool) -> Protocol:
    """Protocol with the model of ``rdep fit``, unless others are named, and codes for labels."""
    model = protocol.model if named else protocol.model or DEFAULT_MODEL
    labels = list(read.schema.classes)
    weights = {} if model is None else model["parameters"].get("class_weight")
    if model is not None and isinstance(weights, dict):
        codes = {str(label): code for code, label in enumerate(labels)}
        unknown = [label for label in weights if label not in codes]
        if unknown:
            raise ValueError(unknown_name("class", unknown[0], list(codes)))
        by_code = {codes[label]: weight for label, weight in weights.items()}
        model = {**model, "parameters": {**model["parameters"], "class_weight": by_code}}
    if model is not None:  # refuses wrong names
        make_estimator(model["estimator"], model["parameters"], protocol.task)
    sought = positive_label(table.positive, tuple(labels))
    default = table.positive is None
    return replace(
        protocol,
        model=model,
        positive=None if default or sought is None else labels.index(sought),
        columns=_columns(read),
    )


def _columns(read: TrainingTable) -> dict[str, list[int]]:
    """Positions of the encoded features of each column: numbers first, then categories."""
    found, start = {}, 0
    for kind in (NUMBER, CATEGORY):
        for name in read.schema.named(kind):
            values = read.frame[name]
            # A missing category is a category of its own.
            width = 1 if kind == NUMBER else values.nunique() + int(values.isna().any())
            found[name] = list(range(start, start + width))
            start += width
    return found


def described(read: TrainingTable, table: Table, noticed: list[str]) -> dict[str, Any]:
    """Description of a table in plain values, for the report."""
    gaps = {name: int(n) for name, n in read.frame.isna().sum().items() if n}
    return {
        "rows": len(read.y),
        "target": table.target,
        "numbers": len(read.schema.named(NUMBER)),
        "categories": len(read.schema.named(CATEGORY)),
        "columns": [*read.schema.named(NUMBER), *read.schema.named(CATEGORY)],
        "gaps": gaps,
        "dropped": list(read.schema.dropped),
        **(_of_numbers(read) if read.task == REGRESSION else _of_classes(read, table)),
        "warnings": noticed,
    }


def _of_classes(read: TrainingTable, table: Table) -> dict[str, Any]:
    labels, counts = np.unique(read.y, return_counts=True)
    sought = positive_label(table.positive, tuple(labels.tolist()))
    return {
        "class_counts": {str(k): int(n) for k, n in zip(labels, counts, strict=True)},
        "positive": None if sought is None else str(sought),
    }


def _of_numbers(read: TrainingTable) -> dict[str, Any]:
    low, median, high = np.quantile(read.y, [0, 0.5, 1]).tolist()
    return {
        "numbers_to_predict": {
            "low": low,
            "median": median,
            "high": high,
            "error_of_median": constant_error(read.y),
        }
    }


def _check_order(table: Table, repeats: int) -> None:
    if table.groups is not None and table.time_order is not None:
        raise ValueError("groups and time order exclude each other: name one column")
    if table.time_order is not None and repeats > 1:
        raise ValueError("time has one order, so all repeats would be the same: omit repeats")


def _check_readable(dataset: Dataset, target: str, calibrate: str | None) -> None:
    if len(dataset.labels) != 2:
        raise ValueError(
            f"the target {target!r} has {len(dataset.labels)} different values: the readable front "
            "is for two, so add a column with one class against the rest"
        )
    if calibrate is not None:
        raise ValueError(
            "the readable front compares models without calibration: calibrate the chosen model"
        )


def _as_dataset(read: TrainingTable, table: Table) -> Dataset:
    """Convert the table to the data set that the classifiers receive."""
    frame = encoded_frame(read.frame, read.schema)
    labels, y = read.schema.classes, read.y
    if labels:
        y = np.searchsorted(labels, read.y).astype(np.intp)
    numbers = None
    if table.groups is not None:
        numbers = group_numbers(read.aside[table.groups], table.groups)
    elif table.time_order is not None:
        numbers = moments(read.aside[table.time_order], table.time_order)
    return Dataset(
        name=table.name,
        X=frame.to_numpy(float),
        y=y,
        feature_names=tuple(map(str, frame.columns)),
        labels=tuple(map(str, labels)),
        source=table.name,
        groups=numbers,
    )


def _folds(dataset: Dataset, request: Request) -> int:
    """Requested number of folds, or fewer, so that each has every class."""
    protocol = request.protocol
    usable = usable_folds(dataset, protocol.split, protocol.n_folds, request.seeds)
    why = limit_of_folds(dataset, protocol.split, usable)
    if usable == 0 and not dataset.labels:
        raise ValueError(f"{dataset.name} cannot be cut into folds: {why}")
    if usable == 0:
        how = {BY_GROUPS: "groups", BY_TIME: "times"}.get(protocol.split or "", "rows")
        others = ", or leave out the class" if len(dataset.labels) > 2 else ""
        raise ValueError(
            f"{dataset.name} cannot be cut into folds that all have all classes, in training and "
            f"in test: {why}. It needs more {how} with every class{others}"
        )
    if usable < protocol.n_folds:
        warn_caller(
            f"{usable} folds instead of {protocol.n_folds}"
            f"{', so that each has every class' if dataset.labels else ''}: {why}",
            UserWarning,
        )
    return usable
