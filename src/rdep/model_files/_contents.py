"""What a loaded model holds, searched as a whole: every tree and every calibration is checked."""

from __future__ import annotations

import gc
from types import ModuleType
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ._calibration import CALIBRATION_TYPES, calibration_parts
from ._trees import TREE_TYPES, tree_parts

CHECKED_TYPES = (*TREE_TYPES, *CALIBRATION_TYPES)


def check_contents(model: BaseEstimator) -> None:
    """Refuse a model that holds, anywhere, a tree or a calibration that fitting does not leave.

    Parameters
    ----------
    model : estimator
        The model, constructed from data only as from a model file: classes and modules are not
        searched.

    Raises
    ------
    ValueError
        If a tree or a calibration is malformed or cannot be checked.
    """
    seen: dict[int, Any] = {}
    waiting: list[Any] = [model]
    while waiting:
        value = waiting.pop()
        if id(value) not in seen:
            seen[id(value)] = value  # held on to, so that nothing else gets its id
            waiting += _parts(value)


def _parts(value: Any) -> list[Any]:
    """What an object refers to, other than what has just been checked."""
    for checked_parts in (tree_parts, calibration_parts):
        parts = checked_parts(value)
        if parts is not None:
            return parts
    if isinstance(value, type | ModuleType):
        return []
    # The garbage collector knows all references of an object, except those within arrays.
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        return value.ravel().tolist()
    return gc.get_referents(value)
