"""Figures of a regression on one table: predictions and residuals of held-out rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rdep._utils._typing import Array

from ..analysis._names import display_name
from ..models._names import MODEL
from ._figures import PLAIN, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SIZE = (4.6, 4.2)


def pairs(rows: Iterable[Mapping[str, Any]]) -> dict[str, Array]:
    """True and predicted numbers of each regressor, over all folds."""
    found: dict[str, list] = {}
    for row in rows:
        if "numbers" in (row.get("held_out") or {}):
            found.setdefault(row["classifier"], []).extend(row["held_out"]["numbers"])
    return {name: np.array(each, dtype=float) for name, each in found.items()}


def number_drawings(
    found: Mapping[str, Array], order: Iterable[str], target: str
) -> dict[str, Figure]:
    """Figures of the model of ``rdep fit``, or of the first regressor in this order."""
    names = [name for name in (MODEL, *order) if name in found]
    if not names:
        return {}
    true, predicted = found[names[0]].T
    who = display_name(names[0])
    return {
        "predicted": _predicted(true, predicted, who, target),
        "residuals": _residuals(true, predicted, who, target),
    }


def _predicted(true: Array, predicted: Array, who: str, target: str) -> Figure:
    figure, axes = new_figure(*_SIZE)
    ends = [min(true.min(), predicted.min()), max(true.max(), predicted.max())]
    axes.plot(ends, ends, color="#999999", lw=1)
    axes.scatter(predicted, true, s=12, alpha=0.5, color="#0072B2", linewidths=0)
    axes.set_xlabel(f"Predicted by: {who}", **PLAIN)
    axes.set_ylabel(target, **PLAIN)
    return figure


def _residuals(true: Array, predicted: Array, who: str, target: str) -> Figure:
    figure, axes = new_figure(*_SIZE)
    axes.axhline(0, color="#999999", lw=1)
    axes.scatter(predicted, true - predicted, s=12, alpha=0.5, color="#0072B2", linewidths=0)
    axes.set_xlabel(f"Predicted by: {who}", **PLAIN)
    axes.set_ylabel(f"{target} minus prediction", **PLAIN)
    return figure
