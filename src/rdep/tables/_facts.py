"""What a schema needs to know of a table, found block by block: facts that can be added."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .._utils._imports import pandas
from ._blocks import Block
from ._columns import categories, is_numeric, numbers, unit_of
from ._schema import CATEGORY, NUMBER, Column, Schema, listed, split_names
from ._targets import check_class_counts, class_texts, integers
from ._training_table import check_features, no_such_column, refuse_misread_texts

_MOST_CLASSES = 10_000
_MOST_TEXTS = 100_000


@dataclass(frozen=True)
class Choices:
    """Which columns of a table are read, and how; the parameters are those of ``fit_table``."""

    target: str
    drop: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    number: tuple[str, ...] = ()
    max_categories: int = 100
    drop_unlabelled: bool = False


@dataclass(frozen=True)
class ColumnFacts:
    """One column of some blocks; ``kind`` is None as long as no value was seen."""

    source: str
    kind: str | None = None
    n: int = 0
    total: float = 0.0
    low: float = np.inf
    high: float = -np.inf
    gaps: bool = False
    texts: frozenset[str] = frozenset()
    unit: str | None = None  # as in Column

    def add(self, other: ColumnFacts, name: str) -> ColumnFacts:
        """Facts of the rows of both."""
        if self.kind is None or other.kind is None:
            known = other if self.kind is None else self
            return replace(known, gaps=self.gaps or other.gaps)
        if self.kind != other.kind:
            raise ValueError(_two_kinds(name, self, other))
        return ColumnFacts(
            self.source,
            self.kind,
            self.n + other.n,
            self.total + other.total,
            min(self.low, other.low),
            max(self.high, other.high),
            self.gaps or other.gaps,
            _together(self, other, name),
            _one_unit(self, other, name),
        )


@dataclass(frozen=True)
class TableFacts:
    """Number of rows, classes and columns of some blocks of a table."""

    source: str
    n_rows: int
    n_unlabelled: int
    counts: Counter[str]
    whole: bool  # whether all classes are integers
    columns: dict[str, ColumnFacts]

    def add(self, other: TableFacts) -> TableFacts:
        """Facts of the rows of both; the columns must be the same, in any order."""
        if self.columns.keys() != other.columns.keys():
            raise ValueError(_other_columns(self, other))
        counts = self.counts + other.counts
        _check_few(counts, other.source)
        return TableFacts(
            self.source,
            self.n_rows + other.n_rows,
            self.n_unlabelled + other.n_unlabelled,
            counts,
            self.whole and other.whole,
            {name: facts.add(other.columns[name], name) for name, facts in self.columns.items()},
        )


def table_facts(block: Block, choices: Choices) -> TableFacts:
    """Facts of one block. Errors name its file."""
    found = block.table.column_names
    drop, categorical, number = (
        split_names(names, found) for names in (choices.drop, choices.categorical, choices.number)
    )
    for name in (choices.target, *drop, *categorical, *number):
        if name not in found:
            raise ValueError(no_such_column(name, found, block.source))
    n_rows = block.table.num_rows
    block = with_classes_only(block, choices)
    features = [name for name in found if name != choices.target and name not in drop]
    if not block.table.num_rows:
        none = {name: ColumnFacts(block.source) for name in features}
        return TableFacts(block.source, 0, n_rows, Counter(), True, none)
    texts = Counter(class_texts(block, choices.target).tolist())
    _check_few(texts, block.source)
    return TableFacts(
        block.source,
        block.table.num_rows,
        n_rows - block.table.num_rows,
        texts,
        is_numeric(block, choices.target),
        {
            name: _column_facts(block, name, name in categorical, name in number)
            for name in features
        },
    )


def with_classes_only(block: Block, choices: Choices) -> Block:
    """Rows that have a class if others are to be left out, otherwise all rows."""
    if not choices.drop_unlabelled:
        return block
    has_class = block.table.column(choices.target).is_valid().to_numpy()
    rows = block.first_row + np.flatnonzero(has_class)
    return replace(block, table=block.table.filter(has_class), rows=rows)


def schema_of(facts: TableFacts, choices: Choices, where: str) -> Schema:
    """Schema of a table with these facts; columns without any value are dropped."""
    labels = np.array(sorted(facts.counts))
    counts = np.array([facts.counts[label] for label in labels])
    if facts.whole:
        labels = integers(labels)
        order = np.argsort(labels)
        labels, counts = labels[order], counts[order]
    if not len(labels):
        raise ValueError(f"the target {choices.target!r} of {where} has no values")
    check_class_counts(labels, counts, f"the target {choices.target!r} of {where}")
    used = {name: column for name, column in facts.columns.items() if column.kind is not None}
    columns = [
        _column(name, column, where, choices.max_categories) for name, column in used.items()
    ]
    if not columns:
        raise ValueError(f"{where} has no columns besides the target {choices.target!r}")
    check_features(columns, where)
    unused = (name for name in facts.columns if name not in used)
    return Schema(tuple(columns), tuple(labels.tolist()), choices.target, (*choices.drop, *unused))


def means_of(facts: TableFacts, schema: Schema) -> dict[str, float]:
    """Mean of each column of numbers."""
    return {
        name: facts.columns[name].total / facts.columns[name].n for name in schema.named(NUMBER)
    }


def class_codes(block: Block, schema: Schema) -> NDArray:
    """Positions of the classes of the rows among those of the schema."""
    target = schema.target
    if target is None or target not in block.table.column_names:
        raise ValueError(f"{block.source} has no column {target!r}")
    places = {str(label): place for place, label in enumerate(schema.classes)}
    return np.array([places[text] for text in class_texts(block, target)], dtype=np.int16)


def _column_facts(block: Block, name: str, is_category: bool, is_number: bool) -> ColumnFacts:
    column = block.table.column(name)
    if column.null_count == len(column):
        return ColumnFacts(block.source, gaps=True)
    gaps = column.null_count > 0
    if is_number or (not is_category and is_numeric(block, name)):
        unit = unit_of(block, name) if is_number else None
        values = numbers(block, name, unit)
        known = values[~np.isnan(values)] if gaps else values
        of_values = (len(known), known.sum(), known.min(), known.max(), gaps)
        return ColumnFacts(block.source, NUMBER, *of_values, unit=unit)
    if not is_category:
        refuse_misread_texts(block, name)
    texts = pandas().unique(categories(block, name))
    found = frozenset(text for text in texts if isinstance(text, str))
    return ColumnFacts(block.source, CATEGORY, len(column), gaps=gaps, texts=found)


def _together(first: ColumnFacts, other: ColumnFacts, name: str) -> frozenset[str]:
    texts = first.texts | other.texts
    if len(texts) > _MOST_TEXTS:
        raise ValueError(
            f"column {name!r} has more than {_MOST_TEXTS:,} different texts up to {other.source}: "
            f"for names or free text leave the column out (drop={(name,)!r})"
        )
    return texts


def _one_unit(first: ColumnFacts, other: ColumnFacts, name: str) -> str | None:
    if first.unit and other.unit and first.unit != other.unit:
        raise ValueError(
            f"column {name!r} has numbers in {first.unit} in {first.source} and in {other.unit} in "
            f"{other.source}: convert them to one unit"
        )
    return first.unit or other.unit


def _column(name: str, facts: ColumnFacts, where: str, max_categories: int) -> Column:
    if facts.kind == NUMBER:
        low, high = float(facts.low), float(facts.high)
        return Column(name, NUMBER, low=low, high=high, gaps=facts.gaps, unit=facts.unit)
    if len(facts.texts) > max_categories:
        raise ValueError(
            f"column {name!r} of {where} has {len(facts.texts)} different texts, such as "
            f"{listed(sorted(facts.texts)[:2])}: for names or free text leave the column out "
            f"(drop={(name,)!r}), for real categories raise max_categories={max_categories}"
        )
    return Column(name, CATEGORY, tuple(sorted(facts.texts)), gaps=facts.gaps)


def _check_few(counts: Counter[str], source: str) -> None:
    if len(counts) > _MOST_CLASSES:
        raise ValueError(
            f"the target has more than {_MOST_CLASSES:,} different values up to {source}: these "
            "are not classes but a measurement, or names of the rows. Choose another column"
        )


def _other_columns(first: TableFacts, other: TableFacts) -> str:
    lacking = [name for name in first.columns if name not in other.columns]
    more = [name for name in other.columns if name not in first.columns]
    differences = [
        f"{verb} {listed(names)}" for verb, names in (("lacks", lacking), ("adds", more)) if names
    ]
    return (
        f"{other.source} has other columns than {first.source}: it {' and '.join(differences)}. All"
        " files need the same columns"
    )


def _two_kinds(name: str, first: ColumnFacts, other: ColumnFacts) -> str:
    words = {NUMBER: "numbers", CATEGORY: "texts"}
    with_texts = first if first.kind == CATEGORY else other
    return (
        f"column {name!r} holds {words[str(first.kind)]} in {first.source} and "
        f"{words[str(other.kind)]} in {other.source}, such as "
        f"{listed(sorted(with_texts.texts)[:2])}: for categories give categorical={(name,)!r}; if "
        f"the texts stand for missing values, give ReadOptions(na_values=…)"
    )
