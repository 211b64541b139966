"""Versions of the packages that a result depends on."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from ._compiled import core_in_use

_CORE = ("rdep", "scikit-learn", "numpy", "scipy")
_OPTIONAL = (
    "joblib", "threadpoolctl", "pandas", "pyarrow", "skops", "typer", "rich", "matplotlib",
    "jinja2", "networkx", "onnx", "onnxruntime", "skl2onnx", "scikit-image", "distributed",
)  # fmt: skip


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results depend on."""
    return {**_core_versions(), "python": platform.python_version()}


@cache  # each is read from a file, whenever a model is loaded
def _core_versions() -> dict[str, str]:
    return {name: version(name) for name in _CORE}


def show_versions() -> None:
    """Print information for bug reports: versions, platform, optional packages, threads."""
    lines = {**versions(), "platform": platform.platform(), "training": core_in_use()}
    for name in _OPTIONAL:
        try:
            lines[name] = version(name)
        except PackageNotFoundError:
            lines[name] = "not installed"
    for name, value in lines.items():
        print(f"{name:14}{value}")
    for pool in _thread_pools():
        print(f"{'threads':14}{pool}")


def _thread_pools() -> list[str]:
    import sklearn  # noqa: F401  # loads the libraries whose threads are counted
    from threadpoolctl import threadpool_info

    return [
        f"{pool['num_threads']} in {pool['internal_api']} {pool['version'] or ''}".rstrip()
        for pool in threadpool_info()
    ]
