"""Scores of a run as tables, compared with the published ones.

A run is a list of rows, one for each fold of each classifier on each data set. A cell of a table
needs all of its folds: an incomplete cell is reported as missing, never averaged over fewer folds.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from rdep._utils._imports import optional

from ..run._store import OK
from ._names import display_name

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = optional("pandas", "the analysis of scores", "cli")

Row = Mapping[str, Any]
RunDescription = Mapping[str, Any]  # protocol of a run, as stored in its files

PUBLISHED_METRIC = "balanced_accuracy"

# The paper prints two decimals, so differences from it have two decimals as well.
_PRINTED_DECIMALS = 2

# Means of equal fold scores may differ by rounding.
_TIE = 1e-12

_LATEX_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{character: "\\" + character for character in "&%$#_{}"},
    }
)


@dataclass(frozen=True)
class MissingCell:
    """Cell without all of its folds."""

    dataset: str
    classifier: str
    found: int
    expected: int


@dataclass(frozen=True)
class PrintedCell:
    """Mean and standard deviation with the paper's decimals; empty if missing."""

    mean: str = ""
    std: str = ""
    best: bool = False


@dataclass(frozen=True)
class ScoreTable:
    """Mean and standard deviation over folds, data sets × classifiers; NaN if missing."""

    metric: str
    mean: pd.DataFrame
    std: pd.DataFrame
    missing: tuple[MissingCell, ...]

    @property
    def complete(self) -> pd.DataFrame:
        """Means on the data sets for which every classifier has one."""
        return self.mean.dropna()

    @property
    def best(self) -> pd.DataFrame:
        """Mask of the cells with the largest mean of their row; none in an incomplete row."""
        highest = self.mean.max(axis=1).where(self.mean.notna().all(axis=1))
        return self.mean.ge(highest - _TIE, axis=0)


def within(protocol: RunDescription, rows: Iterable[Row]) -> list[Row]:
    """Rows of the protocol; a run may hold more rows than its last request."""
    return [
        row
        for row in rows
        if row["dataset"] in protocol["datasets"]
        and row["classifier"] in protocol["classifiers"]
        and row["repeat"] < protocol["repeats"]
        and row["fold"] < protocol["n_folds"]
    ]


def successful_folds(rows: Iterable[Row]) -> dict[tuple[str, str], dict[tuple[int, int], Row]]:
    """Rows with a score: by (dataset, classifier), then by (repeat, fold) in ascending order.

    A fold that failed and was then computed again counts. Two different scores of one fold are an
    error.
    """
    cells: dict[tuple[str, str], dict[tuple[int, int], Row]] = {}
    for row in rows:
        if row["status"] != OK:
            continue
        cell = cells.setdefault((row["dataset"], row["classifier"]), {})
        fold = (row["repeat"], row["fold"])
        if fold in cell and cell[fold]["scores"] != row["scores"]:
            raise ValueError(
                f"{row['dataset']}, {row['classifier']}, repeat {fold[0]}, fold {fold[1]} has two "
                "different scores: keep only one of these rows."
            )
        cell.setdefault(fold, row)
    return {key: dict(sorted(cell.items())) for key, cell in cells.items()}


def cross_validated_scores(
    rows: Iterable[Row], protocol: RunDescription, metric: str | None = None
) -> ScoreTable:
    """Mean and standard deviation over all folds and repeats, for the cells of the protocol.

    Parameters
    ----------
    rows : iterable of dict
        The rows, in any order. Rows that are not in the protocol are ignored.
    protocol : dict
        Description of the run, with the keys datasets, classifiers, n_folds, repeats and metric.
    metric : str or None, default=None
        The metric; None means the protocol's.

    Returns
    -------
    ScoreTable
        Means, standard deviations and missing cells.
    """
    metric = metric or protocol["metric"]
    expected = protocol["n_folds"] * protocol["repeats"]
    cells = successful_folds(within(protocol, rows))
    mean = _empty(protocol)
    std = _empty(protocol)
    missing = []
    for dataset in protocol["datasets"]:
        for classifier in protocol["classifiers"]:
            folds = cells.get((dataset, classifier), {})
            scores = [_score(row, metric) for row in folds.values()]
            found = int(np.isfinite(scores).sum())
            if found == expected:
                mean.loc[dataset, classifier] = np.mean(scores)
                std.loc[dataset, classifier] = np.std(scores)
            else:
                missing.append(MissingCell(dataset, classifier, found, expected))
    return ScoreTable(metric, mean, std, tuple(missing))


def time_table(rows: Iterable[Row], protocol: RunDescription) -> pd.DataFrame:
    """Mean seconds to fit and predict one fold, for the cells with all folds."""
    cells = successful_folds(within(protocol, rows))
    expected = protocol["n_folds"] * protocol["repeats"]
    records = []
    for dataset in protocol["datasets"]:
        for classifier in protocol["classifiers"]:
            folds = cells.get((dataset, classifier), {}).values()
            if len(folds) == expected:
                seconds = [(row["fit_seconds"], row["predict_seconds"]) for row in folds]
                records.append((dataset, classifier, *np.mean(seconds, axis=0)))
    return pd.DataFrame(
        records, columns=["dataset", "classifier", "fit_seconds", "predict_seconds"]
    )


def published() -> tuple[pd.DataFrame, pd.DataFrame]:
    """The paper's means and standard deviations, data sets × classifiers.

    Returns
    -------
    mean, std : pandas.DataFrame
        Balanced accuracies of the paper's Table 4.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """
    text = files(__package__).joinpath("published/balanced_accuracy.csv").read_text("utf-8")
    table = pd.read_csv(io.StringIO(text), index_col="dataset").drop(index="Average")

    def part(suffix: str) -> pd.DataFrame:
        chosen = table.filter(regex=f"{suffix}$")
        return chosen.rename(columns=lambda name: name.removesuffix(suffix)).rename_axis(
            columns="classifier"
        )

    return part("_mean"), part("_std")


def compare(table: ScoreTable, paper: pd.DataFrame | None = None) -> pd.DataFrame:
    """Compare our means with the published means, one row for each cell that both have.

    ``difference`` is ``rounded``, our mean with the paper's decimals, minus the published mean. If
    the published mean has more decimals, our mean is not rounded. The published means are those of
    the paper, unless others are given.
    """
    paper = published()[0] if paper is None else paper
    if table.metric != PUBLISHED_METRIC:
        paper = paper.iloc[:0]
    records = [
        (dataset, classifier, ours, paper.loc[dataset, classifier])
        for dataset, means in table.mean.iterrows()
        for classifier, ours in means.items()
        if dataset in paper.index and classifier in paper.columns and np.isfinite(ours)
    ]
    frame = pd.DataFrame(records, columns=["dataset", "classifier", "ours", "published"])
    frame.insert(3, "rounded", frame["ours"].astype(float).round(_PRINTED_DECIMALS))
    frame["difference"] = _printed_difference(frame["ours"], frame["published"])
    return frame


def averages(table: ScoreTable, paper: pd.DataFrame | None = None) -> pd.DataFrame:
    """Average over the complete data sets, ours and published; NaN if the paper has a gap."""
    means = table.complete
    paper = published()[0] if paper is None else paper
    if table.metric != PUBLISHED_METRIC or means.empty:
        paper = paper.iloc[:0]
    same_cells = paper.reindex(index=means.index, columns=means.columns)
    frame = pd.DataFrame(
        {
            "ours": means.mean(),
            "std": means.std(ddof=0),
            "published": same_cells.mean(skipna=False),
        }
    )
    frame["difference"] = _printed_difference(frame["ours"], frame["published"])
    return frame


def as_csv(table: ScoreTable) -> str:
    """Format the complete cells as CSV, byte for byte the same for the same scores."""
    records = [
        (dataset, classifier, mean, table.std.loc[dataset, classifier])
        for dataset, means in table.mean.iterrows()
        for classifier, mean in means.items()
        if np.isfinite(mean)
    ]
    return csv_text(pd.DataFrame(records, columns=["dataset", "classifier", "mean", "std"]))


def metrics_as_csv(score_tables: list[ScoreTable]) -> str:
    """Format the complete cells of all metrics as CSV."""
    records = [
        (dataset, classifier, table.metric, mean, table.std.loc[dataset, classifier])
        for table in score_tables
        for dataset, means in table.mean.iterrows()
        for classifier, mean in means.items()
        if np.isfinite(mean)
    ]
    names = ["dataset", "classifier", "metric", "mean", "std"]
    return csv_text(pd.DataFrame(records, columns=names))


def csv_text(frame: pd.DataFrame) -> str:
    """Format a frame as CSV: numbers with six decimals, lines ended by a line feed."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(frame.columns)
    for record in frame.itertuples(index=False):
        writer.writerow([f"{cell:.6f}" if isinstance(cell, float) else cell for cell in record])
    return buffer.getvalue()


def as_markdown(table: ScoreTable) -> str:
    """Format the table as in the paper, in Markdown."""

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |\n"

    def show(cell: PrintedCell) -> str:
        text = f"{cell.mean} ± {cell.std}" if cell.mean else "–"
        return f"**{text}**" if cell.best else text

    text = line(["Data set", *map(display_name, table.mean.columns)])
    text += line(["---"] + ["---:"] * len(table.mean.columns))
    for name, cells in printed_rows(table) + printed_average(table):
        text += line([name, *map(show, cells)])
    return text


def as_latex(table: ScoreTable) -> str:
    """Format the table as in the paper, in LaTeX with the package booktabs."""

    def line(name: str, cells: list[str]) -> str:
        return " & ".join([name.translate(_LATEX_ESCAPES), *cells]) + " \\\\\n"

    def show(cell: PrintedCell) -> str:
        text = f"{cell.mean}\\pm{cell.std}"
        return "--" if not cell.mean else f"$\\mathbf{{{text}}}$" if cell.best else f"${text}$"

    names = [display_name(name).translate(_LATEX_ESCAPES) for name in table.mean.columns]
    text = f"\\begin{{tabular}}{{l{'c' * len(names)}}}\n\\toprule\n"
    text += line("Data set", names) + "\\midrule\n"
    for name, cells in printed_rows(table):
        text += line(name, [show(cell) for cell in cells])
    for name, cells in printed_average(table):
        text += "\\midrule\n" + line(name, [show(cell) for cell in cells])
    return text + "\\bottomrule\n\\end{tabular}\n"


def markdown_table(heading: list[str], lines: list[list[str]]) -> str:
    """Format texts as a table in Markdown, names left-aligned and numbers right-aligned."""
    rows = [heading, ["---"] + ["---:"] * (len(heading) - 1), *lines]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def printed_rows(table: ScoreTable) -> list[tuple[str, list[PrintedCell]]]:
    """Lines of the table: a data set and its cells."""
    # With one data set, unlike in the paper's table, more than two decimals are informative.
    decimals = (
        _PRINTED_DECIMALS if len(table.mean) > 1 else _decimals(table.mean.abs().max(axis=None))
    )
    return [
        (str(dataset), _printed(means, table.std.loc[dataset], table.best.loc[dataset], decimals))
        for dataset, means in table.mean.iterrows()
    ]


def _decimals(size: float) -> int:
    """Three decimals, or as many as scores in the unit of a target need."""
    if not np.isfinite(size) or 0.01 <= size < 10 or size == 0:
        return 3
    return int(np.clip(2 - np.floor(np.log10(size)), 0, 12))


def mean_and_std(mean: float, std: float) -> str:
    """Format a mean score and its standard deviation with the same number of decimals."""
    decimals = _decimals(abs(mean))
    return f"{mean:,.{decimals}f} ± {std:,.{decimals}f}"


def printed_average(table: ScoreTable) -> list[tuple[str, list[PrintedCell]]]:
    """Average line over the complete data sets; empty if none is complete, or for one data set."""
    if table.complete.empty or len(table.mean) == 1:
        return []
    name = f"Average of {len(table.complete)} complete data sets" if table.missing else "Average"
    summary = averages(table)
    best = summary["ours"] >= summary["ours"].max() - _TIE
    return [(name, _printed(summary["ours"], summary["std"], best))]


def _printed(
    means: pd.Series, stds: pd.Series, best: pd.Series, decimals: int = _PRINTED_DECIMALS
) -> list[PrintedCell]:
    return [
        PrintedCell(f"{mean:.{decimals}f}", f"{std:.{decimals}f}", bool(is_best))
        if np.isfinite(mean)
        else PrintedCell()
        for mean, std, is_best in zip(means, stds, best, strict=True)
    ]


def _printed_difference(ours: pd.Series, paper: pd.Series) -> pd.Series:
    # Adding zero turns a negative zero into a positive one.
    ours, paper = ours.astype(float), paper.astype(float)
    # Numbers published with more decimals are compared with our unrounded means.
    as_printed = paper.sub(paper.round(_PRINTED_DECIMALS)).abs() < 1e-9
    difference = ours.mask(as_printed, ours.round(_PRINTED_DECIMALS)) - paper
    return difference.round(_PRINTED_DECIMALS) + 0.0


def _empty(protocol: RunDescription) -> pd.DataFrame:
    return pd.DataFrame(
        np.nan,
        index=pd.Index(protocol["datasets"], name="dataset"),
        columns=pd.Index(protocol["classifiers"], name="classifier"),
    )


def _score(row: Row, metric: str) -> float:
    if metric not in row["scores"]:
        raise ValueError(
            f"{row['dataset']}, {row['classifier']} has no {metric!r}: the rows have "
            f"{sorted(row['scores'])}."
        )
    score = row["scores"][metric]
    return np.nan if score is None else float(score)  # None: not defined for this classifier
