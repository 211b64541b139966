"""Write requirements.lock: every package of the development environment, by version and hash.

pip resolves the packages in its installation report. Versions of the present lock are kept unless
``--upgrade`` is given. The lock contains no address of an index. Hashes are those of the files that
pip chooses here, so the lock is for one platform, which its first line states.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
FROM_SOURCE = "# Without a wheel, their own code builds them:"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--upgrade", action="store_true", help="do not keep present versions")
    options = parser.parse_args(arguments)
    LOCK.write_text(locked(resolve(keep=not options.upgrade)), "utf-8")
    print(f"{LOCK.name}: {LOCK.read_text('utf-8').count('--hash=')} packages")


def resolve(keep: bool) -> list[dict]:
    """Packages that pip would install for development and for building the package."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text("\n".join(present_versions()) if keep else "")
        command = [
            sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet",
            "--report", str(report), "--constraint", str(constraints),
            "--editable", f"{ROOT}[dev,docs]", *build, "editables",
        ]  # fmt: skip
        subprocess.run(command, check=True)
        return json.loads(report.read_text("utf-8"))["install"]


def present_versions() -> list[str]:
    if not LOCK.exists():
        return []
    lines = LOCK.read_text("utf-8").splitlines()
    return [line.split()[0] for line in lines if "==" in line and not line.startswith("#")]


def locked(install: list[dict]) -> str:
    """Text of the lock, from the packages of pip's report."""
    system = f"{platform.system()} {platform.machine()}, Python {sys.version_info.major}"
    head = [
        f"# Made by `make lock` for {system}.{sys.version_info.minor}. Do not edit.",
        "# Installed with --require-hashes: a file that is not one of these is refused.",
    ]
    lines, from_source = [], []
    for item in install:
        info = item["download_info"]
        if "dir_info" in info:  # the project itself
            continue
        name = canonicalize_name(item["metadata"]["name"])
        sha256 = info["archive_info"]["hashes"]["sha256"]
        if not info["url"].endswith(".whl"):
            from_source.append(name)
        lines.append(f"{name}=={item['metadata']['version']} --hash=sha256:{sha256}")
    head.append(f"{FROM_SOURCE} {', '.join(from_source) or 'none'}")
    return "\n".join([*head, *sorted(lines)]) + "\n"


if __name__ == "__main__":
    main()
