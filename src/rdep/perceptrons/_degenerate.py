"""Warnings about fits of little use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

import numpy as np

from .._base._orientation import growth_signs
from .._utils._typing import Array
from ..exceptions import DegenerateFitWarning, warn_caller
from ..training import ClassSamples, TrainingSet

# More of the samples than this on the wrong side, next to the boundary, are worth a warning.
_LARGE_SHARE = 0.1
# Next to the boundary, relative to the features' ranges: far beyond the paper's margin.
_NEXT = 1e-4
# Parameters with which flags and other discrete features bring no samples to the boundary.
_RESISTANT: dict[str, Any] = {
    "margin": 0.5,
    "weighting": None,
    "beta_loss": "margin_hinge",
    "escape": True,
}

_prefix: ContextVar[str] = ContextVar("prefix", default="")
_around: ContextVar[Mapping[str, Any]] = ContextVar("around", default=MappingProxyType({}))
_chosen: ContextVar[tuple[str, ...]] = ContextVar("chosen", default=())


@contextmanager
def as_part(
    name: str, settings: Mapping[str, Any] | None = None, chosen: tuple[str, ...] = ()
) -> Iterator[None]:
    """Fits inside another estimator, whose parameter ``name`` they are.

    Advice is then in that estimator's parameters. It chooses those in ``chosen`` itself, and
    ``settings`` are further ones that can help.
    """
    outer = _prefix.get()
    besides = {outer + key: value for key, value in (settings or {}).items()}
    variables: list[tuple[ContextVar[Any], Any]] = [
        (_prefix, f"{outer}{name}__"),
        (_around, {**_around.get(), **besides}),
        (_chosen, (*_chosen.get(), *chosen)),
    ]
    tokens = [(variable, variable.set(value)) for variable, value in variables]
    try:
        yield
    finally:
        for variable, token in tokens:
            variable.reset(token)


def warn_if_degenerate(
    classifier: Any, samples: TrainingSet, negatives: Array, positives: Array
) -> None:
    """Warn when decision values of the training samples say that the fit is of little use."""
    classes = (samples.negatives, samples.positives)
    wrong = (negatives >= 0, positives < 0)
    least = np.minimum(*(part.least for part in classes))
    greatest = np.maximum(*(part.greatest for part in classes))
    # Of all features, those without any range included, which may take no part.
    next_to = _NEXT * float((greatest / 2 - least / 2).sum() / len(samples.used))
    at_boundary = sum(
        part.weights @ (is_wrong & (np.abs(values) <= next_to))
        for part, is_wrong, values in zip(classes, wrong, (negatives, positives), strict=True)
    ) / sum(part.weights.sum() for part in classes)
    trouble = []
    for label, alone in zip(
        classifier.classes_.tolist(),
        (not wrong[0].any() and wrong[1].all(), wrong[0].all() and not wrong[1].any()),
        strict=True,
    ):
        if alone:
            trouble.append(f"every training sample is predicted as class {label!r}")
    if at_boundary > _LARGE_SHARE:
        # Weights that are no numbers of repetitions are something else than a share of samples.
        counted = " (by weight)" if any((part.weights % 1).any() for part in classes) else ""
        trouble.append(
            f"{at_boundary:.0%} of the training samples{counted} lie next to the decision "
            "boundary, on its wrong side"
        )
    if trouble:
        settings = _advice(classifier, classes)
        is_part = bool(_prefix.get())
        warn_caller(DegenerateFitWarning(" and ".join(trouble), settings, is_part))


def _advice(classifier: Any, classes: tuple[ClassSamples, ClassSamples]) -> dict[str, Any]:
    """What can help and is not so already."""
    settings = {
        _prefix.get() + name: value
        for name, value in _RESISTANT.items()
        if name not in _chosen.get() and not _is_so(classifier, name, value)
    }
    if _prefix.get():
        return {**settings, **_around.get()}
    rows = np.vstack([part.rows for part in classes])
    weights = np.concatenate([part.weights for part in classes])
    signs = np.repeat([-1.0, 1.0], [len(part.rows) for part in classes])
    if (growth_signs(rows, signs, weights) < 0).any():
        settings["monotonic_cst"] = "auto"
    return settings


def _is_so(classifier: Any, name: str, value: Any) -> bool:
    given = getattr(classifier, name, value)
    return given >= value if name == "margin" else given == value
