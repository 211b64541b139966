"""The optional packages behind tables, imported where they are needed."""

from __future__ import annotations

from .._utils._imports import optional

_USE, _EXTRA = "reading and writing tables", "cli"


def pandas():
    """The module, or an error that says how to install it."""
    return optional("pandas", _USE, _EXTRA)


def pyarrow():
    """The module with its parts for CSV, Parquet and computing, or how to install it."""
    for part in ("compute", "csv", "ipc", "parquet"):
        optional(f"pyarrow.{part}", _USE, _EXTRA)
    return optional("pyarrow", _USE, _EXTRA)


def calamine():
    """The module that reads workbooks, or how to install it."""
    return optional("python_calamine", "reading Excel files", _EXTRA)
