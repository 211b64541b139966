"""Table of line and branch coverage of the package by room.

``python -m tools.coverage_by_room`` reads ``build/coverage.json``, which ``make coverage`` writes,
and exits with an error if the total is below the targets.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "build" / "coverage.json"
PACKAGE, LABORATORY = ("src", "rdep"), ("src", "rdep_experiment")
LINES, BRANCHES = 97.0, 95.0  # targets for the whole package, in per cent
N_LOWEST = 10


@dataclass
class Covered:
    """Numbers of lines and branches, in total and covered."""

    lines: int = 0
    lines_run: int = 0
    branches: int = 0
    branches_run: int = 0

    def add(self, summary: dict) -> None:
        """Add the coverage of one file."""
        self.lines += summary["num_statements"]
        self.lines_run += summary["covered_lines"]
        self.branches += summary["num_branches"]
        self.branches_run += summary["covered_branches"]

    @property
    def line_share(self) -> float:
        """Per cent of the lines covered; 100 if there are none."""
        return 100 * self.lines_run / self.lines if self.lines else 100.0

    @property
    def branch_share(self) -> float:
        """Per cent of the branches covered; 100 if there are none."""
        return 100 * self.branches_run / self.branches if self.branches else 100.0


def by_room(files: dict[str, dict]) -> dict[str, Covered]:
    """Coverage by room; modules of the package itself are the room ``rdep``."""
    rooms: dict[str, Covered] = {}
    for name, file in files.items():
        parts = inside(name)
        room = parts[0] if len(parts) > 1 else "rdep"
        rooms.setdefault(room, Covered()).add(file["summary"])
    return rooms


def inside(name: str) -> tuple[str, ...]:
    """Parts of a file's path inside the package; the laboratory is one room."""
    parts = PurePath(name.replace("\\", "/")).parts
    found = (PACKAGE, LABORATORY)
    start = max(i for i in range(len(parts)) if parts[i : i + 2] in found)
    return parts[start + (1 if parts[start : start + 2] == LABORATORY else 2) :]


def table(rooms: dict[str, Covered]) -> str:
    """Format the rooms in alphabetical order, and the total."""
    whole = total(rooms)
    rows = [*sorted(rooms.items()), ("all", whole)]
    lines = [f"{'room':14}{'lines':>8}{'run':>8}{'branches':>10}{'run':>8}"]
    lines += [
        f"{name:14}{covered.lines:8}{covered.line_share:7.1f}%"
        f"{covered.branches:10}{covered.branch_share:7.1f}%"
        for name, covered in rows
    ]
    return "\n".join(lines)


def total(rooms: dict[str, Covered]) -> Covered:
    """Total of all rooms."""
    return Covered(
        *(
            sum(getattr(covered, name) for covered in rooms.values())
            for name in ("lines", "lines_run", "branches", "branches_run")
        )
    )


def lowest(files: dict[str, dict]) -> str:
    """List the files with the most uncovered lines and branches."""

    def left(file: dict) -> int:
        summary = file["summary"]
        return summary["missing_lines"] + summary["missing_branches"]

    worst = sorted(files.items(), key=lambda item: -left(item[1]))[:N_LOWEST]
    return "\n".join(
        f"{left(file):4} of {file['summary']['num_statements'] + file['summary']['num_branches']:4}"
        f"  {'/'.join(inside(name))}"
        for name, file in worst
        if left(file)
    )


def problems(whole: Covered) -> list[str]:
    """List missed targets."""
    shares = {"lines": (whole.line_share, LINES), "branches": (whole.branch_share, BRANCHES)}
    return [
        f"{share:.1f} % of the {what} are covered, but the target is {target:.0f} %"
        for what, (share, target) in shares.items()
        if share < target
    ]


def main() -> int:
    """Print the table; return 1 if a target is missed."""
    files = json.loads(REPORT.read_text("utf-8"))["files"]
    rooms = by_room(files)
    print(table(rooms))
    print(f"\nUncovered lines and branches, most first:\n{lowest(files)}")
    missed = problems(total(rooms))
    print("\n" + ("\n".join(missed) or "Both targets are met."))
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
