"""Work that a signal ends at once, though compiled code does not listen, and without remains."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import NoReturn, TypeVar

T = TypeVar("T")

_INTERRUPTED = 128 + signal.SIGINT
# Other signals that ask a program to end, where the system has them.
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_LOOK_EVERY_SECONDS = 0.2


@contextmanager
def leaving_nothing_behind() -> Iterator[None]:
    """Leave by an exception, and so past all that cleans up, where a signal would end the process.

    Ctrl-C does so anyway.
    """

    def leave(number, frame):
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():  # it gets no signals
        yield
        return
    # What joblib's workers leave is removed by a process of its own, which complains of the work.
    told = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [told, "ignore:resource_tracker"]))
    earlier = {number: signal.getsignal(number) for number in _ENDING}
    for number, handler in earlier.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, leave)
    try:
        yield
    finally:
        os.environ["PYTHONWARNINGS"] = told or ""
        for number, handler in earlier.items():
            signal.signal(number, handler)


def interruptible(work: Callable[[], T]) -> T:
    """The result of a function that runs in a thread of its own, while this one hears signals.

    What a signal raises is raised here, and the thread goes on: only :func:`end_at_once` ends it.
    """
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_LOOK_EVERY_SECONDS)
    return outcome.result()


def end_at_once(signalled: KeyboardInterrupt | SystemExit) -> NoReturn:
    """End this process and its workers in the middle of whatever they compute."""
    for worker in multiprocessing.active_children():
        if worker.pid is not None:
            os.kill(worker.pid, signal.SIGTERM)
    sys.stdout.flush()
    sys.stderr.flush()
    code = signalled.code if isinstance(signalled, SystemExit) else None
    os._exit(code if isinstance(code, int) else _INTERRUPTED)
