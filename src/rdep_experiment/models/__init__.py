"""The classifiers that suites compare, by name; each is imported when it is made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rdep._registry import CLASSIFICATION, REGRESSION, classifiers, regressors, resolve
from rdep._utils._names import unknown_name

from ._names import EXTRAS, MEASURED, MODULES, NEEDS, REGRESSORS, UNLISTED, USUAL_EXTRA

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

    from ._sharing import Parts

_PLACES = {
    CLASSIFICATION: {name: module for module, names in MODULES.items() for name in names},
    REGRESSION: dict.fromkeys(REGRESSORS, "_regressors"),
}


def registered(task: str = CLASSIFICATION) -> dict[str, str]:
    """Estimators of this package for a task, by name."""
    return regressors() if task == REGRESSION else classifiers()


def make(
    name: str, parts: Parts, measured: bool = False, task: str = CLASSIFICATION
) -> BaseEstimator:
    """Create an unfitted classifier or regressor.

    Parameters
    ----------
    name : str
        Name of a classifier of a suite or of the registry.
    parts : Parts
        Margin and seed of the classifier, and the members that it shares with others.
    measured : bool, default=False
        Whether to use the parameters of the committed rows in the suites ``family`` and
        ``networks`` instead of the defaults.
    task : str, default="classification"
        Task of the estimator: the same name may stand for a classifier and for a regressor.

    Returns
    -------
    classifier or regressor
    """
    if measured and name in MEASURED:
        return import_module("._family", __name__).MEASURED[name](parts)
    if name in _PLACES[task]:
        return import_module(f".{_PLACES[task][name]}", __name__).MAKERS[name](parts)
    if name not in registered(task):
        what = "regressor" if task == REGRESSION else "classifier"
        raise ValueError(unknown_name(what, name, known_classifiers(task)))
    estimator = resolve(registered(task)[name])()
    seeded = "random_state" in estimator.get_params(deep=False)
    return estimator.set_params(random_state=parts.seed) if seeded else estimator


def is_known(name: str, task: str = CLASSIFICATION) -> bool:
    """Whether an estimator with this name exists for a task."""
    return name in _PLACES[task] or name in registered(task)


def known_classifiers(task: str = CLASSIFICATION) -> list[str]:
    """Names of all estimators whose packages are installed, those of suites first."""
    placed = _PLACES[task]
    return [*installed(placed), *(name for name in registered(task) if name not in placed)]


def listed_classifiers(task: str = CLASSIFICATION) -> list[str]:
    """Estimators shown in help and completion."""
    return [name for name in known_classifiers(task) if name not in UNLISTED]


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
