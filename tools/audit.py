"""Audit the dependencies offline: the lock, licences, and imports.

The script checks, without any network, that

- every package of the lock has one version and a SHA-256, and no address of an index;
- every package has a wheel, except those listed below, which run their own code on installation;
- the installed versions are the locked ones, and meet the requirements of pyproject.toml;
- every licence is on the list below, and none is a GPL;
- all imports in the sources are declared in pyproject.toml.

Known vulnerabilities need a database that changes every day: run `pip-audit -r requirements.lock`,
which needs the network, separately.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import Distribution, distributions, packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .lock import FROM_SOURCE
from .release import gaps

ROOT = Path(__file__).parents[1]
LINE = re.compile(r"(?P<name>[a-z0-9.-]+)==(?P<version>\S+)( --hash=sha256:[0-9a-f]{64})+")
ADDRESS = re.compile(r"https?://|file:|git\+|--(extra-)?index-url|--find-links|--trusted-host|@")
NOT_LOCKED = {"rdep", "pip", "wheel"}  # the project, and tools that create environments
BUILT_FROM_SOURCE = {"baycomp"}  # a few files of pure Python, without a wheel
# Licences that the metadata do not state clearly, looked up in the licence files.
LOOKED_UP = {
    "docutils": "public domain and BSD; the one file under the GPL is for Emacs and not used",
    "skops": "MIT",
}
ALLOWED = re.compile(
    r"\b(MIT|BSD|Apache|PSF|Python Software Foundation|ISC|MPL|Mozilla Public|HPND|CMU|Zlib|0BSD"
    r"|Unlicense|CC0|Historical Permission)",
    re.IGNORECASE,
)
REFUSED = re.compile(r"\b[AL]?GPL|GNU (Lesser |Affero )?General Public", re.IGNORECASE)


def check_lock(text: str) -> list[str]:
    """List problems in the text of a lock."""
    problems, names = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#") or not line:
            continue
        match = LINE.fullmatch(line)
        if ADDRESS.search(line):
            problems.append(f"line {number} holds an address or an option: {line}")
        elif not match:
            problems.append(f"line {number} is not NAME==VERSION with a SHA-256: {line}")
        else:
            names.append(match["name"])
    listed = re.findall(f"^{FROM_SOURCE} (.*)$", text, re.MULTILINE)
    built = set(", ".join(listed).split(", ")) - {"none"}
    problems += [
        f"{name} has no wheel: check what its code does when it is built, then list it"
        for name in sorted(built - BUILT_FROM_SOURCE)
    ]
    if not listed:
        problems.append("the lock does not list packages built from source: run `make lock`")
    problems += [f"{name} is locked twice" for name in set(names) if names.count(name) > 1]
    return problems if names else [*problems, "the lock is empty"]


def locked_versions(text: str) -> dict[str, str]:
    return {
        match["name"]: match["version"] for match in map(LINE.fullmatch, text.splitlines()) if match
    }


def check_installed(locked: dict[str, str], installed: dict[str, str]) -> list[str]:
    """List differences between the versions of an environment and those of the lock."""
    others = {name: version for name, version in installed.items() if name not in NOT_LOCKED}
    return [
        f"{name} {version} is installed, but {locked.get(name, 'nothing')} is locked"
        for name, version in sorted(others.items())
        if locked.get(name) != version
    ]


def check_declared(locked: dict[str, str], requirements: list[str]) -> list[str]:
    """List requirements that the lock does not meet."""
    problems = []
    for text in requirements:
        requirement = Requirement(text)
        version = locked.get(canonicalize_name(requirement.name))
        if version is None or not requirement.specifier.contains(version, prereleases=True):
            problems.append(f"pyproject.toml requires {text}, but {version} is locked")
    return problems


def check_licence(name: str, licence: str) -> list[str]:
    """List problems with the licence that a package states."""
    if name in LOOKED_UP:
        return []
    # If a package offers a choice of licences, one allowed licence is enough.
    choices = re.split(r"\s+OR\s+", licence)
    if any(ALLOWED.search(choice) and not REFUSED.search(choice) for choice in choices):
        return []
    return [f"{name}: the licence {licence or 'is not stated'!r} is not on the list of {__name__}"]


def licence_of(distribution: Distribution) -> str:
    """Licence expression of a package, or the fields that older packages use instead."""
    metadata = distribution.metadata
    if expression := metadata.get("License-Expression"):
        return expression
    classifiers = metadata.get_all("Classifier") or []
    named = [text.split(" :: ")[-1] for text in classifiers if text.startswith("License ::")]
    first_line = (metadata.get("License") or "").strip().split("\n")[0]
    return "; ".join(named) or first_line


def check_imports(sources: list[Path], declared: set[str], own: set[str]) -> list[str]:
    """List imports of packages that pyproject.toml does not declare."""
    providers = packages_distributions()
    problems = set()
    for path in sources:
        for module in imported(path.read_text("utf-8")):
            if module in sys.stdlib_module_names or module in own:
                continue
            names = {canonicalize_name(name) for name in providers.get(module, [module])}
            if not names & declared:
                problems.add(f"{path.relative_to(ROOT)} imports {module}, which is not declared")
    return sorted(problems)


def imported(source: str) -> set[str]:
    """Top-level names of all modules that a source imports."""
    modules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            modules.add(node.module.split(".")[0])
    return modules


def requirements_of(project: dict, extras: list[str]) -> list[str]:
    """Requirements of the project with extras, including extras of extras."""
    optional = project["optional-dependencies"]
    wanted = list(project["dependencies"])
    for extra in extras:
        for text in optional[extra]:
            requirement = Requirement(text)
            if requirement.name == project["name"]:
                wanted += requirements_of(project, sorted(requirement.extras))
            else:
                wanted.append(text)
    return list(dict.fromkeys(wanted))


def problems() -> list[str]:
    """List all problems of this checkout in this environment."""
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    locked = locked_versions(lock)
    present = {canonicalize_name(d.metadata["Name"]): d for d in distributions()}
    installed = {name: distribution.version for name, distribution in present.items()}
    everything = requirements_of(project, list(project["optional-dependencies"]))
    declared = {canonicalize_name(Requirement(text).name) for text in everything}
    # scikit-learn depends on both and installs them.
    declared |= {"joblib", "threadpoolctl"}
    declared |= {"pillow"}  # installed by matplotlib
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    found = check_lock(lock)
    found += check_declared(locked, requirements_of(project, ["dev", "docs"]))
    found += check_installed(locked, installed)
    for name in sorted(locked.keys() & present.keys()):
        found += check_licence(name, licence_of(present[name]))
    own = {"rdep", "rdep_experiment", "tests", "benchmarks", "tools", "examples"}
    found += check_imports(sources, declared, own)
    return found


def main() -> int:
    """Print all problems, and what a release still needs; return 1 if there is a problem."""
    found = problems()
    print("\n".join(found) or "Dependencies: no problems found.")
    if missing := gaps():
        print("Not set yet, needed before a release:", *missing, sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
