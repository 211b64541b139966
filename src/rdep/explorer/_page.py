"""The page: a model, rows of a table and a program that evaluates them, in one file."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.utils import get_tags

from .. import __version__
from .._base._missing import has_missing
from .._utils._typing import Array
from ..hyperboxes import BoxScoreClassifier
from ..scoring import Importance, Scored
from ..tables import TableModel, inner_classifiers, inner_input
from ._columns import Column, inputs_of, packed, table_columns
from ._decisions import class_lines, probability_form, threshold_of_values
from ._edits import model_checksum
from ._extras import dependence_part, held_out_part, importance_part, radii_part
from ._models import members_of, model_form

MODULES = (
    *("model", "metrics", "expressions", "charts", "boxes", "flips", "panels", "modelview"),
    *("rowview", "figures", "app"),
)
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (function|const|class) (\w+)", re.MULTILINE)


def to_html(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    title: str | None = None,
    max_rows: int = 100_000,
    importance: Importance | Mapping[str, Any] | None = None,
    front: Iterable[int] = (),
    held_out: Scored | None = None,
    robust: int = 0,
    ignore_extra: bool = False,
    ignore_new_categories: bool = False,
) -> str:
    """Make a page to look at a fitted model, to try it and to edit it.

    The page is one HTML file. It opens from disk, needs no server and sends nothing. For models
    made of boxes, points and pieces (:class:`rdep.DEPClassifier`, :class:`rdep.RDEPClassifier`,
    :class:`rdep.BoxScoreClassifier`, :class:`rdep.CompetitiveClassifier`,
    :class:`rdep.LinearDEPClassifier`) it evaluates the model itself: bounds and points can be
    changed, and decisions follow. For other models it shows the decision values of the rows.

    Read more in the :doc:`User Guide </guide/explorer>`.

    Parameters
    ----------
    model : TableModel or fitted classifier
        The model, also a pipeline or a calibrated classifier.
    X : data frame or array-like of shape (n_samples, n_columns)
        Rows of the page, as ``predict`` takes them.
    y : array-like of shape (n_samples,) or None, default=None
        Their classes, None or NaN where unknown. Without classes the page shows decisions only.
    title : str or None, default=None
        Heading of the page. None names the model.
    max_rows : int, default=100_000
        Maximum number of rows in the page. If there are more, the page has a random sample and
        says so.
    importance : Importance, dict of str to float or pair of floats, or None, default=None
        Importance of columns to be shown: what :func:`rdep.scoring.importance` returns, or numbers
        by name, alone or with their spread. Partial dependence on the four most important columns
        is shown as well.
    front : iterable of int, default=()
        Numbers of conditions. For each, a box score with this ``max_conditions`` is fitted to the
        rows, four times, to compare it in the page. For a box score only, and if ``y`` is given.
    held_out : Scored or None, default=None
        Rows that copies of the model were not fitted on, as :func:`rdep.scoring.held_out` returns
        them: their confusion matrix and their ROC curve are shown.
    robust : int, default=0
        Number of rows, those nearest to the boundary, for which the page shows the radius within
        which the decision cannot change, and a change of few columns that changes it. It takes up
        to a second for each row.
    ignore_extra, ignore_new_categories : bool, default=False
        As in :meth:`rdep.tables.TableModel.rows`.

    Returns
    -------
    str
        The content of the file, in UTF-8.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.explorer import to_html
    >>> X, _, y, _ = load_ripley()
    >>> page = to_html(DEPClassifier().fit(X, y), X, y)
    >>> page[:15]
    '<!doctype html>'
    """
    table = TableModel.of(model)
    check_has_classes(table)
    rows = table.rows(X, ignore_extra=ignore_extra, ignore_new_categories=ignore_new_categories)
    codes = None if y is None else _codes(y, table.schema.classes, len(rows))
    numbers = np.arange(len(rows))
    if len(rows) > max_rows:
        numbers = np.sort(np.random.RandomState(0).permutation(len(rows))[:max_rows])
        rows = rows.iloc[numbers] if hasattr(rows, "iloc") else rows[numbers]
        codes = None if codes is None else codes[numbers]
    weights = importance_part(importance, table)
    payload = _payload(table, rows, codes)
    payload |= {
        "title": title or _title(table),
        "version": __version__,
        "total": len(X),
        "rows": packed(numbers + 1) if len(numbers) < len(X) else None,
        "importance": weights,
        "dependence": dependence_part(weights, table, rows),
        "score": importance.scoring if isinstance(importance, Importance) else None,
        "heldOut": held_out_part(held_out),
        "radii": radii_part(robust, table, rows, _margins(table, rows, payload["threshold"])),
        "remarks": table.summary.get("warnings", []),
        "front": _front(tuple(front), table, rows, codes),
    }
    return page_of(payload)


def check_has_classes(table: TableModel) -> None:
    """Refuse a model that is not a classifier."""
    if not table.schema.classes:
        raise ValueError(
            f"a page shows how classes are decided, and a {type(table.classifier).__name__} is not "
            "a classifier; for a regressor, explain names what decides each prediction"
        )


def _title(table: TableModel) -> str:
    name = type(table.classifier).__name__
    return name if table.schema.target is None else f"{table.schema.target}, by {name}"


def _codes(y: Any, classes: tuple[Any, ...], n_rows: int) -> NDArray[np.intp]:
    """Positions of the classes; −1 where a class is unknown."""
    labels = np.asarray(y, dtype=object).ravel()
    if len(labels) != n_rows:
        raise ValueError(f"y has {len(labels)} classes, X has {n_rows} rows")
    known = {str(label): code for code, label in enumerate(classes)}
    codes = np.full(n_rows, -1)
    for i, label in enumerate(labels):
        if label is None or label != label:
            continue
        text = str(label)
        if text not in known and isinstance(label, float) and label.is_integer():
            text = str(int(label))
        if text not in known:
            raise ValueError(
                f"y has the class {text!r} in row {i + 1}, which the model does not know; it has "
                f"{', '.join(map(repr, known))}"
            )
        codes[i] = known[text]
    return codes


def _payload(table: TableModel, rows: Any, codes: Any) -> dict[str, Any]:
    columns = table_columns(table.schema, rows)
    estimator, classifier = table.estimator, table.classifier
    predicted = np.searchsorted(estimator.classes_, estimator.predict(rows))
    form, start, lines = _live(table, rows, predicted)
    inputs, derived = None, None
    if form is not None:
        derived = members_of(classifier, inner_input(estimator, rows))
        if derived is None:
            inputs = inputs_of(estimator, columns, rows)
            if inputs is None:
                derived = _features(estimator, rows)
    if derived is not None:
        n_columns = len(columns)
        columns += [
            Column(name, values, is_derived=True)
            for name, values in zip(derived[0], derived[1].T, strict=True)
        ]
        inputs = [
            {"column": n_columns + j, "name": name, "steps": []}
            for j, name in enumerate(derived[0])
        ]
    values = None
    if form is None:
        values = _values(table, rows)
        if values.ndim == 2 and len(table.schema.classes) == 2:
            values = values[:, 1]
        start = _threshold_shown(table, not _decides(table))
    return {
        "format": 1,
        "kind": type(classifier).__name__,
        "classes": [str(label) for label in table.schema.classes],
        "target": table.schema.target,
        "columns": [_column(column) for column in columns],
        "y": None if codes is None else packed(codes),
        "predicted": packed(predicted),
        "inputs": inputs,
        "model": form,
        "checksum": None if form is None else model_checksum(table, form),
        "threshold": start,
        "classLines": lines,
        "probability": None if form is None else _probability(table),
        "values": None if values is None else [packed(v) for v in np.atleast_2d(values.T)],
        "valuesAre": "probabilities" if form is None and not _decides(table) else "decision values",
    }


def _decides(table: TableModel) -> bool:
    return not table.gives_probabilities and hasattr(table.estimator, "decision_function")


def _live(table: TableModel, rows: Any, predicted: Any) -> tuple[Any, float, Any]:
    """The model as a page evaluates it, or None; its threshold; and the lines of several classes.

    The decisions must be those of ``predict``, also of a calibrated model or one with a threshold.
    """
    nothing = None, 0.0, None
    estimator, classifier = table.estimator, table.classifier
    if len(inner_classifiers(estimator)) > 1:
        return nothing
    X = inner_input(estimator, rows)
    # The page computes with numbers only: for rows with gaps it shows values of Python.
    if get_tags(classifier).input_tags.allow_nan and has_missing(np.asarray(X, dtype=float)):
        return nothing
    form = model_form(classifier)
    if form is None or (table.threshold is None and not table.gives_probabilities):
        return form, 0.0, None
    if len(table.schema.classes) > 2:
        lines = None if form["kind"] == "boxes" else class_lines(estimator)
        return nothing if lines is None else (form, 0.0, lines)
    start = threshold_of_values(estimator)
    agrees = (classifier.decision_function(X) >= start) == (predicted == 1)
    return (form, start, None) if agrees.all() else nothing


def _threshold_shown(table: TableModel, of_probabilities: bool) -> float:
    """Value that Python computed from which on the second class is predicted."""
    threshold = table.threshold
    if threshold is None:
        return 0.5 if of_probabilities else 0.0
    if threshold.positive:
        return threshold.value
    return float(np.nextafter(of_probabilities - threshold.value, np.inf))


def _margins(table: TableModel, rows: Any, threshold: float) -> Array:
    """How far each row is from the boundary, in decision values or probabilities."""
    values = _values(table, rows)
    if values.ndim == 1:
        return np.abs(values - threshold)
    largest = np.sort(values, axis=1)
    return largest[:, -1] - largest[:, -2]


def _values(table: TableModel, rows: Any) -> Array:
    """Decision values, or probabilities where the model decides by them."""
    if _decides(table):
        return table.estimator.decision_function(rows)
    return table.estimator.predict_proba(rows)


def _probability(table: TableModel) -> dict[str, Any] | None:
    return probability_form(table.estimator) if len(table.schema.classes) == 2 else None


def _features(estimator: Any, rows: Any) -> tuple[list[str], Array]:
    """Features of the classifier, computed in Python."""
    found = inner_input(estimator, rows)
    names = list(getattr(found, "columns", [])) or [f"x{j}" for j in range(np.shape(found)[1])]
    return [str(name) for name in names], np.asarray(found, dtype=float)


def _column(column: Column) -> dict[str, Any]:
    return {
        "name": column.name,
        "categories": column.categories,
        "derived": column.is_derived,
        "values": packed(column.values),
    }


def _front(front: tuple[int, ...], table: TableModel, rows: Any, codes: Any) -> Any:
    """Box scores with other numbers of conditions, and their score on rows held out."""
    if not front:
        return None
    classifier = table.classifier
    if not isinstance(classifier, BoxScoreClassifier) or codes is None:
        raise ValueError("front is for a BoxScoreClassifier, and needs the classes of the rows (y)")
    X = np.asarray(inner_input(table.estimator, rows), dtype=float)
    X, y = X[codes >= 0], np.asarray(classifier.classes_)[codes[codes >= 0]]
    found = []
    for number in sorted(set(front)):
        other = clone(classifier).set_params(max_conditions=number)
        held_out = cross_val_predict(other, X, y, cv=StratifiedKFold(3))
        found.append(
            {
                "conditions": int(number),
                "heldOut": float(balanced_accuracy_score(y, held_out)),
                "model": model_form(other.fit(X, y)),
            }
        )
    return found


def page_of(payload: dict[str, Any]) -> str:
    """Page with this content. Its texts are data, which the page never takes for HTML."""
    folder = files(__package__) / "page"
    style = (folder / "page.css").read_text("utf-8")
    script = bundle()
    # In a script element, only "<" could end the data.
    data = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    data = data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    data = data.encode("utf-8", "replace").decode("utf-8")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src {_hash(script)}; style-src {_hash(style)}"
    )
    parts = {
        "policy": policy,
        "title": html.escape(payload["title"]),
        "style": style,
        "data": data,
        "script": script,
    }
    text = (folder / "page.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], text)


def bundle() -> str:
    """The modules of the page as one script: each one a function that returns what it exports."""
    folder = files(__package__) / "page"
    parts = []
    for name in MODULES:
        text = (folder / f"{name}.js").read_text("utf-8")
        exports = ", ".join(found for _, found in _EXPORT.findall(text))
        text = _EXPORT.sub(r"\1 \2", _IMPORT.sub(r"const \1 = modules.\2;", text))
        parts.append(f"modules.{name} = (() => {{\n{text}return {{ {exports} }};\n}})();\n")
    inside = "".join(["const modules = {};\n", *parts, "modules.app.start();\n"])
    return f'"use strict";\n(() => {{\n{inside}}})();\n'


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"
