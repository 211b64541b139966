"""The application that the commands join."""

from __future__ import annotations

import os
import sys
from importlib.metadata import entry_points
from itertools import pairwise
from typing import Any

try:
    import typer
    from typer.core import TyperCommand, TyperGroup
except ImportError:  # pragma: no cover
    sys.exit("the command rdep needs typer: pip install 'rdep[cli]'")

# The class of Click, which is part of Typer in some versions.
_UsageError: Any = typer.BadParameter.__base__
# Exit code that a shell reports for a program ended by SIGPIPE.
_NO_READER = 141


# Entry points of packages that add commands: the name of a command, and its app.
_GROUP = "rdep.commands"
_CALIBRATE = "--calibrate"
_FALSE = ("false", "no", "off", "0")
_TRUTH_VALUES = ("true", "yes", "on", "1", *_FALSE)
_LABORATORY = ("datasets", "evaluate", "figures", "report", "reproduce")


class Command(TyperCommand):
    """Command that shows flags as flags, and explains the error if a flag is given a value."""

    def get_params(self, ctx):
        return _without_types_of_flags(super().get_params(ctx))

    def parse_args(self, ctx, args):
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            flags = {name for option in self.params if _is_flag(option) for name in option.opts}
            for flag, value in pairwise(given):
                if flag in flags and value.lower() in _TRUTH_VALUES:
                    advice = "leave it out" if value.lower() in _FALSE else f"write {flag} alone"
                    error.message = f"{flag} takes no value, such as {value!r}: {advice}."
            raise


def _is_flag(option) -> bool:
    return bool(getattr(option, "is_flag", False))


def _without_types_of_flags(options):
    """Remove the type from the help of flags, as in ``--json <bool>``."""
    for option in options:
        if _is_flag(option):
            option.metavar = ""
    return options


class App(typer.Typer):
    """Typer application whose commands are of class ``Command``."""

    def command(self, *arguments, **settings):
        """Register a command, like ``typer.Typer.command``."""
        return super().command(*arguments, **{"cls": Command, **settings})


class Commands(TyperGroup):
    """All commands. Each ends quietly if its output is closed, as in ``rdep predict … | head``.

    Commands of other packages are found by their entry points, and imported when they are used.
    """

    def get_params(self, ctx):
        return _without_types_of_flags(super().get_params(ctx))

    def invoke(self, ctx):
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Python would try again to write the remaining output when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(_NO_READER) from None

    def resolve_command(self, ctx, args):
        return super().resolve_command(ctx, with_method(args))

    def list_commands(self, ctx):
        own = super().list_commands(ctx)
        found = (entry.name for entry in entry_points(group=_GROUP))
        return [*own, *(name for name in found if name not in own)]

    def get_command(self, ctx, cmd_name):
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        for entry in entry_points(group=_GROUP, name=cmd_name):
            return typer.main.get_group(entry.load()).commands[cmd_name]
        if cmd_name in _LABORATORY:
            raise ImportError(
                f"rdep {cmd_name} is a command of the package rdep_experiment, which is not "
                "installed: pip install --force-reinstall 'rdep[cli]'"
            )
        return None


def with_method(args: list[str]) -> list[str]:
    """Insert ``sigmoid`` after a ``--calibrate`` without a method."""
    completed = []
    for word, following in zip(args, [*args[1:], ""], strict=True):
        completed.append(word)
        if word == _CALIBRATE and not following.isalpha():
            completed.append("sigmoid")
    return completed


def new_app() -> typer.Typer:
    """Create an application without commands."""
    return App(
        cls=Commands,
        help="Dilation-erosion perceptrons: classifiers for tables, and the paper's experiment.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
    )


app = new_app()
