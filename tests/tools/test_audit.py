"""The audit of dependencies finds what it is for, and nothing here."""

from pathlib import Path

import pytest

from tools import audit
from tools.lock import FROM_SOURCE, LOCK, locked

HASH = "--hash=sha256:" + "0" * 64
GOOD = f"# made\n{FROM_SOURCE} none\nnumpy==2.0 {HASH}\nscipy==1.15 {HASH}\n"


def test_the_lock_of_this_project():
    assert audit.check_lock(LOCK.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (GOOD.replace(f"2.0 {HASH}", "2.0"), "line 3 is not NAME==VERSION with a SHA-256"),
        (GOOD.replace("==2.0", ">=2.0"), "line 3 is not NAME==VERSION"),
        (GOOD.replace("0" * 64, "0" * 63), "line 3 is not NAME==VERSION"),
        (f"--index-url https://example.org/simple\n{GOOD}", "line 1 holds an address"),
        (GOOD + f"numpy @ https://example.org/numpy.whl {HASH}\n", "line 5 holds an address"),
        (GOOD + f"numpy==2.1 {HASH}\n", "numpy is locked twice"),
        (GOOD.replace(" none", " setupper"), "setupper has no wheel"),
        (GOOD.replace(FROM_SOURCE, "#"), "does not list packages built from source"),
        (f"{FROM_SOURCE} none\n", "the lock is empty"),
    ],
)
def test_mistakes_in_a_lock(text, problem):
    assert audit.check_lock(GOOD) == []
    assert any(problem in found for found in audit.check_lock(text))


def test_a_lock_from_pips_report():
    def item(name, url, **info):
        return {"metadata": {"name": name, "version": "1.0"}, "download_info": {"url": url, **info}}

    hashes = {"archive_info": {"hashes": {"sha256": "0" * 64}}}
    text = locked(
        [
            item("B_b", "https://example.org/b_b-1.0-py3-none-any.whl", **hashes),
            item("baycomp", "https://example.org/baycomp-1.0.tar.gz", **hashes),
            item("rdep", "file:///here", dir_info={"editable": True}),
        ]
    )
    assert text.splitlines()[2:] == [
        f"{FROM_SOURCE} baycomp", f"b-b==1.0 {HASH}", f"baycomp==1.0 {HASH}",
    ]  # fmt: skip
    assert "example.org" not in text
    assert audit.check_lock(text) == []
    assert audit.locked_versions(text) == {"b-b": "1.0", "baycomp": "1.0"}


def test_what_is_installed_is_compared():
    locked_here = {"numpy": "2.0"}
    assert audit.check_installed(locked_here, {"numpy": "2.0", "pip": "23"}) == []
    found = audit.check_installed(locked_here, {"numpy": "2.1", "stranger": "1"})
    assert found == [
        "numpy 2.1 is installed, but 2.0 is locked",
        "stranger 1 is installed, but nothing is locked",
    ]  # fmt: skip


def test_what_is_declared_must_be_locked():
    assert audit.check_declared({"numpy": "2.0"}, ["numpy>=2.0"]) == []
    found = audit.check_declared({"numpy": "1.9"}, ["numpy>=2.0", "scipy"])
    assert len(found) == 2


@pytest.mark.parametrize(
    "licence",
    ["MIT", "BSD License", "Apache-2.0", "MIT OR GPL-2.0", "PSF-2.0", "BSD-3-Clause AND MIT"],
)
def test_licences_that_are_taken(licence):
    assert audit.check_licence("x", licence) == []


@pytest.mark.parametrize(
    "licence",
    ["", "GPL-3.0-only", "LGPL-2.1", "MIT AND GPL-3.0", "GNU General Public License v3", "Own"],
)
def test_licences_that_are_not(licence):
    assert len(audit.check_licence("x", licence)) == 1


def test_imports_that_are_not_declared(tmp_path, monkeypatch):
    monkeypatch.setattr(audit, "ROOT", Path(tmp_path))
    source = tmp_path / "a.py"
    source.write_text("import os, numpy\nfrom . import b\ndef f():\n    import stranger.part\n")
    assert audit.check_imports([source], {"numpy"}, set()) == [
        "a.py imports stranger, which is not declared"
    ]
