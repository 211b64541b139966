"""The command `rdep`. Every command calls one function of the package."""

from __future__ import annotations

import sys
from typing import Annotated

from .. import __version__
from ._app import app, typer
from ._options import in_options

# Imported for their commands.
from . import _models as models, _experiment as experiment  # isort: skip # noqa: F401


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"rdep {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command; errors end with a message and exit code 2."""
    try:
        app()
    except (ValueError, OSError, ImportError) as error:
        typer.echo(f"rdep: {in_options(str(error))}", err=True)
        sys.exit(2)
