"""The environments of `make matrix` are what pyproject.toml promises."""

import re
import sys
from datetime import date

import pytest
from packaging.requirements import Requirement

from tools.audit import requirements_of
from tools.compiled import is_compiled, modules
from tools.matrix import (
    ENVIRONMENTS,
    OF_THEIR_TIME,
    PROJECT,
    RELEASED,
    interpreter,
    shown_window,
    supported,
    window,
)


def test_the_oldest_environment_has_every_requirement_at_its_bound():
    constraints = set(ENVIRONMENTS["oldest"].constraints) - set(OF_THEIR_TIME)
    pins = {Requirement(text).name: text for text in constraints}
    wanted = {Requirement(text).name: text for text in requirements_of(PROJECT, ["test"])}
    assert pins.keys() == wanted.keys()
    # All that users can install is among them, so that no bound goes untried.
    assert {Requirement(text).name for text in requirements_of(PROJECT, ["all"])} <= pins.keys()
    for name, text in wanted.items():
        assert pins[name] == text.replace(">=", "==")


def test_every_python_has_an_environment_and_the_newest_is_bound_by_nothing():
    pythons = re.findall(r":: Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert [environment.python for environment in ENVIRONMENTS.values()] == pythons
    assert PROJECT["requires-python"] == f">={ENVIRONMENTS['oldest'].python}"
    assert ENVIRONMENTS["newest"].constraints == ()


def test_the_window_of_spec_0():
    assert window(date(2026, 10, 1))["python"] == ["3.12", "3.13", "3.14"]
    assert window(date(2026, 10, 2))["python"] == ["3.13", "3.14"]  # three years after 3.12
    assert window(date(2026, 12, 7))["numpy"] == ["2.2", "2.3", "2.4", "2.5"]
    assert window(date(2026, 12, 8))["numpy"] == ["2.3", "2.4", "2.5"]  # two years after 2.2
    assert window(date(2024, 6, 15))["numpy"] == []


def test_the_bounds_reach_as_far_back_as_the_window():
    def numbers(version):
        return [int(part) for part in version.split(".")]

    # scikit-learn 1.6 leaves the window on this day, and is not supported.
    for name, versions in window(date(2026, 12, 9)).items():
        assert numbers(supported()[name]) <= numbers(versions[0]), name
    assert RELEASED.keys() == supported().keys()
    shown = shown_window(date(2026, 11, 18))
    assert re.search(r"python +3\.13 to 3\.14 +from 3\.11", shown)
    assert re.search(r"numpy +2\.2 to 2\.5 +from 2\.0", shown)


def test_this_python_is_found_and_one_that_is_nowhere_is_named():
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert interpreter(version) == sys.executable
    with pytest.raises(SystemExit, match="Python 3.99 is needed"):
        interpreter("3.99")


def test_compiled_modules_are_told_from_sources(tmp_path):
    (tmp_path / "rdep" / "training").mkdir(parents=True)
    (tmp_path / "rdep" / "training" / "_fast.pyx").touch()
    assert modules(tmp_path) == ["rdep.training._fast"]
    assert not is_compiled("rdep.training._fast")
    assert not is_compiled("rdep.training._problem")
    assert is_compiled("numpy._core._multiarray_umath")
