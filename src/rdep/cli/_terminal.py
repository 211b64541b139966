"""The terminal: progress, warnings on standard error, Ctrl-C and other signals."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, NoReturn, TypeVar

import typer

from ._options import in_options

if TYPE_CHECKING:
    from ..blocks import State
    from ..tables import Block

T = TypeVar("T")

_FOR_DEVELOPERS = (DeprecationWarning, PendingDeprecationWarning, ResourceWarning)
_INTERRUPTED = 128 + signal.SIGINT
# Other termination signals, if the system has them.
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_LOOK_EVERY_SECONDS = 0.2


def working(what: str):
    """Show a spinner on standard error if it is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(what)


@contextmanager
def rows_done() -> Iterator[Callable[[Block], None]]:
    """Show a bar with the number of rows on standard error if it is a terminal."""
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


@contextmanager
def passes_done() -> Iterator[Callable[[State], None] | None]:
    """Show the pass, its rows and its time left on standard error if it is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rows]}"))
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=None, rows="")

        def show(state: State) -> None:
            of_all = "" if state.n_rows is None else f" of {state.n_rows:,}"
            left = "" if state.seconds_left is None else f", {state.seconds_left:.0f} s left"
            bar.update(
                task,
                description=f"pass {state.number}: {state.what}",
                total=state.n_rows,
                completed=state.n_done,
                rows=f"{state.n_done:,}{of_all} rows{left}" if state.n_done or of_all else "",
            )

        yield show


def warning_text(warning: Warning | str) -> str:
    """Translate the text of a warning into options of the command line."""
    from ..exceptions import DegenerateFitWarning

    is_of_the_fit = isinstance(warning, DegenerateFitWarning)
    text = in_options(str(warning), settings=is_of_the_fit)
    return text.replace("RDEPClassifier", "--estimator rdep") if is_of_the_fit else text


@contextmanager
def warnings_on_stderr() -> Iterator[None]:
    """Show warnings as ``rdep: warning: …``, without the source line."""
    shown: set[str] = set()

    def show(message, category, filename, lineno, file=None, line=None) -> None:
        text = warning_text(message)
        if text not in shown and not issubclass(category, _FOR_DEVELOPERS):
            shown.add(text)
            typer.echo(f"rdep: warning: {text}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield


@contextmanager
def leaving_nothing_behind() -> Iterator[None]:
    """Turn termination signals into exceptions, so that all clean-up code runs.

    Ctrl-C raises an exception anyway.
    """

    def leave(number, frame):
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():  # only the main one gets signals
        yield
        return
    # joblib's resource tracker removes the files of its workers, with a warning for each.
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
    """Run work in a thread so that Ctrl-C and SIGTERM take effect at once.

    The exception of a signal is raised here, and the thread goes on: only :func:`end_at_once` ends
    it.
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
    """End this process and its workers without waiting for running computations."""
    for worker in multiprocessing.active_children():
        if worker.pid is not None:
            os.kill(worker.pid, signal.SIGTERM)
    sys.stdout.flush()
    sys.stderr.flush()
    code = signalled.code if isinstance(signalled, SystemExit) else None
    os._exit(code if isinstance(code, int) else _INTERRUPTED)
