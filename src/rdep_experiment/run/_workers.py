"""Worker processes: each computes one fold at a time and reports every row as it finishes.

Unlike threads, separate processes allow a cell that exceeds its time limit to be stopped, and a
cell that kills its process (out of memory, for example) affects no other cell.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from typing import Final

from rdep.datasets import Dataset

from ._cells import Task, run_fold
from ._sources import Source

_POLL_SECONDS = 0.2
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_ATTEMPTS = 2  # attempts for a cell whose process dies
_IDLE_SECONDS = 60.0  # time after which an idle process ends
_START_METHOD: Final = "spawn"  # not "fork": a fork of a process with threads may hang

CellProcess = tuple[multiprocessing.process.BaseProcess, Connection]


@dataclass
class _Worker:
    process: multiprocessing.process.BaseProcess
    connection: Connection
    task: Task
    classifier: str | None = None  # being computed
    since: float = 0.0


def run_tasks(
    tasks: list[Task],
    jobs: int,
    time_limit: float | None,
    on_row: Callable[[dict], None],
    on_change: Callable[[list[tuple[str, int, str]]], None] = lambda running: None,
    idle: list[CellProcess] | None = None,
) -> None:
    """Compute all tasks in ``jobs`` processes.

    Parameters
    ----------
    tasks : list of Task
        The tasks, in the order in which they are started.
    jobs : int
        Number of processes.
    time_limit : float or None
        Time limit of one cell in seconds.
    on_row : callable
        Called in this process with every row as soon as it is computed.
    on_change : callable
        Called with the running cells, (data set, fold, classifier), whenever they may have changed.
    idle : list or None, default=None
        Idle processes to use first, and to keep for the next call; None ends all processes.
    """
    waiting = deque(tasks)
    kept = idle is not None
    idle = [] if idle is None else idle
    busy: list[_Worker] = []
    with _one_thread_each():
        try:
            while waiting or busy:
                while waiting and len(busy) < jobs:
                    task = waiting.popleft()
                    busy.append(_Worker(*_hand_over(task, idle), task))
                n_busy = len(busy)
                for worker in list(busy):
                    rest = _listen(worker, on_row, time_limit)
                    if rest is not None:
                        busy.remove(worker)
                        waiting.extendleft(rest)
                        if worker.process.is_alive():
                            idle.append((worker.process, worker.connection))
                on_change(
                    [
                        (worker.task.source.name, worker.task.fold, worker.classifier or "")
                        for worker in busy
                    ]
                )
                if len(busy) == n_busy:  # otherwise a process is free for work at once
                    wait([worker.connection for worker in busy], timeout=_POLL_SECONDS)
        finally:
            end_processes([(worker.process, worker.connection) for worker in busy])
            if not kept:
                end_processes(idle)


def end_processes(processes: list[CellProcess]) -> None:
    while processes:
        process, connection = processes.pop()
        process.kill()
        process.join()
        connection.close()


def _listen(worker: _Worker, on_row, time_limit: float | None) -> list[Task] | None:
    """Process a worker's messages; return its remaining tasks if it has ended, else None."""
    try:
        while worker.connection.poll():
            kind, content = worker.connection.recv()
            if kind == "start":
                worker.classifier, worker.since = content, time.monotonic()
            elif kind == "row":
                on_row(content)
                left = tuple(name for name in worker.task.classifiers if name != worker.classifier)
                worker.task = replace(worker.task, classifiers=left, attempt=1)
                worker.classifier = None
            else:
                return []
    except (EOFError, ConnectionError):
        worker.process.join()
        code = worker.process.exitcode
        return _give_up(worker, on_row, f"the worker process died with exit code {code}", _ATTEMPTS)
    # The time limit excludes the start of the process and the reading of the data.
    at_work = 0.0 if worker.classifier is None else time.monotonic() - worker.since
    if time_limit is not None and at_work > time_limit:
        worker.process.kill()
        worker.process.join()
        return _give_up(worker, on_row, f"TimeLimit: more than {time_limit:g} s", attempts=1)
    return None


def _give_up(worker: _Worker, on_row, error: str, attempts: int) -> list[Task]:
    """Remaining tasks of a process that has died; the running cell may be retried."""
    task = worker.task
    culprit = worker.classifier or task.classifiers[0]
    if task.attempt < attempts:
        return [replace(task, attempt=task.attempt + 1)]
    on_row(task.failed_row(culprit, error))
    left = tuple(name for name in task.classifiers if name != culprit)
    return [replace(task, classifiers=left, attempt=1)] if left else []


def _hand_over(task: Task, idle: list[CellProcess]) -> CellProcess:
    """Give the task to an idle process, or to a new one if there is none."""
    while idle:
        process, connection = idle.pop()
        try:
            connection.send(task)
        except ConnectionError:  # the process has ended in the meantime
            continue
        return process, connection
    process, connection = _start()
    connection.send(task)
    return process, connection


def _start() -> CellProcess:
    context = multiprocessing.get_context(_START_METHOD)
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there,), daemon=True)
    with _interrupts_ignored():
        process.start()
    there.close()
    return process, here


def _work(connection: Connection) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while connection.poll(_IDLE_SECONDS):
        try:
            task = connection.recv()
        except EOFError:
            return
        for message in _messages(task):
            connection.send(message)
        connection.send(("done", None))


def _end_with_parent() -> None:
    """End this process if its parent was killed and can no longer end it."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _messages(task: Task) -> Iterator[tuple[str, object]]:
    try:
        dataset = _load(task.source, task.data_sha256)
        yield from run_fold(dataset, task)
    except Exception as error:  # the data cannot be read or split, or have changed
        for name in task.classifiers:
            yield "start", name
            yield "row", task.failed_row(name, f"{type(error).__name__}: {error}")


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started here ignore Ctrl-C; this process handles it and ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may change signal handlers
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@lru_cache(maxsize=1)
def _load(source: Source, sha256: str) -> Dataset:
    dataset = source.load()
    if dataset.sha256 != sha256:
        raise ValueError(
            f"{source.name} has changed since the run began: its checksum is "
            f"{dataset.sha256[:12]}…, not {sha256[:12]}…"
        )
    return dataset


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes started here use one thread each: more threads would compete for the cores."""
    before = {name: os.environ.get(name) for name in _THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(_THREAD_VARIABLES, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
