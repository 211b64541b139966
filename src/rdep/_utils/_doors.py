"""Lazy imports for the ``__init__`` of a package, which lists the names that others may import."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from .._registry import ENTRIES


def room(name: str) -> Any:
    """Room by its name, for a method that hands its work to a room below its own."""
    return import_module(f"{__package__.partition('.')[0]}.{name}")


def door(
    package: str, modules: Mapping[str, Sequence[str]] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a package whose modules are imported on first use.

    Parameters
    ----------
    package : str
        The package's ``__name__``.
    modules : mapping of str to sequence of str, optional
        Names by the module that defines them. Estimators come from the registry.
    """
    places = {
        name: entry.module
        for name, entry in ENTRIES.items()
        if entry.module.rpartition(".")[0] == package
    }
    for module, given in (modules or {}).items():
        places |= dict.fromkeys(given, f"{package}.{module}")

    def attribute(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(places[name]), name)
        vars(import_module(package))[name] = found
        return found

    def names() -> list[str]:
        return sorted(places)

    return attribute, names
