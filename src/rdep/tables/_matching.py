"""Match the columns of new tables with those of a fitted model, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._utils._imports import pandas
from .._utils._names import did_you_mean, nearest_names
from .._utils._typing import Array, Mask
from ._blocks import Block, read_table
from ._cells import category_key
from ._columns import categories, numbers, texts
from ._opening import ReadOptions
from ._schema import NUMBER, Column, Schema, listed, without_header

# A number is far outside the training range if it is more than this number of range widths away
# from the middle of the range.
_FAR = 1.5


class NewCategoryError(ValueError):
    """Error for a category that the training table did not have."""


def matching_frame(
    block: Block,
    schema: Schema,
    *,
    ignore_extra: bool = False,
    ignore_new_categories: bool = False,
    also_allowed: Sequence[str] = (),
) -> Any:
    """Select the columns that a model expects, as a pandas data frame.

    Parameters
    ----------
    block : Block
    schema : Schema
        The schema of the model.
    ignore_extra : bool, default=False
        Whether to ignore columns that the model was not fitted on.
    ignore_new_categories : bool, default=False
        Whether to accept categories that the training table did not have. They are encoded as none
        of the known categories.
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
            f"{_meant(missing, [name for name in found if name not in schema.names])}"
            f"{without_header(found)}"
        )
    known = {*schema.names, schema.target, *schema.dropped, *also_allowed}
    extra = [name for name in found if name not in known]
    if extra and not ignore_extra:
        raise ValueError(
            f"{block.source} has {_counted(extra)} that the model does not know: {listed(extra)}. "
            "Remove such columns, or ignore them with ignore_extra=True"
        )
    content = {}
    for column in schema.columns:
        if column.kind == NUMBER:
            content[column.name] = numbers(block, column.name, column.unit)
            _warn_of_range(block, column, content[column.name])
        else:
            values = _known_categories(block, column)
            _warn_of_gaps(block, column, values)
            if not ignore_new_categories:
                _check_categories(block, column, values)
            content[column.name] = values
    return pandas().DataFrame(content)


def labelled_rows(
    source: str,
    schema: Schema,
    *,
    ignore_extra: bool = False,
    ignore_new_categories: bool = False,
    options: ReadOptions | None = None,
) -> tuple[Any, NDArray | None]:
    """Read a table as the columns of a model, and the classes of its rows as texts.

    The classes are None if the table lacks the target; a missing class is NaN.
    """
    block = read_table(source, options or ReadOptions())
    frame = matching_frame(
        block,
        schema,
        ignore_extra=ignore_extra,
        ignore_new_categories=ignore_new_categories,
    )
    if schema.target is None or schema.target not in block.table.column_names:
        return frame, None
    return frame, categories(block, schema.target)


def _known_categories(block: Block, column: Column) -> NDArray:
    """Texts in the spelling of the model: other formats write 2.0 for 2, or True for true."""
    values = texts(block, column.name)
    known = set(column.categories)
    spelled = {category_key(category): category for category in column.categories}
    other = {
        value: spelled[key]
        for value in pandas().unique(values)
        if isinstance(value, str)
        and value not in known
        and (key := category_key(value, block.decimal)) in spelled
    }
    if not other:
        return values
    return np.array([other.get(value, value) for value in values], dtype=object)


def _warn_of_range(block: Block, column: Column, values: Array) -> None:
    """Warn if a number is outside the training range by more than the width of the range."""
    if column.low is None or column.high is None or column.low == column.high:
        return
    middle, width = (column.low + column.high) / 2, column.high - column.low
    with np.errstate(over="ignore"):
        far = np.abs(values - middle) > _FAR * width
    if far.any():
        row = int(far.argmax())
        block.warn(
            f"range {column.name}",
            f"column {column.name!r} of {block.source} has a number far outside the training "
            f"range, {values[row]:g} in row {block.row(row)}; in training it was "
            f"{column.low:g} to {column.high:g}. Predictions are of no use there: correct it, or "
            "leave the cell empty",
        )


def _warn_of_gaps(block: Block, column: Column, values: NDArray) -> None:
    if column.gaps is False and (gaps := pandas().isna(values)).any():
        block.warn(
            f"gaps {column.name}",
            f"column {column.name!r} of {block.source} has a missing value, in row "
            f"{block.row(int(gaps.argmax()))}, and had none in training: such rows belong "
            f"to none of its categories",
        )


def _check_categories(block: Block, column: Column, values: NDArray) -> None:
    new = _is_new(column, values)
    if new.any():
        row = int(new.argmax())
        raise NewCategoryError(
            f"column {column.name!r} of {block.source} has a category that the model has not "
            f"seen, {values[row]!r} in row {block.row(row)}; it knows "
            f"{listed(column.categories)}. Correct it, or accept such rows with "
            "ignore_new_categories=True"
        )


def has_new_categories(block: Block, schema: Schema) -> Mask:
    """Mask of the rows that have, in any column, a category unknown to the model."""
    new = np.zeros(block.table.num_rows, dtype=bool)
    for column in schema.columns:
        if column.kind != NUMBER:
            new |= _is_new(column, _known_categories(block, column))
    return new


def _is_new(column: Column, values: NDArray) -> Mask:
    series = pandas().Series(values)
    return (series.notna() & ~series.isin(column.categories)).to_numpy()


def _meant(missing: list[str], unused: list[str]) -> str:
    """Suggest columns of the table for the first missing column."""
    near = nearest_names(missing[0], unused)[:1]
    if not near:
        return ""
    which = "" if len(missing) == 1 else f" by {missing[0]!r}"
    return f"; {did_you_mean(near).removesuffix('?')}{which}? Then rename the column"


def _counted(names: list[str]) -> str:
    return "a column" if len(names) == 1 else f"{len(names):,} columns"
