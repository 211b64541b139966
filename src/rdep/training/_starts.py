"""Starts of training: the reference, random points, and the best end on a subsample."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._utils._typing import Array, Indices
from ._ccp import Trace
from ._cube import descend_by_cubes
from ._descend import descend
from ._problem import DilationProblem, brought_to_zero
from ._settings import AUTO, Procedure

# The starts of ``n_init="auto"`` are the reference and points that bring all values of one negative
# to zero. These are the places of the negatives in the order of the sums of their values.
_PLACES = (0.9, 0.7, 0.5, 0.3)

# A class with more samples is thinned out for the starts of ``n_init="auto"``: to this number, or
# to one in a hundred if that is more.
_FEWEST = 1000
_ONE_IN = 100

# Problems with more distinct samples are large: escapes take place on a subsample, which has at
# most half this number of samples of each class.
MANY = 20_000
# Maximum growth from one subsample to the next, between the first one and all samples.
_GROWTH = 5


def first_start(problem: DilationProblem, procedure: Procedure) -> Array:
    """Point of ``procedure.start``, or the reference if that is None."""
    if procedure.start is not None:
        return problem.point(procedure.start)
    return np.zeros(problem.n_features)


def random_starts(problem: DilationProblem, procedure: Procedure, n_starts: int) -> list[Array]:
    """Random points at which every coordinate brings the value of some sample to 0."""
    if not n_starts:
        return []
    values = np.hstack([problem.negatives, problem.positives])
    random = np.random.RandomState(procedure.seed)
    coordinates = np.arange(problem.n_features)
    return [
        brought_to_zero(
            values[coordinates, random.randint(values.shape[1], size=problem.n_features)]
        )
        for _ in range(n_starts)
    ]


def spread_starts(problem: DilationProblem, procedure: Procedure) -> list[Array]:
    """Reference, and points that bring all values of one negative to 0.

    They are not random and do not depend on the order of the features.
    """
    order = np.argsort(-brought_to_zero(problem.negatives).sum(axis=0), kind="stable")
    spread = (order[int(place * (len(order) - 1))] for place in _PLACES)
    return [
        first_start(problem, procedure),
        *(brought_to_zero(problem.negatives[:, sample]) for sample in spread),
    ]


def subsample(problem: DilationProblem) -> DilationProblem:
    """Every k-th sample of large classes, for the starts of ``n_init="auto"``."""

    def some(n_samples: int) -> Indices:
        n_wanted = min(max(_FEWEST, n_samples // _ONE_IN), MANY // 2)
        return np.arange(0, n_samples, max(1, n_samples // n_wanted))

    return _thinned(problem, some)


def escaped_on(problem: DilationProblem) -> DilationProblem:
    """Subsample of a large problem, used for escapes."""
    return thinned(problem, MANY)


def thinned(problem: DilationProblem, n_samples: float) -> DilationProblem:
    """Evenly spaced subsample with at most ``n_samples / 2`` samples of each class."""

    def some(n_all: int) -> Indices:
        n_wanted = min(n_all, int(n_samples / 2))
        return np.arange(n_wanted) * n_all // n_wanted

    return _thinned(problem, some)


def _thinned(problem: DilationProblem, some: Callable[[int], Indices]) -> DilationProblem:
    """Subsample of each class, with penalties scaled to the sum of the whole class.

    Reference, margin, unit and tolerances remain those of all samples. The samples of a problem are
    in canonical order, so the choice does not depend on the order of the rows.
    """
    return problem.with_samples(
        *_part(problem.negatives, problem.negative_penalties, some),
        *_part(problem.positives, problem.positive_penalties, some),
    )


def _part(values: Array, penalties: Array, some: Callable[[int], Indices]) -> tuple[Array, Array]:
    chosen = some(len(penalties))
    if len(chosen) == len(penalties):
        return values, penalties
    part = penalties[chosen]
    return values.take(chosen, axis=1), part * (penalties.sum() / part.sum())


def best_end(
    problem: DilationProblem,
    some: DilationProblem,
    starts: list[Array],
    procedure: Procedure,
) -> tuple[Array, int]:
    """Descend with escapes on a subsample and select the end that is best for all samples.

    If an end has no loss, the remaining starts are skipped.

    Returns
    -------
    tuple
        The point, and the index of its start.
    """
    escaping = replace(procedure, escape=True)
    down = descend_by_cubes if is_large(problem, procedure) else descend
    ends: list[Array] = []
    objectives: list[float] = []
    while len(ends) < len(starts) and min(objectives, default=np.inf) > problem.rounding:
        ends.append(down(some, starts[len(ends)], escaping).at.u)
        objectives.append(problem.at(ends[-1]).objective)
    best = int(np.argmin(objectives))
    return ends[best], best


def is_large(problem: DilationProblem, procedure: Procedure) -> bool:
    """Whether escapes and long descents take place on subsamples only."""
    from_a_subsample = procedure.escape or procedure.n_init == AUTO
    return problem.n_samples > MANY and from_a_subsample and procedure.solver == "descent"


def descend_on_many(
    problem: DilationProblem, some: DilationProblem, u: Array, procedure: Procedure
) -> Trace:
    """Descend from the end on a subsample to all samples, through subsamples of growing size."""
    plain = replace(procedure, escape=False)
    n_levels = math.ceil(math.log(problem.n_samples / some.n_samples, _GROWTH))
    for level in range(1, n_levels):
        ratio = (problem.n_samples / some.n_samples) ** (level / n_levels)
        u = descend_by_cubes(thinned(problem, ratio * some.n_samples), u, plain).at.u
    return descend_by_cubes(problem, u, plain)
