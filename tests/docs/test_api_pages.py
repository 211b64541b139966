"""Every public name of the package is on an API page."""

import ast
import importlib.util
import pkgutil
import re
from importlib import import_module

import pytest

import rdep
import rdep_experiment
from rdep._registry import ENTRIES, is_available

from ..places import SOURCE
from .pages import DOCS

_AUTOSUMMARY = re.compile(
    r"^\.\. currentmodule:: (\w+)\n\n\.\. autosummary::\n(?:   :.*\n)*\n((?:   \w.*\n)+)",
    re.MULTILINE,
)
LAYERS = "rdep.networks.layers"
_CONSTANT = re.compile(r"^\| `(rdep\.[\w.]+)` \|", re.MULTILINE)


@pytest.fixture(scope="module")
def api_pages():
    spec = importlib.util.spec_from_file_location("api_pages", DOCS / "api_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names_on(text: str) -> list[str]:
    """Names in the lists and in the tables of constants of a page."""
    lists = [
        f"{module}.{name}" for module, block in _AUTOSUMMARY.findall(text) for name in block.split()
    ]
    return lists + _CONSTANT.findall(text)


@pytest.fixture(scope="module")
def names(api_pages):
    texts = {path.name: path.read_text("utf-8") for path in (DOCS / "api").glob("*.md")}
    texts[api_pages.PAGE] = api_pages.estimators_page()  # as it would be written now
    return [name for text in texts.values() for name in names_on(text)]


def resolve(name: str):
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def public_names() -> list[str]:
    """All of ``__all__`` of every package and module whose path has no private part."""
    modules = [rdep, rdep_experiment] + [
        import_module(module.name)
        for package in (rdep, rdep_experiment)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if "._" not in module.name
        and not module.name.endswith("__main__")
        and module.name != LAYERS  # needs PyTorch; the test below reads its source
    ]
    names = [f"{m.__name__}.{name}" for m in modules for name in getattr(m, "__all__", ())]
    absent = {f"{e.public}.{name}" for name, e in ENTRIES.items() if not is_available(e)}
    return [name for name in names if name not in absent]


def test_every_public_name_is_on_a_page(names):
    """By the same name, or the same object by another: ``rdep.lattice.erosion`` is one of these."""
    documented = [resolve(name) for name in names if not name.startswith(LAYERS)]
    missing = [
        name
        for name in public_names()
        if name not in names and not any(resolve(name) is one for one in documented)
    ]
    assert missing == []


def layers() -> list[str]:
    """``__all__`` of the layers, read without PyTorch."""
    source = (SOURCE / "networks" / "layers" / "__init__.py").read_text("utf-8")
    (names,) = [
        ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    return [f"{LAYERS}.{name}" for name in names]


def test_every_layer_is_on_a_page(names):
    assert set(layers()) == {name for name in names if name.startswith(LAYERS)}


def test_public_names_are_found():
    """The test above has something to look for, in packages within packages, too."""
    assert {"rdep.DEPClassifier", "rdep_experiment.analysis.hasse"} <= set(public_names())


def test_no_name_is_on_two_pages(names):
    assert sorted(names) == sorted(set(names))


def test_a_new_estimator_needs_no_edit(api_pages, monkeypatch):
    new = {
        "NewClassifier": ENTRIES["DEPClassifier"],
        "AbsentClassifier": type(ENTRIES["DEPClassifier"])(
            "rdep.networks", "network", public="rdep.networks", needs="no_such", extra="networks"
        ),
    }
    monkeypatch.setattr(api_pages, "ENTRIES", ENTRIES | new)
    page = api_pages.estimators_page()
    assert "rdep.NewClassifier" in names_on(page)
    assert "## Networks" in page
    assert "`rdep.networks.AbsentClassifier` needs `pip install 'rdep[networks]'`" in page
    assert "rdep.networks.AbsentClassifier" not in names_on(page)


def test_the_page_is_written_only_when_it_changes(api_pages, tmp_path):
    api_pages.write(tmp_path)
    page = tmp_path / api_pages.PAGE
    assert page.read_text("utf-8") == api_pages.estimators_page()
    before = page.stat().st_mtime_ns
    api_pages.write(tmp_path)
    assert page.stat().st_mtime_ns == before
    page.write_text("old")
    api_pages.write(tmp_path)
    assert page.read_text("utf-8") == api_pages.estimators_page()
