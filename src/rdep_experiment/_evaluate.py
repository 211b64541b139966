"""The paper's classifiers on a table of one's own, by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from rdep.datasets import Dataset
from rdep.exceptions import warn_caller
from rdep.tables import (
    STANDARD_INPUT,
    ReadOptions,
    TrainingTable,
    encoded_frame,
    read_training_table,
    split_names,
)

from ._reproduce import run_and_report
from .analysis._names import display_name
from .analysis._tables import cross_validated_scores
from .run._folds import BY_GROUPS, BY_TIME, usable_folds
from .run._moments import group_numbers, moments
from .run._progress import Progress
from .run._protocol import Protocol
from .run._readable import left_out
from .run._runner import Request
from .run._sources import Source, table_name, write_arrays
from .run._suites import READABLE_TABLE

SUITE = "own table"


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
    """

    metrics: tuple[str, ...]
    n_folds: int
    scores: dict[str, dict[str, tuple[float, float]]]
    n_failed: int

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values; None for a classifier with a failed fold."""
        return {
            "metrics": list(self.metrics),
            "n_folds": self.n_folds,
            "n_failed": self.n_failed,
            "scores": {
                name: {
                    metric: {"mean": mean, "std": std} if mean == mean else None
                    for metric, (mean, std) in by_metric.items()
                }
                for name, by_metric in self.scores.items()
            },
        }

    def as_text(self) -> str:
        """A small table, with a column for each metric."""
        rows = [["", *self.metrics]]
        for name, by_metric in self.scores.items():
            cells = [
                f"{mean:.3f} ± {std:.3f}" if mean == mean else "failed"
                for mean, std in by_metric.values()
            ]
            rows.append([display_name(name), *cells])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [f"Mean ± standard deviation over {self.n_folds} folds"]
        for row in rows:
            texts = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            lines.append("  ".join(texts).rstrip())
        if self.n_failed:
            lines.append(f"{self.n_failed} fits failed: the report says why")
        return "\n".join(lines)


def evaluate(
    source: str,
    target: str,
    output: Path,
    *,
    drop: tuple[str, ...] = (),
    categorical: tuple[str, ...] = (),
    max_categories: int = 100,
    groups: str | None = None,
    time_order: str | None = None,
    options: ReadOptions | None = None,
    classifiers: list[str] | None = None,
    add_classifier: dict[str, str] | None = None,
    calibrate: str | None = None,
    readable: bool = False,
    metrics: tuple[str, ...] = ("balanced_accuracy",),
    folds: int = 10,
    repeats: int = 1,
    jobs: int = 1,
    time_limit: float | None = None,
    retry_failed: bool = False,
    repair: bool = False,
    fresh: bool = False,
    progress: Progress | None = None,
    command: str = "",
) -> Evaluation:
    """Cross-validate the paper's classifiers on a table and write the report.

    Categories are encoded and features standardised as in :func:`rdep.tables.fit_table`; missing
    values are imputed by the means of the training folds.

    Parameters
    ----------
    source : str
        A table in any format that :func:`rdep.tables.fit_table` reads, or "-" for standard input.
    target : str
        The column of the classes, of which there are two or more.
    output : Path
        Folder for rows and report. Rows of the same evaluation that it holds are not computed
        again; those of another one, or of other data, are refused.
    drop : tuple of str, default=()
        Columns to ignore.
    categorical : tuple of str, default=()
        Numeric columns to treat as categories.
    max_categories : int, default=100
        Largest number of categories of a column.
    groups : str or None, default=None
        Column of the groups: rows with the same value are never in training and test of the same
        fold. It is not a feature.
    time_order : str or None, default=None
        Column of numbers or dates: every fold is trained on earlier rows than it is tested on. It
        is not a feature.
    options : ReadOptions or None, default=None
        How to read the file; None finds out.
    classifiers : list of str or None, default=None
        Names of the classifiers; None means the eight of the paper.
    add_classifier : dict of str to str or None, default=None
        Further classifiers: ``package.module:object`` by name.
    calibrate : "sigmoid", "isotonic", "temperature" or None, default=None
        Calibration of all classifiers, which gives them probabilities; None means none.
    readable : bool, default=False
        Whether to compare models to be read, each at 4, 8, 16 and 32 conditions, in place of the
        paper's classifiers: for two classes. The report is a table and a picture of the accuracy
        over the number of conditions.
    metrics : tuple of str, default=("balanced_accuracy",)
        Metrics by scikit-learn's names, the main one first.
    folds : int, default=10
        Number of stratified folds. There are fewer, with a warning, if otherwise one of them would
        lack a class.
    repeats : int, default=1
        Number of repetitions of the cross-validation with other folds.
    jobs : int, default=1
        Number of processes.
    time_limit : float or None, default=None
        Time limit in seconds of one classifier on one fold, which fails if it takes longer.
    retry_failed : bool, default=False
        Whether to compute failed cells again.
    repair : bool, default=False
        Whether to compute damaged rows again instead of refusing the file.
    fresh : bool, default=False
        Whether to begin anew; rows that the folder holds are kept in a file of another name.
    progress : Progress or None, default=None
        Display of the progress; None shows nothing.
    command : str, default=""
        The command that the report states as its origin.

    Returns
    -------
    Evaluation
        Mean and standard deviation of every classifier.
    """
    if groups is not None and time_order is not None:
        raise ValueError("groups and time order exclude each other: name one column")
    if time_order is not None and repeats > 1:
        raise ValueError(
            "time has one order, so that repeats would all be the same: leave them out"
        )
    aside = tuple(name for name in (groups, time_order) if name is not None)
    table = read_training_table(
        source,
        target,
        drop=drop,
        categorical=categorical,
        max_categories=max_categories,
        aside=aside,
        options=options,
    )
    protocol = Protocol(
        impute="fold",
        n_folds=folds,
        metrics=metrics,
        extra=add_classifier or {},
        split=BY_GROUPS if groups is not None else BY_TIME if time_order is not None else None,
        calibrate=calibrate,
        sizes=readable,
    )
    name = "table" if source == STANDARD_INPUT else table_name(Path(source))
    dataset = _as_dataset(table, name, groups, time_order)
    suite = SUITE
    if readable:
        suite = READABLE_TABLE
        _check_readable(dataset, target, calibrate)
        if classifiers is None and left_out():
            warn_caller(left_out(), UserWarning)
    protocol = replace(protocol, n_folds=_folds(dataset, protocol, repeats))
    identity = {
        "table": name,
        "target": target,
        "drop": list(table.schema.dropped),
        "categorical": sorted(split_names(categorical, table.schema.names)),
        "groups": groups,
        "time_order": time_order,
        "classes": list(dataset.labels),
        "data_sha256": dataset.sha256,
    }
    with TemporaryDirectory(prefix="rdep-") as folder:  # where every process can read it
        file = write_arrays(dataset, Path(folder) / "arrays.npz")
        request = Request(
            output=output,
            sources=(Source(name, arrays=str(file)),),
            classifiers=protocol.chosen_classifiers(classifiers, suite),
            protocol=protocol,
            repeats=repeats,
            jobs=jobs,
            time_limit=time_limit,
            retry_failed=retry_failed,
            repair=repair,
            fresh=fresh,
            table={key: value for key, value in identity.items() if value},
        )
        outcome = run_and_report(request, suite, progress or Progress(), command)
    described = {
        "datasets": [name],
        "classifiers": list(request.classifiers),
        "n_folds": protocol.n_folds,
        "repeats": repeats,
        "metric": metrics[0],
    }
    tables = {metric: cross_validated_scores(outcome.rows, described, metric) for metric in metrics}
    return Evaluation(
        metrics,
        protocol.n_folds * repeats,
        {
            classifier: {
                metric: (
                    float(scores.mean.loc[name, classifier]),
                    float(scores.std.loc[name, classifier]),
                )
                for metric, scores in tables.items()
            }
            for classifier in request.classifiers
        },
        outcome.n_failed,
    )


def _check_readable(dataset: Dataset, target: str, calibrate: str | None) -> None:
    if len(dataset.labels) != 2:
        raise ValueError(
            f"the target {target!r} has {len(dataset.labels)} different values: the readable front "
            "is for two, so compare one class with the rest in a column of its own"
        )
    if calibrate is not None:
        raise ValueError(
            "the readable front is of models as they are: calibrate the one that you choose"
        )


def _as_dataset(
    table: TrainingTable, name: str, groups: str | None, time_order: str | None
) -> Dataset:
    """The table as the classifiers see it."""
    frame = encoded_frame(table.frame, table.schema)
    labels, y = np.unique(table.y, return_inverse=True)
    numbers = None
    if groups is not None:
        numbers = group_numbers(table.aside[groups], groups)
    elif time_order is not None:
        numbers = moments(table.aside[time_order], time_order)
    return Dataset(
        name=name,
        X=frame.to_numpy(float),
        y=y.astype(np.intp),
        feature_names=tuple(map(str, frame.columns)),
        labels=tuple(map(str, labels)),
        source=name,
        groups=numbers,
    )


def _folds(dataset: Dataset, protocol: Protocol, repeats: int) -> int:
    """As many folds as asked for, or fewer, so that each has every class."""
    seeds = [protocol.seed + repeat for repeat in range(repeats)]
    usable = usable_folds(dataset, protocol.split, protocol.n_folds, seeds)
    counts = np.bincount(dataset.y)
    rarest = f"class {dataset.labels[counts.argmin()]!r} has {counts.min()} rows"
    if usable == 0:
        how = {BY_GROUPS: "groups", BY_TIME: "times"}.get(protocol.split or "", "rows")
        raise ValueError(
            f"{dataset.name} cannot be cut into folds that all have all classes, in training and "
            f"in test: {rarest}. It needs more {how} of this class, or leave the class out"
        )
    if usable < protocol.n_folds:
        warn_caller(
            f"{usable} folds instead of {protocol.n_folds}, so that each has every class: {rarest}",
            UserWarning,
        )
    return usable
