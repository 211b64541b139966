"""Versions for results and bug reports."""

import platform
from importlib.metadata import version

import numpy as np

import rdep
from rdep._utils import _versions as module


def test_versions_are_those_of_the_packages():
    found = module.versions()
    assert found["numpy"] == np.__version__
    assert found["python"] == platform.python_version()
    assert set(found) == {"rdep", "scikit-learn", "numpy", "scipy", "python"}


def test_show_versions_lists_optional_packages_and_threads(capsys):
    rdep.show_versions()
    lines = capsys.readouterr().out.splitlines()
    shown = {line[:14].strip(): line[14:] for line in lines}
    assert shown["scikit-learn"] == version("scikit-learn")
    assert shown["joblib"] == version("joblib")
    assert shown["platform"] == platform.platform()
    assert shown["threads"].split()[0].isdigit()


def test_what_is_not_installed_is_said(capsys, monkeypatch):
    monkeypatch.setattr(module, "_OPTIONAL", ("no-such-package",))
    module.show_versions()
    assert "not installed" in capsys.readouterr().out
