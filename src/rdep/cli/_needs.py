"""The optional packages of each command, looked for before its work begins."""

from __future__ import annotations

from .._utils._imports import optional

TABLES = ("pandas", "pyarrow")
MODEL_FILES = ("skops",)
FIGURES = ("pandas", "matplotlib", "networkx")
REPORT = (*FIGURES, "jinja2")


def require(command: str, *packages: str, extra: str = "cli") -> None:
    """Raise an ``ImportError`` that names the extra, if one of the packages is missing."""
    for package in packages:
        optional(package, f"rdep {command}", extra)
