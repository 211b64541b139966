"""Fit a DEP to rows that are never in memory together."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from .._base._passes import Block, Passes
from .._utils._typing import Array
from ..exceptions import warn_caller
from ..training import (
    ITERATION_LIMIT,
    MOST_KEPT,
    MOST_PASSES,
    OPERATORS,
    START_ROWS,
    Combination,
    SampledRows,
    TrainingResult,
    best_beta_by_passes,
    descend_by_passes,
    kept_rows,
)
from ._dep import MARGIN_HINGE, DEPClassifier, _operate
from ._trained import warn_if_degenerate, warn_if_not_converged

# What only training on arrays does, and the values that mean that it is not asked for.
_IN_MEMORY_ONLY = {
    "weighting": None,
    "joint": False,
    "solver": "descent",
    "beta_holdout": None,
    "monotonic_cst": None,
}


def fit_dep_by_passes(
    dep: DEPClassifier,
    passes: Passes,
    classes: NDArray,
    *,
    n_start: int = START_ROWS,
    max_kept: int = MOST_KEPT,
) -> DEPClassifier:
    """Fit a DEP by passes over blocks of rows, to the objective of all rows.

    Training starts on a sample of the rows. Each pass then descends on all of them, as far as the
    cube reaches that it gathers. The objective of all rows never ends above that of the end on the
    sample.

    Parameters
    ----------
    dep : DEPClassifier
        The unfitted classifier, which is fitted in place. ``weighting``, ``joint``,
        ``beta_holdout``, ``solver`` and ``monotonic_cst`` need arrays in memory.
    passes : Passes
        The rows; their y are −1 and +1.
    classes : array-like of shape (2,)
        The negative and the positive class.
    n_start : int, default=200_000
        Number of rows in the sample.
    max_kept : int, default=1_000_000
        Maximum number of rows that a pass keeps for an operator.

    Returns
    -------
    DEPClassifier
        The fitted classifier. ``kept`` of its results holds the number of rows of each pass.

    Examples
    --------
    >>> import numpy as np
    >>> from rdep import DEPClassifier
    >>> from rdep._base._passes import ListOfBlocks
    >>> from rdep.perceptrons import fit_dep_by_passes
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> passes = ListOfBlocks.of_arrays(X, np.where(X.sum(axis=1) > 0, 1, -1), n_rows=100)
    >>> fit_dep_by_passes(DEPClassifier(), passes, ["no", "yes"]).predict([[1.0, 1.0]])
    array(['yes'], dtype='<U3')
    """
    dep._validate_params()
    _check(dep)
    dep.classes_ = np.asarray(classes)
    rows = SampledRows.of(passes, n_start, dep._class_costs(), dep.ignore_constant)
    _set_coordinates(dep, rows)
    references, n_features = dep._references(), dep.n_features_in_
    objectives = {name: dep._objective(references[name], n_features) for name in OPERATORS}
    procedures = dict.fromkeys(OPERATORS, dep._procedure(dep._seed()))
    descents = descend_by_passes(passes, rows, objectives, procedures, max_kept)
    dep.dilation_weights_, dep.erosion_weights_ = (descents[name].weights for name in OPERATORS)
    near_zero = [descents[name].near_zero for name in OPERATORS]
    at_zero = _learn_beta(dep, passes, rows, near_zero, max_kept)
    shares = (at_zero / sum(part.weight for part in rows.sums)).tolist()
    results = [descents[name].result(share) for name, share in zip(OPERATORS, shares, strict=True)]
    dep.dilation_result_, dep.erosion_result_ = results
    for name, result in zip(OPERATORS, results, strict=True):
        _warn_if_not_converged(result, name, dep.max_iter)
    dep.n_iter_ = max(result.n_iter for result in results)
    dep.joint_result_ = None
    warn_if_degenerate(dep, rows.samples, *dep._decided(rows.samples))
    return dep


def _set_coordinates(dep: DEPClassifier, rows: SampledRows) -> None:
    """Set what a fit to arrays sets before training."""
    n_features = len(rows.samples.used)
    dep.n_features_in_ = n_features
    dep.features_, dep.orientation_ = np.arange(n_features), np.ones(n_features)
    dep.missing_ = False
    dep._set_prior_from(np.array([part.weight for part in rows.sums]), 0.0, rows.samples.spread)


def _check(dep: DEPClassifier) -> None:
    for name, value in _IN_MEMORY_ONLY.items():
        given = getattr(dep, name)
        if given is not value and not (isinstance(given, str | bool) and given == value):
            raise ValueError(
                f"{name}={given!r} needs all rows in memory: set {name}={value!r}, or fit on arrays"
            )


def _warn_if_not_converged(result: TrainingResult, operator: str, max_iter: int) -> None:
    if len(result.kept) < MOST_PASSES:
        warn_if_not_converged(result, f"convex-concave procedure of the {operator}", max_iter)
    elif result.status == ITERATION_LIMIT:
        warn_caller(
            f"the {operator} is still descending after {MOST_PASSES} passes: give it more memory "
            "(memory of a fit by blocks, or max_kept), so that a pass keeps more rows",
            ConvergenceWarning,
        )


def _combination(dep: DEPClassifier, rows: SampledRows) -> Combination:
    """Operators, and the loss by which β is learned."""
    with_margin = dep.beta_loss == MARGIN_HINGE
    costs: tuple[float, ...] = dep._class_costs()
    if with_margin or dep.class_weight == "balanced":
        costs = tuple(cost / part.weight for cost, part in zip(costs, rows.sums, strict=True))
    used = rows.samples.used
    return Combination(
        dep.dilation_weights_[used],
        dep.erosion_weights_[used],
        used,
        costs,
        rows.samples.margins(dep.margin) if with_margin else (0.0, 0.0),
        "hinge" if with_margin else dep.beta_loss,
        _largest(dep, rows),
    )


def _largest(dep: DEPClassifier, rows: SampledRows) -> float:
    """Bound of the absolute values of both operators, from the ranges of the features."""
    used = rows.samples.used
    w, m = dep.dilation_weights_[used], dep.erosion_weights_[used]
    ends = [end for part in rows.sums for end in (part.least, part.greatest)]
    values = [value for end in ends for value in ((end + w).max(), (end + m).min())]
    return max(float(np.abs(values).max()), np.finfo(float).tiny)


def _at_zero(combination: Combination, near_zero: list[float], block: Block) -> Array:
    """Weight of the rows at which each operator is zero up to rounding."""
    operated = combination.operated(block.X)
    return np.array([
        block.weight @ (np.abs(values) <= near)
        for values, near in zip(operated, near_zero, strict=True)
    ])  # fmt: skip


def _learn_beta(
    dep: DEPClassifier,
    passes: Passes,
    rows: SampledRows,
    near_zero: list[float],
    max_kept: int,
) -> Array:
    """Set β, and return the weight of the rows at which each operator is zero."""
    combination = _combination(dep, rows)
    at_zero = (partial(_at_zero, combination, near_zero), np.add)
    if dep.beta is not None:
        dep.beta_, dep.beta_interval_ = float(dep.beta), (float(dep.beta),) * 2
        return passes.reduce(*at_zero)
    samples = rows.samples
    expected, _ = dep._learn_beta(
        _operate(samples, dep.dilation_weights_, dep.erosion_weights_), samples, samples
    )
    n_kept = kept_rows(passes.n_rows, max_kept)
    dep.beta_, dep.beta_interval_, found = best_beta_by_passes(
        passes, combination, rows.block(), expected, n_kept, at_zero
    )
    return found
