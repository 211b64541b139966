"""Sources of rows: files, folders, Arrow data sets and functions, as named parts with blocks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._utils._imports import pyarrow
from ..tables import Block, ReadOptions, block_of_rows, read_blocks

# Files that Spark, Hadoop and systems put beside the parts.
_HIDDEN = ("_", ".")
_ROWS = 50_000
_VALUES = 1_000_000  # numbers in one block: 8 MB


@dataclass(frozen=True)
class FilePart:
    """One file."""

    path: str
    options: ReadOptions

    def blocks(self) -> Iterator[Block]:
        """Rows of the file."""
        return read_blocks(self.path, self.options)


@dataclass(frozen=True)
class FragmentPart:
    """One fragment of an Arrow data set."""

    fragment: Any
    schema: Any

    def blocks(self) -> Iterator[Block]:
        """Rows of the fragment."""
        pa, row = pyarrow(), 1
        name = getattr(self.fragment, "path", None) or "a fragment of the data set"
        n_rows = max(1, min(_ROWS, _VALUES // max(1, len(self.schema.names))))
        batches = self.fragment.to_batches(schema=self.schema, batch_size=n_rows)
        try:
            for batch in batches:
                if batch.num_rows:
                    yield block_of_rows(batch, name, row)
                    row += batch.num_rows
        except pa.ArrowException as error:
            raise ValueError(
                f"{name} is damaged or has columns of other types ({error})"
            ) from error


@dataclass(frozen=True)
class FunctionPart:
    """Blocks that a function yields: data frames or Arrow tables."""

    function: Callable[[], Iterable[Any]]

    def blocks(self) -> Iterator[Block]:
        """Rows of a fresh iterator."""
        for number, rows in enumerate(self.function(), 1):
            block = block_of_rows(rows, f"block {number}")
            if block.table.num_rows:
                yield block


Part = FilePart | FragmentPart | FunctionPart


def parts_of(source: Any, options: ReadOptions | None = None) -> list[Part]:
    """Parts of a source: a path, an Arrow data set, or a function that returns an iterator."""
    if isinstance(source, str | os.PathLike):
        return [FilePart(path, options or ReadOptions()) for path in _files(Path(source))]
    if hasattr(source, "get_fragments"):
        return [FragmentPart(part, source.schema) for part in source.get_fragments()]
    if callable(source):
        return [FunctionPart(source)]
    raise TypeError(
        "source must be a path to a file or folder, a pyarrow.dataset.Dataset, or a function that "
        f"returns a fresh iterator of blocks, got {type(source).__name__}"
    )


def _files(path: Path) -> list[str]:
    if not path.is_dir():
        return [str(path)]
    found = sorted(path.iterdir())
    inside = [part for part in found if part.is_dir() and not part.name.startswith(_HIDDEN)]
    if inside:
        raise ValueError(
            f"{path} has a folder in it, {inside[0].name!r}: give one folder with all files. From "
            "Python, pyarrow.dataset.dataset reads nested folders, and fit_blocks takes its result"
        )
    files = [part for part in found if part.is_file() and not part.name.startswith(_HIDDEN)]
    if not files:
        raise ValueError(
            f"{path} has no files: a folder of Parquet, Feather or CSV files is needed"
        )
    endings = {"".join(part.suffixes[-1:]).lower() for part in files}
    if len(endings) > 1:
        counted = sorted(endings, key=lambda e: sum(part.suffix.lower() == e for part in files))
        stray = next(part for part in files if part.suffix.lower() == counted[0])
        raise ValueError(
            f"{stray} is a stray file: the other files of the folder end in {counted[-1]!r}. Move "
            "it elsewhere"
        )
    return [str(part) for part in files]
