"""Optional packages, imported where they are used; one message where one is missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def optional(module: str, what: str, extra: str) -> ModuleType:
    """The module, or an error that says what needs it and how to install it."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{what} needs {package}, which is not installed or does not load ({error}): "
            f"pip install 'rdep[{extra}]'"
        ) from error
