"""Classifiers and regressors by name, with parameters that are checked before any work begins."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sklearn.base import BaseEstimator, is_classifier

from .._registry import CLASSIFICATION, REGRESSION, classifiers, regressors, resolve
from .._utils._names import did_you_mean, nearest_names, unknown_name
from .._utils._sklearn_estimators import validate_parameters
from ..perceptrons import RDEPClassifier
from ._targets import AUTO

PRESETS = {"paper": RDEPClassifier.paper}


def names_for(task: str) -> list[str]:
    """Names of the estimators for a task."""
    return list(regressors()) if task == REGRESSION else [*PRESETS, *classifiers()]


def tasks_of(name: str) -> list[str]:
    """Tasks that have an estimator of this name."""
    tasks = [task for task in (CLASSIFICATION, REGRESSION) if name in names_for(task)]
    if not tasks:
        known = dict.fromkeys([*names_for(CLASSIFICATION), *names_for(REGRESSION)])
        raise ValueError(unknown_name("estimator", name, list(known)))
    return tasks


def possible_task(name: str, parameters: dict[str, Any], task: str) -> str:
    """Check a name and parameters before the table is read; return the task if it is determined.

    A name that only one task has determines it. Otherwise the parameters must suit one of them.
    """
    if task == AUTO:
        tasks = tasks_of(name)
        task = tasks[0] if len(tasks) == 1 else AUTO
    if task != AUTO:
        make_estimator(name, parameters, task)
        return task
    try:
        make_estimator(name, parameters, CLASSIFICATION)
    except ValueError:
        try:
            make_estimator(name, parameters, REGRESSION)
        except ValueError:
            pass
        else:
            return AUTO
        raise
    return AUTO


def make_estimator(
    name: str, parameters: dict[str, Any], task: str = CLASSIFICATION
) -> BaseEstimator:
    """Make an estimator from the name of a preset or of a registered class, and set parameters.

    Names of parameters are checked here, and their values as far as scikit-learn's validation does,
    so that no time is lost on a fit that cannot succeed.
    """
    made = _by_name(name, task)
    # The parameters may depend on other parameters, such as those of an ordering on its name.
    own = {key: value for key, value in parameters.items() if "__" not in key}
    _check_names(made, own)
    made.set_params(**own)
    _check_names(made, parameters)
    made.set_params(**parameters)
    for part in (made, *made.get_params(deep=True).values()):
        if hasattr(part, "_parameter_constraints"):
            validate_parameters(part)
    return made


def predicted_quantile(estimator: BaseEstimator) -> float | None:
    """Quantile that a regressor predicts; None if it is made for the middle of the targets."""
    is_quantile = getattr(estimator, "loss", None) == "quantile"
    return float(getattr(estimator, "quantile", 0.5)) if is_quantile else None


def _by_name(name: str, task: str) -> BaseEstimator:
    if name not in names_for(task):
        what = "regressor" if task == REGRESSION else "estimator"
        raise ValueError(unknown_name(what, name, names_for(task)))
    if name in PRESETS:
        return PRESETS[name]()
    registered = regressors() if task == REGRESSION else classifiers()
    return resolve(registered[name])()


def _check_names(made: BaseEstimator, parameters: dict[str, Any]) -> None:
    known = list(made.get_params(deep=True))
    for name in parameters:
        if name not in known:
            # Usually a parameter of `dep` or of the ordering, without its prefix.
            inner = [other for other in known if other.lower().endswith(f"__{name.lower()}")]
            near = inner or nearest_names(name, known)[:1]
            hint = f"; {did_you_mean(near)}" if near else _others(made, name)
            raise ValueError(
                f"{type(made).__name__} has no parameter {name!r}{hint} It has {_grouped(known)}"
            )


def _others(made: BaseEstimator, parameter: str) -> str:
    """Names of estimators for the same task that have a parameter."""
    found = classifiers() if is_classifier(made) else regressors()
    having = [
        name for name, kind in found.items() if parameter in resolve(kind)().get_params(deep=False)
    ]
    return f", which these estimators have: {', '.join(having)}." if having else "."


def _grouped(names: list[str]) -> str:
    """List the parameters of the estimator itself, then those of each nested estimator."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names, key=str.lower):
        part, _, inner = name.rpartition("__")
        groups[part].append(inner)
    own = groups.pop("")
    texts = [", ".join(own), *(f"{part}__: {', '.join(inner)}" for part, inner in groups.items())]
    return "; ".join(texts)
