"""Optional packages: the module, or which extra to install."""

import sys
from types import ModuleType

import pytest

from rdep._utils._imports import optional


def test_a_module_that_is_there():
    assert optional("json.decoder", "a test", "cli") is sys.modules["json.decoder"]


def test_a_package_that_is_not_installed():
    with pytest.raises(ImportError) as raised:
        optional("no_such_package.part", "a test", "cli")
    assert "a test needs no_such_package, which is not installed" in str(raised.value)
    assert "pip install 'rdep[cli]'" in str(raised.value)


def test_a_package_that_does_not_load_says_why(monkeypatch):
    broken = ModuleType("broken_package")
    broken.__path__ = []
    monkeypatch.setitem(sys.modules, "broken_package", broken)
    with pytest.raises(ImportError, match="No module named 'broken_package.part'"):
        optional("broken_package.part", "a test", "plot")
