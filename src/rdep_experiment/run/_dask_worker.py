"""Function run by a Dask worker: compute the cells of one fold in a separate process.

A worker's threads cannot be stopped. A process can be stopped, and its death affects nothing else.
The time limit and the handling of a cell whose process dies are therefore the same as on one
machine, and a worker with several threads computes several folds.
"""

from __future__ import annotations

import json
import multiprocessing

from distributed import get_worker

from rdep._utils._versions import versions

from ._cells import Task
from ._workers import CellProcess, run_tasks

_idle: list[CellProcess] = []  # reused, because starting a process takes seconds


def run_task(
    task: Task, time_limit: float | None, topic: str, expected: dict[str, str]
) -> list[dict]:
    """Compute a task, and send every row to the topic as soon as it is computed.

    Parameters
    ----------
    task : Task
        The classifiers to compute on one fold.
    time_limit : float or None
        Time limit of one cell in seconds.
    topic : str
        Topic of Dask's events to which each row is sent as JSON.
    expected : dict
        Versions of the packages that the worker must have.

    Returns
    -------
    list of dict
        The rows of the task.
    """
    _check_versions(expected)
    worker, rows = get_worker(), []

    def keep(row: dict) -> None:
        rows.append(row)
        worker.log_event(topic, json.dumps(row))

    # Dask's workers are daemons, which cannot start processes unless this flag is changed.
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
