"""Measure two functions by running them in turn several times.

Times are CPU seconds of this process with one thread, so that other processes on the machine
disturb them little. A ratio is the median of the peer's times over the median of ours; its range is
that of the ratios of single turns.

The variable RDEP_BENCH_ROWS makes a trial run, which shows that a benchmark works and measures
nothing. A trial run has at most this number of rows, made up instead of real data sets, and one
turn, and writes no file in results.
"""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeVar

Thing = TypeVar("Thing")
TRIAL = "RDEP_BENCH_ROWS"


def is_trial() -> bool:
    return TRIAL in os.environ


def sized(n_rows: int) -> int:
    """The number itself; in a trial run at most what that allows."""
    return min(n_rows, int(os.environ[TRIAL])) if is_trial() else n_rows


def some(things: Iterable[Thing], first: int = 1) -> list[Thing]:
    """All of them; in a trial run the first ones."""
    return list(islice(things, first if is_trial() else None))


def output(name: str) -> Path:
    """The folder for what is measured, which is made."""
    folder = Path("build/trial" if is_trial() else "results", name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@dataclass
class Comparison:
    """One line of the results."""

    group: str
    work: str
    peer: str
    ours: list[float]  # seconds of every turn
    theirs: list[float]
    at_least: float | None = None  # what the ratio should reach
    at_most: float | None = None  # ours over theirs should not exceed this
    answers: dict[str, float] = field(default_factory=dict)  # objectives, accuracies …
    answers_agree: bool = True
    remark: str = ""

    @property
    def ratio(self) -> float:
        """How many times faster we are."""
        return statistics.median(self.theirs) / statistics.median(self.ours)

    @property
    def range(self) -> tuple[float, float]:
        ratios = [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]
        return min(ratios), max(ratios)

    @property
    def met(self) -> bool:
        fast = self.at_least is None or self.ratio >= self.at_least
        return fast and (self.at_most is None or 1 / self.ratio <= self.at_most)

    def record(self) -> dict:
        return {**asdict(self), "ratio": self.ratio, "range": self.range, "met": self.met}


def cpu_seconds(action: Callable[[], object]) -> tuple[float, object]:
    if not is_trial():
        gc.collect()
    before = time.process_time()
    result = action()
    return time.process_time() - before, result


def in_turn(
    ours: Callable[[], object], theirs: Callable[[], object], repeats: int
) -> tuple[list[float], list[float], object, object]:
    """Times of both, and what the last turn of each returned."""
    repeats = 1 if is_trial() else repeats
    our_times, their_times = [], []
    our_result = their_result = None
    for turn in range(repeats):
        # Who goes first changes, so that neither always finds the caches warm.
        for mine in (True, False) if turn % 2 == 0 else (False, True):
            seconds, result = cpu_seconds(ours if mine else theirs)
            if mine:
                our_times.append(seconds)
                our_result = result
            else:
                their_times.append(seconds)
                their_result = result
    return our_times, their_times, our_result, their_result
