"""The readable front: accuracy against size as a table, a picture and a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdep._utils._files import write_atomically
from rdep._utils._imports import optional

from ..analysis._front import (
    BY_CONDITIONS,
    BY_NUMBERS,
    against_the_best,
    best_by_size,
    front,
    is_ours,
    model_name,
)
from ..analysis._tables import Row, as_csv, cross_validated_scores, csv_text, within
from ..models._names import NAMED_OURS, SIZES, model_and_size
from . import _figures as figures

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure
else:
    pd = optional("pandas", "the readable front", "cli")

_BLUE, _VERMILLION, _GREY = "#0072B2", "#D55E00", "#8A8A8A"
_MARKERS = "osD^vPX<>*hp"
# Models larger than this multiple of the largest size are noted at the edge.
_BEYOND = 3


def write_front(rows: Iterable[Row], header: Mapping[str, Any], output: Path) -> Path:
    """Write table, picture and page of a run of the suite ``readable``; return the page's path.

    Parameters
    ----------
    rows : iterable of dict
        The rows of the run.
    header : dict
        The run's ``protocol`` and the ``command`` that made it; also the ``formats`` of the
        picture's files.
    output : Path
        Folder of the report.
    """
    protocol = header["protocol"]
    rows = within(protocol, rows)
    found, beside = front(rows, protocol), against_the_best(rows, protocol)
    table = cross_validated_scores(rows, protocol)
    (output / "figures").mkdir(parents=True, exist_ok=True)
    write_atomically(output / "table.csv", as_csv(table))
    write_atomically(output / "front.csv", csv_text(found))
    markdown = front_as_markdown(found, beside, len(table.mean))
    write_atomically(output / "front.md", markdown)
    figure = None if found.empty else front_plot(found, protocol["metric"])
    figures.save(figure, output / "figures" / "front", header.get("formats"))
    picture = "" if figure is None else figures.svg_element(figure)
    missing = [
        f"{cell.dataset}, {cell.classifier}: {cell.found} of {cell.expected} folds"
        for cell in table.missing
    ]
    page = _PAGE.format(
        command=escape(header["command"]),
        n_folds=protocol["n_folds"],
        picture=picture,
        table=_as_html(markdown),
        missing="".join(f"<li>{escape(text)}</li>" for text in missing) or "<li>nothing</li>",
    )
    write_atomically(output / "report.html", page)
    return output / "report.html"


def front_plot(found: pd.DataFrame, metric: str) -> Figure:
    """Plot scores against numbers of conditions, a line for each model; ours are blue."""
    figure, axes = figures.new_figure(7.5, 5.0)
    edge = SIZES[-1] * _BEYOND
    for k, (model, lines) in enumerate(found.groupby("model", sort=False)):
        lines = lines.sort_values("mean_conditions")
        named = model == NAMED_OURS
        colour = _VERMILLION if named else _BLUE if is_ours(str(model)) else _GREY
        label = model_name(str(model))
        if lines["mean_conditions"].max() > edge:
            label += f" ({lines['mean_conditions'].max():.0f} conditions)"
        axes.plot(
            lines["mean_conditions"].clip(upper=edge),
            lines["score"],
            color=colour,
            marker=_MARKERS[k % len(_MARKERS)],
            linewidth=2.5 if named else 1.0,
            markersize=7 if named else 5,
            zorder=3 if named else 2,
            label=label,
        )
    axes.set_xscale("log", base=2)
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.set_xlabel("Conditions to read (mean)")
    axes.set_ylabel(metric.replace("_", " ").capitalize())
    axes.grid(alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8, frameon=False)
    return figure


def front_as_markdown(found: pd.DataFrame, beside: pd.DataFrame, n_datasets: int) -> str:
    """Means of all models by size, the best of them, and ours beside the best of each kind."""
    if found.empty:
        return "No data set is complete yet.\n"
    complete = int(found["n_datasets"].iloc[0])
    lines = [
        f"Mean score over {complete} of {n_datasets} data sets. In brackets, the mean number of "
        "conditions / of numbers to read: conditions, values of leaves, points and intercepts.",
        "",
        f"| model | {' | '.join(map(str, SIZES))} | own size |",
        f"|---|{'---|' * (len(SIZES) + 1)}",
    ]
    for model, of_model in found.groupby("model", sort=False):
        cells = _cells(of_model)
        name = f"**{model_name(str(model))}**" if model == NAMED_OURS else model_name(str(model))
        shown = [cells.get(size, "") for size in (*SIZES, 0)]
        lines.append(f"| {name} | {' | '.join(shown)} |")
    if best := best_by_size(found):
        lines += ["", best]
    for counted, of_one_way in beside.groupby("counted", sort=False) if len(beside) else ():
        lines += [
            "",
            _COUNTED[str(counted)] + " Two-sided Wilcoxon tests, with Holm's correction for all "
            "lines of this table.",
            "",
            "| conditions | box score | best of | its mean | difference | better on | worse on "
            "| Wilcoxon |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for row in of_one_way.itertuples(index=False):
            model, size = model_and_size(row.best)
            name = model_name(model) if size in (row.size, None) else f"{model_name(model)}, {size}"
            lines.append(
                f"| {row.size} | {row.ours:.4f} | {row.kind}: {name} | {row.score:.4f} "
                f"| {row.difference:+.4f} | {row.better_on} | {row.worse_on} | {row.wilcoxon:.3f} |"
            )
    return "\n".join(lines) + "\n"


_COUNTED = {
    BY_CONDITIONS: "The box score beside the best of each kind with as many conditions.",
    BY_NUMBERS: "The same beside the best of each kind, of any size, with no more numbers to read.",
}


def _cells(of_model: pd.DataFrame) -> dict[int, str]:
    """Texts by size; 0 is for a model with its own size."""
    return {
        0 if pd.isna(row.size) else int(row.size): f"{row.score:.4f} ({row.mean_conditions:.1f} / "
        + (f"{row.mean_numbers:.1f})" if row.mean_numbers == row.mean_numbers else "–)")
        for row in of_model.itertuples(index=False)
    }


def _as_html(markdown: str) -> str:
    """Convert paragraphs and tables from Markdown to HTML."""
    parts = []
    for block in markdown.strip().split("\n\n"):
        lines = block.splitlines()
        if not lines[0].startswith("|"):
            parts.append(f"<p>{escape(block)}</p>")
            continue
        rows = [line.strip("|").split("|") for k, line in enumerate(lines) if k != 1]
        html = [
            "".join(f"<{tag}>{escape(cell.strip().strip('*'))}</{tag}>" for cell in row)
            for tag, row in zip(["th"] + ["td"] * len(rows), rows, strict=False)
        ]
        parts.append("<table>" + "".join(f"<tr>{row}</tr>" for row in html) + "</table>")
    return "\n".join(parts)


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The readable front</title>
<style>body {{ font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }}
table {{ border-collapse: collapse; margin: 1em 0 }} td, th {{ padding: .2em .6em; text-align: left;
border-bottom: 1px solid #ddd }} svg {{ max-width: 100%; height: auto }}</style></head><body>
<h1>The readable front</h1>
<p>Accuracy over size: split nodes of trees, conditions of rules, finite faces of boxes, non-zero
coefficients. Numbers to read are these and the values of leaves, points and
intercepts. {n_folds} folds. Made by <code>{command}</code>.</p>
{picture}
{table}
<h2>Missing</h2><ul>{missing}</ul>
</body></html>
"""
