"""The map of the source in CONTRIBUTING.md, made from the first sentence of every module.

``python -m tools.room_map`` writes it anew. Modules of registered estimators are left out: of
those the registry is the map.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from rdep._registry import ENTRIES

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "rdep"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
# From the top of the house to the ground: each room may import only what stands before it.
ROOMS = (
    "exceptions", "_registry", "_utils", "_base", "lattice", "training", "inspection", "kernels",
    "orderings", "perceptrons", "hyperboxes", "networks", "display", "images", "datasets", "tables",
    "model_files", "onnx", "experiment", "cli",
)  # fmt: skip
_TABLE = re.compile(r"(\| module \| idea \|\n\|---\|---\|\n)((?:\| .* \|\n)*)")


def rows() -> list[str]:
    """One row for every module that holds no registered estimator, in the order of the rooms."""
    registered = {
        entry.module.removeprefix("rdep.").replace(".", "/") for entry in ENTRIES.values()
    }
    modules = [
        path.relative_to(SOURCE).with_suffix("").as_posix()
        for path in SOURCE.rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py")
    ]
    modules.sort(key=lambda module: (ROOMS.index(module.split("/")[0]), module))
    return [f"| `{name}` | {_idea(name)} |" for name in modules if name not in registered]


def _idea(module: str) -> str:
    text = ast.get_docstring(ast.parse((SOURCE / f"{module}.py").read_text("utf-8")))
    if text is None:
        raise ValueError(f"src/rdep/{module}.py has no docstring that says what it is for")
    return " ".join(text.split("\n\n")[0].split()).rstrip(".")


def written() -> list[str]:
    """The rows that CONTRIBUTING.md has."""
    found = _TABLE.search(CONTRIBUTING.read_text("utf-8"))
    return found[2].splitlines() if found else []


def main() -> None:
    text = CONTRIBUTING.read_text("utf-8")
    table = "".join(f"{row}\n" for row in rows())
    CONTRIBUTING.write_text(_TABLE.sub(lambda found: found[1] + table, text), "utf-8")


if __name__ == "__main__":
    main()
