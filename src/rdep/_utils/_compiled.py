"""The compiled form of training, where it was built and is wanted."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

PURE_PYTHON = "RDEP_PURE_PYTHON"


def compiled_core() -> ModuleType | None:
    """The extension module; None where it was not built, or ``RDEP_PURE_PYTHON=1`` refuses it."""
    if os.environ.get(PURE_PYTHON, "0") != "0":
        return None
    try:
        return importlib.import_module("rdep.training._compiled")
    except ImportError:
        return None


def core_in_use() -> str:
    """Which form of training runs, and why, in words."""
    if compiled_core() is not None:
        return "compiled"
    if os.environ.get(PURE_PYTHON, "0") != "0":
        return f"NumPy ({PURE_PYTHON} is set)"
    return "NumPy (the extension was not built)"
