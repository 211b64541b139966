"""The environments of `make matrix` are what pyproject.toml promises."""

import re
import sys

import pytest
from packaging.requirements import Requirement

from tools.audit import requirements_of
from tools.compiled import is_compiled, modules
from tools.matrix import ENVIRONMENTS, OF_THEIR_TIME, PROJECT, interpreter


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
