"""Run the tests with other versions of Python and packages: oldest, middle, newest.

``python -m tools.matrix`` creates each environment beside that of the checkout, installs the
package from a wheel, as a user would, and runs the tests. ``oldest`` has every package at its lower
bound in pyproject.toml, so that every bound is tested. The output also shows the window of SPEC 0
(three years of Python, two years of the other packages).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from packaging.requirements import Requirement

from .audit import ROOT, requirements_of

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@dataclass(frozen=True)
class Environment:
    """Version of Python, and pip's constraints on the packages."""

    python: str
    constraints: tuple[str, ...]


def bounds() -> tuple[str, ...]:
    """Every package that the tests need, at its lower bound."""
    pins = []
    for text in requirements_of(PROJECT, ["test"]):
        requirement = Requirement(text)
        (least,) = [part.version for part in requirement.specifier if part.operator == ">="]
        pins.append(f"{requirement.name}=={least}")
    return tuple(pins)


# Paths of the tests marked core, which need nothing from the other tests.
CORE = ("tests/training", "tests/model_files", "tests/scenarios/test_scikit_learn_checks.py")
# matplotlib 3.9 and typer 0.15 use what newer versions of these packages warn about, and warnings
# are errors here.
OF_THEIR_TIME = ("pyparsing<3.3", "click<8.2")
ENVIRONMENTS = {
    "oldest": Environment("3.11", bounds() + OF_THEIR_TIME),
    "middle": Environment("3.12", ("scikit-learn==1.8.*", "pandas==2.*")),
    "newest": Environment("3.13", ()),
}

# Release dates of minor versions: from python.org, and of the first files on PyPI.
RELEASED = {
    "python": {
        "3.11": date(2022, 10, 24),
        "3.12": date(2023, 10, 2),
        "3.13": date(2024, 10, 7),
        "3.14": date(2025, 10, 7),
    },
    "numpy": {
        "2.0": date(2024, 6, 16),
        "2.1": date(2024, 8, 18),
        "2.2": date(2024, 12, 8),
        "2.3": date(2025, 6, 7),
        "2.4": date(2025, 12, 20),
        "2.5": date(2026, 6, 21),
    },
    "scipy": {
        "1.14": date(2024, 6, 24),
        "1.15": date(2025, 1, 3),
        "1.16": date(2025, 6, 22),
        "1.17": date(2026, 1, 10),
        "1.18": date(2026, 6, 19),
    },
    "scikit-learn": {
        "1.6": date(2024, 12, 9),
        "1.7": date(2025, 6, 5),
        "1.8": date(2025, 12, 10),
        "1.9": date(2026, 6, 2),
    },
}
YEARS = {"python": 3, "numpy": 2, "scipy": 2, "scikit-learn": 2}


def window(today: date) -> dict[str, list[str]]:
    """Listed minor versions that SPEC 0 asks a package to support on a day."""
    return {
        name: [
            version
            for version, day in versions.items()
            if day <= today < day.replace(year=day.year + YEARS[name])
        ]
        for name, versions in RELEASED.items()
    }


def supported() -> dict[str, str]:
    """Lowest versions that pyproject.toml allows."""
    least = {"python": PROJECT["requires-python"].removeprefix(">=")}
    for text in PROJECT["dependencies"]:
        name, version = text.split(">=")
        least[name] = version
    return least


def shown_window(today: date) -> str:
    """Window of SPEC 0 and bounds of pyproject.toml, one line for each package."""
    lines = [f"SPEC 0 on {today}, and the oldest versions supported here:"]
    for name, versions in window(today).items():
        span = f"{versions[0]} to {versions[-1]}" if versions else "none that is known here"
        lines.append(f"  {name:13} {span:13} from {supported()[name]}")
    return "\n".join(lines)


def interpreter(version: str) -> str:
    """Find a Python of this version: this one, one on the path, or one of pyenv."""
    found = [sys.executable, shutil.which(f"python{version}")]
    if pyenv := shutil.which("pyenv"):
        listed = subprocess.run([pyenv, "versions", "--bare"], capture_output=True, text=True)
        names = [name for name in listed.stdout.split() if name.startswith(f"{version}.")]
        for name in names:
            prefix = subprocess.run([pyenv, "prefix", name], capture_output=True, text=True)
            found.append(f"{prefix.stdout.strip()}/bin/python")
    for path in filter(None, found):
        say = "import sys; print('%d.%d' % sys.version_info[:2])"
        answer = subprocess.run([path, "-c", say], capture_output=True, text=True)
        if answer.stdout.strip() == version:
            return path
    sys.exit(f"Python {version} is needed: python{version} on the path, or installed with pyenv")


def install(name: str, environment: Environment) -> Path:
    """Install the package and the requirements of its tests; return the environment's Python."""
    folder = ROOT / f".venv-{name}"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([interpreter(environment.python), "-m", "venv", str(folder)], check=True)
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(environment.constraints) + "\n", "utf-8")
    upgrade = ["--upgrade", "--upgrade-strategy", "eager"] if name == "newest" else []
    command = ["-m", "pip", "install", "--quiet", *upgrade, "--constraint", str(constraints)]
    subprocess.run([python, *command, f"{ROOT}[test]"], check=True)
    return python


def passes(name: str, form: str, core: bool) -> bool:
    """Whether the tests pass in the environment, and the package has the required form."""
    print(f"== {name}", flush=True)
    build = {"RDEP_BUILD": "compiled"} if form == "compiled" else {}
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **build}
    python = install(name, ENVIRONMENTS[name])
    tests = ["-m", "pytest", "-n", "auto", "--dist", "loadfile", "-p", "no:cacheprovider"]
    for command in (
        ["-c", "import rdep; rdep.show_versions()"],
        ["-m", "tools.compiled", *([form] if form else [])],
        [*tests, "-m", "core and not slow", *CORE] if core else [*tests, "tests"],
    ):
        if subprocess.run([python, *command], cwd=ROOT).returncode:
            return False
    return True


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="*", help=f"environments among {', '.join(ENVIRONMENTS)}; all by default"
    )
    parser.add_argument("--core", action="store_true", help="only the tests marked core")
    parser.add_argument("--form", choices=("compiled", "pure"), help="required form of the package")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(ENVIRONMENTS):
        parser.error(f"unknown environment {unknown.pop()}; known: {', '.join(ENVIRONMENTS)}")
    print(shown_window(date.today()), flush=True)
    names = options.names or ENVIRONMENTS
    failed = [name for name in names if not passes(name, options.form, options.core)]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
