"""Points to start from: the reference, random ones, and the best end of descents on a subsample."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._utils._typing import Array, Indices
from ._ccp import Trace
from ._cube import descend_by_cubes
from ._descend import descend
from ._problem import DilationProblem
from ._settings import AUTO, Procedure

# Negatives that the starts of ``n_init="auto"`` bring to zero in all features, besides the
# reference: by their place in the order of the sums of their values.
_PLACES = (0.9, 0.7, 0.5, 0.3)

# A class of more samples than this is thinned out for the starts of ``n_init="auto"``, to these or
# to one in a hundred.
_FEWEST = 1000
_ONE_IN = 100

# Problems of more distinct samples than this are large: escapes take place on a subsample, with at
# most half as many of each class.
MANY = 20_000
# Between the subsample and all samples, descents on subsamples that grow by no more than this.
_GROWTH = 5


def first_start(problem: DilationProblem, procedure: Procedure) -> Array:
    """The reference, or what is given."""
    if procedure.start is not None:
        return problem.point(procedure.start)
    return np.zeros(problem.n_features)


def random_starts(problem: DilationProblem, procedure: Procedure, n_starts: int) -> list[Array]:
    """Points where every coordinate brings some sample to 0."""
    if not n_starts:
        return []
    values = np.hstack([problem.negatives, problem.positives])
    random = np.random.RandomState(procedure.seed)
    coordinates = np.arange(problem.n_features)
    return [
        -values[coordinates, random.randint(values.shape[1], size=problem.n_features)]
        for _ in range(n_starts)
    ]


def spread_starts(problem: DilationProblem, procedure: Procedure) -> list[Array]:
    """The reference, and points that bring all values of one negative to 0.

    They depend neither on chance nor on the order of features.
    """
    order = np.argsort(problem.negatives.sum(axis=0), kind="stable")
    brought_to_zero = (order[int(place * (len(order) - 1))] for place in _PLACES)
    return [
        first_start(problem, procedure),
        *(-problem.negatives[:, sample] for sample in brought_to_zero),
    ]


def subsample(problem: DilationProblem) -> DilationProblem:
    """Every k-th sample of large classes, for the starts of ``n_init="auto"``."""

    def some(n_samples: int) -> Indices:
        n_wanted = min(max(_FEWEST, n_samples // _ONE_IN), MANY // 2)
        return np.arange(0, n_samples, max(1, n_samples // n_wanted))

    return _thinned(problem, some)


def escaped_on(problem: DilationProblem) -> DilationProblem:
    """The subsample of a large problem on which escapes take place."""
    return thinned(problem, MANY)


def thinned(problem: DilationProblem, n_samples: float) -> DilationProblem:
    """At most half as many samples of each class, evenly spaced."""

    def some(n_all: int) -> Indices:
        n_wanted = min(n_all, int(n_samples / 2))
        return np.arange(n_wanted) * n_all // n_wanted

    return _thinned(problem, some)


def _thinned(problem: DilationProblem, some: Callable[[int], Indices]) -> DilationProblem:
    """Some samples of each class, which then weigh as much as all of it.

    Reference, margin, unit and tolerances remain those of all samples. As the samples of a problem
    have an order of their own, the choice does not depend on the order of the rows.
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
    """Of descents with escapes on a subsample, the end that is best for all samples.

    An end without a loss is the best, and no other start follows it.

    Returns
    -------
    tuple
        The point, and the number of its start.
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
    """Whether no escape takes place on all samples, nor a descent from far away."""
    from_a_subsample = procedure.escape or procedure.n_init == AUTO
    return problem.n_samples > MANY and from_a_subsample and procedure.solver == "descent"


def descend_on_many(
    problem: DilationProblem, some: DilationProblem, u: Array, procedure: Procedure
) -> Trace:
    """From the end on a subsample to that on all samples, over subsamples of sizes in between."""
    plain = replace(procedure, escape=False)
    n_levels = math.ceil(math.log(problem.n_samples / some.n_samples, _GROWTH))
    for level in range(1, n_levels):
        ratio = (problem.n_samples / some.n_samples) ** (level / n_levels)
        u = descend_by_cubes(thinned(problem, ratio * some.n_samples), u, plain).at.u
    return descend_by_cubes(problem, u, plain)
