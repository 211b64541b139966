"""Nearest samples that are decided otherwise, with conditions on their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._base._validation import feature_names
from .._utils._typing import Array, Indices, Mask
from ..exceptions import warn_caller
from ._bounds import bounds_of_decision
from ._forms import no_certificate
from ._programme import Domain, OutOfTimeError, nearest
from ._radius import (
    as_fitted,
    by_name,
    checked,
    codes_of,
    in_units_of_samples,
    is_other,
    named_step,
    robustness_radius,
)


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
    been passed to ``predict``. Conditions are part of mixed-integer programmes, one or more for
    each sample, so that this is for some tens of samples at a time.

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
    decision = in_units_of_samples(model)
    X, units = checked(model, X, scale)
    if decision is None:
        raise no_certificate(f"counterfactuals of a {type(model).__name__} of this kind")
    limits = _Limits.of(named_step(model), X, ranges, fixed, integers, categories)
    codes = codes_of(model, X)
    samples = np.full(X.shape, np.nan)
    if limits.is_free and not sparse:
        given = as_fitted(named_step(model), X)
        samples = robustness_radius(model, given, scale=units, max_exact_rows=len(X)).flips
    starts = 2 * bounds_of_decision(decision, X, units, codes)
    for i in np.flatnonzero(np.isnan(samples).any(axis=1)).tolist():
        domain, code = limits.of_sample(X[i]), int(codes[i])

        def is_answer(moved: Array, domain: Domain = domain, code: int = code) -> bool:
            return _is_allowed(domain, moved) and is_other(model, code, moved)

        start = float(np.nan_to_num(starts[i], posinf=0.0))
        samples[i] = np.nan
        try:
            found = nearest(
                decision, X[i], units, code, is_answer, start=start, domain=domain, sparse=sparse
            )
        except OutOfTimeError:
            continue
        if found.sample is not None:
            samples[i] = found.sample
    is_found: Mask = np.array([np.isfinite(sample).all() for sample in samples], dtype=bool)
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


@dataclass(frozen=True, eq=False)
class _Limits:
    """Conditions on all samples."""

    lower: Array
    upper: Array
    fixed: Mask
    integers: Mask
    groups: tuple[Indices, ...]

    @classmethod
    def of(
        cls,
        model: Any,
        X: Array,
        ranges: Mapping[Any, tuple[float, float]] | None,
        fixed: Iterable[Any],
        integers: Iterable[Any],
        categories: Sequence[Sequence[Any]],
    ) -> _Limits:
        """Conditions by position, or an error that says which one a sample does not meet."""
        n_features, names = X.shape[1], feature_names(model)
        lower, upper = np.full(n_features, -np.inf), np.full(n_features, np.inf)
        for j, (low, high) in by_name(model, ranges or {}, "ranges").items():
            lower[j], upper[j] = low, high
            outside = np.flatnonzero(~((X[:, j] >= low) & (X[:, j] <= high)))
            if len(outside):
                raise ValueError(
                    f"ranges exclude sample {outside[0]}: its feature {names[j]!r} is "
                    f"{X[outside[0], j]:g}, outside {low:g} to {high:g}. Widen the range, or leave "
                    "the sample out"
                )
        masks = []
        for what, given in (("fixed", fixed), ("integers", integers)):
            mask = np.zeros(n_features, dtype=bool)
            mask[list(by_name(model, dict.fromkeys(given), what))] = True
            masks.append(mask)
        for j in np.flatnonzero(masks[1]).tolist():
            broken = np.flatnonzero(X[:, j] != np.round(X[:, j]))
            if len(broken):
                raise ValueError(
                    f"integers name the feature {names[j]!r}, which is {X[broken[0], j]:g} in "
                    f"sample {broken[0]}: leave it out of integers"
                )
        groups = []
        for group in categories:
            places = np.array(list(by_name(model, dict.fromkeys(group), "categories")))
            values = X[:, places]
            broken = np.flatnonzero(
                ~(np.isin(values, (0.0, 1.0)).all(axis=1) & (values.sum(axis=1) == 1))
            )
            if len(broken):
                raise ValueError(
                    f"in sample {broken[0]} the features {list(group)} are "
                    f"{values[broken[0]].tolist()}: exactly one feature of a group of categories "
                    "must be 1, and the others 0"
                )
            lower[places], upper[places] = (
                np.maximum(lower[places], 0),
                np.minimum(upper[places], 1),
            )
            groups.append(places)
        return cls(lower, upper, masks[0], masks[1], tuple(groups))

    @property
    def is_free(self) -> bool:
        """Whether there is no condition."""
        unlimited = not np.isfinite(self.lower).any() and not np.isfinite(self.upper).any()
        return unlimited and not (self.fixed.any() or self.integers.any() or self.groups)

    def of_sample(self, sample: Array) -> Domain:
        """Conditions on one sample."""
        return Domain(
            np.where(self.fixed, sample, self.lower),
            np.where(self.fixed, sample, self.upper),
            self.integers,
            self.groups,
        )


def _is_allowed(domain: Domain, moved: Array) -> bool:
    """Whether a sample meets the conditions exactly."""
    whole = moved[domain.integers]
    return bool(
        ((moved >= domain.lower) & (moved <= domain.upper)).all()
        and (whole == np.round(whole)).all()
        and all(moved[group].sum() == 1 for group in domain.groups)
    )
