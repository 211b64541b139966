"""The application that the commands join."""

from __future__ import annotations

import os
import sys

try:
    import typer
    from typer.core import TyperGroup
except ImportError:  # pragma: no cover
    sys.exit("the command rdep needs typer: pip install 'rdep[cli]'")

# What a shell says of a program that SIGPIPE has ended.
_NO_READER = 141


class Commands(TyperGroup):
    """All commands: each ends quietly where nobody reads on, as in ``rdep predict … | head``."""

    def invoke(self, ctx):
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # What is still to be written would be tried again when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(_NO_READER) from None


app = typer.Typer(
    cls=Commands,
    help="Dilation-erosion perceptrons: classifiers for tables, and the paper's experiment.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
