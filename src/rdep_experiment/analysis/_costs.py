"""CPU times of the suite ``costs``: sums, and medians of ratios over data sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from rdep._utils._imports import optional

from ..run._cpu_time import FIT, MANY_ROWS, ONE_ROW
from ..run._store import OK
from ._names import name_beside_defaults
from ._tables import Row, RunDescription, markdown_table, within

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = optional("pandas", "the analysis of scores", "cli")

KINDS = {FIT: "Fit", ONE_ROW: "One row", MANY_ROWS: "10,000 rows"}
# Classifiers whose time is the unit of a ratio; the page shows the first that was run.
UNITS = ("lightgbm", "rbf_svc")


def cpu_seconds(rows: Iterable[Row], protocol: RunDescription, kind: str) -> pd.DataFrame:
    """CPU seconds of one kind, data sets × classifiers; NaN if a cell failed."""
    found = pd.DataFrame(
        np.nan, index=list(protocol["datasets"]), columns=list(protocol["classifiers"])
    )
    for row in within(protocol, rows):
        if row["status"] == OK:
            found.loc[row["dataset"], row["classifier"]] = row["cpu_seconds"][kind]
    return found


def cost_table(rows: Iterable[Row], protocol: RunDescription) -> pd.DataFrame:
    """Sums of CPU seconds, and medians over data sets of the ratio to each unit.

    Parameters
    ----------
    rows : iterable of dict
        Rows of the suite ``costs``.
    protocol : dict
        Description of the run, with data sets and classifiers.

    Returns
    -------
    pandas.DataFrame
        One line for each classifier. Each kind, ``fit``, ``one_row`` and ``many_rows``, has a
        column with the sum over all data sets and columns ``…_of_UNIT`` with the median of the
        ratios; NaN if a cell is missing.
    """
    rows = list(rows)
    columns = {}
    for kind in KINDS:
        seconds = cpu_seconds(rows, protocol, kind)
        columns[kind] = seconds.sum(skipna=False)
        for unit in UNITS:
            if unit in seconds:
                ratios = seconds.div(seconds[unit], axis=0)
                columns[f"{kind}_of_{unit}"] = ratios.median(skipna=False)
    return pd.DataFrame(columns).rename_axis("classifier")


def costs_as_markdown(costs: pd.DataFrame, n_datasets: int) -> str:
    """Format the table in Markdown, the fastest fits first, with ratios to one classifier."""
    unit = next((unit for unit in UNITS if f"{FIT}_of_{unit}" in costs), None)
    headings, names = ["Classifier"], []
    for kind, name in KINDS.items():
        headings.append(f"{name}, sum (s)")
        names.append(kind)
        if unit is not None:
            headings.append(f"{name} / {name_beside_defaults(unit)}")
            names.append(f"{kind}_of_{unit}")
    ordered = costs.sort_values(FIT if unit is None else f"{FIT}_of_{unit}", kind="stable")
    lines = [
        [name_beside_defaults(classifier), *(_digits(row[name]) for name in names)]
        for classifier, row in ordered.iterrows()
    ]
    return (
        f"# CPU time\n\nOne split of each of {n_datasets} data sets, on one thread. Classifiers "
        "share no fits. Sums are over all data sets; the largest data sets have most of them. "
        "Ratios are medians over data sets.\n\n" + markdown_table(headings, lines)
    )


def _digits(value: float) -> str:
    return f"{value:.3g}" if np.isfinite(value) else "–"
