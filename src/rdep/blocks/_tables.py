"""Fit an r-DEP with its preprocessing on a table of any size."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from .._base._passes import Block, added
from ..perceptrons import RDEPClassifier
from ..tables import (
    Choices,
    ReadOptions,
    TableFacts,
    TableModel,
    block_summary,
    make_estimator,
    pipeline_around,
    plain_value,
    warn_of_unlabelled,
    weights_by_label,
)
from ._dask import DaskRows, dask, task
from ._encoding import Encoding, add_facts, facts_of_part
from ._fitting import fit_rows
from ._memory import DEFAULT_MEMORY, parse_memory
from ._progress import Progress, State
from ._rows import Rows, check_disk, store
from ._sources import Part, parts_of


def fit_table_blocks(
    source: Any,
    target: str,
    *,
    drop: tuple[str, ...] = (),
    categorical: tuple[str, ...] = (),
    number: tuple[str, ...] = (),
    max_categories: int = 100,
    drop_unlabelled: bool = False,
    memory: int | str = DEFAULT_MEMORY,
    cluster: bool = False,
    options: ReadOptions | None = None,
    progress: Callable[[State], None] | None = None,
    **parameters: Any,
) -> TableModel:
    """Fit an r-DEP with its preprocessing on a table that may be larger than memory.

    Parameters
    ----------
    source : path, pyarrow.dataset.Dataset or function
        A file or a folder of files, such as Parquet, Feather or CSV; a data set; or a function that
        returns a fresh iterator of data frames or Arrow tables.
    target : str
        The column of the classes.
    drop, categorical, number, max_categories, drop_unlabelled, options
        As in :func:`rdep.tables.fit_table`.
    memory : int or str, default="2GB"
        Memory of this process, in bytes or as a text such as ``"2GB"``. It determines on how many
        rows forest and boosting are fitted; all other parts see all rows.
    cluster : bool, default=False
        Whether the files are read by the current Dask cluster, one task for each file.
    progress : function of a State, or None, default=None
        Called after each block.
    **parameters
        Parameters of :class:`rdep.RDEPClassifier`, such as ``dep__C``.

    Returns
    -------
    TableModel

    Examples
    --------
    >>> import pandas as pd
    >>> from rdep.blocks import fit_table_blocks
    >>> from rdep.datasets import load_ripley
    >>> X, _, y, _ = load_ripley()
    >>> frame = pd.DataFrame(X, columns=["a", "b"]).assign(y=y)
    >>> model = fit_table_blocks(lambda: (frame[k::2] for k in range(2)), "y", random_state=0)
    >>> model.summary["rows"]
    250
    """
    classifier = make_estimator("rdep", parameters)
    n_bytes = parse_memory(memory)
    choices = Choices(target, drop, categorical, number, max_categories, drop_unlabelled)
    state = Progress(progress or (lambda state: None))
    started = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        parts, where = parts_of(source, options), _called(source)
        facts = _facts(parts, choices, state, cluster)
        n_all = facts.n_rows + facts.n_unlabelled
        warn_of_unlabelled(where, target, facts.n_unlabelled, n_all)
        encoding = Encoding.of(facts, choices, where)
        if isinstance(classifier.class_weight, dict):
            given = weights_by_label(classifier.class_weight, encoding.schema.classes)
            classifier.set_params(class_weight=given)
        rows = _rows(parts, encoding, facts.n_rows, state, cluster)
        accuracy = fit_rows(
            classifier, rows, np.array(encoding.schema.classes), n_bytes, encoding.names
        )
    seconds = time.perf_counter() - started
    pipeline = pipeline_around(encoding.preprocessing, classifier)
    noticed = tuple(warning.message for warning in caught)
    summary = {
        **block_summary(classifier, facts.counts, accuracy),
        "boosting_rows": classifier.n_boosting_samples_,
        "passes": state.number,
        "positive": None,
        "threshold": None,
        "estimator": "rdep",
        "parameters": {name: plain_value(value) for name, value in parameters.items()},
        "warnings": sorted({str(warning) for warning in noticed}),
    }
    return TableModel(pipeline, encoding.schema, summary, fit_seconds=seconds, noticed=noticed)


def _facts(
    parts: list[Part], choices: Choices, progress: Progress, cluster: bool = False
) -> TableFacts:
    """One pass over all rows that looks at the columns."""
    progress.what = "looking at the columns"
    with progress.passing(None):
        if cluster:
            tasks = [task(facts_of_part)(choices, part) for part in parts]
            found = added(tasks, task(add_facts)).compute()
        else:
            # One after another, so that errors compare with the first file.
            found = reduce(add_facts, (_told(part, choices, progress) for part in parts), None)
    if found is None:
        raise ValueError("the source has no rows: give at least one block that has some")
    return found


def _rows(
    parts: list[Part], encoding: Encoding, n_rows: int, progress: Progress, cluster: bool = False
) -> Rows:
    """Encoded rows: on disk, or in the memory of the cluster."""
    progress.what = "reading"
    if cluster:
        return _on_cluster(parts, encoding, progress)
    check_disk(n_rows, len(encoding.names))
    with progress.passing(n_rows):
        blocks = (block for part in parts for block in encoding.of_part(part))
        return store(blocks, len(encoding.names), progress)


def _called(source: Any) -> str:
    """Name of a source in messages."""
    return str(source) if isinstance(source, str | os.PathLike) else "the source"


def _told(part: Part, choices: Choices, progress: Progress) -> TableFacts | None:
    facts = facts_of_part(choices, part)
    progress.advance(facts.n_rows if facts else 0)
    return facts


def _on_cluster(parts: list[Part], encoding: Encoding, progress: Progress) -> DaskRows:
    """Rows of each part as a task; positions need the number of rows of each part."""
    shared = dask().delayed(encoding, pure=False, traverse=False)
    blocks = dask().persist(*(task(_part_block)(shared, part) for part in parts))
    sizes = dask().compute(*(task(_n_rows)(block) for block in blocks))
    starts = np.cumsum([0, *sizes]).tolist()
    placed = [
        task(_placed)(block, start)
        for block, start, size in zip(blocks, starts, sizes, strict=False)
        if size
    ]
    return DaskRows(placed, starts[-1], progress)


def _part_block(encoding: Encoding, part: Part) -> Block:
    nothing = np.empty((0, len(encoding.names))), np.empty(0, dtype=np.int16)
    features, codes = zip(nothing, *encoding.of_part(part), strict=True)
    y = np.concatenate(codes)
    return Block(np.concatenate(features), y, np.ones(len(y)))


def _n_rows(block: Block) -> int:
    return len(block.y)


def _placed(block: Block, start: int) -> Block:
    return block._replace(start=start)


def fit_blocks(
    classifier: RDEPClassifier,
    source: Any,
    target: str,
    *,
    memory: int | str = DEFAULT_MEMORY,
    progress: Callable[[State], None] | None = None,
) -> RDEPClassifier:
    """Fit an r-DEP on a table of numbers that may be larger than memory.

    See :meth:`rdep.RDEPClassifier.fit_blocks`.
    """
    n_bytes = parse_memory(memory)
    state = Progress(progress or (lambda state: None))
    parts, choices = parts_of(source), Choices(target)
    facts = _facts(parts, choices, state)
    encoding = Encoding.of(facts, choices, _called(source))
    texts = encoding.schema.named("category")
    gaps = [column.name for column in encoding.schema.columns if column.gaps]
    if texts or gaps:
        what = f"column {texts[0]!r} holds texts" if texts else f"column {gaps[0]!r} has gaps"
        raise ValueError(
            f"{what}, and a classifier needs numbers: rdep.blocks.fit_table_blocks encodes texts, "
            "fills gaps and returns a model that does so with new tables"
        )
    rows = _rows(parts, encoding, facts.n_rows, state)
    fit_rows(classifier, rows, np.array(encoding.schema.classes), n_bytes, encoding.names)
    return classifier
