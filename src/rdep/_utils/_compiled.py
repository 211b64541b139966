"""The compiled form of training, where it was built and is wanted."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

PURE_PYTHON = "RDEP_PURE_PYTHON"


def compiled_core() -> ModuleType | None:
    """The extension module; None where it was not built, or ``RDEP_PURE_PYTHON=1`` refuses it."""
    if _is_refused():
        return None
    try:
        return importlib.import_module("rdep.training._compiled")
    except ImportError:
        return None


def _is_refused() -> bool:
    """Whether the variable is set; empty or 0 it is not."""
    return os.environ.get(PURE_PYTHON, "0") not in ("", "0")


def core_in_use() -> str:
    """Which form of training runs, and why, in words."""
    if compiled_core() is not None:
        return "compiled"
    if _is_refused():
        return f"NumPy ({PURE_PYTHON} is set)"
    return "NumPy (the extension was not built)"
