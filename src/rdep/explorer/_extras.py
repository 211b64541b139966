"""What a page shows beside its rows: rows held out, importance, partial dependence, radii."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._utils._imports import pandas
from ..guarantees import NoCertificateError, robustness
from ..scoring import Importance, Scored, dependence
from ..tables import TableModel
from ._columns import packed

_MOST_DEPENDENCES = 4


def held_out_part(held_out: Scored | None) -> dict[str, Any] | None:
    """Rows that copies of the model were not fitted on."""
    if held_out is None:
        return None
    return {
        "balancedAccuracy": held_out.balanced_accuracy,
        "confusion": held_out.confusion.tolist(),
        "y": packed(held_out.y),
        "scores": None if held_out.score is None else packed(held_out.score),
    }


def importance_part(
    given: Importance | Mapping[str, Any] | None, table: TableModel
) -> list[Any] | None:
    """Name, mean and spread of each column."""
    if given is None:
        return None
    if isinstance(given, Importance):
        pairs_of = zip(given.mean, given.std, strict=True)
        given = dict(zip(given.columns, pairs_of, strict=True))
    unknown = [name for name in given if name not in table.schema.names]
    if unknown:
        raise ValueError(f"importance names columns that the model does not have: {unknown}")
    pairs = [(name, np.atleast_1d(np.asarray(value, dtype=float))) for name, value in given.items()]
    return [[str(n), float(v[0]), float(v[1]) if len(v) > 1 else None] for n, v in pairs]


def dependence_part(
    importance: list[Any] | None, table: TableModel, rows: Any
) -> list[dict[str, Any]] | None:
    """Partial dependence on the most important columns."""
    if importance is None or not len(rows):
        return None
    first = sorted(importance, key=lambda entry: -entry[1])[:_MOST_DEPENDENCES]
    return [
        {
            "name": found.column,
            "values": found.values.tolist(),
            "mean": found.mean.tolist(),
            "ofProbabilities": found.of_probabilities,
        }
        for found in dependence(table.estimator, rows, [name for name, _, _ in first])
        if len(found.values)
    ]


def radii_part(
    n_rows: int, table: TableModel, rows: Any, margins: NDArray[Any]
) -> dict[str, Any] | None:
    """Radius and counterfactual of the rows that are nearest to the boundary."""
    if not n_rows:
        return None
    chosen = np.argsort(margins, kind="stable")[:n_rows]
    frame = rows if hasattr(rows, "iloc") else pandas().DataFrame(rows, columns=table.schema.names)
    try:
        found = robustness(table, frame.iloc[chosen])
    except NoCertificateError as error:
        raise ValueError(f"robust={n_rows}: {error}") from error
    return {
        "rows": chosen.tolist(),
        "radius": [float(r) if np.isfinite(r) else None for r in found["radius"]],
        "exact": found["radius_is_exact"].tolist(),
        "counterfactual": found["counterfactual"].tolist(),
    }
