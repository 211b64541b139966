"""Deviations from the paper: each cell outside the expected range, with its explanation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# The SVCs are scikit-learn's and should agree. The DEPs have another solver and may be better.
SVC_RANGE = 0.01
DEP_LOSS = 0.03

_DEPS = ("dep", "ensemble_rdep", "bagging_rdep")


@dataclass(frozen=True)
class Deviation:
    """Cell that differs from the published one by more than expected."""

    dataset: str
    classifier: str
    ours: float
    published: float
    remark: str | None


def deviations(comparison: pd.DataFrame) -> list[Deviation]:
    """Cells outside the expected range, by their unrounded means."""
    return [
        Deviation(row.dataset, row.classifier, row.ours, row.published, remark_on(row))
        for row in comparison.itertuples()
        if _deviates(row.classifier, row.ours - row.published)
    ]


def remark_on(cell) -> str | None:
    """Recorded explanation of a cell, if there is one."""
    for entry in _on_record():
        if cell.classifier in entry["classifiers"] and cell.dataset in entry["datasets"]:
            return entry["remark"]
    return None


def _deviates(classifier: str, difference: float) -> bool:
    if classifier in _DEPS:
        return difference < -DEP_LOSS
    return abs(difference) > SVC_RANGE


def _on_record() -> list[dict]:
    return json.loads(files(__package__).joinpath("published/remarks.json").read_text("utf-8"))
