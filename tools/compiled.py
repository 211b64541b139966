"""Show which Cython sources of the checkout are compiled in the installed package.

``python -m tools.compiled`` prints them. With ``compiled`` or ``pure``, it fails if the installed
form is another one.
"""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"


def modules(source: Path = SOURCE) -> list[str]:
    """Names of the modules written in Cython."""
    paths = sorted(source.rglob("*.pyx"))
    return [".".join(path.relative_to(source).with_suffix("").parts) for path in paths]


def is_compiled(module: str) -> bool:
    """Whether a module would be imported from an extension."""
    spec = find_spec(module)
    return spec is not None and (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES))


def main(forms: list[str]) -> None:
    found = {name: is_compiled(name) for name in modules()}
    for name, compiled in found.items():
        print(f"{name}: {'compiled' if compiled else 'pure Python in its place'}")
    if not found:
        print("There are no Cython sources: pure Python.")
    expected = {"compiled": True, "pure": False}
    if any(compiled != expected[form] for form in forms for compiled in found.values()):
        sys.exit(f"this should be {forms[0]}")


if __name__ == "__main__":
    main(sys.argv[1:])
