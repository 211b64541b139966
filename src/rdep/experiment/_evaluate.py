"""The paper's classifiers on a table of one's own, by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._utils._files import writing_atomically
from ..tables._blocks import STANDARD_INPUT
from ..tables._pipeline import encoded_frame
from ..tables._read_options import ReadOptions
from ..tables._training_table import TrainingTable, read_training_table
from ._reproduce import Choice, reproduce
from .analysis._tables import cross_validated_scores, display_name
from .run._progress import Progress
from .run._protocol import Protocol
from .run._sources import check_two_classes

SUITE = "own table"


@dataclass(frozen=True)
class Evaluation:
    """Mean and standard deviation of every classifier over the folds.

    Attributes
    ----------
    metric : str
        Name of the metric, as in scikit-learn.
    n_folds : int
        Number of folds, over all repeats.
    scores : dict of str to (float, float)
        Mean and standard deviation by classifier; NaN if a fold failed.
    n_failed : int
        Number of fits that failed.
    """

    metric: str
    n_folds: int
    scores: dict[str, tuple[float, float]]
    n_failed: int

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values; None for a classifier with a failed fold."""
        return {
            "metric": self.metric,
            "n_folds": self.n_folds,
            "n_failed": self.n_failed,
            "scores": {
                name: {"mean": mean, "std": std} if mean == mean else None
                for name, (mean, std) in self.scores.items()
            },
        }

    def as_text(self) -> str:
        """A small table."""
        lines = [f"{self.metric}, mean ± standard deviation over {self.n_folds} folds"]
        for name, (mean, std) in self.scores.items():
            score = f"{mean:.3f} ± {std:.3f}" if mean == mean else "failed, see the report"
            lines.append(f"{display_name(name):20}{score}")
        return "\n".join(lines)


def evaluate(
    source: str,
    target: str,
    output: Path,
    *,
    drop: tuple[str, ...] = (),
    categorical: tuple[str, ...] = (),
    max_categories: int = 100,
    options: ReadOptions | None = None,
    classifiers: list[str] | None = None,
    metrics: tuple[str, ...] = ("balanced_accuracy",),
    folds: int = 10,
    repeats: int = 1,
    jobs: int = 1,
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
        The column of the classes, of which there are two.
    output : Path
        Folder for rows and report; rows of the same evaluation that it holds are not computed
        again.
    drop : tuple of str, default=()
        Columns to ignore.
    categorical : tuple of str, default=()
        Numeric columns to treat as categories.
    max_categories : int, default=100
        Largest number of categories of a column.
    options : ReadOptions or None, default=None
        How to read the file; None finds out.
    classifiers : list of str or None, default=None
        Names of the classifiers; None means the eight of the paper.
    metrics : tuple of str, default=("balanced_accuracy",)
        Metrics by scikit-learn's names, the main one first.
    folds : int, default=10
        Number of stratified folds.
    repeats : int, default=1
        Number of repetitions of the cross-validation with other folds.
    jobs : int, default=1
        Number of processes.
    progress : Progress or None, default=None
        Display of the progress; None shows nothing.
    command : str, default=""
        The command that the report states as its origin.

    Returns
    -------
    Evaluation
        Mean and standard deviation of every classifier.
    """
    table = read_training_table(
        source,
        target,
        drop=drop,
        categorical=categorical,
        max_categories=max_categories,
        options=options,
    )
    check_two_classes(table, target, source)
    name = "table" if source == STANDARD_INPUT else Path(source).name.split(".")[0]
    choice = Choice(
        SUITE,
        datasets=[],
        classifiers=classifiers,
        tables=((_write_encoded(table, target, output / f"{name}.parquet"), target),),
    )
    protocol = Protocol(impute="fold", n_folds=folds, metrics=metrics)
    outcome = reproduce(
        choice,
        output,
        protocol,
        repeats=repeats,
        jobs=jobs,
        progress=progress,
        command=command,
    )
    compared = list(dict.fromkeys(row["classifier"] for row in outcome.rows))
    scores = cross_validated_scores(
        outcome.rows,
        {
            "datasets": [name],
            "classifiers": compared,
            "n_folds": folds,
            "repeats": repeats,
            "metric": metrics[0],
        },
    )
    return Evaluation(
        metrics[0],
        folds * repeats,
        {
            classifier: (
                float(scores.mean.loc[name, classifier]),
                float(scores.std.loc[name, classifier]),
            )
            for classifier in compared
        },
        outcome.n_failed,
    )


def _write_encoded(table: TrainingTable, target: str, path: Path) -> Path:
    """The table as the classifiers see it, where every process can read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = encoded_frame(table.frame, table.schema)
    frame[target] = table.y
    with writing_atomically(path) as file:
        frame.to_parquet(file, index=False)
    return path
