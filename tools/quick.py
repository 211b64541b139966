"""Run the tests nearest to a change within a minute: ``python -m tools.quick``, ``make quick``.

A change consists of the files that differ from the last commit or, if there are none, from the
branch that this one was made from. Without any change, a few fixed tests are run.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]
SECONDS = 50.0  # time for tests; their imports take the rest of the minute
# Rules that any change may break.
RULES = ("tests/scenarios/test_rooms.py", "tests/scenarios/test_structure.py")
# Tests of a small model: training, estimator, public import.
SMOKE = (
    *RULES,
    "tests/test_registry.py",
    "tests/lattice",
    "tests/training/test_ccp.py",
    "tests/perceptrons/test_dep.py",
)
_SNIPPETS = "tests/docs/test_pages.py::test_snippets"
# Pages whose snippets have tests of their own.
_PAGES = {
    "guide/networks.md": "tests/docs/test_network_guide.py",
    "tutorial.md": "tests/docs/test_quickstart.py",
}
_FOLDERS = {"_base": "base", "_utils": "utils"}


def git(*arguments: str) -> list[str]:
    """Run git and return the lines of its output; none if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed_files() -> list[str]:
    """Files that differ from the last commit, or else from the branch this one was made from."""
    here = [
        *git("diff", "--name-only", "HEAD"),
        *git("ls-files", "--others", "--exclude-standard"),
    ]
    return here or git("diff", "--name-only", "origin/HEAD...HEAD")


def nearest_tests(file: str) -> list[str]:
    """Possible tests of one file, the nearest first; they may not exist."""
    path = PurePosixPath(file)
    top = path.parts[0]
    if top == "tests":
        return [file if path.name.startswith("test_") else path.parent.as_posix()]
    if top == "tools":
        return [f"tests/tools/test_{path.stem}.py"]
    if top == "benchmarks":
        return ["tests/scenarios/test_benchmarks.py"]
    if path.suffix == ".md":
        inside = path.relative_to("docs").as_posix() if top == "docs" else ""
        own = _PAGES.get(inside, f"{_SNIPPETS}[{inside}]")
        return [own if inside else "tests/scenarios/test_readme.py"]
    if top == "src":
        return _of_source(path)
    return []


def _of_source(path: PurePosixPath) -> list[str]:
    package, *rooms = path.parts[1:-1]
    rooms = [_FOLDERS.get(room, room) for room in rooms]
    folder = PurePosixPath("tests", *([] if package == "rdep" else [package]), *rooms)
    own = (folder / f"test_{path.stem.removeprefix('_')}.py").as_posix()
    tests = [own, path.as_posix()]  # the source itself, for its examples
    is_shared = path.stem == "__init__" or rooms[:1] == ["base"]
    if is_shared or not (ROOT / own).exists():
        tests.append(folder.as_posix() if rooms else "tests/test_registry.py")
    return [*tests, *SMOKE] if is_shared else tests


def selection(files: Iterable[str]) -> list[str]:
    """Tests to run for these changes: each once, the nearest first."""
    near = [test for file in files for test in nearest_tests(file) if _exists(test)]
    chosen = [*near, *RULES] if near else SMOKE
    return list(dict.fromkeys(chosen))


def _exists(test: str) -> bool:
    file, _, name = test.partition("::")
    if name:  # only pages with examples are tests
        page = ROOT / "docs" / name.partition("[")[2].removesuffix("]")
        return page.exists() and "```pycon" in page.read_text("utf-8")
    return (ROOT / file).exists()


class Budget:
    """End a run of pytest after the test during which the time runs out."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.session: pytest.Session | None = None
        self.is_over = False

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Store the session, in order to end it."""
        self.session = session

    def pytest_runtest_logfinish(self) -> None:
        """Check the time after each test."""
        if time.monotonic() > self.end and self.session is not None:
            self.is_over = True
            self.session.shouldstop = "the minute is over: make test runs all tests"


def run(tests: list[str], seconds: float = SECONDS) -> int:
    """Run the tests for at most ``seconds``; return 0 if none of them failed."""
    budget = Budget(seconds)
    code = pytest.main(["-q", "--maxfail=5", "-p", "no:xdist", *tests], plugins=[budget])
    if budget.is_over and budget.session is not None:
        return int(budget.session.testsfailed > 0)
    return int(code)


def main() -> int:
    """Run the tests nearest to the change."""
    tests = selection(changed_files())
    print("Nearest to the change:", *tests, sep="\n  ")
    return run(tests)


if __name__ == "__main__":
    sys.exit(main())
