"""The application that the commands join."""

from __future__ import annotations

import sys

try:
    import typer
except ImportError:  # pragma: no cover
    sys.exit("the command rdep needs typer: pip install 'rdep[cli]'")

app = typer.Typer(
    help="Dilation-erosion perceptrons: classifiers for tables, and the paper's experiment.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
