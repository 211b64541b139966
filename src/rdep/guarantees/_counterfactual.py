"""Nearest samples that are decided otherwise, with conditions on their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._base._missing import has_missing
from .._base._validation import feature_names
from .._utils._typing import Array, Indices, Mask
from ..exceptions import warn_caller
from ._domain import Domain
from ._forms import no_certificate
from ._radius import Fitted, robustness_radius
from ._search import OutOfTimeError


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """Nearest samples that are predicted otherwise.

    Attributes
    ----------
    samples : ndarray of shape (n_samples, n_features)
        For every sample the nearest one that ``predict`` decides otherwise; NaN if none was found.
    found : ndarray of bool of shape (n_samples,)
        Whether there is one.
    distances : ndarray of shape (n_samples,)
        Largest change of a feature, in units of ``scale``; infinite if none was found.
    n_moved : ndarray of int of shape (n_samples,)
        Number of features that differ; 0 if none was found.
    """

    __module__ = "rdep.guarantees"

    samples: Array
    found: Mask
    distances: Array
    n_moved: Indices


def counterfactual(
    model: Any,
    X: Any,
    *,
    sparse: bool = False,
    scale: ArrayLike | Mapping[str, float] | None = None,
    ranges: Mapping[Any, tuple[float, float]] | None = None,
    fixed: Iterable[Any] = (),
    integers: Iterable[Any] = (),
    categories: Sequence[Sequence[Any]] = (),
) -> Counterfactual:
    """Find the nearest sample that is predicted otherwise, for every sample.

    The distance is the largest change of a feature in units of ``scale``. Every sample returned has
    been passed to ``predict``. Each takes a search, so that this is for some tens of samples at a
    time.

    Read more in the :doc:`User Guide </guide/guarantees>`.

    Parameters
    ----------
    model : classifier
        Fitted classifier with exact radii, see :func:`robustness_radius`, or a Pipeline of scalers
        that ends in one.
    X : array-like of shape (n_samples, n_features)
        Samples.
    sparse : bool, default=False
        Whether to change as few features as possible. Of several choices of as few features, the
        one with the smallest distance is taken. Without ``ranges``, samples at most 64 times as
        far away as the nearest one are considered.
    scale : array-like of shape (n_features,), dict of str to float, or None, default=None
        Unit of every feature, as in :func:`robustness_radius`.
    ranges : dict of names to pairs, or None, default=None
        Smallest and largest value of features. Features have the names seen during fit; x0, x1, …
        if there were none. Features that are not named have no limits.
    fixed : iterable of names, default=()
        Features that must not change.
    integers : iterable of names, default=()
        Features whose values must be whole numbers.
    categories : sequence of sequences of names, default=()
        Groups of features of which exactly one is 1 and the others are 0.

    Returns
    -------
    Counterfactual

    Warns
    -----
    UserWarning
        If no sample within the ranges was found that is predicted otherwise.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.guarantees import counterfactual
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> dep = DEPClassifier().fit(X_train, y_train)
    >>> found = counterfactual(dep, X_test[:1], sparse=True)
    >>> X_test[0].round(2), found.samples[0].round(2), found.n_moved
    (array([-0.97,  0.43]), array([1.27, 0.43]), array([1]))
    """
    fitted = Fitted(model)
    given, (X, units) = X, fitted.checked(X, scale)
    if fitted.decision is None:
        raise no_certificate(f"counterfactuals of a {type(model).__name__} of this kind")
    if has_missing(X):
        row = int(np.flatnonzero(np.isnan(X).any(axis=1))[0])
        raise ValueError(
            f"sample {row} has missing values, and a counterfactual moves values: fill them in, or "
            "ask for its radius by robustness_radius"
        )
    domains = _domains(fitted, X, units, ranges or {}, fixed, integers, categories)
    codes = fitted.codes_of(X)
    samples = np.full(X.shape, np.nan)
    if not sparse and all(domain.is_free for domain in domains):
        samples = robustness_radius(model, given, scale=units, max_exact_rows=len(X)).flips
    for i in np.flatnonzero(np.isnan(samples).any(axis=1)):
        try:
            moved = fitted.question(domains[i], int(codes[i]), sparse).nearest()[1]
        except OutOfTimeError:
            continue
        if moved is not None:
            samples[i] = moved
    is_found: Mask = np.array(np.isfinite(samples).all(axis=1))
    if not is_found.all():
        first, others = int(np.flatnonzero(~is_found)[0]), int((~is_found).sum()) - 1
        more = f" and {others} more" if others else ""
        warn_caller(
            f"found no sample within the ranges that is predicted otherwise than sample {first}"
            f"{more}: widen ranges, or fix fewer features",
            UserWarning,
        )
    moves = np.where(is_found[:, None], np.abs(samples - X) / units, 0.0)
    distances = np.where(is_found, moves.max(axis=1, initial=0.0), np.inf)
    return Counterfactual(samples, is_found, distances, (moves > 0).sum(axis=1))


def _domains(
    fitted: Fitted,
    X: Array,
    scale: Array,
    ranges: Mapping[Any, tuple[float, float]],
    fixed: Iterable[Any],
    integers: Iterable[Any],
    categories: Sequence[Sequence[Any]],
) -> list[Domain]:
    """Conditions on each sample, or an error that says which one a sample does not meet."""
    n_features, names = X.shape[1], feature_names(fitted.first)
    lower, upper = np.full(n_features, -np.inf), np.full(n_features, np.inf)
    for j, (low, high) in fitted.by_name(ranges, "ranges").items():
        lower[j], upper[j] = low, high
        outside = np.flatnonzero(~((X[:, j] >= low) & (X[:, j] <= high)))
        if len(outside):
            raise ValueError(
                f"ranges exclude sample {outside[0]}: its feature {names[j]!r} is "
                f"{X[outside[0], j]:g}, outside {low:g} to {high:g}. Widen the range, or leave "
                "the sample out"
            )
    stays, whole = np.zeros((2, n_features), dtype=bool)
    stays[list(fitted.by_name(dict.fromkeys(fixed), "fixed"))] = True
    whole[list(fitted.by_name(dict.fromkeys(integers), "integers"))] = True
    broken = np.argwhere(whole & (np.round(X) != X))
    if len(broken):
        i, j = broken[0]
        raise ValueError(
            f"integers name the feature {names[j]!r}, which is {X[i, j]:g} in sample {i}: leave it "
            "out of integers"
        )
    groups = []
    for group in categories:
        places = np.array(list(fitted.by_name(dict.fromkeys(group), "categories")))
        values = X[:, places]
        is_one = np.isin(values, (0.0, 1.0)).all(axis=1) & (values.sum(axis=1) == 1)
        if not is_one.all():
            i = int(np.flatnonzero(~is_one)[0])
            raise ValueError(
                f"in sample {i} the features {list(group)} are {values[i].tolist()}: exactly one "
                "feature of a group of categories must be 1, and the others 0"
            )
        lower[places] = np.maximum(lower[places], 0)
        upper[places] = np.minimum(upper[places], 1)
        groups.append(places)
    return [
        Domain(x, scale, np.where(stays, x, lower), np.where(stays, x, upper), whole, tuple(groups))
        for x in X
    ]
