"""The family's tables in a report: agreement by column, and the smaller tables as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

# The published means have six decimals or more.
_EQUAL = 1e-6


def column_agreement(comparison: pd.DataFrame) -> list[dict[str, Any]]:
    """Number of equal cells and differences of the others, for each published classifier."""
    found = []
    for classifier, cells in comparison.groupby("classifier", sort=False):
        distance = (cells["ours"] - cells["published"]).abs()
        found.append(
            {
                "classifier": classifier,
                "cells": len(cells),
                "equal": int((distance <= _EQUAL).sum()),
                "median": float(np.median(distance)),
                "farthest": cells.loc[distance.idxmax()],
            }
        )
    return found


def tables_as_markdown(smaller_tables: Mapping[str, list[dict[str, Any]]]) -> str:
    """Format the smaller tables in Markdown."""
    text = "# Smaller tables\n"
    for title, rows in smaller_tables.items():
        text += f"\n### {title}\n\n| source | data | quantity | published | ours | note |\n"
        text += "|---|---|---|---:|---:|---|\n"
        for row in rows:
            numbers = " | ".join(shown(row[name]) for name in ("published", "ours"))
            text += f"| {row['source']} | {row['data']} | {row['quantity']} | {numbers} | "
            text += f"{row['note']} |\n"
    return text


def shown(number: float | None) -> str:
    """Format a number with at most four decimals; None as a dash."""
    return "–" if number is None else f"{number:.4f}".rstrip("0").rstrip(".")
