"""Figures of one table from held-out rows: ROC, precision and recall, costs, importance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from rdep._registry import REGRESSION
from rdep.scoring import ThresholdCurve, cost_curve, threshold_curve

from ..analysis._names import display_name
from ..models._names import MODEL
from ._figures import PLAIN, new_figure
from ._numbers import number_drawings, pairs
from ._reliability import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_BARS = 20
_STYLES = ("-", "--", "-.", ":")
# Inches: with the legend below, the figures are readable on a phone.
_SIZE = (4.6, 5.2)


def confusions(rows: Iterable[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """Confusion matrix of each classifier, summed over the folds."""
    found: dict[str, np.ndarray] = {}
    for row in rows:
        if "confusion" in (row.get("held_out") or {}):
            counts = np.array(row["held_out"]["confusion"])
            found[row["classifier"]] = found.get(row["classifier"], 0) + counts
    return found


def curves(rows: Iterable[Mapping[str, Any]], cost: Mapping[str, float] | None = None):
    """Curve over thresholds of each classifier, from the scores of all folds together."""
    scores: dict[str, list] = {}
    for row in rows:
        if row.get("held_out") and "scores" in row["held_out"]:
            scores.setdefault(row["classifier"], []).extend(row["held_out"]["scores"])
    costs = {} if cost is None else {"false_negative": cost["fn"], "false_positive": cost["fp"]}
    found = {}
    for name, each in scores.items():
        score, others, positives = np.array(each, dtype=float).T
        truth = np.repeat([False, True], len(score))
        counts = np.r_[others, positives]
        found[name] = threshold_curve(truth, np.r_[score, score], sample_weight=counts, **costs)
    return found


def importances(rows: Iterable[Mapping[str, Any]]) -> np.ndarray | None:
    """Losses of the model by column, over all folds and shuffles."""
    found = [
        row["held_out"]["importance"]
        for row in rows
        if row["classifier"] == MODEL and "importance" in (row.get("held_out") or {})
    ]
    return np.hstack(found) if found else None


def drawings(
    rows: Iterable[Mapping[str, Any]], protocol: Mapping[str, Any], order: Iterable[str]
) -> dict[str, Figure]:
    """Figures by name, with the classifiers in this order; without rows of details, none."""
    drawn: dict[str, Figure] = {}
    rows = list(rows)
    found = curves(rows, protocol.get("cost"))
    found = {name: found[name] for name in order if name in found}
    if found:
        positive = protocol["about"]["positive"]
        counts = protocol["about"]["class_counts"]
        share = counts[positive] / sum(counts.values())
        drawn["roc"] = _roc(found, positive)
        drawn["precision_recall"] = _precision_recall(found, positive, share)
        drawn["costs"] = _costs(found, positive, share, protocol.get("cost"))
    losses = importances(rows)
    if losses is not None and len(losses):
        columns, what = list(protocol["about"]["columns"]), loss_of(protocol)
        drawn["importance"] = _importance(losses, columns, what)
    return drawn | number_drawings(pairs(rows), order, protocol["about"]["target"])


def _lines(axes: Axes, each: Iterable[tuple[str, Any, Any, str]]) -> None:
    for (name, x, y, note), colour, style in zip(
        each, cycle(COLOURS), cycle(_STYLES), strict=False
    ):
        axes.plot(x, y, style, color=colour, lw=1.6, label=f"{display_name(name)}{note}")
    axes.grid(color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)


def _finished(figure: Figure) -> Figure:
    for text in figure.legend(loc="outside lower left", frameon=False, fontsize=9).get_texts():
        text.set_parse_math(False)
    return figure


def _roc(found: Mapping[str, ThresholdCurve], positive: str) -> Figure:
    figure, axes = new_figure(*_SIZE)
    axes.plot([0, 1], [0, 1], color="#999999", lw=1)
    _lines(
        axes,
        (
            (name, curve.false_positive_rate, curve.recall, f", area {curve.roc_area:.3f}")
            for name, curve in found.items()
        ),
    )
    axes.set_xlabel(f"Share of other rows predicted {positive}", **PLAIN)
    axes.set_ylabel(f"Recall of {positive}", **PLAIN)
    return _finished(figure)


def _precision_recall(found: Mapping[str, ThresholdCurve], positive: str, share: float) -> Figure:
    figure, axes = new_figure(*_SIZE)
    axes.axhline(share, color="#999999", lw=1)
    _lines(
        axes,
        (
            (name, curve.recall[1:], curve.precision[1:], f", {curve.average_precision:.3f}")
            for name, curve in found.items()
        ),
    )
    axes.set_xlabel(f"Recall of {positive}", **PLAIN)
    axes.set_ylabel(f"Precision of {positive}", **PLAIN)
    axes.set_ylim(0, 1.02)
    return _finished(figure)


def _costs(found, positive: str, share: float, cost: Mapping[str, float] | None) -> Figure:
    """Lowest cost over the share of the positive class in the costs."""
    figure, axes = new_figure(*_SIZE)
    shares = np.linspace(0, 1, 101)
    axes.plot(shares, np.minimum(shares, 1 - shares), color="#999999", lw=1)
    _lines(axes, ((name, shares, cost_curve(curve, shares), "") for name, curve in found.items()))
    missed, alarm = (1.0, 1.0) if cost is None else (cost["fn"], cost["fp"])
    here = share * missed / (share * missed + (1 - share) * alarm)
    axes.axvline(here, color="#222222", lw=1, ls=":")
    what = "equal costs" if cost is None else f"fn={missed:g}, fp={alarm:g}"
    axes.annotate(what, (here, 0.5), rotation=90, va="top", ha="right", fontsize=8)
    axes.set_xlabel(f"Share of {positive} in the costs", **PLAIN)
    axes.set_ylabel("Lowest cost (1: everything wrong)")
    return _finished(figure)


def _importance(losses: np.ndarray, columns: list[str], what: str) -> Figure:
    order = np.argsort(-losses.mean(axis=1), kind="stable")[:_MOST_BARS]
    figure, axes = new_figure(4.6, 1.0 + 0.32 * len(order))
    rows = np.arange(len(order))
    axes.barh(
        rows,
        losses.mean(axis=1)[order],
        xerr=losses.std(axis=1)[order],
        color="#0072B2",
        ecolor="#222222",
        height=0.6,
    )
    names = [columns[k] for k in order]
    axes.set_yticks(rows, [n if len(n) < 25 else f"{n[:24]}…" for n in names], **PLAIN)
    axes.invert_yaxis()
    axes.axvline(0, color="#222222", lw=0.8)
    axes.set_xlabel(f"{what} if shuffled")
    return figure


def loss_of(protocol: Mapping[str, Any]) -> str:
    """What the importance of a column is measured by."""
    is_regression = protocol.get("task") == REGRESSION
    return "Increase of the mean absolute error" if is_regression else "Loss of balanced accuracy"


def baseline_text(about: Mapping[str, Any]) -> str:
    """Scores of a model that always names the largest class, or the median."""
    if "numbers_to_predict" in about:
        found = {key: f"{value:,.5g}" for key, value in about["numbers_to_predict"].items()}
        return (
            f"Always the median {found['median']}: mean absolute error {found['error_of_median']} "
            f"(numbers from {found['low']} to {found['high']})."
        )
    counts = about["class_counts"]
    largest = max(counts, key=counts.__getitem__)
    share = counts[largest] / sum(counts.values())
    return f"Always {largest}: balanced accuracy {1 / len(counts):.3f}, accuracy {share:.3f}."
