"""What runs on a Dask worker: the cells of one fold, in a process beside it.

A worker's threads cannot be stopped and die with the worker; a process can, and takes nothing else
down. So the time limit and what happens to a cell whose process dies are the same here as on one
machine, and a worker with several threads computes several folds.
"""

from __future__ import annotations

import json
import multiprocessing

from distributed import get_worker

from ._cells import versions
from ._workers import CellProcess, Task, run_tasks

_idle: list[CellProcess] = []  # kept from task to task: starting one takes seconds


def run_task(
    task: Task, time_limit: float | None, topic: str, expected: dict[str, str]
) -> list[dict]:
    """Compute a task; every row is also sent to the topic as soon as it is there.

    Parameters
    ----------
    task : Task
    time_limit : float or None
        Seconds for one cell.
    topic : str
        Of Dask's events; each row goes there as JSON.
    expected : dict
        The versions that the rows must come from.
    """
    _check_versions(expected)
    worker, rows = get_worker(), []

    def keep(row: dict) -> None:
        rows.append(row)
        worker.log_event(topic, json.dumps(row))

    # Dask's workers are daemons, which may not start processes unless they say otherwise.
    multiprocessing.current_process().daemon = False
    run_tasks([task], 1, time_limit, keep, idle=_idle)
    return rows


def _check_versions(expected: dict[str, str]) -> None:
    here = versions()
    other = [
        f"{name} {here[name]} instead of {expected[name]}"
        for name in expected
        if here[name] != expected[name]
    ]
    if other:
        raise ImportError(
            f"a Dask worker has {', '.join(other)}: install the same versions on all machines"
        )
