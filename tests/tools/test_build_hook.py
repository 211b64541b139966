"""Wheels of a copy of the project with one small Cython source, with a compiler and without."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from ..needs import cannot_run
from ..places import ROOT

EXTENSION = f"_twice{sysconfig.get_config_var('EXT_SUFFIX')}"
SOURCE = "def twice(double x):\n    return 2.0 * x\n"
BROKEN = 'cdef extern from "no_such_header.h":\n    double twice(double x)\n'
OTHER_THAN_UNIX = "CC names the compiler on Unix"


@pytest.fixture
def project(tmp_path):
    """The files that a build reads, with ``rdep._twice`` to compile and nothing else."""
    if any(find_spec(module) is None for module in ("hatchling", "Cython", "setuptools")):
        cannot_run("hatchling, Cython and setuptools are needed: pip install -e '.[dev]'")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy2(ROOT / name, tmp_path)
    package = tmp_path / "src" / "rdep"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "0.0"\n', "utf-8")
    (package / "_twice.pyx").write_text(SOURCE, "utf-8")
    return tmp_path


def build(project: Path, version: str = "standard", **environment: str):
    """The wheel that hatchling builds, or None where it fails, and all that it printed."""
    (built := project / "dist").mkdir(exist_ok=True)
    kept = {name: text for name, text in os.environ.items() if name not in ("CC", "RDEP_BUILD")}
    run = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", f"wheel:{version}", "-d", str(built)],
        cwd=project,
        env={**kept, **environment},
        capture_output=True,
        text=True,
    )
    wheels = list(built.glob("*.whl"))
    assert (run.returncode == 0) == bool(wheels), run.stdout + run.stderr
    return (wheels[0] if wheels else None), run.stdout + run.stderr


def imported(wheel: Path, statement: str) -> str:
    """What a statement prints where only this wheel is installed."""
    place = wheel.parent / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet"]
    subprocess.run([*pip, "--target", str(place), str(wheel)], check=True)
    code = f"import sys; sys.path.insert(0, {str(place)!r}); {statement}"
    command = [sys.executable, "-I", "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def members(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {Path(name).name for name in archive.namelist()}


def test_with_a_compiler_the_wheel_is_the_platforms_own_and_runs(project):
    wheel, _ = build(project, RDEP_BUILD="compiled")

    assert wheel.name.split("-")[2] == f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert "any" not in wheel.stem
    assert EXTENSION in members(wheel)
    assert imported(wheel, "from rdep._twice import twice; print(twice(1.5))") == "3.0"
    # Nothing of it stays in the source, where a later build could take it for its own.
    assert sorted(path.name for path in (project / "src" / "rdep").iterdir()) == [
        "__init__.py",
        "_twice.pyx",
    ]


@pytest.mark.skipif(os.name != "posix", reason=OTHER_THAN_UNIX)
@pytest.mark.parametrize(
    "compiler", ["false", pytest.param("/no/such/compiler", marks=pytest.mark.slow)]
)
def test_without_a_compiler_the_wheel_is_pure_installs_and_says_so(project, compiler):
    wheel, said = build(project, CC=compiler)

    assert wheel.name == "rdep-0.0-py3-none-any.whl"
    assert not any(name.endswith((".so", ".pyd", ".c")) for name in members(wheel))
    assert imported(wheel, "import rdep; print(rdep.__version__)") == "0.0"
    assert "pure Python installation" in said
    assert compiler in said


@pytest.mark.slow
def test_a_source_that_does_not_compile_is_left_out_too(project):
    (project / "src" / "rdep" / "_broken.pyx").write_text(BROKEN, "utf-8")

    wheel, said = build(project)

    # All or nothing: a wheel with half of its extensions would be of a third kind.
    assert wheel.name == "rdep-0.0-py3-none-any.whl"
    assert EXTENSION not in members(wheel)
    assert "pure Python installation" in said


@pytest.mark.skipif(os.name != "posix", reason=OTHER_THAN_UNIX)
def test_where_a_compiled_wheel_is_demanded_a_failure_is_one(project):
    wheel, said = build(project, CC="false", RDEP_BUILD="compiled")

    assert wheel is None
    assert "CompileError" in said


@pytest.mark.slow
def test_nothing_is_compiled_where_a_pure_wheel_is_asked_for_or_nothing_is_there(project):
    wheel, said = build(project, RDEP_BUILD="pure")
    assert wheel.name == "rdep-0.0-py3-none-any.whl"
    assert "pure Python installation" in said

    wheel.unlink()
    (project / "src" / "rdep" / "_twice.pyx").unlink()
    wheel, said = build(project)
    assert wheel.name == "rdep-0.0-py3-none-any.whl"
    assert "pure Python installation" in said


def test_a_misspelt_wish_is_refused(project):
    wheel, said = build(project, RDEP_BUILD="yes")
    assert wheel is None
    assert "RDEP_BUILD is 'yes': say compiled or pure" in said


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason=OTHER_THAN_UNIX)
def test_an_editable_build_compiles_in_place_and_removes_what_is_old(project):
    extension = project / "src" / "rdep" / EXTENSION
    wheel, _ = build(project, "editable")
    assert extension.is_file()
    assert EXTENSION not in members(wheel)

    wheel.unlink()
    _, said = build(project, "editable", CC="false")
    assert not extension.exists()
    assert "pure Python installation" in said


@pytest.mark.skipif(os.name != "posix", reason="flags of Unix compilers")
def test_no_flag_makes_sums_depend_on_the_machine(project):
    """Asked of a compiler that only writes down how it is called."""
    (notes := project / "calls").touch()
    compiler = project / "cc"
    compiler.write_text(f'#!/bin/sh\necho "$@" >> "{notes}"\nexit 1\n', "utf-8")
    compiler.chmod(0o755)

    build(project, CC=str(compiler), CFLAGS="")

    flags = notes.read_text("utf-8").split()
    assert "-ffp-contract=off" in flags
    assert not {"-march=native", "-ffast-math", "-Ofast"} & set(flags)
