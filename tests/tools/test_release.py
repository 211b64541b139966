"""Nothing is released with a gap, two versions, or a changelog without a date."""

import re
import shutil

import pytest

from tests.places import ROOT
from tools import release

NAMES = (*release.BEFORE_A_RELEASE, *release.versions(), *release.AFTER_A_RELEASE)


@pytest.fixture
def ready(tmp_path):
    """A copy of all that is looked at, its gaps filled and its changelog dated."""
    for name in dict.fromkeys(NAMES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name in release.BEFORE_A_RELEASE:
        change(tmp_path / name, release.GAP, "filled:")
    change(tmp_path / "CHANGELOG.md", "(unreleased)", "(2027-01-31)")
    return tmp_path


def change(path, old, new):
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def test_a_checkout_that_is_ready(ready):
    version = release.versions(ready)["src/rdep/__init__.py"]
    assert release.problems(ready, tag=f"v{version}") == []
    assert release.problems(ready, tag="v9.9") == [f"the tag is v9.9, but the version is {version}"]


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("pyproject.toml", "[project]", "# GAP: an address\n[project]", ": an address"),
        ("CODE_OF_CONDUCT.md", "#", "<!-- GAP: whom to write to -->\n#", ":1: whom to write to"),
        ("CITATION.cff", "version: 0", "version: 7", "CITATION.cff states version 7"),
        ("src/rdep/__init__.py", '__version__ = "', '__version__ = "8', "but the package has 8"),
        (
            "conda/recipe/recipe.yaml",
            '  version: "',
            '  version: "6',
            "states version 6",
        ),
        ("CHANGELOG.md", "(2027-01-31)", "(unreleased)", "has no date"),
    ],
)
def test_what_keeps_a_release_back(ready, name, old, new, problem):
    path = ready / name
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    assert any(problem in found for found in release.problems(ready))


def test_the_versions_of_this_checkout_agree():
    assert len(set(release.versions().values())) == 1
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in release.versions().values())


def test_an_address_is_set_or_marked_as_missing():
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    is_set = re.search(r"^\[project\.urls\]", project, re.MULTILINE) is not None
    missing = any(found.startswith("pyproject.toml:") for found in release.gaps())
    assert is_set != missing
    assert not (is_set and "OWNER" in project)


def test_the_command_says_what_is_missing(capsys, monkeypatch):
    assert release.main(["--tag", "v0"]) == 1
    assert "the tag is v0" in capsys.readouterr().out
    monkeypatch.setattr(release, "problems", lambda tag: [])
    assert release.main([]) == 0
    assert "Ready to be released." in capsys.readouterr().out
