"""Apply edits that were saved in a page to the model."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np

from .._base._validation import feature_names
from ..tables import TableModel, inner_classifiers
from ._models import checksum, editable_places, forget_training, model_form

FORMAT = "rdep-edits-1"
_ADVICE = "save the edits again in a page of this model"


def apply_edits(model: Any, edits: Mapping[str, Any]) -> Any:
    """Apply edits that were saved in a page, and record them in a model of tables.

    Parameters
    ----------
    model : TableModel or fitted estimator
        The model that the page was made of. It is not changed.
    edits : dict
        Content of the file that the page saved: the checksum of the model, and for every edit its
        place, the old and the new value.

    Returns
    -------
    TableModel or estimator
        An edited copy. The summary of a TableModel has the edits, and its rules are new.

    Raises
    ------
    ValueError
        If the edits are not of this model, or are damaged.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.explorer import apply_edits
    >>> dep = DEPClassifier().fit([[0.0], [1.0]], ["no", "yes"])
    >>> apply_edits(dep, {"format": "rdep-edits-1", "checksum": "…", "edits": []})
    Traceback (most recent call last):
    ...
    ValueError: the edits are of another model (their checksum differs): save the edits again in a \
page of this model
    """
    if not isinstance(edits, Mapping) or edits.get("format") != FORMAT:
        raise ValueError(f"these are not edits that a page saved (format {FORMAT!r}): {_ADVICE}")
    changed = deepcopy(model)
    table = TableModel.of(changed)
    classifiers = inner_classifiers(table.estimator)
    form = model_form(classifiers[0]) if len(classifiers) == 1 else None
    if form is None or not form["editable"]:
        raise ValueError(
            f"a {type(classifiers[0]).__name__} cannot be edited: edits are for models of boxes, "
            "points and pieces"
        )
    if edits.get("checksum") != model_checksum(table, form):
        raise ValueError(f"the edits are of another model (their checksum differs): {_ADVICE}")
    classifier = classifiers[0]
    entries = edits.get("edits")
    if not isinstance(entries, list) or not entries:
        raise ValueError("the file holds no edits: change a bound or a point in the page first")
    for entry in entries:
        _apply(classifier, entry)
    _check_boxes(classifier)
    forget_training(classifier)
    if isinstance(model, TableModel):
        return replace(changed, summary=_summary(table, classifier, entries))
    return changed


def model_checksum(table: TableModel, form: Any) -> str:
    """Checksum that ties edits to a model."""
    return checksum(table.schema.classes, table.schema.names, form)


def _apply(classifier: Any, entry: Any) -> None:
    places = editable_places(classifier)
    try:
        part, name = int(entry["part"]), str(entry["name"])
        index = tuple(int(k) for k in entry["index"])
        old, new = (float(entry[key]) for key in ("old", "new"))
        owner, attribute = places[part][name]
        held = getattr(owner, attribute)
        if min((part, *index), default=0) < 0:
            raise IndexError("negative index")
        if isinstance(held, list):  # boxes of each class
            held[index[0]] = np.array(held[index[0]])
            array, index = held[index[0]], index[1:]
        else:
            array = np.array(held, dtype=float)
        now = float(array[index])
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"the edit {entry!r} is damaged ({error!r}): {_ADVICE}") from error
    if now != old:
        raise ValueError(
            f"the edit of {name} {list(entry['index'])} expects the old value {old!r}, and the "
            f"model has {now!r}: {_ADVICE}"
        )
    if not np.isfinite(new) or (name == "beta" and not 0 <= new <= 1):
        raise ValueError(f"the edit of {name} sets {new!r}, which is out of range: {_ADVICE}")
    array[index] = new
    if not isinstance(held, list):
        setattr(owner, attribute, float(array) if array.ndim == 0 else array)


def _check_boxes(classifier: Any) -> None:
    for places in editable_places(classifier):
        if "boxes" in places:
            held = getattr(*places["boxes"])
            for boxes in held if isinstance(held, list) else [held]:
                if (boxes[:, 0] > boxes[:, 1]).any():
                    raise ValueError(
                        "after the edits a box has a lower bound above its upper bound, so that "
                        f"it is empty: {_ADVICE}"
                    )


def _summary(table: TableModel, classifier: Any, entries: list[Any]) -> dict[str, Any]:
    summary = dict(table.summary)
    kept = ("part", "name", "index", "old", "new", "text")
    recorded = [{key: entry[key] for key in kept if key in entry} for entry in entries]
    summary["edits"] = [*summary.get("edits", []), *recorded]
    if summary.get("rules"):
        rules = getattr(classifier, "_rules", None)
        names, scalers = feature_names(classifier), table_scalers(table)
        summary["rules"] = None if rules is None else str(rules(names, len(names), scalers))
    return summary


def table_scalers(table: TableModel) -> tuple[Any, ...]:
    """The scaler of a pipeline for tables."""
    steps = getattr(table.estimator, "named_steps", {})
    return (steps["scaler"],) if "scaler" in steps else ()
