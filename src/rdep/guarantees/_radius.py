"""How far every feature of a sample may change before the prediction can change.

Also the share of samples that are right and stay so within a radius: certified accuracy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from .._base._missing import has_missing, in_place_of_missing
from .._base._validation import feature_names, validate_samples
from .._utils._blocks import row_blocks
from .._utils._typing import Array, Indices, Mask
from ._bounds import bounds_of_decision, bounds_of_model
from ._closed_form import Steps, descent
from ._domain import Domain
from ._forms import Decision, Sum, affine_steps, decision_of, no_certificate
from ._search import OutOfTimeError, Question

# A radius is exact if a sample this little beyond it, relative to it, is decided otherwise.
_EXACT = 1e-6
# Samples beyond a radius in closed form, relative to it.
_STEPS = (1e-9, 1e-8, 1e-7)


@dataclass(frozen=True, eq=False)
class RobustnessRadius:
    """Radii within which predictions cannot change.

    Attributes
    ----------
    radii : ndarray of shape (n_samples,)
        No sample whose every feature j differs by less than ``radii * scale[j]`` is predicted
        otherwise. Infinite if no sample at all is.
    exact : ndarray of bool of shape (n_samples,)
        Whether the radius is the largest one. Otherwise it is a bound, and the largest radius may
        be larger.
    flips : ndarray of shape (n_samples, n_features)
        Samples just beyond exact radii that ``predict`` decides otherwise. ``flips - X`` is the
        direction. NaN if the radius is a bound or infinite.
    scale : ndarray of shape (n_features,)
        Units of the radii, by feature.
    """

    __module__ = "rdep.guarantees"

    radii: Array
    exact: Mask
    flips: Array
    scale: Array


def robustness_radius(
    model: Any,
    X: Any,
    *,
    scale: ArrayLike | Mapping[str, float] | None = None,
    max_exact_rows: int = 100,
) -> RobustnessRadius:
    r"""Compute how far the features of samples may change without changing the prediction.

    The radius of a sample x is

    .. math::

        r(x) = \sup \{ r : \text{every } x' \text{ with } |x'_j - x_j| \le r s_j
        \text{ for all } j \text{ is predicted like } x \} .

    It is exact for DEPs, morphological perceptrons, linear DEPs, and r-DEPs on the orderings
    ``"signed"`` and ``"boxes"``, by formulas. For box scores, competitive boxes and more than two
    classes it is exact by a search for up to ``max_exact_rows`` samples, and a bound for more. For
    other r-DEPs it is a bound. A missing value stays missing; with more than two classes, samples
    with missing values have bounds.

    Read more in the :doc:`User Guide </guide/guarantees>`.

    Parameters
    ----------
    model : classifier
        Fitted classifier, or a Pipeline of scalers that ends in one. The radii are in the units of
        the samples before scaling.
    X : array-like of shape (n_samples, n_features)
        Samples.
    scale : array-like of shape (n_features,), dict of str to float, or None, default=None
        Unit s of every feature, such as its standard deviation or measurement error. A dict names
        features; the others have the unit 1. None means 1 for every feature.
    max_exact_rows : int, default=100
        Maximum number of samples for which the nearest sample of another class is searched for.

    Returns
    -------
    RobustnessRadius

    Raises
    ------
    NoCertificateError
        If no certificate is known for the model.

    See Also
    --------
    counterfactual : Nearest samples with conditions on their values.
    certified_accuracy : Share of samples that are right within a radius.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.guarantees import robustness_radius
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> dep = DEPClassifier().fit(X_train, y_train)
    >>> found = robustness_radius(dep, X_test[:2])
    >>> found.radii.round(3), found.exact
    (array([0.31, 0.22]), array([ True,  True]))
    >>> (dep.predict(found.flips) != dep.predict(X_test[:2])).tolist()
    [True, True]
    """
    fitted = Fitted(model)
    samples, units = fitted.checked(X, scale)
    codes = fitted.codes_of(samples)
    if has_missing(samples):
        return _by_gaps(fitted, samples, units, codes)
    flips = np.empty(samples.shape)
    if fitted.decision is None:
        flips[:], seen = np.nan, fitted.scaled(samples)
        radii = bounds_of_model(fitted.last, seen, units * fitted.factor, codes)
        return RobustnessRadius(radii, np.zeros(len(radii), dtype=bool), flips, units)
    formula = _by_formula(fitted, fitted.decision, samples, units, codes, flips)
    if formula is None:
        flips[:], seen = np.nan, fitted.scaled(samples)
        radii = bounds_of_decision(fitted.decision, seen, units * fitted.factor, codes)
    else:
        radii = formula
    exact = np.isposinf(radii) | ~np.isnan(flips[:, 0])
    for i in np.flatnonzero(~exact) if len(samples) <= max_exact_rows else ():
        domain = Domain.free(samples[i], units)
        try:
            distance, flip = fitted.question(domain, int(codes[i])).nearest()
        except OutOfTimeError:
            continue
        # The bound by intervals may be the better one.
        radii[i] = max(radii[i], distance)
        exact[i] = np.isinf(distance)
        if flip is not None:
            rounding = 64 * np.finfo(float).eps * np.max(np.abs(samples[i]) / units)
            exact[i] = domain.distance(flip) <= radii[i] * (1 + _EXACT) + rounding
            flips[i] = flip if exact[i] else np.nan
    return RobustnessRadius(radii, exact, flips, units)


def _by_gaps(fitted: Fitted, X: Array, scale: Array, codes: Indices) -> RobustnessRadius:
    """Radii of samples with missing values, which stay missing: one decision for each pattern."""
    radii, exact = np.full(len(X), np.inf), np.ones(len(X), dtype=bool)
    flips = np.full(X.shape, np.nan)
    patterns, of_row = np.unique(np.isnan(X), axis=0, return_inverse=True)
    for k, gaps in enumerate(patterns):
        rows = np.flatnonzero(of_row.ravel() == k)
        decision = None if fitted.decision is None else fitted.decision.without(gaps)
        if decision is None:
            raise no_certificate(
                f"samples with missing values by this {type(fitted.last).__name__}"
            )
        moving = [isinstance(value, Sum) and value.is_moving for value in decision.values]
        if not any(moving):
            continue  # nothing that could move: the prediction is certain
        if len(moving) > 1:
            if not all(moving):
                raise no_certificate("samples without any value that one of the classes uses")
            seen = fitted.scaled(in_place_of_missing(X[rows], 0.0))
            radii[rows] = bounds_of_decision(decision, seen, scale * fitted.factor, codes[rows])
            exact[rows] = np.isposinf(radii[rows])
            continue
        own = np.empty((len(rows), X.shape[1]))
        found = _by_formula(fitted, decision, X[rows], scale, codes[rows], own)
        assert found is not None
        radii[rows], flips[rows] = found, own
        exact[rows] = np.isposinf(found) | ~np.isnan(own).all(axis=1)
    return RobustnessRadius(radii, exact, flips, scale)


def _by_formula(
    fitted: Fitted, decision: Decision, X: Array, scale: Array, codes: Indices, flips: Array
) -> Array | None:
    """Radii by a formula, or None; writes flips that predictions confirm, otherwise NaN.

    The functions of ``decision`` must not use features with missing values.
    """
    value, threshold = decision.values[0], decision.threshold
    if len(decision.values) > 1 or not isinstance(value, Sum):
        return None
    ways = [
        descent(form.above, form.below, scale * fitted.factor, end)
        for form, end in ((value.negated(), -threshold), (value, threshold))
    ]
    radii, parts = np.empty(len(X)), []
    for block in row_blocks(X):
        for code, way in enumerate(ways):
            if way is None:
                return None
            rows = block.start + np.flatnonzero(codes[block] == code)
            if len(rows):
                own = X[rows]
                radii[rows], steps = way(fitted.scaled(in_place_of_missing(own, 0.0)))
                flips[rows] = _beyond(own, scale, radii[rows], _STEPS[0], steps, slice(None))
                parts.append((rows, steps))
    left = np.isfinite(radii) & (fitted.codes_of(flips) == codes)
    for step in _STEPS[1:]:
        if not left.any():
            break
        for rows, steps in parts:
            here = np.flatnonzero(left[rows])
            flips[rows[here]] = _beyond(X[rows[here]], scale, radii[rows[here]], step, steps, here)
        left[left] = fitted.codes_of(flips[left]) == codes[left]
    flips[left | np.isinf(radii)] = np.nan
    return radii


def _beyond(
    own: Array, scale: Array, radii: Array, step: float, steps: Steps, here: Indices | slice
) -> Array:
    """Samples a little beyond their radii; the samples themselves if these are infinite."""
    known = in_place_of_missing(own, 0.0)
    rounding = 4 * np.finfo(float).eps * max(known.max(initial=0), -known.min(initial=0))
    reached = np.where(np.isinf(radii), 0.0, radii * (1 + step) + rounding / scale.min())
    moved = steps(here, reached)
    moved *= scale
    moved += own
    return moved


def certified_accuracy(
    model: Any,
    X: Any,
    y: ArrayLike,
    radii: ArrayLike,
    *,
    scale: ArrayLike | Mapping[str, float] | None = None,
    max_exact_rows: int = 100,
) -> Array:
    """Compute the share of samples that are predicted correctly within every given radius.

    At radius 0 it is the accuracy. If radii are bounds, it is a lower bound of the share.

    Read more in the :doc:`User Guide </guide/guarantees>`.

    Parameters
    ----------
    model : classifier
        Fitted classifier, as in :func:`robustness_radius`.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Their classes.
    radii : array-like of shape (n_radii,)
        Radii, none negative.
    scale : array-like of shape (n_features,), dict of str to float, or None, default=None
        Unit of every feature, as in :func:`robustness_radius`.
    max_exact_rows : int, default=100
        As in :func:`robustness_radius`.

    Returns
    -------
    ndarray of shape (n_radii,)
        Certified accuracy at each radius.

    See Also
    --------
    rdep.display.CertifiedAccuracyDisplay : The curve over all radii.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.guarantees import certified_accuracy
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> dep = DEPClassifier().fit(X_train, y_train)
    >>> certified_accuracy(dep, X_test, y_test, [0, 0.1, 0.2], scale=X_train.std(axis=0)).round(2)
    array([0.9 , 0.87, 0.82])
    """
    asked = np.atleast_1d(np.asarray(radii, dtype=float))
    if asked.ndim != 1 or not (asked >= 0).all():
        raise ValueError(f"radii must be numbers that are not negative, got {radii!r}")
    labels = np.asarray(y)
    check_consistent_length(X, labels)
    found = robustness_radius(model, X, scale=scale, max_exact_rows=max_exact_rows)
    is_right = model.predict(X) == labels
    # At radius 0 nothing moves, not even a sample on the boundary.
    reaches = (found.radii[:, None] >= asked) | (asked == 0)
    return (is_right[:, None] & reaches).mean(axis=0)


class Fitted:
    """A fitted model: its decision in terms of scaled samples, and its predictions."""

    def __init__(self, model: Any) -> None:
        if hasattr(model, "get_params") and not isinstance(model, type):
            check_is_fitted(model)
        is_pipeline = isinstance(model, Pipeline)
        self.model, self.last = model, model[-1] if is_pipeline else model
        steps = [step for _, step in model.steps] if is_pipeline else [model]
        # The step that knows the features.
        self.first = next((step for step in steps if hasattr(step, "n_features_in_")), model)
        n_features = getattr(self.first, "n_features_in_", 0)
        self.factor, self.shift = affine_steps(model, n_features)
        self.decision = decision_of(self.last)

    def scaled(self, X: Array) -> Array:
        """Samples after the scalers of a pipeline."""
        return X * self.factor + self.shift if self.model is not self.last else X

    def codes_of(self, X: Array) -> Indices:
        """Positions of the predicted classes."""
        names = getattr(self.first, "feature_names_in_", None)
        if names is not None:
            from .._utils._imports import pandas

            X = pandas().DataFrame(X, columns=names)
        return np.searchsorted(self.model.classes_, self.model.predict(X))

    def question(self, domain: Domain, code: int, sparse: bool = False) -> Question:
        """The question for the nearest allowed sample that is predicted otherwise."""
        assert self.decision is not None
        seen = self.scaled(domain.sample[None])[0]

        def is_flipped(moved: Array) -> bool:
            return domain.allows(moved) and self.codes_of(moved[None])[0] != code

        return Question(
            self.decision, seen, domain.scale * self.factor, code, domain, is_flipped, sparse
        )

    def checked(self, X: Any, scale: ArrayLike | Mapping[str, float] | None) -> tuple[Array, Array]:
        """Samples and units as arrays, or an error that says what is wrong with them."""
        samples = np.asarray(validate_samples(self.first, X), dtype=np.float64)
        units = np.ones(samples.shape[1])
        if isinstance(scale, Mapping):
            names = self.by_name(scale, "scale")
            units[list(names)] = list(names.values())
        elif scale is not None:
            units = np.asarray(scale, dtype=float)
        if units.shape != (samples.shape[1],):
            raise ValueError(
                f"scale has shape {units.shape}, but X has {samples.shape[1]} features: give one "
                "positive number for each"
            )
        wrong = np.flatnonzero(~(np.isfinite(units) & (units > 0)))
        if len(wrong):
            raise ValueError(
                f"scale must hold positive finite numbers, got {units[wrong[0]]:g} for the feature "
                f"{feature_names(self.first)[wrong[0]]!r}: to hold a feature fixed, give it a tiny "
                "scale; a constant feature may have any"
            )
        return samples, units

    def by_name(self, given: Mapping[Any, Any], what: str) -> dict[int, Any]:
        """Values by position of the feature, given by names."""
        names = list(feature_names(self.first))
        unknown = [name for name in given if name not in names]
        if unknown:
            raise ValueError(
                f"{what} names features that X does not have: {unknown}; X has {names}"
            )
        return {names.index(name): value for name, value in given.items()}
