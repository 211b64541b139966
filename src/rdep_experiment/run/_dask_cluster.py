"""Tasks of a run on a Dask cluster, whose rows are returned one by one.

A row arrives as an event when its cell is done, and again with its fold; the first one is kept.
Dask reassigns the tasks of a lost worker; after the loss of a scheduler, this process submits the
remaining tasks again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import SimpleQueue
from uuid import uuid4

from rdep._utils._imports import optional
from rdep._utils._versions import versions

from ._cells import Task
from ._store import cell_of

_FIRST_CONNECTION_SECONDS = 15
_NEXT_CONNECTION_SECONDS = 300  # time for a lost scheduler to return


@dataclass(frozen=True)
class DaskCluster:
    """Running cluster with the address of its scheduler, or a cluster to start on this machine.

    Attributes
    ----------
    scheduler : str or None
        Address of the scheduler.
    workers : int or None
        Number of workers to start on this machine.
    """

    scheduler: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        if (self.scheduler is None) == (self.workers is None):
            raise ValueError(
                "the backend dask needs either --scheduler tcp://HOST:PORT of a cluster, or "
                "--workers N to start one on this machine"
            )


def chosen_cluster(
    backend: str, scheduler: str | None, workers: int | None, jobs: int | None
) -> DaskCluster | None:
    """Cluster according to the options of the command; None for processes on this machine."""
    if backend == "dask":
        if jobs is not None:
            raise ValueError("--jobs is for the backend processes: use --workers for dask")
        return DaskCluster(scheduler, workers)
    if backend != "processes":
        raise ValueError(f"unknown backend {backend!r}; known: processes, dask")
    if scheduler is not None or workers is not None:
        raise ValueError("--scheduler and --workers are for --backend dask")
    return None


def run_tasks_on_dask(
    tasks: list[Task],
    cluster: DaskCluster,
    time_limit: float | None,
    on_row: Callable[[dict], None],
) -> None:
    """Compute all tasks on the cluster.

    Parameters
    ----------
    tasks : list of Task
        The tasks, in the order of their priority.
    cluster : DaskCluster
        The cluster.
    time_limit : float or None
        Time limit of one cell in seconds.
    on_row : callable
        Called in this process with each row as soon as it arrives, once for each cell.
    """
    seen: set[tuple] = set()

    def keep(row: dict) -> None:
        if cell_of(row) not in seen:
            seen.add(cell_of(row))
            on_row(row)

    tasks = [replace(task, source=task.source.absolute()) for task in tasks]
    patience = _FIRST_CONNECTION_SECONDS
    with _address(cluster) as address:
        while tasks := _left(tasks, seen):
            with _client(address, patience) as client:
                try:
                    _run(client, tasks, time_limit, keep, seen)
                except _SchedulerLostError:
                    patience = _NEXT_CONNECTION_SECONDS


class _SchedulerLostError(Exception):
    """The scheduler was lost with all submitted tasks."""


def _left(tasks: list[Task], seen: set[tuple]) -> list[Task]:
    """Tasks without the cells that already have a row."""
    rest = [replace(task, classifiers=_open_classifiers(task, seen)) for task in tasks]
    return [task for task in rest if task.classifiers]


def _open_classifiers(task: Task, seen: set[tuple]) -> tuple[str, ...]:
    fold = (task.source.name, task.repeat, task.fold)
    return tuple(name for name in task.classifiers if (*fold, name) not in seen)


def _run(client, tasks: list[Task], time_limit: float | None, keep, seen: set[tuple]) -> None:
    from ._dask_worker import run_task

    arrived: SimpleQueue = SimpleQueue()
    topic = f"rdep-rows-{uuid4().hex}"
    client.subscribe_topic(topic, lambda event: arrived.put(event[1]))
    here = versions()
    waiting = {}
    for number, task in enumerate(tasks):
        future = client.submit(
            run_task, task, time_limit, topic, here, pure=False, priority=-number
        )
        waiting[future] = task
        future.add_done_callback(arrived.put)
    while waiting:
        item = arrived.get()
        if isinstance(item, str):
            keep(json.loads(item))
        else:
            task = waiting.pop(item)
            for row in _rows_of(item, task, _open_classifiers(task, seen)):
                keep(row)


def _rows_of(future, task: Task, still_open: tuple[str, ...]) -> list[dict]:
    """Rows of a finished task that have not arrived as events."""
    from distributed import KilledWorker

    if future.cancelled():
        raise _SchedulerLostError
    if future.status == "finished" and not still_open:
        return []
    try:
        return future.result()
    except (CancelledError, OSError) as error:
        raise _SchedulerLostError from error
    except KilledWorker as error:
        message = f"the Dask workers with this fold died: {error}"
        return [task.failed_row(name, message) for name in still_open]
    except ImportError as error:
        raise ImportError(
            f"{error}. A Dask worker could not run a cell: it needs the same rdep, and the modules "
            "of added classifiers"
        ) from error


@contextmanager
def _address(cluster: DaskCluster) -> Iterator[str]:
    """Address of the scheduler; a cluster on this machine is closed with the context."""
    if cluster.scheduler is not None:
        yield cluster.scheduler
        return
    # Cells run in separate processes, which Dask's memory limits do not cover.
    with _distributed().LocalCluster(
        n_workers=cluster.workers, threads_per_worker=1, memory_limit=0, dashboard_address=":0"
    ) as local:
        yield local.scheduler_address


@contextmanager
def _client(address: str, patience: float) -> Iterator:
    try:
        client = _distributed().Client(address, timeout=patience, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ConnectionError(
            f"no Dask scheduler answers at {address} ({error}). Start one with `dask scheduler`, "
            "or a cluster on this machine with --workers N; all rows so far are safe"
        ) from error
    with client:
        yield client


def _distributed():
    return optional("distributed", "the backend dask", "dask")
