"""Predictions and explanations of a table, in blocks, to a file or standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .._utils._files import writing_atomically
from ._blocks import Block, read_blocks
from ._columns import texts
from ._matching import matching_frame
from ._model import TableModel
from ._names import listed
from ._packages import pandas
from ._read_options import ReadOptions

# Rows at a time. The blocks of kernels are smaller; this bounds the other arrays.
_ROWS = 20_000


def predictions(model: TableModel, frame):
    """The class of each row and its score: the decision value, or one for each class."""
    values = model.estimator.decision_function(model.features(frame))
    classes = np.array(model.schema.classes)
    if values.ndim == 1:
        return pandas().DataFrame(
            {"prediction": classes[(values > 0).astype(int)], "score": values}
        )
    scores = {f"score_{label}": values[:, k] for k, label in enumerate(model.schema.classes)}
    return pandas().DataFrame({"prediction": classes[values.argmax(axis=1)], **scores})


def explanations(model: TableModel, frame):
    """The class of each row, and the two coordinates that its decision value rests on.

    With more than two classes it is the value of the class predicted, against the rest.
    """
    classifier, X = model.classifier, model.classifier_input(frame)
    if not hasattr(classifier, "explain"):
        raise ValueError(
            f"predictions of a {type(classifier).__name__} cannot be explained by two coordinates: "
            "fit an r-DEP or a DEP (--estimator recommended, paper, rdep, dep or dep_cv)"
        )
    result = predictions(model, frame)[["prediction"]]
    if len(model.schema.classes) == 2:
        return result.join(classifier.explain(X).to_frame())
    labels = list(model.schema.classes)
    winners = np.array([labels.index(label) for label in result["prediction"]])
    parts = [
        classifier.estimators_[k]
        .explain(X[winners == k])
        .to_frame()
        .set_index(np.flatnonzero(winners == k))
        for k in np.unique(winners)
    ]
    return result.join(pandas().concat(parts))


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
        The file appears when it is complete. None means standard output.
    json : bool, default=False
        JSON lines instead of CSV.
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
    with _destination(output) as file:
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
            result = compute(model, frame)
            for position, name in enumerate(keep):
                if name in result:
                    raise ValueError(
                        f"{name!r} cannot be kept: the output has a column of this name"
                    )
                result.insert(position, name, texts(block, name))
            file.write(_text(result, json, header=n_rows == 0).encode("utf-8"))
            n_rows += len(result)
            progress(block)
    return n_rows


def _small(blocks: Iterator[Block]) -> Iterator[Block]:
    for block in blocks:
        for start in range(0, block.table.num_rows, _ROWS):
            yield replace(
                block, table=block.table.slice(start, _ROWS), first_row=block.first_row + start
            )


def _text(frame, json: bool, header: bool) -> str:
    if json:
        return frame.to_json(orient="records", lines=True, double_precision=15, force_ascii=False)
    return frame.to_csv(index=False, header=header, lineterminator="\n")


@contextmanager
def _destination(output: Path | None) -> Iterator[BinaryIO]:
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with writing_atomically(output) as file:
            yield file
