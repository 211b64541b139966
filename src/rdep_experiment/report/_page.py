"""Report of a run: tables, statistics, figures, and one page that shows them all.

It is a function of the rows and their header only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import combinations, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rdep._registry import REGRESSION
from rdep._utils._files import write_atomically
from rdep._utils._imports import optional

from ..analysis import _against as against
from ..analysis import _one_table as one_table
from ..analysis import _remarks as remarks
from ..analysis import _statistics as statistics
from ..analysis import _tables as tables
from ..analysis._names import display_name, name_beside_defaults
from ..analysis._tables import Row, ScoreTable, csv_text
from ..run._folds import BY_TIME, HELD_OUT, HELD_OUT_SHARE
from ..run._store import OK
from . import _figures as figures
from . import _held_out as held_out
from ._certified import certified, certified_plot
from ._family import column_agreement, shown, tables_as_markdown
from ._reliability import reliability_curves, reliability_plot

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

CONFIDENCE = 0.99
ROPE = against.ROPE
_REDUCED = ("ensemble_rdep", "bagging_rdep")
# Files that only some reports have.
_SOMETIMES = ("metrics.csv", "averages.csv", "against.csv", "against.md")
_CAPTIONS = {
    "averages": "Averages over all data sets, by classifier.",
    "comparison": "Difference of our means from the published ones.",
    "box_plot": "Means of the complete data sets, one point each, by classifier.",
    "folds": "Scores of the folds, one point each, by classifier.",
    "certified": "Share of samples that stay correct, by the change of every feature.",
    "reliability": "Frequency of a class by its predicted probability, over all folds.",
    "roc": "ROC curves of held-out rows, all folds together.",
    "precision_recall": "Precision and recall on held-out rows, with average precision.",
    "costs": "Lowest cost over all thresholds, by the share of the positive class in the costs.",
    "predicted": "Numbers of held-out rows by their predictions; the grey line is equality.",
    "residuals": "Numbers minus predictions of held-out rows.",
    "importance": "Importance of columns for the model of rdep fit, mean and standard deviation.",
    "hasse_t_test": "Hasse diagram of Student's tests.",
    "hasse_wilcoxon": "Hasse diagram of Wilcoxon's tests with Holm's correction.",
    "critical_difference": "Average ranks with Nemenyi's critical difference.",
    "times": "Seconds for fitting and predicting one fold, by classifier.",
}


@dataclass(frozen=True)
class Findings:
    """The results of all tests on one table."""

    student: statistics.PairedTests
    student_order: statistics.Hasse
    wilcoxon: statistics.PairedTests
    wilcoxon_order: statistics.Hasse
    friedman: statistics.FriedmanTest | None
    bayesian: dict[tuple[str, str], statistics.Posterior]


def write_report(rows: Iterable[Row], header: Mapping[str, Any], output: Path) -> Path:
    """Write all files of the report into the folder ``output`` and return the page's path.

    Parameters
    ----------
    rows : iterable of dict
        The rows of the run, one for each fold of each classifier on each data set.
    header : dict
        The run's ``protocol`` and the ``command`` that made it. Optional keys are ``published``
        (scores that replace the paper's), ``tables`` (smaller tables), ``reference`` (a classifier
        to test against all others), ``unseen`` (whether no choice was made on the data sets) and
        ``formats`` of the figures' files, ``("png",)`` by default.
    output : Path
        Folder of the report, created if needed; files of an earlier report are replaced.

    Returns
    -------
    Path
        The page.
    """
    protocol = header["protocol"]
    rows = tables.within(protocol, rows)
    compared = None
    reference = header.get("reference")
    if reference is not None and against.can_compare(protocol, reference):
        metrics = protocol.get("metrics", [protocol["metric"]])
        compared = against.compare(rows, protocol, metrics, ROPE, reference)
    table = tables.cross_validated_scores(rows, protocol)
    if protocol.get("about") and len(protocol["datasets"]) == 1:  # the best classifier first
        best = table.mean.iloc[0].sort_values(ascending=False, kind="stable", na_position="last")
        protocol = {**protocol, "classifiers": list(best.index)}
        header = {**header, "protocol": protocol}
        table = tables.cross_validated_scores(rows, protocol)
    score_tables = [table]
    if not compared:  # its averages contain all metrics
        others = [name for name in protocol.get("metrics", []) if name != table.metric]
        score_tables += [tables.cross_validated_scores(rows, protocol, name) for name in others]
    paper = header.get("published")
    comparison = tables.compare(table, paper)
    times = tables.time_table(rows, protocol)
    tests = run_tests(table.complete)
    folds, fold_tests = _compare_folds(rows, protocol)
    folder = Path(output)
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    texts = {
        "table.csv": tables.as_csv(table),
        "table.md": _for_each(score_tables, tables.as_markdown, "## {}\n\n"),
        "table.tex": _for_each(score_tables, tables.as_latex, "% {}\n"),
        "comparison.csv": csv_text(comparison),
        "statistics.csv": csv_text(statistics_frame(table, tests, fold_tests)),
        "times.csv": csv_text(times),
    }
    if len(score_tables) > 1:
        texts["metrics.csv"] = tables.metrics_as_csv(score_tables)
    if compared:
        texts |= compared.files
    if header.get("tables"):
        texts["tables.md"] = tables_as_markdown(header["tables"])
    for name in _SOMETIMES:
        if name not in texts:
            (folder / name).unlink(missing_ok=True)  # it would be mistaken for one of this run
    for name, text in texts.items():
        write_atomically(folder / name, text)
    drawn = _draw(table, comparison, times, tests)
    if folds is not None:
        drawn |= _draw_folds(rows, protocol, folds)
        if protocol.get("about"):
            drawn |= held_out.drawings(rows, protocol, table.mean.columns)
    if compared:
        drawn["averages"] = figures.averages_plot(
            compared.averages, compared.reference, table.metric
        )
    formats = header.get("formats", figures.BY_DEFAULT)
    for name in _CAPTIONS:
        figures.save(drawn.get(name), folder / "figures" / name, formats)
    kind = "regressor" if protocol.get("task") == REGRESSION else "classifier"
    captions = {key: text.replace("classifier", kind) for key, text in _CAPTIONS.items()}
    drawings = {
        name: inline_svg(figures.svg_element(figure), name, captions[name])
        for name, figure in drawn.items()
    }
    context = {
        "header": header,
        "protocol": protocol,
        "name": name_beside_defaults if compared else display_name,
        "table": table,
        "printed": [
            (scores, tables.printed_rows(scores), tables.printed_average(scores))
            for scores in score_tables
        ],
        "one_table": folds is not None,
        "fold_tests": fold_tests,
        "kind": kind,
        "best_score": _best_score(table),
        "loss_of": held_out.loss_of(protocol),
        "about": protocol.get("about"),
        "baseline": held_out.baseline_text(protocol["about"]) if protocol.get("about") else "",
        "confusions": held_out.confusions(rows),
        "classes": protocol.get("classes", []),
        "groups": protocol.get("groups"),
        "by_time": protocol.get("split") == BY_TIME,
        "averages": tables.averages(table, paper),
        "family": paper is not None,
        "shown": shown,
        "columns": column_agreement(comparison) if paper is not None else [],
        "smaller_tables": header.get("tables", {}),
        "comparison": comparison,
        "agreement": _agreement(comparison),
        "deviations": remarks.deviations(comparison) if paper is None else [],
        "svc_range": remarks.SVC_RANGE,
        "dep_loss": remarks.DEP_LOSS,
        "cells": {(row.dataset, row.classifier): row for row in comparison.itertuples()},
        "pairs": _pairs(table, tests),
        "tests": tests,
        "fewest": statistics.FEWEST_DATASETS,
        "rope": ROPE,
        "confidence": f"{CONFIDENCE:.0%}".replace("%", "\N{NO-BREAK SPACE}%"),
        "times": dict(list(times.groupby("classifier"))),
        "figures": drawings,
        "formats": formats,
        "captions": captions,
        "failures": unresolved_failures(rows),
        "warnings": Counter((row["classifier"], text) for row in rows for text in row["warnings"]),
        "versions": _version_sets(rows),
        "n_rows": len(rows),
        "compared": compared,
        "unseen": header.get("unseen", False),
    }
    write_atomically(folder / "report.html", _render(context))
    return folder / "report.html"


def _best_score(table: ScoreTable) -> str:
    """Best mean on one data set; a loss without its sign."""
    rows = tables.printed_rows(table) if len(table.mean) == 1 else []
    best = [cell.mean for _, cells in rows for cell in cells if cell.best]
    return best[0].lstrip("-") if best else ""


def _for_each(score_tables: list[ScoreTable], show: Callable[[ScoreTable], str], heading: str):
    """Text of one table, or of several with a heading for each metric."""
    if len(score_tables) == 1:
        return show(score_tables[0])
    return "\n".join(heading.format(table.metric) + show(table) for table in score_tables)


def _compare_folds(
    rows: list[Row], protocol: Mapping[str, Any]
) -> tuple[pd.DataFrame | None, pd.DataFrame | None]:
    """Scores and tests of the folds, if there is one data set; None if not applicable."""
    if len(protocol["datasets"]) != 1:
        return None, None
    folds = one_table.fold_scores(rows, protocol)
    # The test assumes training sets of equal size, but these grow.
    if protocol.get("split") == BY_TIME or folds.shape[1] < 2:
        return folds, None
    # A share held out repeatedly corresponds to one of 1 / share folds.
    held_out = protocol.get("split") == HELD_OUT
    n_folds = round(1 / HELD_OUT_SHARE) if held_out else protocol["n_folds"]
    return folds, one_table.corrected_resampled_t(folds, n_folds)


def run_tests(means: pd.DataFrame) -> Findings | None:
    """Run all tests; None if there are too few data sets or classifiers."""
    if len(means) < statistics.FEWEST_DATASETS or means.shape[1] < 2:
        return None
    student = statistics.one_sided_t(means, CONFIDENCE)
    wilcoxon = statistics.wilcoxon_holm(means, CONFIDENCE)
    return Findings(
        student,
        statistics.hasse(student.beats),
        wilcoxon,
        statistics.hasse(wilcoxon.beats),
        statistics.friedman(means) if means.shape[1] > 2 else None,
        {
            (first, second): statistics.bayesian_signed_rank(means[first], means[second], ROPE)
            for first in means.columns
            for second in means.columns
            if first in _REDUCED and first != second
        },
    )


def statistics_frame(
    table: ScoreTable, tests: Findings | None, fold_tests: pd.DataFrame | None
) -> pd.DataFrame:
    """Statistics of the report, one row each: quantity, classifiers and value."""
    import pandas as pd

    means = table.complete
    records: list[tuple[str, str, str, float]] = [("complete_datasets", "", "", len(means))]
    if fold_tests is not None:
        records += [
            (f"corrected_t_{quantity}", test.first, test.second, getattr(test, quantity))
            for test in fold_tests.itertuples()
            for quantity in ("difference", "low", "high", "p", "holm_p")
        ]
    if not means.empty and len(table.mean) > 1:
        records += [
            ("average_rank", name, "", rank) for name, rank in statistics.ranks(means).items()
        ]
        counts = statistics.win_tie_loss(means)
        records += [
            (outcome, *pair, count)
            for outcome in counts.columns
            for pair, count in counts[outcome].items()
        ]
    if tests:
        for quantity, paired in (
            ("student_one_sided_p", tests.student),
            ("wilcoxon_holm_p", tests.wilcoxon),
        ):
            records += [
                (quantity, *pair, paired.p_values.loc[pair])
                for pair in permutations(means.columns, 2)
            ]
        records += [
            (f"bayesian_{side}", *pair, probability)
            for pair, posterior in tests.bayesian.items()
            for side, probability in zip(
                ("first_better", "practically_equal", "second_better"), posterior, strict=True
            )
        ]
        if tests.friedman:
            records += [
                ("friedman_chi_square", "", "", tests.friedman.statistic),
                ("friedman_p", "", "", tests.friedman.p_value),
                ("nemenyi_critical_difference", "", "", tests.friedman.critical_difference),
            ]
    frame = pd.DataFrame(records, columns=["quantity", "first", "second", "value"])
    # p-values need significant digits, not decimals.
    return frame.assign(value=[f"{value:.6g}" for value in frame["value"]])


def unresolved_failures(rows: Iterable[Row]) -> list[Row]:
    """Failed rows of folds without a successful row."""
    rows = list(rows)
    done = {
        (*cell, *fold) for cell, folds in tables.successful_folds(rows).items() for fold in folds
    }
    return [
        row
        for row in rows
        if row["status"] != OK
        and (row["dataset"], row["classifier"], row["repeat"], row["fold"]) not in done
    ]


def inline_svg(svg: str, name: str, caption: str) -> str:
    """Adapt an SVG drawing for a page with others: unique ids and no global styles."""
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.S)
    svg = re.sub(r'(\sid="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    head, rest = svg.split(">", 1)
    head = re.sub(r'\s(height|version|xmlns:\w+)="[^"]*"', "", head)
    # The page may shrink a drawing, but not below readable size.
    head = re.sub(
        r' width="([\d.]+)pt"',
        lambda width: f'{width[0]} style="min-width: {0.7 * float(width[1]):.0f}pt"',
        head,
    )
    head += f' role="img" aria-label="{caption}">'
    return head + rest.replace("xlink:href", "href")


def _draw(
    table: ScoreTable, comparison: pd.DataFrame, times: pd.DataFrame, tests: Findings | None
) -> dict[str, Figure]:
    drawn = {}
    if not comparison.empty:
        differences = comparison.pivot(index="dataset", columns="classifier", values="difference")
        drawn["comparison"] = figures.difference_plot(_ordered_like(differences, table.mean))
    if not table.complete.empty and len(table.mean) > 1:
        drawn["box_plot"] = figures.box_plot(table.complete, table.metric)
    if not times.empty:
        drawn["times"] = figures.times_plot(times, list(table.mean.columns))
    if tests:
        orders = {"hasse_t_test": tests.student_order, "hasse_wilcoxon": tests.wilcoxon_order}
        for name, order in orders.items():
            if not order.cycles:
                drawn[name] = figures.hasse_diagram(order)
        if tests.friedman:
            drawn["critical_difference"] = figures.critical_difference_diagram(tests.friedman)
    return drawn


def _draw_folds(
    rows: list[Row], protocol: Mapping[str, Any], folds: pd.DataFrame
) -> dict[str, Figure]:
    drawn = {}
    if not folds.empty:
        drawn["folds"] = figures.box_plot(folds, protocol["metric"], of="")
    robust = certified(tables.within(protocol, rows))
    if robust:
        drawn["certified"] = certified_plot(robust)
    curves = reliability_curves(tables.within(protocol, rows))
    if curves:
        classes = protocol.get("classes", ["0", "1"])
        if protocol.get("positive") == 0:
            classes = classes[::-1]
        drawn["reliability"] = reliability_plot(curves, classes)
    return drawn


def _ordered_like(frame: pd.DataFrame, model: pd.DataFrame) -> pd.DataFrame:
    return frame.loc[
        [name for name in model.index if name in frame.index],
        [name for name in model.columns if name in frame.columns],
    ]


def _agreement(comparison: pd.DataFrame) -> dict[str, Any]:
    """Agreement of the compared cells with the paper's, in numbers for one sentence."""
    if comparison.empty:
        return {}
    distance = comparison["difference"].abs()
    return {
        "equal": int((distance == 0).sum()),
        "near": int(np.isclose(distance, 0.01).sum()),
        "farthest": comparison.loc[distance.idxmax()],
    }


def _pairs(table: ScoreTable, tests: Findings | None) -> list[dict[str, Any]]:
    """All pairs, the classifier with the better average first."""
    if tests is None:
        return []
    means = table.complete
    counts = statistics.win_tie_loss(means)
    order = means.mean().sort_values(ascending=False, kind="stable").index
    return [
        {
            "pair": pair,
            "counts": counts.loc[pair],
            "student": tests.student.p_values.loc[pair],
            "wilcoxon": tests.wilcoxon.p_values.loc[pair],
        }
        for pair in combinations(order, 2)
    ]


def _version_sets(rows: list[Row]) -> list[tuple[dict[str, str], int]]:
    """Different environments of the rows, and the number of rows from each."""
    counts = Counter(tuple(sorted(row["versions"].items())) for row in rows)
    return [(dict(versions), count) for versions, count in counts.most_common()]


def _render(context: dict[str, Any]) -> str:
    jinja2 = optional("jinja2", "the report", "cli")
    template = files(__package__).joinpath("templates/report.html.j2").read_text("utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(template).render(context)
