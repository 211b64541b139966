"""The suite ``networks`` compared with the published means of arXiv:2610.11740."""

from __future__ import annotations

import io
from collections import defaultdict
from importlib.resources import files

import numpy as np
import pandas as pd

from ..run._store import OK
from ._names import display_name
from ._tables import PUBLISHED_METRIC


def published_networks() -> pd.DataFrame:
    """Published balanced accuracies, means of five seeds, data sets × classifiers."""
    text = files(__package__).joinpath("published/networks.csv").read_text("utf-8")
    return pd.read_csv(io.StringIO(text), index_col="dataset")


def beside_published(rows: list[dict]) -> str:
    """Format means of the rows with the number of seeds, and published means in brackets."""
    scores = defaultdict(list)
    for row in rows:
        if row["status"] == OK:
            scores[row["dataset"], row["classifier"]].append(row["scores"][PUBLISHED_METRIC])
    published = published_networks()
    names = list(dict.fromkeys([*published.columns, *(classifier for _, classifier in scores)]))
    lines = [
        "# Networks beside the published means",
        "",
        "| data set | " + " | ".join(map(display_name, names)) + " |",
        "|---|" + "---:|" * len(names),
    ]
    for dataset in published.index:
        cells = []
        for name in names:
            ours = scores.get((dataset, name))
            cell = "–" if ours is None else f"{np.mean(ours):.3f} ({len(ours)})"
            if name in published.columns:
                cell += f" [{published.loc[dataset, name]:.3f}]"
            cells.append(cell)
        lines.append(f"| {dataset} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "In round brackets the number of seeds, in square ones the published mean of five.",
    ]
    return "\n".join(lines) + "\n"
