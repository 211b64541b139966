"""Versions of the packages that a result depends on."""

from __future__ import annotations

import platform
from importlib.metadata import version


def versions() -> dict[str, str]:
    packages = ("rdep", "scikit-learn", "numpy", "scipy")
    return {**{name: version(name) for name in packages}, "python": platform.python_version()}
