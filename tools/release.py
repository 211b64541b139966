"""Whether this checkout can be released: gaps filled, one version everywhere, the changelog dated.

``python -m tools.release`` prints what is missing and ends with 1. With ``--tag v0.2.0``, the tag
has to be that of the version as well: the release workflow asks so before it builds anything. The
standard library is enough to run it.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# A line with this word says what only the owners of the project can fill in.
GAP = "GAP:"
BEFORE_A_RELEASE = ("pyproject.toml", "CODE_OF_CONDUCT.md", "SECURITY.md", "CITATION.cff")
# What can be known only when the files are on PyPI, or is for a journal.
AFTER_A_RELEASE = ("conda/recipe/recipe.yaml", "paper.md")


def gaps(root: Path = ROOT, files: tuple[str, ...] = BEFORE_A_RELEASE) -> list[str]:
    """Every gap that is not filled, as ``file:line: what is missing``."""
    found = []
    for name in files:
        for number, line in enumerate((root / name).read_text("utf-8").splitlines(), start=1):
            if GAP in line:
                found.append(f"{name}:{number}: {line.split(GAP)[1].strip(' ->')}")
    return found


def versions(root: Path = ROOT) -> dict[str, str]:
    """The version that each file states."""
    stated = {
        "src/rdep/__init__.py": r'^__version__ = "(.+)"$',
        "CITATION.cff": r"^version: (.+)$",
        "CHANGELOG.md": r"^## (\S+)",
        "conda/recipe/recipe.yaml": r'^  version: "(.+)"$',
    }
    found = {}
    for name, pattern in stated.items():
        match = re.search(pattern, (root / name).read_text("utf-8"), re.MULTILINE)
        found[name] = match[1] if match else "none"
    return found


def problems(root: Path = ROOT, tag: str | None = None) -> list[str]:
    """All that is between this checkout and a release."""
    found = gaps(root)
    stated = versions(root)
    version = stated["src/rdep/__init__.py"]
    found += [
        f"{name} states version {other}, and the package {version}"
        for name, other in stated.items()
        if other != version
    ]
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", changelog, re.MULTILINE):
        found.append(f"CHANGELOG.md: the section of {version} has no date")
    if tag is not None and tag != f"v{version}":
        found.append(f"the tag is {tag}, and the version {version}")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print what is missing; 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tag", help="the tag that is being released")
    options = parser.parse_args(arguments)
    found = problems(tag=options.tag)
    print("\n".join(found) or "Ready to be released.")
    later = gaps(files=AFTER_A_RELEASE)
    if later:
        print("After the release:", *later, sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
