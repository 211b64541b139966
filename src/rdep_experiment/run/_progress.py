"""Display of a run's progress on a terminal; silent elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rdep._utils._imports import optional

from ._store import FAILED


class Progress:
    """Progress of a run that shows nothing."""

    @contextmanager
    def following(self, n_cells: int, costs: dict[tuple, float]) -> Iterator[Progress]:
        yield self

    def finished(self, cell: tuple, status: str) -> None:
        """Note that a cell is done."""

    def running(self, cells: list[tuple[str, int, str]]) -> None:
        """Note which cells are being computed."""

    def computing(self, what: str) -> None:
        """Note which part of a smaller table is being computed."""

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Note that the report is being written."""
        yield


class LiveProgress(Progress):
    """Bar, running cells, failures and time left, on standard error."""

    def __init__(self) -> None:
        optional("rich", "the progress display", "cli")

    @contextmanager
    def following(self, n_cells, costs):
        from rich.console import Console
        from rich.live import Live

        self._costs, self._total = costs, sum(costs.values()) or 1.0
        self._n_cells, self._n_done, self._n_failed, self._spent = n_cells, 0, 0, 0.0
        self._started, self._cells = time.monotonic(), []
        if not n_cells:
            yield self
            return
        with Live(console=Console(stderr=True), get_renderable=self._show, refresh_per_second=4):
            yield self

    def finished(self, cell, status):
        self._n_done += 1
        self._n_failed += status == FAILED
        self._spent += self._costs.get(cell, 0.0)

    def running(self, cells):
        self._cells = cells

    def computing(self, what):
        from rich.console import Console

        Console(stderr=True).print(what, style="dim", highlight=False)

    @contextmanager
    def reporting(self):
        from rich.console import Console

        with Console(stderr=True).status("Writing tables, figures and report"):
            yield

    def _show(self):
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        elapsed = time.monotonic() - self._started
        share = self._spent / self._total
        left = f"about {clock(elapsed / share - elapsed)} left" if share > 0.01 else "time left: …"
        line = Table.grid(padding=(0, 1))
        line.add_row(
            ProgressBar(total=1.0, completed=share, width=40),
            f"{self._n_done} of {self._n_cells} cells",
            f"{self._n_failed} failed" if self._n_failed else "none failed",
            f"{clock(elapsed)} so far, {left}",
        )
        works = [
            Text(f"  {dataset}, fold {fold + 1}: {classifier or 'reading the data'}", style="dim")
            for dataset, fold, classifier in self._cells
        ]
        return Group(line, *works)


def progress_for_person() -> Progress:
    """Get a live display if standard error is a terminal, else a silent one."""
    return LiveProgress() if sys.stderr.isatty() else Progress()


def clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
