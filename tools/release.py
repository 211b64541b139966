"""Check whether this checkout can be released: gaps, versions and the date in the changelog.

``python -m tools.release`` prints what is missing and exits with 1 if anything is. With
``--tag v0.2.0``, the tag must also match the version; the release workflow checks this before it
builds anything. The script needs the standard library only.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# A line with this word describes what only the owners of the project can fill in.
GAP = "GAP:"
BEFORE_A_RELEASE = ("pyproject.toml", "CODE_OF_CONDUCT.md", "SECURITY.md", "CITATION.cff")
# Files with gaps that are filled after the upload to PyPI, or for a journal.
AFTER_A_RELEASE = ("conda/recipe/recipe.yaml", "paper.md")


def gaps(root: Path = ROOT, files: tuple[str, ...] = BEFORE_A_RELEASE) -> list[str]:
    """List the open gaps, as ``file:line: what is missing``."""
    found = []
    for name in files:
        for number, line in enumerate((root / name).read_text("utf-8").splitlines(), start=1):
            if GAP in line:
                found.append(f"{name}:{number}: {line.split(GAP)[1].strip(' ->')}")
    return found


def versions(root: Path = ROOT) -> dict[str, str]:
    """Version in each file."""
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
    """List everything that prevents a release of this checkout."""
    found = gaps(root)
    stated = versions(root)
    version = stated["src/rdep/__init__.py"]
    found += [
        f"{name} states version {other}, but the package has {version}"
        for name, other in stated.items()
        if other != version
    ]
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", changelog, re.MULTILINE):
        found.append(f"CHANGELOG.md: the section of {version} has no date")
    if tag is not None and tag != f"v{version}":
        found.append(f"the tag is {tag}, but the version is {version}")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print what is missing; return 1 if anything is."""
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
