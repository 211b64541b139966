"""Classifiers by name, with parameters that are checked before any work begins."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sklearn.base import BaseEstimator

from .._registry import classifiers, resolve
from .._utils._names import did_you_mean, nearest_names, unknown_name
from .._utils._sklearn_estimators import validate_parameters
from ..perceptrons import RDEPClassifier

PRESETS = {"paper": RDEPClassifier.paper}


def make_estimator(name: str, parameters: dict[str, Any]) -> BaseEstimator:
    """Make a classifier from the name of a preset or of a registered class, and set parameters.

    Names of parameters are checked here, and their values as far as scikit-learn's validation does,
    so that no time is lost on a fit that cannot succeed.
    """
    made = _by_name(name)
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


def _by_name(name: str) -> BaseEstimator:
    registered = classifiers()
    if name in PRESETS:
        return PRESETS[name]()
    if name in registered:
        return resolve(registered[name])()
    raise ValueError(unknown_name("estimator", name, [*PRESETS, *registered]))


def _check_names(made: BaseEstimator, parameters: dict[str, Any]) -> None:
    known = list(made.get_params(deep=True))
    for name in parameters:
        if name not in known:
            # Usually a parameter of `dep` or of the ordering, without its prefix.
            inner = [other for other in known if other.lower().endswith(f"__{name.lower()}")]
            near = inner or nearest_names(name, known)[:1]
            hint = f"; {did_you_mean(near)}" if near else "."
            raise ValueError(
                f"{type(made).__name__} has no parameter {name!r}{hint} It has {_grouped(known)}"
            )


def _grouped(names: list[str]) -> str:
    """List the parameters of the estimator itself, then those of each nested estimator."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names, key=str.lower):
        part, _, inner = name.rpartition("__")
        groups[part].append(inner)
    own = groups.pop("")
    texts = [", ".join(own), *(f"{part}__: {', '.join(inner)}" for part, inner in groups.items())]
    return "; ".join(texts)
