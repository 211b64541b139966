"""Fitted models as plain numbers that a page evaluates, and where the model keeps these numbers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from .._base._one_vs_rest import SignClassifier
from .._utils._typing import Array
from ..hyperboxes import BoxScoreClassifier, CompetitiveClassifier
from ..inspection import OperatorClassifier
from ..orderings import FeatureOrdering
from ..perceptrons import LinearDEPClassifier, RDEPClassifier

# Where a number is kept: the object, and the name of its attribute.
Places = dict[str, tuple[Any, str]]


def model_form(classifier: Any) -> dict[str, Any] | None:
    """How a page computes the decision values of a classifier; None if it cannot.

    One part for two classes, or one for each class. Numbers that are not finite are None.
    """
    if isinstance(classifier, CompetitiveClassifier):
        form = {"kind": "boxes", **_competing(classifier)}
    elif isinstance(classifier, SignClassifier) and _parts(classifier):
        parts: list[dict[str, Any]] = []
        for part in _parts(classifier):
            own = part_form(part)
            if own is None:
                return None
            parts.append(own)
            if _is_member(part):  # every part has members of its own
                for coordinate in own["coordinates"]:
                    coordinate["feature"] += sum(len(p["dilation"]) for p in parts[:-1])
        form = {
            "kind": parts[0]["kind"],
            "parts": parts,
            "rounding": [float(part._rounding()) for part in _parts(classifier)],
            "zeroIsPositive": bool(_parts(classifier)[0]._zero_is_positive()),
        }
    else:
        return None
    return _plain({**form, "editable": bool(editable_places(classifier))})


def _parts(classifier: Any) -> list[Any]:
    return [classifier] if len(classifier.classes_) == 2 else list(classifier.estimators_)


@singledispatch
def part_form(part: Any) -> dict[str, Any] | None:
    """Decision value of a classifier of two classes as numbers; None if a page cannot compute it.

    A new model registers its form with ``part_form.register``, and ``page/model.js`` evaluates it.
    """
    return None


@part_form.register
def _(part: OperatorClassifier) -> dict[str, Any]:
    fitted = part._fitted_operators()
    steps = [[[0.0, float(sign)]] for sign in fitted.orientation]
    return _operators(fitted, fitted.features, steps)


@part_form.register
def _(part: RDEPClassifier) -> dict[str, Any] | None:
    if not isinstance(part.dep_, OperatorClassifier):
        return None
    fitted = part.dep_._fitted_operators()
    if isinstance(part.ordering_, FeatureOrdering):
        ordered = part.ordering_.as_features()
        features, signs = ordered.features, ordered.signs
        before = _scaling(part.input_scaler_, len(part.ordering_.data_min_))
    else:
        # The features of this form are the values of the members.
        features = np.arange(len(fitted.names))
        signs, before = np.ones(len(features)), None
    after = _scaling(part.ordering_scaler_, len(features))
    steps = []
    for coordinate, sign in zip(fitted.features, fitted.orientation, strict=True):
        feature = features[coordinate]
        own = [before[feature]] if before else []
        own.append([0.0, float(signs[coordinate])])
        own += [after[coordinate]] if after and not _is_member(part) else []
        steps.append([*own, [0.0, float(sign)]])
    return _operators(fitted, features[fitted.features], steps)


def _is_member(part: RDEPClassifier) -> bool:
    return isinstance(part, RDEPClassifier) and not isinstance(part.ordering_, FeatureOrdering)


def _scaling(scaler: Any, n_features: int) -> list[list[float]] | None:
    if scaler is None:
        return None
    return [[float(scaler.mean_[j]), float(scaler.scale_[j])] for j in range(n_features)]


def _operators(fitted: Any, features: Any, steps: list[list[list[float]]]) -> dict[str, Any]:
    return {
        "kind": "operators",
        "coordinates": [
            # Steps that change nothing are left out.
            {"feature": int(j), "steps": [s for s in own if s != [0.0, 1.0]]}
            for j, own in zip(features, steps, strict=True)
        ],
        "dilation": fitted.weights.get("dilation"),
        "erosion": fitted.weights.get("erosion"),
        "beta": float(fitted.beta),
    }


@part_form.register
def _(part: LinearDEPClassifier) -> dict[str, Any]:
    return {"kind": "pieces", **_held(part)}


@part_form.register
def _(part: BoxScoreClassifier) -> dict[str, Any]:
    return {"kind": "score", **_held(part)}


def _held(part: Any) -> dict[str, Any]:
    """Numbers of a part whose form has the names of its editable places."""
    return {name: getattr(*place) for name, place in _places(part).items()}


def _competing(classifier: CompetitiveClassifier) -> dict[str, Any]:
    return {
        "boxes": list(classifier.boxes_),
        "scale": classifier.scale_,
        "ties": classifier.ties,
        "zeroIsPositive": bool(classifier._zero_is_positive()),
    }


def editable_places(classifier: Any) -> list[Places]:
    """Attributes that edits may change, by their name in the page, for each part."""
    if isinstance(classifier, CompetitiveClassifier):
        return [{"boxes": (classifier, "boxes_")}]
    if not isinstance(classifier, SignClassifier):
        return []
    found = [_places(part) for part in _parts(classifier)]
    return found if all(found) else []


@singledispatch
def _places(part: Any) -> Places:
    return {}


@_places.register
def _(part: OperatorClassifier) -> Places:
    if hasattr(part, "dilation_weights_"):
        return {
            "dilation": (part, "dilation_weights_"),
            "erosion": (part, "erosion_weights_"),
            "beta": (part, "beta_"),
        }
    if hasattr(part, "weights_"):
        return {getattr(part, "operator", "dilation"): (part, "weights_")}
    return {}


@_places.register
def _(part: RDEPClassifier) -> Places:
    return _places(part.dep_)


@_places.register
def _(part: LinearDEPClassifier) -> Places:
    names = ("dilation_coef", "dilation_intercept", "erosion_coef", "erosion_intercept")
    return {name: (part, f"{name}_") for name in names}


@_places.register
def _(part: BoxScoreClassifier) -> Places:
    return {
        "intercept": (part, "intercept_"),
        "coef": (part, "coef_"),
        "boxes": (part, "boxes_"),
        "points": (part, "box_coef_"),
    }


def forget_training(classifier: Any) -> None:
    """Remove what an edit makes wrong: the digits of rules, which hold for training samples only.

    Rules then print all digits.
    """
    for part in {id(p): p for p in (classifier, *getattr(classifier, "estimators_", ()))}.values():
        for holder in (part, getattr(part, "dep_", None)):
            for name in ("bound_values_", "printing_"):
                if name in vars(holder or object):
                    delattr(holder, name)
        if isinstance(part, LinearDEPClassifier) and len(part.classes_) == 2:
            names = ("dilation_coef", "dilation_intercept", "erosion_coef", "erosion_intercept")
            part.result_ = replace(part.result_, **{n: getattr(part, f"{n}_") for n in names})


def checksum(classes: Any, inputs: Any, form: Any) -> str:
    """Checksum of a model as a page has it."""
    text = json.dumps([list(classes), inputs, form], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _plain(value: Any) -> Any:
    """Plain JSON values; numbers that are not finite become None."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value


def members_of(classifier: Any, X: Any) -> tuple[list[str], Array] | None:
    """Names and values of the members that an r-DEP decides on; None for other models."""
    if not isinstance(classifier, RDEPClassifier):
        return None
    names, values = [], []
    parts = _parts(classifier)
    for label, part in zip(classifier.classes_[-len(parts) :], parts, strict=True):
        if not _is_member(part):
            return None
        reduced = np.asarray(part.reduced_space(X), dtype=float)
        own = part._member_names()
        own = [f"member {j + 1}" for j in range(reduced.shape[1])] if own is None else own
        prefix = "" if len(classifier.classes_) == 2 else f"{label}: "
        names += [f"{prefix}{name}" for name in own]
        values.append(reduced)
    return names, np.hstack(values)
