"""Warnings as lines on standard error, each one once, when they occur."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

_FOR_DEVELOPERS = (DeprecationWarning, PendingDeprecationWarning, ResourceWarning)


def warning_text(warning: Warning | str) -> str:
    """A warning in the words of the command line."""
    from ..exceptions import DegenerateFitWarning

    if isinstance(warning, DegenerateFitWarning):
        return warning.text(_setting, "--estimator rdep")
    return str(warning)


def _setting(name: str, value: Any) -> str:
    return f"--set {name}={str(value).lower() if value is None or value is True else value}"


@contextmanager
def warnings_on_stderr() -> Iterator[None]:
    """Show warnings as ``rdep: warning: …``, without the line of code that they come from."""
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
