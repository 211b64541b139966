"""Write predictions and explanations of a table in blocks, to a file or standard output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from .._utils._imports import pandas, pyarrow
from .._utils._names import did_you_mean, nearest_names
from ..exceptions import warn_caller
from ..perceptrons import RDEPRegressor
from ._blocks import Block, read_blocks
from ._cells import typed_column, value_type
from ._matching import NewCategoryError, has_new_categories, matching_frame
from ._model import TableModel
from ._opening import JSON_LINES, STANDARD_INPUT, TYPED, ReadOptions
from ._output_formats import output_format, writing_rows
from ._schema import listed, split_names

# Rows in a block. The blocks of kernels are smaller; this bounds the other arrays.
_ROWS = 20_000
# Prefix of kept columns that have the name of a result.
_KEPT = "kept_"


def predictions(model: TableModel, frame):
    """Predict the class of each row and its scores: decision values, or calibrated probabilities.

    If the model is not a classifier, the result is its predictions. Rows that a classifier rejects
    have no class.
    """
    values = model.scores(frame)
    if not model.schema.classes:
        names = [f"prediction_{k}" for k in range(values.shape[1])] if values.ndim > 1 else None
        return pandas().DataFrame(values, columns=names or ["prediction"])
    classes = np.array(model.schema.classes)
    if values.ndim == 1:
        predicted = classes[(values > 0).astype(int)]
        scores = {"score": values}
    else:
        kind = "probability" if model.gives_probabilities else "score"
        predicted = classes[values.argmax(axis=1)]
        scores = {f"{kind}_{label}": values[:, k] for k, label in enumerate(model.schema.classes)}
    if model.threshold is not None:
        places = np.searchsorted(
            model.estimator.classes_, model.estimator.predict(model.features(frame))
        )
        predicted = classes[places]
    if model.rejects:
        found = model.estimator.predict(model.features(frame))
        predicted = predicted.astype(object)
        predicted[[label is None for label in found]] = None
    return pandas().DataFrame({"prediction": predicted, **scores})


def explanations(model: TableModel, frame):
    """Explain each row: its class, and the two coordinates that determine its decision value.

    The decision value of a regressor is its prediction. For an r-DEP regressor, ``dep_prediction``
    is that of its DEP alone, to which the two shares add up.

    With more than two classes, the values are those of the class with the largest decision value
    against the rest, followed by those of the runner-up. A calibrated model also gives the
    probability of the predicted class.
    """
    classifier, X = model.explained(frame)
    if not hasattr(classifier, "explain"):
        raise ValueError(
            f"predictions of a {type(classifier).__name__} cannot be explained by two coordinates: "
            "fit an r-DEP or a DEP, such as estimator='rdep' or estimator='dep'"
        )
    scored = predictions(model, frame)
    result = scored[["prediction"]].copy()
    if not model.schema.classes:
        return result.join(_of_numbers(classifier, classifier.explain(X).to_frame()))
    if model.gives_probabilities:
        names = [f"probability_{label}" for label in model.schema.classes]
        of_label = dict(zip(model.schema.classes, scored[names].to_numpy().T, strict=True))
        chosen = scored["prediction"]
        result["probability"] = [of_label[label][k] for k, label in enumerate(chosen)]
    explained = classifier.explain(X).to_frame()
    if "prediction" in explained and model.gives_probabilities:
        # With more than two classes, the most probable one need not have the largest value.
        explained = explained.rename(columns={"prediction": "greatest_decision"})
    return result.join(explained.drop(columns="prediction", errors="ignore"))


def _of_numbers(regressor, explained):
    """Explanation of numbers: the decision value is the prediction, or that of the DEP inside."""
    if isinstance(regressor, RDEPRegressor):
        return explained.rename(columns={"decision": "dep_prediction"})
    return explained.drop(columns="decision")


def score_table(
    compute: Callable[[TableModel, Any], Any],
    model: TableModel,
    source: str,
    output: Path | None,
    *,
    json: bool = False,
    keep: Sequence[str] = (),
    ignore_extra: bool = False,
    ignore_new_categories: bool = False,
    options: ReadOptions | None = None,
    progress: Callable[[Block], None] = lambda block: None,
) -> int:
    """Compute predictions or explanations of every row of a table, and write them.

    Parameters
    ----------
    compute : function of a model and a data frame
        :func:`predictions` or :func:`explanations`.
    model : TableModel
    source : str
        Table in any format that :func:`fit_table` reads, or "-" for standard input.
    output : path or None
        File to write; the ending of its name gives the format. The file appears when it is
        complete. None means standard output.
    json : bool, default=False
        Whether to write JSON lines instead of CSV, if no file name gives the format.
    keep : sequence of str, default=()
        Columns of the table to copy to the output, such as an identifier. A text may hold several
        names, separated by commas. A column with the name of a result, such as ``"score"``, is
        written as ``"kept_score"``. Formats with types store numbers as numbers.
    ignore_extra, ignore_new_categories : bool, default=False
        As in :func:`matching_frame`.
    options : ReadOptions or None, default=None
        How to read the file. None infers it from the content.
    progress : function of a Block
        Called after each block.

    Returns
    -------
    int
        Number of rows.
    """
    options = options or ReadOptions()
    n_rows, n_new = 0, 0
    is_text = output_format(output, json).startswith(".csv")
    types: dict[str, Any] | None = None
    with writing_rows(output, json) as write:
        blocks = _small(read_blocks(source, options))
        for block in blocks:
            kept = _kept_names(block, keep)
            if types is None:
                types = {} if is_text else _types(block, kept, source, options)
            try:
                frame = matching_frame(
                    block,
                    model.schema,
                    ignore_extra=ignore_extra,
                    ignore_new_categories=ignore_new_categories,
                    also_allowed=kept,
                )
            except NewCategoryError as error:
                raise ValueError(f"{error}{_all_new(model, [block], blocks)}") from None
            if ignore_new_categories:
                n_new += int(has_new_categories(block, model.schema).sum())
            rows = _with_kept(block, kept, types, compute(model, frame))
            write(rows)
            n_rows += rows.num_rows
            progress(block)
    if n_new:
        warn_caller(
            f"{n_new:,} of {n_rows:,} rows have a category that the model has not seen, which is "
            "none of its known categories",
            UserWarning,
        )
    return n_rows


def _kept_names(block: Block, keep: Sequence[str]) -> tuple[str, ...]:
    found = block.table.column_names
    kept = split_names(keep, found)
    missing = [name for name in kept if name not in found]
    if missing:
        near = nearest_names(missing[0], found)[:1]
        hint = f"; {did_you_mean(near)}" if near else ""
        raise ValueError(f"{block.source} has no column {listed(missing)} to keep{hint}")
    return kept


def _types(block: Block, kept: Sequence[str], source: str, options: ReadOptions) -> dict[str, Any]:
    """Types of the columns to keep, from all rows, or from the first rows of standard input."""
    pa = pyarrow()
    types = dict.fromkeys(kept, pa.null())
    if not kept or block.kind in TYPED:
        return {}
    for part in [block] if source == STANDARD_INPUT else read_blocks(source, options):
        for name in (name for name in kept if name in part.table.column_names):
            column = part.table.column(name)
            is_text = pa.types.is_string(column.type) and part.kind != JSON_LINES
            found = value_type(column, part.decimal) if is_text else column.type
            types[name] = _common(types[name], found, column.null_count == len(column))
    return types


def _common(one: Any, other: Any, is_empty: bool) -> Any:
    pa = pyarrow()
    if is_empty or pa.types.is_null(other) or one == other:
        return one
    if pa.types.is_null(one):
        return other
    return pa.float64() if {one, other} == {pa.int64(), pa.float64()} else pa.string()


def _all_new(model: TableModel, *parts: Iterable[Block]) -> str:
    """Count the rows with new categories, from a block to the end of the table."""
    n_rows = n_new = 0
    for block in chain(*parts):
        n_rows = block.first_row + block.table.num_rows - 1
        n_new += int(has_new_categories(block, model.schema).sum())
    has = "rows has" if n_new == 1 else "rows have"
    return f". In all, {n_new:,} of {n_rows:,} {has} such a category"


def _small(blocks: Iterator[Block]) -> Iterator[Block]:
    before = 0.0
    for block in blocks:
        n_rows = block.table.num_rows
        for start in range(0, n_rows, _ROWS):
            part = block.table.slice(start, _ROWS)
            share = block.share
            if share is not None:
                share = before + (share - before) * (start + part.num_rows) / n_rows
            yield replace(block, table=part, first_row=block.first_row + start, share=share)
        before = block.share or 0.0


def _with_kept(block: Block, keep: Sequence[str], types: dict[str, Any], result):
    """Table of the kept columns, unchanged, and the results.

    A kept column with the name of a result is renamed to ``kept_…``.
    """
    pa = pyarrow()
    rows = pa.Table.from_pandas(result, preserve_index=False).replace_schema_metadata()
    for position, name in enumerate(keep):
        column = block.table.column(name)
        if name in types:
            column = typed_column(column, types[name], block.decimal)
        if pa.types.is_dictionary(column.type):  # may differ from block to block
            column = column.cast(column.type.value_type)
        if name in result:
            block.warn(
                f"kept {name}",
                f"column {name!r} of {block.source} is kept as {_KEPT + name!r}: {name!r} is a "
                "result",
            )
            name = _KEPT + name
        if name in rows.column_names:
            raise ValueError(f"{name!r} cannot be kept twice: the output has a column of this name")
        rows = rows.add_column(position, name, column)
    return rows
