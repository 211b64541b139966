"""Model files: fitted models as data, without any code.

A file is a skops archive (arrays, and names of classes to construct from them) with two further
members: ``rdep.json``, with the schema of the tables, the training summary, the versions and the
checksum of every member; and the checksum of ``rdep.json`` itself. Loading constructs only objects
of this package's classes, of the classes that skops trusts (scikit-learn's estimators, NumPy's
arrays), and trees and calibrations, which are checked before they are used. A file from an
untrusted source therefore runs no code.
"""

from __future__ import annotations

import gc
import io
import json
import pickle
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from .._base._classifier import BaseClassifier
from .._registry import ENTRIES, MEMORY, RECORDS, REGRESSOR, TRANSFORMER, is_one_of
from .._utils._files import write_atomically
from .._utils._imports import pandas
from .._utils._typing import Array, StrPath
from .._utils._versions import versions
from ..exceptions import warn_caller
from ..tables import NUMBER, Schema, TableModel, inner_classifiers
from ._archive import (
    CHECKSUM,
    DESCRIPTION,
    FORMAT,
    checked_description,
    packed,
    renumbered,
    sha256,
    skops_io,
    untrusted_types,
)
from ._calibration import CALIBRATION_TYPES, calibration_parts
from ._trees import TREE_TYPES, tree_parts

__all__ = ["load_model", "read_description", "save_model", "skops_types"]

_FOLDS = (GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold)
# Types that a model file may hold although skops does not trust them: this package's classes, trees
# and calibrations, which are checked before they are used, folds, and the dtype in an imputer.
_TRUSTED = (
    {f"{entry.public}.{name}" for name, entry in ENTRIES.items()}
    | set(RECORDS)
    | {
        f"{kind.__module__}.{kind.__qualname__}"
        for kind in (*TREE_TYPES, *CALIBRATION_TYPES, *_FOLDS)
    }
    | {"numpy.dtype"}
)
_N_PROBES = 8
_PROBE_TOLERANCE = 1e-6


def save_model(
    model: TableModel | BaseEstimator,
    path: StrPath,
    *,
    schema: Schema | None = None,
    pickle: bool = False,
) -> None:
    """Write a fitted model to a file, atomically.

    Parameters
    ----------
    model : TableModel or fitted estimator
        The model: a table model, a fitted classifier, regressor, transformer or memory of this
        package, a classifier within scikit-learn's
        :class:`~sklearn.calibration.CalibratedClassifierCV` or
        :class:`~sklearn.model_selection.FixedThresholdClassifier`, or a pipeline that ends in one.
        For a search, its result is stored: the ``best_estimator_`` of a
        :class:`~sklearn.model_selection.GridSearchCV`, or the threshold of a
        :class:`~sklearn.model_selection.TunedThresholdClassifierCV`.
    path : path-like
        The file to write.
    schema : Schema or None, default=None
        Schema of the tables that a classifier or pipeline accepts, needed if some columns hold
        categories. None means numbers, with the feature names of the fit.
    pickle : bool, default=False
        Whether to write a Python pickle, for members that a safe model file cannot hold. Loading a
        pickle runs whatever code it contains.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.model_files import load_model, save_model
    >>> X, X_test, y, y_test = load_ripley()
    >>> with TemporaryDirectory() as folder:
    ...     save_model(DEPClassifier().fit(X, y), f"{folder}/ripley.rdep")
    ...     model = load_model(f"{folder}/ripley.rdep")
    >>> round(model.estimator.score(X_test, y_test), 2)
    0.9
    """
    model = TableModel.of(model, schema)
    write_atomically(Path(path), _pickled(model) if pickle else _archive(model))


def load_model(path: StrPath, *, allow_pickle: bool = False) -> TableModel:
    """Load a model file without running any code from it.

    The checksums and the classes named in the file are checked before loading, the structure of
    trees and calibrations after loading. Finally, the model must have the classes and columns of
    its schema, and must return the same scores as when it was saved.

    Parameters
    ----------
    path : path-like
        The file to load.
    allow_pickle : bool, default=False
        Whether to load a Python pickle as well, *running* the code that it contains. Use it only
        for your own files.

    Returns
    -------
    TableModel
        The model with its schema.
    """
    content = _read(path)
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return _unpickled(content, path, allow_pickle)
    description = checked_description(content, path)
    untrusted = sorted(untrusted_types(content, path) - _TRUSTED)
    if untrusted:
        raise ValueError(
            f"{path} is refused: it contains {', '.join(untrusted[:3])}, which no model file of "
            "rdep needs. Loading it could run untrusted code"
        )
    try:
        estimator = skops_io().loads(content, trusted=sorted(_TRUSTED))
        check_contents(estimator)
        schema = Schema.from_dict(description["schema"])
        model = TableModel(estimator, schema, description["summary"], description["versions"])
        _check_kind(model)
        model.check_schema()
        same = _close(probe_scores(model), np.array(description["probe_scores"], dtype=float))
    except Exception as error:  # foreign or outdated content may raise any kind
        raise ValueError(
            f"{path} could not be loaded ({type(error).__name__}: {error}). "
            + _other_versions(description)
        ) from error
    if not same:
        raise ValueError(
            f"{path} loads, but returns other scores than when it was saved. "
            + _other_versions(description)
        )
    return model


def read_description(path: StrPath) -> dict[str, Any]:
    """Read the description in a model file, verified by its checksums, without loading the model.

    Parameters
    ----------
    path : path-like
        The file to read.

    Returns
    -------
    dict
        The schema, the training summary, the versions and the checksums.
    """
    content = _read(path)
    if not zipfile.is_zipfile(io.BytesIO(content)):
        raise ValueError(_not_a_model(content, path))
    return checked_description(content, path)


def skops_types() -> list[str]:
    """List the types in models of this package that skops does not trust by default.

    They are this package's estimators and records, and scikit-learn's trees, calibrations and folds
    inside them. Pass them as ``trusted`` to ``skops.io.load``, or as ``skops_trusted_types`` to
    mlflow. skops does not validate trees and calibrations, so trust these types only in your own
    files. :func:`load_model` validates them and needs no such list.

    Returns
    -------
    list of str
        Names of types, in alphabetical order.

    Examples
    --------
    >>> import skops.io
    >>> from rdep import DEPClassifier
    >>> from rdep.model_files import skops_types
    >>> content = skops.io.dumps(DEPClassifier().fit([[0], [1]], [0, 1]))
    >>> skops.io.loads(content, trusted=skops_types()).predict([[0], [1]])
    array([0, 1])
    """
    return sorted(_TRUSTED)


def check_contents(model: BaseEstimator) -> None:
    """Refuse a model that contains a malformed tree or calibration at any depth.

    Parameters
    ----------
    model : estimator
        The model, constructed from data only, as in a model file. Classes and modules are not
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
            seen[id(value)] = value  # kept alive, so that no other object gets its id
            waiting += _parts(value)


def _parts(value: Any) -> list[Any]:
    """Objects that an object refers to, except those already checked."""
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


def probe_scores(model: TableModel) -> Array:
    """Scores of a few rows, which depend on the schema only."""
    random = np.random.RandomState(0)
    content: dict[str, Any] = {}
    for column in model.schema.columns:
        if column.kind == NUMBER:
            low = -1.0 if column.low is None else column.low
            high = 1.0 if column.high is None else column.high
            content[column.name] = low + (high - low) * random.uniform(size=_N_PROBES)
        else:
            content[column.name] = random.choice(np.array(column.categories, object), _N_PROBES)
    return model.scores(pandas().DataFrame(content))


def _check_kind(model: TableModel) -> None:
    _ = model.threshold  # raises an error if it is not a number
    for found in inner_classifiers(model.estimator):
        own = isinstance(found, BaseClassifier) or is_one_of(found, REGRESSOR, TRANSFORMER, MEMORY)
        if not own:
            raise ValueError(
                f"{type(found).__name__} is not a classifier of this package, nor one of its "
                "regressors, transformers and memories: save it with skops.io directly"
            )


def _archive(model: TableModel) -> bytes:
    _check_kind(model)
    try:
        content = skops_io().dumps(model.estimator)
    except Exception as error:  # objects that are not data may raise any kind
        raise ValueError(
            f"the model holds an object that a safe model file cannot hold ({error}): use other "
            "members, or save it with pickle=True for your own use only"
        ) from error
    members = renumbered(content)
    description = {
        "format": FORMAT,
        "versions": versions(),
        "schema": model.schema.to_dict(),
        "summary": model.summary,
        "probe_scores": probe_scores(model).tolist(),
        "sha256": {name: sha256(data) for name, data in members.items()},
    }
    text = json.dumps(description, indent=1, ensure_ascii=False).encode("utf-8")
    members |= {DESCRIPTION: text, CHECKSUM: sha256(text).encode()}
    content = packed(members)
    foreign = sorted(untrusted_types(content, "the model") - _TRUSTED)
    if foreign:
        raise ValueError(
            f"the model holds {', '.join(foreign)}, which a safe model file cannot hold: use other "
            "members, or save it with pickle=True for your own use only"
        )
    check_contents(model.estimator)
    return content


def _pickled(model: TableModel) -> bytes:
    warn_caller(
        "a pickle runs code when it is loaded: do not share this file, and load only pickles that "
        "you wrote yourself",
        UserWarning,
    )
    return pickle.dumps(model)


def _unpickled(content: bytes, path: StrPath, allow_pickle: bool) -> TableModel:
    if not (allow_pickle and content.startswith(b"\x80")):
        raise ValueError(_not_a_model(content, path))
    warn_caller(f"loading the pickle {path} runs whatever code it contains", UserWarning)
    model = pickle.loads(content)
    if not isinstance(model, TableModel):
        raise ValueError(f"{path} is a pickle of a {type(model).__name__}, not of a model")
    return model


def _not_a_model(content: bytes, path: StrPath) -> str:
    if content.startswith(b"\x80"):
        return (
            f"{path} is a Python pickle, which could run any code, and is not loaded. If you wrote "
            "it yourself, pass allow_pickle=True"
        )
    return f"{path} is not a model file of rdep, or it is cut off"


def _other_versions(description: dict[str, Any]) -> str:
    there, here = description["versions"], versions()
    other = [name for name in here if there.get(name) != here[name]]
    if not other:
        return "The file has been changed: fit the model again"
    return "It was saved with {}, but {} is installed: install the former, or fit again".format(
        ", ".join(f"{name} {there.get(name, 'unknown')}" for name in other),
        ", ".join(f"{name} {here[name]}" for name in other),
    )


def _close(scores: Array, expected: Array) -> bool:
    scale = float(np.abs(expected[np.isfinite(expected)]).max(initial=1.0))
    return scores.shape == expected.shape and bool(
        np.allclose(scores, expected, rtol=0, atol=_PROBE_TOLERANCE * scale)
    )


def _read(path: StrPath) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise FileNotFoundError(f"the model file {path} does not exist") from error
