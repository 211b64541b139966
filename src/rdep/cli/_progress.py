"""Progress on standard error, where it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..tables import Block


def working(what: str):
    """A spinner on standard error, if it is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(what)


@contextmanager
def rows_done() -> Iterator[Callable[[Block], None]]:
    """A bar with the number of rows on standard error, if it is a terminal."""
    if not sys.stderr.isatty():
        yield lambda block: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TextColumn("{task.fields[rows]:,} rows"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=None, rows=0)

        def show(block: Block) -> None:
            rows = block.first_row + block.table.num_rows - 1
            if block.share is None:
                progress.update(task, rows=rows)
            else:
                progress.update(task, total=1.0, completed=block.share, rows=rows)

        yield show
