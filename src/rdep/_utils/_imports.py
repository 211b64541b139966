"""Imports of optional packages, with one error message if a package is missing."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_TABLES = ("reading and writing tables", "cli")


def optional(module: str, what: str, extra: str) -> ModuleType:
    """Import a module, or raise an error that says what needs it and how to install it."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{what} needs {package}, which is not installed or does not load ({error}): "
            f"pip install 'rdep[{extra}]'"
        ) from error


def pandas() -> Any:
    """Import pandas, or raise an error that says how to install it."""
    return optional("pandas", *_TABLES)


def pyarrow() -> Any:
    """Import pyarrow with its modules for CSV, Parquet and computing, or raise an error."""
    loaded = sys.modules.get("pyarrow")
    for part in ("compute", "csv", "ipc", "parquet"):
        if not hasattr(loaded, part):  # called for every column of every block
            optional(f"pyarrow.{part}", *_TABLES)
    return optional("pyarrow", *_TABLES)
