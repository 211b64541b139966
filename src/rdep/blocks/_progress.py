"""Progress of a fit: the pass, what it is for, its rows and the time that is left of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class State:
    """Where a fit is."""

    number: int  # of the pass, counted from 1
    what: str
    n_done: int
    n_rows: int | None
    seconds_left: float | None  # of this pass


@dataclass
class Progress:
    """Counts passes and rows, and tells a function about each block."""

    tell: Callable[[State], None] = lambda state: None
    what: str = "reading"
    number: int = 0
    _n_rows: int | None = None
    _n_done: int = 0
    _started: float = field(default=0.0, repr=False)

    @contextmanager
    def passing(self, n_rows: int | None) -> Iterator[None]:
        """Begin a pass over a number of rows, if it is known."""
        self.number += 1
        self._n_rows, self._n_done, self._started = n_rows, 0, time.perf_counter()
        self.advance(0)
        yield

    def working(self, what: str) -> None:
        """Begin something that is no pass over the rows."""
        self.what, self._n_rows, self._n_done = what, None, 0
        self.advance(0)

    def advance(self, n_rows: int) -> None:
        """Count rows."""
        self._n_done += n_rows
        self.tell(State(self.number, self.what, self._n_done, self._n_rows, self._left()))

    def _left(self) -> float | None:
        if not self._n_rows or not self._n_done:
            return None
        seconds = time.perf_counter() - self._started
        return seconds * (self._n_rows / self._n_done - 1)
