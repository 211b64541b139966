"""Blocks of a table as numbers and codes of classes, in the same way as in a table's pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._utils._typing import Array
from ..tables import (
    Block,
    Choices,
    Schema,
    TableFacts,
    class_codes,
    fitted_preprocessing,
    matching_frame,
    means_of,
    schema_of,
    table_facts,
    with_classes_only,
)
from ._sources import Part


@dataclass(frozen=True)
class Encoding:
    """How the rows of a table become numbers; found by one pass over all of them."""

    schema: Schema
    choices: Choices
    preprocessing: Any  # a fitted ColumnTransformer

    @classmethod
    def of(cls, facts: TableFacts, choices: Choices, where: str) -> Encoding:
        """Encoding of a table with these facts."""
        schema = schema_of(facts, choices, where)
        return cls(schema, choices, fitted_preprocessing(schema, means_of(facts, schema)))

    @property
    def names(self) -> list[str]:
        """Names of the encoded features."""
        return self.preprocessing.get_feature_names_out().tolist()

    def encoded(self, block: Block) -> tuple[Array, NDArray]:
        """Features and codes of the classes of a block."""
        codes = class_codes(block, self.schema)
        frame = matching_frame(block, self.schema)
        return self.preprocessing.transform(frame).to_numpy(dtype=np.float64), codes

    def of_part(self, part: Part) -> Iterator[tuple[Array, NDArray]]:
        """Encoded blocks of a part."""
        blocks = (with_classes_only(block, self.choices) for block in part.blocks())
        return (self.encoded(block) for block in blocks if block.table.num_rows)


def facts_of_part(choices: Choices, part: Part) -> TableFacts | None:
    """Facts of all blocks of a part; None if it has no rows."""
    return reduce(add_facts, (table_facts(block, choices) for block in part.blocks()), None)


def add_facts(a: TableFacts | None, b: TableFacts | None) -> TableFacts | None:
    """Facts of the rows of both, one of which may have no rows."""
    return a.add(b) if a and b else a or b
