"""Shared parameter descriptions in docstrings of several estimators."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import TypeVar

Class = TypeVar("Class", bound=type)


def documented(**texts: str) -> Callable[[Class], Class]:
    """Replace each line ``%(name)s`` in the docstring of a class by its text."""

    def decorate(cls: Class) -> Class:
        if cls.__doc__ is not None:  # None with python -OO
            for name, text in texts.items():
                cls.__doc__ = cls.__doc__.replace(
                    f"    %({name})s", indent(text.strip("\n"), "    ")
                )
        return cls

    return decorate
