"""New tables for a fitted model: its columns by name, or an error that says which do not match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._blocks import Block
from ._columns import numbers, texts
from ._names import listed
from ._packages import pandas
from ._schema import NUMBER, Column, Schema


def matching_frame(
    block: Block,
    schema: Schema,
    *,
    ignore_extra: bool = False,
    ignore_new_categories: bool = False,
    also_allowed: Sequence[str] = (),
) -> Any:
    """The columns that a model expects, as a pandas data frame.

    Parameters
    ----------
    block : Block
    schema : Schema
        The schema of the model.
    ignore_extra : bool, default=False
        Whether to ignore columns that the model was not fitted on.
    ignore_new_categories : bool, default=False
        Whether to accept categories that the training table did not have; they belong to none of
        the known ones.
    also_allowed : sequence of str, default=()
        Further columns that the table may have.

    Returns
    -------
    pandas.DataFrame
    """
    found = block.table.column_names
    present = set(found)
    missing = [name for name in schema.names if name not in present]
    if missing:
        raise ValueError(
            f"{block.source} lacks {_counted(missing)} that the model needs: {listed(missing)}"
        )
    known = {*schema.names, schema.target, *schema.dropped, *also_allowed}
    extra = [name for name in found if name not in known]
    if extra and not ignore_extra:
        raise ValueError(
            f"{block.source} has {_counted(extra)} that the model does not know: {listed(extra)}. "
            "Remove such columns, or ignore them with --ignore-extra"
        )
    content = {}
    for column in schema.columns:
        if column.kind == NUMBER:
            content[column.name] = numbers(block, column.name)
        else:
            content[column.name] = texts(block, column.name)
            if not ignore_new_categories:
                _check_categories(block, column, content[column.name])
    return pandas().DataFrame(content)


def _check_categories(block: Block, column: Column, values) -> None:
    new = {value for value in pandas().unique(values) if isinstance(value, str)}
    new -= set(column.categories)
    if new:
        row = int(np.flatnonzero([value in new for value in values])[0])
        raise ValueError(
            f"column {column.name!r} of {block.source} has a category that the model has not "
            f"seen, {values[row]!r} in row {block.first_row + row}; it knows "
            f"{listed(column.categories)}. Correct it, or accept such rows with "
            "--ignore-new-categories"
        )


def _counted(names: list[str]) -> str:
    return "a column" if len(names) == 1 else f"{len(names):,} columns"
