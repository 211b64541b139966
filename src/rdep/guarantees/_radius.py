"""How far every feature of a sample may change before the prediction can change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from .._base._validation import feature_names, validate_samples
from .._utils._typing import Array, Indices, Mask
from ..perceptrons import LinearDEPClassifier
from ._bounds import bounds_of_decision, bounds_of_model
from ._expressions import Affine, Decision, Expression, Separable, before_scaling
from ._forms import affine_steps, decision_of
from ._linear import descend_linear, lowest_on_lines, two_parts
from ._programme import OutOfTimeError, nearest
from ._separable import descend, direction, lowest_points, one_rate, values_of

# A radius is exact if a sample this little beyond it, relative to it, is decided otherwise.
EXACT = 1e-6
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

    It is exact for DEPs, morphological perceptrons and r-DEPs on the orderings ``"signed"`` and
    ``"boxes"``, by a formula, and for linear DEPs, by linear programmes. For box scores,
    competitive boxes and more than two classes it is exact by mixed-integer programmes for up to
    ``max_exact_rows`` samples, and a bound for more. For other r-DEPs it is a bound.

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
        Maximum number of samples for which mixed-integer programmes are solved.

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
    decision = in_units_of_samples(model)
    samples, units = checked(model, X, scale)
    codes = codes_of(model, samples)
    flips = np.full(samples.shape, np.nan)
    if decision is None:
        factor, shift = affine_steps(model, samples.shape[1])
        last = model[-1] if isinstance(model, Pipeline) else model
        radii = bounds_of_model(last, samples * factor + shift, units * factor, codes)
        return RobustnessRadius(radii, np.zeros(len(radii), dtype=bool), flips, units)
    if len(decision.values) == 1 and (
        isinstance(decision.values[0], Separable) or two_parts(decision.values[0])
    ):
        return _in_closed_form(model, decision, samples, units, codes)
    radii = bounds_of_decision(decision, samples, units, codes)
    exact = np.isposinf(radii)
    if len(samples) <= max_exact_rows or (
        isinstance(model, LinearDEPClassifier) and len(decision.values) == 1
    ):
        for i in np.flatnonzero(~exact):
            try:
                found_there = nearest(
                    decision,
                    samples[i],
                    units,
                    int(codes[i]),
                    partial(is_other, model, int(codes[i])),
                    start=2 * radii[i],
                )
            except OutOfTimeError:
                continue
            # A programme's distance is correct to its tolerance; a bound may be the better one.
            radii[i] = max(radii[i], found_there.distance)
            exact[i] = np.isinf(radii[i])
            if found_there.sample is not None:
                flips[i] = found_there.sample
    return _verified(model, samples, units, radii, flips, exact)


def _in_closed_form(
    model: Any, decision: Decision, X: Array, scale: Array, codes: Indices
) -> RobustnessRadius:
    radii, lowest = _descend(decision, X, scale, codes)
    rounding = 4 * np.finfo(float).eps * max(X.max(), -X.min()) / scale.min()
    flips, left = np.full(X.shape, np.nan), np.flatnonzero(np.isfinite(radii))
    for step in _STEPS:
        if not len(left):
            break
        rows: Any = slice(None) if len(left) == len(X) else left  # without a copy, if it is all
        moved = lowest(rows, radii[rows] * (1 + step) + rounding)
        is_flipped = codes_of(model, moved) != codes[rows]
        flips[left[is_flipped]] = moved[is_flipped]
        left = left[~is_flipped]
    return RobustnessRadius(radii, np.isposinf(radii) | ~np.isnan(flips[:, 0]), flips, scale)


def _descend(
    decision: Decision, X: Array, scale: Array, codes: Indices
) -> tuple[Array, Callable[[Any, Array], Array]]:
    """Distances to the other class, and the function that finds samples at given distances."""
    (value,), threshold = decision.values, decision.threshold
    if isinstance(value, Separable) and (rate := one_rate(value, scale)) is not None:
        signs = np.where(codes == 1, 1.0, -1.0)
        distances = np.maximum(signs * (values_of(value, X) - threshold), 0.0) / rate
        step = direction(value) * scale

        def along(rows: Any, radii: Array) -> Array:
            steps = (-signs[rows] * radii)[:, None] * step
            return np.add(X[rows], steps, out=steps)

        return distances, along
    distances = np.empty(len(X))
    finders: list[tuple[Mask, Callable[[Indices, Array], Array]]] = []
    for code in (1, 0):
        rows = np.flatnonzero(codes == code)
        distances[rows], find = _descend_from(value, threshold, code, X[rows], scale)
        finders.append((codes == code, find))

    def lowest(rows: Any, radii: Array) -> Array:
        chosen = np.arange(len(X))[rows]
        moved = X[chosen]
        for of_code, find in finders:
            here = of_code[chosen]
            if here.any():
                places = np.searchsorted(np.flatnonzero(of_code), chosen[here])
                moved[here] = find(places, radii[here])
        return moved

    return distances, lowest


def _descend_from(
    value: Expression, threshold: float, code: int, X: Array, scale: Array
) -> tuple[Array, Callable[[Indices, Array], Array]]:
    """The same for samples of one class."""
    if isinstance(value, Separable):
        side = value if code == 1 else value.negated()
        distances, through = descend(side, X, scale, threshold if code == 1 else -threshold)
        return distances, lambda rows, radii: lowest_points(
            side, X[rows], scale, through[rows], radii
        )
    above, below = cast(tuple[Affine, Affine], two_parts(value))
    if code == 0:
        above, below = (Affine(-part.coef, -part.intercept) for part in (below, above))
        threshold = -threshold
    distances, through, multipliers = descend_linear(above, below, X, scale, threshold)
    return distances, lambda rows, radii: lowest_on_lines(
        above, below, X[rows], scale, through[rows], multipliers[rows], radii
    )


def _verified(
    model: Any, X: Array, scale: Array, radii: Array, flips: Array, exact: Mask
) -> RobustnessRadius:
    """Call a radius exact only if a sample next to it is predicted otherwise."""
    known = np.flatnonzero(np.isfinite(flips).all(axis=1))
    exact = exact & np.isposinf(radii)
    if len(known):
        is_flipped = codes_of(model, flips[known]) != codes_of(model, X[known])
        distances = np.max(np.abs(flips[known] - X[known]) / scale, axis=1)
        rounding = 64 * np.finfo(float).eps * np.max(np.abs(X[known]) / scale, axis=1)
        exact[known] = is_flipped & (distances <= radii[known] * (1 + EXACT) + rounding)
    flips[~exact] = np.nan
    return RobustnessRadius(radii, exact, flips, scale)


def checked(
    model: Any, X: Any, scale: ArrayLike | Mapping[str, float] | None
) -> tuple[Array, Array]:
    """Samples and units as arrays, or an error that says what is wrong with them."""
    first = named_step(model)
    samples = np.asarray(validate_samples(first, X), dtype=np.float64)
    if isinstance(scale, Mapping):
        names = by_name(first, scale, "scale")
        units = np.ones(samples.shape[1])
        units[list(names)] = list(names.values())
    else:
        units = np.ones(samples.shape[1]) if scale is None else np.asarray(scale, dtype=float)
    if units.shape != (samples.shape[1],):
        raise ValueError(
            f"scale has shape {units.shape}, but X has {samples.shape[1]} features: give one "
            "positive number for each"
        )
    if not (np.isfinite(units) & (units > 0)).all():
        j = int(np.flatnonzero(~(np.isfinite(units) & (units > 0)))[0])
        raise ValueError(
            f"scale must hold positive finite numbers, got {units[j]:g} for the feature "
            f"{feature_names(first)[j]!r}: to hold a feature fixed, give it a tiny scale; a "
            "constant feature may have any"
        )
    return samples, units


def by_name(model: Any, given: Mapping[Any, Any], what: str) -> dict[int, Any]:
    """Values by position of the feature, given by names or positions."""
    names = list(feature_names(model))
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(f"{what} names features that X does not have: {unknown}; X has {names}")
    return {names.index(name): value for name, value in given.items()}


def as_fitted(model: Any, X: Array) -> Any:
    """Samples with the names that a model was fitted on, if it was fitted on a data frame."""
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return X
    from .._utils._imports import pandas

    return pandas().DataFrame(X, columns=names)


def codes_of(model: Any, X: Array) -> NDArray[np.intp]:
    """Positions of the predicted classes."""
    return np.searchsorted(model.classes_, model.predict(as_fitted(named_step(model), X)))


def is_other(model: Any, code: int, moved: Array) -> bool:
    """Whether a sample is predicted otherwise than as the class at this position."""
    return bool(codes_of(model, moved[None])[0] != code)


def named_step(model: Any) -> Any:
    """The first step of a pipeline that knows its features, or the model itself."""
    if not isinstance(model, Pipeline):
        return model
    return next(step for _, step in model.steps if hasattr(step, "n_features_in_"))


def in_units_of_samples(model: Any) -> Decision | None:
    """The decision of a model in terms of the samples before the scalers of a pipeline."""
    if hasattr(model, "get_params") and not isinstance(model, type):
        check_is_fitted(model)
    if not isinstance(model, Pipeline):
        return decision_of(model)
    factor, shift = affine_steps(model, model.n_features_in_)
    decision = decision_of(model[-1])
    if decision is None:
        return None
    values = tuple(before_scaling(value, factor, shift) for value in decision.values)
    return Decision(values, decision.threshold)
