"""Dilation-erosion perceptrons and their family: morphological classifiers for scikit-learn."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._registry import all_estimators, names_in, resolve

if TYPE_CHECKING:
    from ._registry import *  # noqa: F403
    from ._utils._versions import show_versions as show_versions
    from .lattice import dilation as dilation
    from .lattice import erosion as erosion

__version__ = "0.2.0"

_FUNCTIONS = {
    "dilation": "rdep.lattice",
    "erosion": "rdep.lattice",
    "show_versions": "rdep._utils._versions",
}
_PACKAGES = (
    "blocks", "cli", "datasets", "display", "exceptions", "guarantees", "hyperboxes", "images",
    "inspection", "kernels", "lattice", "memories", "model_files", "networks", "onnx", "orderings",
    "perceptrons", "scoring", "tables", "training",
)  # fmt: skip

__all__ = ["all_estimators", *sorted(_FUNCTIONS), *sorted(names_in("rdep"))]


if not TYPE_CHECKING:  # a type checker knows the names above, and that there are no others

    def __getattr__(name: str) -> Any:
        """Import what is asked for, once: the command's help and completion need none of it."""
        if name in _FUNCTIONS:
            found = getattr(import_module(_FUNCTIONS[name]), name)
        elif name in names_in("rdep"):
            found = resolve(name)
        elif name in _PACKAGES:
            return import_module(f"rdep.{name}")
        else:
            raise AttributeError(f"module 'rdep' has no attribute {name!r}")
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted(["__version__", *__all__, *_PACKAGES])
