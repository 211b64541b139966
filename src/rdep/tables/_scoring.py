"""Predictions and explanations of a table, in blocks, to a file or standard output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from .._utils._imports import pandas, pyarrow
from ._blocks import Block, read_blocks
from ._matching import matching_frame
from ._model import TableModel
from ._opening import ReadOptions
from ._output_formats import writing_rows
from ._schema import listed

# Rows at a time. The blocks of kernels are smaller; this bounds the other arrays.
_ROWS = 20_000


def predictions(model: TableModel, frame):
    """The class of each row and its scores: decision values, or probabilities if calibrated.

    Of a model that is not a classifier, what it predicts.
    Rows that a classifier rejects have no class.
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
    """The class of each row, and the two coordinates that its decision value rests on.

    With more than two classes it is the value of the class with the greatest one, against the rest,
    followed by that of the runner-up. A calibrated model also gives the probability of the class
    predicted.
    """
    classifier, X = model.explained(frame)
    if not hasattr(classifier, "explain"):
        raise ValueError(
            f"predictions of a {type(classifier).__name__} cannot be explained by two coordinates: "
            "fit an r-DEP or a DEP, such as estimator='rdep' or estimator='dep'"
        )
    scored = predictions(model, frame)
    result = scored[["prediction"]].copy()
    if model.gives_probabilities:
        result["probability"] = scored.iloc[:, 1:].max(axis=1)
    explained = classifier.explain(X).to_frame()
    if "prediction" in explained and model.gives_probabilities:
        # Of more than two classes the most probable one need not have the greatest value.
        explained = explained.rename(columns={"prediction": "greatest_decision"})
    return result.join(explained.drop(columns="prediction", errors="ignore"))


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
    """Compute something for every row of a table and write it.

    Parameters
    ----------
    compute : function of a model and a data frame
        :func:`predictions` or :func:`explanations`.
    model : TableModel
    source : str
        A CSV, Parquet or ARFF file, or "-" for standard input.
    output : path or None
        The file appears when it is complete; the ending of its name tells the format. None means
        standard output.
    json : bool, default=False
        JSON lines instead of CSV, where no name tells the format.
    keep : sequence of str, default=()
        Columns of the table to copy to the output, such as an identifier.
    ignore_extra, ignore_new_categories : bool, default=False
        As in :func:`matching_frame`.
    options : ReadOptions or None, default=None
        How to read the file; None finds out.
    progress : function of a Block
        Called after each block.

    Returns
    -------
    int
        Number of rows.
    """
    n_rows = 0
    with writing_rows(output, json) as write:
        for block in _small(read_blocks(source, options or ReadOptions())):
            missing = [name for name in keep if name not in block.table.column_names]
            if missing:
                raise ValueError(f"{block.source} has no column {listed(missing)} to keep")
            frame = matching_frame(
                block,
                model.schema,
                ignore_extra=ignore_extra,
                ignore_new_categories=ignore_new_categories,
                also_allowed=keep,
            )
            rows = _with_kept(block, keep, compute(model, frame))
            write(rows)
            n_rows += rows.num_rows
            progress(block)
    return n_rows


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


def _with_kept(block: Block, keep: Sequence[str], result):
    """Columns of the table as they are, whatever their type, and what was computed."""
    pa = pyarrow()
    rows = pa.Table.from_pandas(result, preserve_index=False).replace_schema_metadata()
    for position, name in enumerate(keep):
        if name in result:
            raise ValueError(f"{name!r} cannot be kept: the output has a column of this name")
        column = block.table.column(name)
        if pa.types.is_dictionary(column.type):  # may differ from block to block
            column = column.cast(column.type.value_type)
        rows = rows.add_column(position, name, column)
    return rows
