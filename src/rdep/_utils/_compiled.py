"""Compiled forms of training and of filters, if they were built and are not disabled."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

PURE_PYTHON = "RDEP_PURE_PYTHON"


def compiled_core(name: str = "rdep.training._compiled") -> ModuleType | None:
    """Extension module; None if it was not built, or ``RDEP_PURE_PYTHON=1`` disables it."""
    if _is_refused():
        return None
    try:
        return importlib.import_module(name)
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
