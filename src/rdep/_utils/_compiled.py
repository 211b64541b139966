"""Compiled form of training, if it was built and is not disabled."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

PURE_PYTHON = "RDEP_PURE_PYTHON"


def compiled_core() -> ModuleType | None:
    """Extension module; None if it was not built, or ``RDEP_PURE_PYTHON=1`` disables it."""
    if _is_refused():
        return None
    try:
        return importlib.import_module("rdep.training._compiled")
    except ImportError:
        return None


def _is_refused() -> bool:
    """Whether ``RDEP_PURE_PYTHON`` is set to a value other than empty or 0."""
    return os.environ.get(PURE_PYTHON, "0") not in ("", "0")


def core_in_use() -> str:
    """Describe which form of training runs, and why."""
    if compiled_core() is not None:
        return "compiled"
    if _is_refused():
        return f"NumPy ({PURE_PYTHON} is set)"
    return "NumPy (the extension was not built)"
