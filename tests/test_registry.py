"""The registry: every estimator by its name, and nothing imported before it is asked for."""

import inspect
import subprocess
import sys
from importlib import import_module

import pytest
from sklearn.base import BaseEstimator, is_classifier, is_regressor

import rdep
from rdep import _registry as registry
from rdep._registry import CLASSIFIER, ENTRIES, RECORDS, all_estimators, names_in, resolve

from .places import SOURCE

NEED_TORCH = ("_architectures", "_training")


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_is_an_estimator_of_its_public_package(name):
    entry, kind = ENTRIES[name], resolve(name)
    assert issubclass(kind, BaseEstimator)
    assert getattr(import_module(entry.public), name) is kind
    assert name in import_module(entry.public).__all__
    assert is_classifier(kind()) == (entry.kind in (CLASSIFIER, registry.MEMBER))
    assert is_regressor(kind()) == (entry.kind == registry.REGRESSOR)
    assert bool(entry.name) == (entry.kind in (CLASSIFIER, registry.REGRESSOR))


@pytest.mark.parametrize("name", ENTRIES)
def test_an_estimator_says_that_it_is_of_its_public_package(name):
    kind = resolve(name)
    assert f"{kind.__module__}.{kind.__qualname__}" == f"{ENTRIES[name].public}.{name}"


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_has_its_public_name(name):
    package, _, attribute = name.rpartition(".")
    record = getattr(import_module(package), attribute)
    assert f"{record.__module__}.{record.__qualname__}" == name


def test_no_public_estimator_is_left_out():
    found = set()
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        if parts[-1] == "__main__":
            continue
        if parts[1:3] == ("networks", "layers") or parts[-1] in NEED_TORCH:
            continue  # no estimators, and importable with an extra only
        module = import_module(".".join(part for part in parts if part != "__init__"))
        found |= {
            name
            for name, kind in vars(module).items()
            if inspect.isclass(kind)
            and issubclass(kind, BaseEstimator)
            and kind.__module__.partition(".")[0] == "rdep"
            and not any(part.startswith("_") for part in kind.__module__.split("."))
        }
    # Parts of other estimators, which nobody would choose by themselves.
    parts = {name.rpartition(".")[2] for name in RECORDS}
    assert set(ENTRIES) <= found <= set(ENTRIES) | parts


@pytest.mark.parametrize("kind", [CLASSIFIER, registry.REGRESSOR])
def test_estimators_of_a_kind_have_names_of_their_own(kind):
    names = [entry.name for entry in ENTRIES.values() if entry.kind == kind]
    assert len(set(names)) == len(names)
    assert registry.classifiers()["dep"] == "DEPClassifier"
    assert registry.regressors()["dep"] == "DEPRegressor"


def test_all_estimators_by_kind():
    everything = all_estimators()
    available = [name for name, entry in ENTRIES.items() if registry.is_available(entry)]
    assert [name for name, _ in everything] == available
    assert set(ENTRIES) - set(available) <= {"MorphologicalNetworkClassifier"}
    by_kind = [all_estimators(kind) for kind in {entry.kind for entry in ENTRIES.values()}]
    assert sorted(name for names in by_kind for name, _ in names) == sorted(available)
    with pytest.raises(ValueError, match="unknown kind 'network'"):
        all_estimators("network")


def test_what_needs_a_missing_package_is_left_out(monkeypatch):
    entry = registry.Entry("rdep.nowhere", CLASSIFIER, "other", needs="no_such_package")
    monkeypatch.setitem(ENTRIES, "Other", entry)
    assert "Other" not in dict(all_estimators())
    assert "other" not in registry.classifiers()


def test_the_package_offers_the_names_of_the_registry():
    assert set(names_in("rdep")) <= set(rdep.__all__)
    assert set(rdep.__all__) <= set(dir(rdep))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        rdep.Nothing  # noqa: B018


def test_importing_the_package_imports_no_estimator():
    code = "import sys, rdep; print('numpy' in sys.modules, 'sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
