"""Columns that moved the deciding member of an r-DEP, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._utils._imports import pandas
from .._utils._typing import Array, Indices
from ..inspection import Explanation, MulticlassExplanation
from ..orderings import Ordering
from ..perceptrons import RDEPClassifier, RDEPRegressor
from ..tables import TableModel, explanations

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 3


def moved_by(model: TableModel, frame: pd.DataFrame, n_background: int = 20) -> pd.DataFrame:
    """Explain each row of a table, and name the columns that moved its deciding member.

    The deciding member is the one with the larger share of the decision value. The change of a
    column is the value of this member, minus its mean value if the column is replaced by that of
    other rows of the same table, one column at a time. It is a question to the fitted model and no
    part of its decision; changes of several columns need not add up.

    Parameters
    ----------
    model : TableModel
        Fitted r-DEP on members.
    frame : DataFrame
        Rows as the schema of the model has them.
    n_background : int, default=20
        Number of rows, evenly spaced in the table, that give the replacements.

    Returns
    -------
    DataFrame
        The columns of ``rdep explain``; ``member``; and ``moved_by_1``, ``change_1`` and so on, for
        the three columns with the largest changes. Positive changes are towards the second of two
        classes, towards the predicted one of more, or towards larger numbers.
    """
    classifier, X = model.explained(frame)
    parts = getattr(classifier, "estimators_", [classifier])
    if not _has_members(classifier):
        raise ValueError(
            f"this {type(classifier).__name__} has no members: explain names its columns already, "
            "so omit --features"
        )
    explained = classifier.explain(X)
    part, member = _deciding(explained)
    names = np.array([_names(explained, k) for k in range(len(parts))], dtype=object)
    changes = column_changes(model, frame, part, member, n_background)
    result = explanations(model, frame)
    result["member"] = names[part, member]
    order = np.argsort(-np.abs(changes), axis=1, kind="stable")
    columns = np.array(model.schema.names, dtype=object)
    for place in range(min(_SHOWN, len(columns))):
        result[f"moved_by_{place + 1}"] = columns[order[:, place]]
        chosen = np.take_along_axis(changes, order[:, [place]], axis=1)
        result[f"change_{place + 1}"] = chosen[:, 0]
    return result


def _has_members(model: Any) -> bool:
    if isinstance(model, RDEPRegressor):
        return True
    parts = getattr(model, "estimators_", [model])
    return isinstance(model, RDEPClassifier) and isinstance(parts[0].ordering_, Ordering)


def column_changes(
    model: TableModel, frame: pd.DataFrame, part: Indices, member: Indices, n_background: int
) -> Array:
    """Change of one coordinate of each row by each column, against rows of the same table."""
    n_rows, n_columns = frame.shape
    places = np.linspace(0, n_rows - 1, min(n_background, n_rows)).astype(int)
    before = _coordinates(model, frame, part, member)
    repeated = np.repeat(np.arange(n_rows), len(places))
    changes = np.empty((n_rows, n_columns))
    for k, name in enumerate(frame.columns):
        changed = frame.iloc[repeated].reset_index(drop=True)
        values = frame[name].iloc[np.tile(places, n_rows)]
        changed[name] = values.reset_index(drop=True)
        found = _coordinates(model, changed, part[repeated], member[repeated])
        changes[:, k] = before - found.reshape(n_rows, len(places)).mean(axis=1)
    return changes


def _coordinates(model: TableModel, frame: pd.DataFrame, part: Indices, member: Indices) -> Array:
    """Value of one coordinate of ρ for each row."""
    classifier, X = model.explained(frame)
    parts = getattr(classifier, "estimators_", [classifier])
    values = np.empty(len(frame))
    for k in np.unique(part):
        rows = np.flatnonzero(part == k)
        reduced = parts[k].reduced_space(
            X.iloc[rows] if isinstance(X, pandas().DataFrame) else X[rows]
        )
        values[rows] = reduced[np.arange(len(rows)), member[rows]]
    return values


def _deciding(explained: Explanation | MulticlassExplanation) -> tuple[Indices, Indices]:
    """Part, 0 for two classes, and coordinate with the larger share for each row."""
    if isinstance(explained, Explanation):
        larger = np.abs(explained.dilation_share) >= np.abs(explained.erosion_share)
        member = np.where(larger, explained.dilation_index, explained.erosion_index)
        return np.zeros(len(member), dtype=np.intp), member
    part = explained.decision.argmax(axis=1)
    members = np.array([_deciding(one)[1] for one in explained.by_class.values()])
    return part, members[part, np.arange(len(part))]


def _names(explained: Any, part: int) -> NDArray[Any]:
    one = explained if isinstance(explained, Explanation) else [*explained.by_class.values()][part]
    return one.names
