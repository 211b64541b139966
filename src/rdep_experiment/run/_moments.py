"""Columns that say which rows belong together, or in which order they came, as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rdep._utils._imports import optional
from rdep._utils._typing import Indices

if TYPE_CHECKING:
    import pandas as pd


def group_numbers(column: pd.Series, name: str) -> Indices:
    """The number of the group of each row."""
    _require_values(column, name)
    return np.unique(column.astype(str).to_numpy(str), return_inverse=True)[1]


def moments(column: pd.Series, name: str) -> Indices:
    """The rank in time of each row, from numbers or dates; rows of the same time share it."""
    _require_values(column, name)
    pandas = optional("pandas", "the order in time", "cli")
    values = column
    if not pandas.api.types.is_datetime64_any_dtype(column):
        values = pandas.to_numeric(column, errors="coerce")
        if values.isna().any():
            values = pandas.to_datetime(column, format="ISO8601", errors="coerce", utc=True)
    wrong = values.isna().to_numpy()
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(
            f"column {name!r} has no order in time: row {row + 1} has {column.iloc[row]!s}. Write "
            "numbers, or dates and times such as 2026-01-31 or 2026-01-31 18:30"
        )
    return np.unique(values.to_numpy(), return_inverse=True)[1]


def _require_values(column: pd.Series, name: str) -> None:
    missing = column.isna().to_numpy()
    if missing.any():
        raise ValueError(
            f"column {name!r} is missing in row {int(missing.argmax()) + 1}: complete it, or "
            "remove such rows"
        )
