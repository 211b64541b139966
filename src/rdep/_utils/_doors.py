"""The door of a room: its ``__init__`` names what others may import, and imports it on use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from .._registry import ENTRIES


def door(
    package: str, modules: Mapping[str, Sequence[str]] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package whose modules are imported on first use.

    Parameters
    ----------
    package : str
        The package's ``__name__``.
    modules : mapping of str to sequence of str, optional
        Names by the module that defines them. Estimators are known from the registry.
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
