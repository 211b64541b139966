"""Fit an r-DEP on rows that are read in blocks: members, ρ, stack, DEP."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from .._base._extremes import drawn_in, reach_of
from .._base._fitting import unchanged_on_error
from .._base._members import balanced_if_possible, standardised
from .._base._moments import Moments, moments, scaler_of
from .._base._passes import Block
from .._base._validation import feature_names
from .._utils._typing import Array
from ..orderings import MixedOrdering, stack_by_passes
from ..perceptrons import DEPClassifier, RDEPClassifier, fit_dep_by_passes
from ._decided import balanced_accuracy, calibration_by_passes, usual_size_by_passes
from ._members import N_FOLDS, Members, fit_members, fold_counts
from ._memory import rows_for_trees, rows_kept
from ._rows import Rows, View


def fit_rows(
    classifier: RDEPClassifier,
    rows: Rows,
    classes: NDArray,
    memory: int,
    names: Any = None,
) -> float:
    """Fit an r-DEP on rows whose y are positions in ``classes``.

    Returns
    -------
    float
        Balanced accuracy of the cross-fitted values: the mean over the classes against the rest.
    """
    with unchanged_on_error(classifier):
        _check(classifier, classes)
        classifier.classes_ = classes
        if len(classes) == 2:
            return _fit_binary(classifier, View(rows, partial(_signs, 1)), memory, names)
        parts = [classifier._against_the_rest(label, None, None) for label in classes]
        scores = []
        for place, part in enumerate(parts):
            part.classes_ = np.array([False, True])
            scores.append(_fit_binary(part, View(rows, partial(_signs, place)), memory, names))
        classifier.estimators_ = parts
        for name in ("n_features_in_", "feature_names_in_", "n_boosting_samples_", "n_iter_"):
            if hasattr(parts[0], name):
                setattr(classifier, name, getattr(parts[0], name))
        classifier.n_iter_ = max(part.n_iter_ for part in parts)
        return float(np.mean(scores))


def _fit_binary(classifier: RDEPClassifier, rows: Rows, memory: int, names: Any) -> float:
    """Fit on rows whose y are −1 and +1; ``classes_`` is already set."""
    progress = rows.progress
    progress.what = "scaling"
    counts, found = rows.reduce(_look, _add_looks)
    _check_folds(counts)
    n_features = len(found.means)
    classifier.n_features_in_ = n_features
    if names is not None:
        classifier.feature_names_in_ = np.asarray(names, dtype=object)
    classifier.input_scaler_ = None
    if classifier.scale_input:
        _check_finite(found, feature_names(classifier))
        classifier.input_scaler_ = scaler_of(found)
    classifier.constrained_, classifier.constrained_signs_ = np.arange(0), np.zeros(0)
    scaled = View(rows, partial(_scaled, classifier.input_scaler_))
    ordering = classifier._make_ordering().set_params(cv=N_FOLDS)
    classifier.ordering_ = ordering
    most = rows_for_trees(memory, n_features)
    members = fit_members(ordering, scaled, counts, classifier.classes_, n_features, most)
    classifier.n_boosting_samples_ = members.n_drawn
    progress.what = "values of the members"
    values = scaled.stored(partial(_values, members))
    _finish_ordering(ordering, members, values, classifier)
    return _fit_on_values(classifier, View(values, partial(_with_stack, ordering)), memory)


def _fit_on_values(classifier: RDEPClassifier, values: Rows, memory: int) -> float:
    """Fit the DEP on ρ, which is stored, and what follows from its decision values."""
    progress = values.progress
    progress.what = "DEP"
    classifier.ordering_scaler_ = None
    if classifier.scale_ordering:
        classifier.ordering_scaler_ = scaler_of(values.reduce(moments, Moments.__add__))
    reduced = View(values, partial(_scaled, classifier.ordering_scaler_))
    classifier.dep_ = _fit_dep(classifier, reduced, memory)
    found = reduced.reduce(moments, Moments.__add__)
    classifier.rounding_ = 1e-10 * float(np.abs([found.least, found.greatest]).max())
    progress.what = "probabilities"
    decided = values.stored(partial(_decided, classifier))
    classifier.reach_ = reach_of(usual_size_by_passes(decided))
    drawn = View(decided, partial(_drawn_in, classifier.reach_))
    classifier.calibration_ = calibration_by_passes(drawn)
    classifier.n_iter_ = classifier.dep_.n_iter_
    return balanced_accuracy(decided, classifier.rounding_)


def _fit_dep(classifier: RDEPClassifier, reduced: Rows, memory: int) -> DEPClassifier:
    dep = classifier._make_dep()
    if classifier.class_weight == "auto":
        dep.set_params(class_weight=balanced_if_possible(dep) or dep.class_weight)
    elif classifier.class_weight is not None:
        dep.set_params(class_weight=classifier.class_weight)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit_dep_by_passes(dep, reduced, classifier.classes_, max_kept=rows_kept(memory))
    classifier._warn_again(caught)
    return dep


def _finish_ordering(
    ordering: MixedOrdering, members: Members, values: Rows, classifier: RDEPClassifier
) -> None:
    """Set the fitted attributes of the ordering, the stack among them."""
    ordering.estimators_, ordering._names = members.estimators, members.names
    ordering.classes_, ordering.n_features_in_ = classifier.classes_, classifier.n_features_in_
    ordering._rows_in_use = None
    if ordering.stack:
        values.progress.what, given = "stack", ordering.class_weight
        ordering.stack_, ordering.stack_scale_ = stack_by_passes(
            values,
            ordering.classes_,
            positive=ordering.stack == "positive",
            class_weight=given if isinstance(given, dict) else "balanced",
        )


def _look(block: Block) -> tuple[Array, Moments]:
    return fold_counts(block), moments(block)


def _add_looks(a: tuple[Array, Moments], b: tuple[Array, Moments]) -> tuple[Array, Moments]:
    return a[0] + b[0], a[1] + b[1]


def _signs(place: int, block: Block) -> Block:
    """One class against the others."""
    return block._replace(y=np.where(block.y == place, 1, -1))


def _scaled(scaler: StandardScaler | None, block: Block) -> Block:
    return block if scaler is None else block._replace(X=standardised(scaler, block.X))


def _values(members: Members, block: Block) -> Block:
    return block._replace(X=members.cross_fitted(block))


def _with_stack(ordering: MixedOrdering, block: Block) -> Block:
    """ρ of the rows, as ``fit_transform`` of the ordering returns it."""
    if not ordering.stack:
        return block
    values = ordering._with_stack(block.X)
    return block._replace(X=values / ordering._deviations() if ordering.shrinkage else values)


def _decided(classifier: RDEPClassifier, block: Block) -> Block:
    return block._replace(X=classifier._decided_in_fit(block.X)[:, None])


def _drawn_in(reach: float, block: Block) -> Block:
    return block._replace(X=drawn_in(block.X, reach))


def _check(classifier: RDEPClassifier, classes: NDArray) -> None:
    """Raise an error for what a fit by blocks does not do, before any work begins."""
    classifier._validate_params()
    classifier._check_parts()
    if len(classes) < 2:
        raise ValueError(f"every row is of class {classes[0]!s}: a classifier needs two classes")
    ordering, dep = classifier._part("ordering"), classifier._part("dep")
    if not isinstance(ordering, MixedOrdering) or not isinstance(ordering.cv, int):
        raise ValueError(
            "a fit by blocks needs ordering='mixed', or a MixedOrdering whose cv is a number: its "
            f"members are cross-fitted in {N_FOLDS} folds; got {ordering!r}"
        )
    if type(dep) is not DEPClassifier:
        raise ValueError(f"a fit by blocks needs a DEPClassifier as dep, got {dep!r}")
    if classifier.monotonic_cst is not None:
        raise ValueError("a fit by blocks does not take monotonic_cst: fit on arrays")
    if isinstance(classifier.class_weight, dict) and len(classes) > 2:
        raise ValueError(
            "a fit by blocks takes a dict of class weights for two classes only: use 'balanced'"
        )


def _check_finite(found: Moments, names: NDArray) -> None:
    wrong = ~np.isfinite(found.variances)
    if wrong.any():
        raise ValueError(
            f"feature {names[wrong.argmax()]!r} is too large to be standardised: its variance "
            "overflows; divide it by a power of ten first"
        )


def _check_folds(counts: Array) -> None:
    if not counts.all():
        raise ValueError(
            f"one of the two folds has {int(counts.min())} rows of a class: there are too few rows "
            "for a fit by blocks; fit on arrays"
        )
