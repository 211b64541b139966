"""Warnings as lines on standard error, each one once, when they occur."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

_FOR_DEVELOPERS = (DeprecationWarning, PendingDeprecationWarning, ResourceWarning)


@contextmanager
def warnings_on_stderr() -> Iterator[None]:
    """Show warnings as ``rdep: warning: …``, without the line of code that they come from."""
    shown: set[str] = set()

    def show(message, category, filename, lineno, file=None, line=None) -> None:
        text = str(message)
        if text not in shown and not issubclass(category, _FOR_DEVELOPERS):
            shown.add(text)
            typer.echo(f"rdep: warning: {text}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
