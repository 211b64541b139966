"""Optional packages, imported where they are used; one message where one is missing."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_TABLES = ("reading and writing tables", "cli")


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


def pandas() -> Any:
    """The module, or an error that says how to install it."""
    return optional("pandas", *_TABLES)


def pyarrow() -> Any:
    """The module with its parts for CSV, Parquet and computing, or how to install it."""
    loaded = sys.modules.get("pyarrow")
    for part in ("compute", "csv", "ipc", "parquet"):
        if not hasattr(loaded, part):  # asked for at every column of every block
            optional(f"pyarrow.{part}", *_TABLES)
    return optional("pyarrow", *_TABLES)
