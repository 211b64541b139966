"""Parameters that several estimators have, described once."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import TypeVar

Class = TypeVar("Class", bound=type)


def documented(**texts: str) -> Callable[[Class], Class]:
    """Put each text in place of ``%(name)s``, a line of its own in the docstring of a class."""

    def decorate(cls: Class) -> Class:
        if cls.__doc__ is not None:  # python -OO has none
            for name, text in texts.items():
                cls.__doc__ = cls.__doc__.replace(
                    f"    %({name})s", indent(text.strip("\n"), "    ")
                )
        return cls

    return decorate
