"""The classifiers that suites compare, by name; each is imported when it is made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rdep._registry import classifiers as registered
from rdep._registry import resolve
from rdep._utils._names import unknown_name

from ._names import EXTRAS, MEASURED, MODULES, NEEDS, UNLISTED, USUAL_EXTRA

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

    from ._sharing import Parts

_PLACES = {name: module for module, names in MODULES.items() for name in names}


def make(name: str, parts: Parts, measured: bool = False) -> BaseEstimator:
    """Create an unfitted classifier.

    Parameters
    ----------
    name : str
        Name of a classifier of a suite or of the registry.
    parts : Parts
        Margin and seed of the classifier, and the members that it shares with others.
    measured : bool, default=False
        Whether to use the parameters of the committed rows in the suites ``family`` and
        ``networks`` instead of the defaults.

    Returns
    -------
    classifier
    """
    if measured and name in MEASURED:
        return import_module("._family", __name__).MEASURED[name](parts)
    if name in _PLACES:
        return import_module(f".{_PLACES[name]}", __name__).MAKERS[name](parts)
    if name not in registered():
        raise ValueError(unknown_name("classifier", name, known_classifiers()))
    estimator = resolve(registered()[name])()
    seeded = "random_state" in estimator.get_params(deep=False)
    return estimator.set_params(random_state=parts.seed) if seeded else estimator


def is_known(name: str) -> bool:
    """Whether a classifier with this name exists."""
    return name in _PLACES or name in registered()


def known_classifiers() -> list[str]:
    """Names of all classifiers whose packages are installed, those of suites first."""
    return [*installed(_PLACES), *(name for name in registered() if name not in _PLACES)]


def listed_classifiers() -> list[str]:
    """Classifiers shown in help and completion."""
    return [name for name in known_classifiers() if name not in UNLISTED]


def installed(names: Iterable[str]) -> tuple[str, ...]:
    """Classifiers whose packages are installed."""
    return tuple(name for name in names if name not in NEEDS or is_installed(NEEDS[name]))


def left_out(names: Iterable[str]) -> str:
    """Message about classifiers whose package is missing; empty if there are none."""
    missing = defaultdict(list)
    for name in names:
        if name in NEEDS and not is_installed(NEEDS[name]):
            missing[NEEDS[name]].append(name)
    if not missing:
        return ""
    each = [f"{', '.join(lacking)} (package {package})" for package, lacking in missing.items()]
    extras = ",".join(sorted({EXTRAS.get(package, USUAL_EXTRA) for package in missing}))
    return f"left out: {'; '.join(each)}. pip install 'rdep[{extras}]' adds them"


def is_installed(package: str) -> bool:
    """Whether a package can be imported, without importing it."""
    return find_spec(package) is not None
